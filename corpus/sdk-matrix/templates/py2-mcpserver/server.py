from mcp import types
from mcp.server import MCPServer
from pydantic import BaseModel

from .failure import tool_failure

server = MCPServer("__NAME__")


class Value(BaseModel):
    value: float


@server.tool()
def add(a: float, b: float) -> str:
    """Adds two numbers."""
    return f"The sum is {a + b}."


@server.tool()
def double(value: float) -> Value:
    """Doubles a number."""
    return Value(value=2 * value)


@server.tool()
def broken(value: float) -> Value:
    """Breaks its output schema."""
    return {"value": "many"}


@server.tool()
def lookup(key: str) -> str:
    """Fails by an exception."""
    raise RuntimeError("the backend is down")


@server.tool()
def refuse(key: str):
    """Fails by a result."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text="the backend is down, try again later")],
        isError=True,
        _meta=tool_failure(),
    )


def main() -> None:
    server.run()
