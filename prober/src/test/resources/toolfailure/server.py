"""A server with one tool that fails twice and then succeeds: server.py OBJECT, the JSON under the toolFailure key; "-" for none."""
import json
import sys

KEY = "io.modelcontextprotocol/toolFailure"
calls = 0


def send(message, **members):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **members}) + "\n")
    sys.stdout.flush()


def called(message):
    global calls
    calls += 1
    sys.stderr.write("call %d\n" % calls)
    sys.stderr.flush()
    if calls > 2:
        return send(message, result={"content": [{"type": "text", "text": "booked"}]})
    result = {"content": [{"type": "text", "text": "no \u001b[2J answer from upstream"}], "isError": True}
    if sys.argv[1] != "-":
        result["_meta"] = {KEY: json.loads(sys.argv[1])}
    send(message, result=result)


for line in sys.stdin:
    request = json.loads(line)
    method = request.get("method")
    if method == "initialize":
        send(request, result={"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "flaky", "version": "1"}})
    elif method == "tools/list":
        send(request, result={"tools": [{"name": "book", "inputSchema": {"type": "object"}, "annotations": {"idempotentHint": True}}]})
    elif method == "tools/call":
        called(request)
    elif "id" in request:
        send(request, error={"code": -32601, "message": "Method not found"})
