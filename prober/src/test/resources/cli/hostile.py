"""A legacy server that is right but for one kind of input that readers choke on, named on its command line."""
import json
import os
import sys
import threading

stop = threading.Timer(120, lambda: os._exit(97))
stop.daemon = True
stop.start()
KIND = sys.argv[1]
SCHEMA = {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]}
TOOL = {"name": "greet", "annotations": {"readOnlyHint": True}, "inputSchema": SCHEMA}
LISTEN = int(sys.argv[2]) if len(sys.argv) > 2 else 0

if KIND == "many-tools":
    TOOLS = [dict(TOOL, name="greet-%d" % i, description="x" * 7400) for i in range(2000)]
elif KIND == "recursive":
    schema = {"type": "object", "properties": {"who": {"type": "string"}, "next": {"$ref": "#"}, "more": {"$ref": "#/$defs/a"}},
              "required": ["who"], "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    TOOLS = [dict(TOOL, inputSchema=schema)]
elif KIND == "network":
    schema = {"type": "object", "properties": {"who": {"$ref": "http://127.0.0.1:%d/who.json" % LISTEN}}, "required": ["who"]}
    TOOLS = [dict(TOOL, inputSchema=schema)]
elif KIND == "surrogates":
    TOOLS = [dict(TOOL, description="\ud800 alone \udc00")]
else:
    TOOLS = [TOOL]


def raw(text):
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass") + b"\n")
    sys.stdout.buffer.flush()


def say(id_, **rest):
    raw(json.dumps({"jsonrpc": "2.0", "id": id_, **rest}))


def listing(id_, cursor):
    head = '{"jsonrpc":"2.0","id":%s,' % json.dumps(id_)
    if KIND == "deep":
        raw(head + '"result":{"tools":[{"name":"greet","inputSchema":{"type":"object","default":%s}}]}}' % ("[" * 100000 + "]" * 100000))
    elif KIND == "long-number":
        raw(head + '"result":{"tools":[{"name":"greet","inputSchema":{"type":"object","properties":{"n":{"type":"integer","maximum":%s}}}}]}}' % ("9" * 5000))
    elif KIND == "nan":
        raw(head + '"result":{"tools":[{"name":"greet","inputSchema":{"type":"object","default":NaN}}]}}')
    elif KIND == "twice":
        raw(head + '"result":{"tools":[]},"result":' + json.dumps({"tools": TOOLS}) + "}")
    elif KIND == "bom":
        raw("\ufeff" + head + '"result":' + json.dumps({"tools": TOOLS}) + "}")
    elif KIND == "loop":
        say(id_, result={"tools": TOOLS, "nextCursor": "page-%d" % (int((cursor or "page-0")[5:]) % 3 + 1)})
    elif KIND == "endless-cursors":
        say(id_, result={"tools": [], "nextCursor": str(int(cursor or "0") + 1)})
    else:
        say(id_, result={"tools": TOOLS})


for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        continue
    if not isinstance(message, dict):
        continue
    method, id_, params = message.get("method"), message.get("id"), message.get("params") or {}
    if method == "initialize":
        if KIND == "stderr":
            for _ in range(1600):
                sys.stderr.write("\x1b[31m" + "e" * 65535 + "\n")
        say(id_, result={"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}})
    elif method == "ping":
        say(id_, result={})
    elif method == "tools/list":
        listing(id_, params.get("cursor"))
    elif method == "tools/call" and not isinstance(params.get("arguments"), dict) or method == "tools/call" and not str(params.get("name", "")).startswith("greet"):
        say(id_, error={"code": -32602, "message": "Unknown tool"})
    elif method == "tools/call":
        good = isinstance(params["arguments"].get("who"), str)
        text = "hello" if good else "who is no string"
        say(id_, result={"content": [{"type": "text", "text": text}], **({} if good else {"isError": True})})
    elif id_ is not None:
        say(id_, error={"code": -32601, "message": "no such method"})
