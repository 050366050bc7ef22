"""A small legacy server for tests of the command line; what it gets wrong is named on its command line."""
import json
import os
import sys
import threading

stop = threading.Timer(60, lambda: os._exit(97))
stop.daemon = True
stop.start()
WRONG = set(sys.argv[1:])
HOSTILE = "\x1b]0;owned\x07\x9b31m<script>\n| forged | \u202e"
TOOL = {"name": HOSTILE if "hostile" in WRONG else "greet", "annotations": {"readOnlyHint": True},
        "inputSchema": {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]}}

if "need-key" in WRONG:
    sys.stderr.write("Error: GREETER_API_KEY is not set\n")
    sys.exit(2)


def say(id_, **rest):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": id_, **rest}) + "\n")
    sys.stdout.flush()


for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        continue
    method, id_, params = message.get("method"), message.get("id"), message.get("params", {})
    if method == "initialize":
        say(id_, result={"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": TOOL["name"], "version": "1"}})
    elif method == "ping":
        say(id_, result={})
    elif method == "tools/list":
        say(id_, result={"tools": [TOOL]})
    elif method == "tools/call":
        who = params.get("arguments", {}).get("who") if isinstance(params.get("arguments"), dict) else None
        if params.get("name") != TOOL["name"] or not isinstance(params.get("arguments"), dict):
            say(id_, error={"code": -32602, "message": "Unknown tool: " + HOSTILE})
        elif isinstance(who, str) or "silent" in WRONG:
            say(id_, result={"content": [{"type": "text", "text": "hello %s" % who}]})
        else:
            say(id_, result={"content": [{"type": "text", "text": "who must be a string" + HOSTILE}], "isError": True})
    elif id_ is not None:
        say(id_, error={"code": -32601, "message": "no such method"})
