"""A server that misbehaves as its arguments say: silent, no-answer, noise, twice, exits, ignores-eof, closes."""
import json
import os
import sys
import time

HOW = sys.argv[1:]
TOOL = {"name": "greet", "description": "x", "inputSchema": {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]}}


def say(id_, **rest):
    line = json.dumps({"jsonrpc": "2.0", "id": id_, **rest}) + "\n"
    sys.stdout.write(line * (2 if "twice" in HOW and id_ == 2 else 1))
    sys.stdout.flush()


for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        continue
    method, id_, params = message.get("method"), message.get("id"), message.get("params", {})
    if method == "initialize":
        say(id_, result={"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "m", "version": "1"}})
    elif method == "ping":
        say(id_, result={})
    elif method == "tools/list":
        if "noise" in HOW:
            print("listing at %f \x1b[31m'quoted' \\ %%s $(id) `id`" % time.time(), flush=True)
        say(id_, result={"tools": [TOOL]})
    elif method == "tools/call":
        arguments = params.get("arguments")
        if params.get("name") != TOOL["name"] or not isinstance(arguments, dict):
            if "exits" in HOW:
                sys.exit(7)
            if "closes" in HOW:
                sys.stdout.flush()
                os.close(1)
                os.open("/dev/null", os.O_WRONLY)
            elif "no-answer" not in HOW:
                say(id_, error={"code": -32602, "message": "unknown tool"})
        elif isinstance(arguments.get("who"), str) or "silent" in HOW:
            say(id_, result={"content": [{"type": "text", "text": "hello at %f" % time.time()}]})
        else:
            say(id_, result={"content": [{"type": "text", "text": "who must be a string"}], "isError": True})
    elif id_ is not None:
        say(id_, error={"code": -32601, "message": "no such method"})
while "ignores-eof" in HOW:
    time.sleep(1)
