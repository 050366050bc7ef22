"""The tools as plain JSON Schema, for the styles in which an author lists them by hand."""


def _numbers(*names: str) -> dict:
    return {"type": "object", "properties": {name: {"type": "number"} for name in names}, "required": list(names)}


_KEY = {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]}

DECLARATIONS = [
    {"name": "add", "description": "Adds two numbers.", "inputSchema": _numbers("a", "b")},
    {"name": "double", "description": "Doubles a number.", "inputSchema": _numbers("value"), "outputSchema": _numbers("value")},
    {"name": "broken", "description": "Breaks its output schema.", "inputSchema": _numbers("value"), "outputSchema": _numbers("value")},
    {"name": "lookup", "description": "Fails by an exception.", "inputSchema": _KEY},
    {"name": "refuse", "description": "Fails by a result.", "inputSchema": _KEY},
]
