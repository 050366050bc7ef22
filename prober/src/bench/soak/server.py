# A server of the soak frame: hand-rolled, no dependencies. behaviour.json beside it says how it is, --set KEY=VALUE changes one thing.
# Every misbehaviour is bounded, and ends with stdin or after two minutes.
import json
import os
import signal
import sys
import time
from pathlib import Path

HOW = json.loads((Path(__file__).parent / "behaviour.json").read_text())
for i, argument in enumerate(sys.argv):
    if argument == "--set":
        key, _, value = sys.argv[i + 1].partition("=")
        HOW[key] = value


def send(request_id: object, body: dict) -> None:
    print(json.dumps({"jsonrpc": "2.0", "id": request_id, **body}), flush=True)


def error(code: int, message: str) -> dict:
    return {"error": {"code": code, "message": message}}


def text(words: str, failed: bool = False) -> dict:
    return {"result": {"content": [{"type": "text", "text": words}], **({"isError": True} if failed else {})}}


def tools() -> list:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    return [{"name": f"shout-{i}", "description": "Returns the text in capitals.", "inputSchema": schema} for i in range(int(HOW.get("tools", 2)))]


def refuse(way: str, words: str) -> dict | None:
    if way == "protocol":
        return error(-32602, words)
    if way == "internal":
        return error(-32603, words)
    if way == "own-code":
        return error(-1, words)
    if way == "empty":
        return {"result": {"content": []}}
    if way == "in-band":
        return text(f"Error: {words}")
    if way == "silence":
        return None
    if way == "exit":
        os._exit(4)
    return text("DONE") if way == "run" else text(words, True)


def call(params: object) -> dict | None:
    if not isinstance(params, dict) or not isinstance(params.get("name"), str):
        return refuse(HOW.get("noName", "protocol"), "name is missing")
    if params["name"] not in [tool["name"] for tool in tools()]:
        return refuse(HOW.get("unknown", "protocol"), f"unknown tool: {params['name']}")
    arguments = params.get("arguments", {})
    if not isinstance(arguments, dict):
        return error(-32602, "arguments must be an object")
    if "text" not in arguments:
        return refuse(HOW.get("missing", "tool-error"), "text is missing")
    if not isinstance(arguments["text"], str):
        return refuse(HOW.get("wrong", "tool-error"), "text must be a string")
    return text(arguments["text"].upper())


def answer(method: object, params: object) -> dict | None:
    if method == "initialize":
        if HOW.get("start") == "bad-result":
            return {"result": {"hello": "world"}}
        revision = "1999-01-01" if HOW.get("start") == "version" else HOW.get("revision", "2025-11-25")
        return {"result": {"protocolVersion": revision, "capabilities": {"tools": {}}, "serverInfo": {"name": HOW.get("name", "soak"), "version": "1.0.0"}}}
    if method == "ping":
        return error(-32601, "Method not found: ping") if HOW.get("ping") == "no" else {"result": {}}
    if method == "tools/list":
        return {"result": {"tools": tools()}}
    if method == "tools/call":
        return call(params)
    if HOW.get("method") == "internal":
        return error(-32603, "Internal error")
    return {"result": {}} if HOW.get("method") == "result" else error(-32601, f"Method not found: {method}")


def unreadable(code: int, words: str) -> None:
    if HOW.get("malformed") == "exit":
        os._exit(5)
    if HOW.get("malformed") != "silence":
        send(None, error(code, words))


def start() -> None:
    way = HOW.get("start")
    if way == "silent":
        sys.exit(0)
    if way == "status":
        sys.exit("cannot go on")
    if way == "throw":
        raise LookupError("soak: what is not there cannot be read")
    if way == "key":
        print("Error: environment variable SOAK_API_KEY is required", file=sys.stderr)
        sys.exit(1)
    if way == "memory":
        kept = [bytearray(os.urandom(1024) * 1024) for _ in range(900)]
        print(len(kept), file=sys.stderr)
    if way == "killed":
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    start()
    signal.signal(signal.SIGALRM, lambda *_: os._exit(9))
    signal.alarm(120)
    if HOW.get("banner") == "yes":
        print("soak server 1.0.0, listening on stdio", flush=True)
    if HOW.get("hostile") == "stdout":
        for _ in range(int(HOW.get("amount", 8)) * 1024):
            sys.stdout.write("x" * 1023 + "\n")
    if HOW.get("hostile") == "stderr":
        for _ in range(int(HOW.get("amount", 8)) * 1024):
            sys.stderr.write("z" * 1023 + "\n")
    if HOW.get("hostile") == "term":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except ValueError:
            unreadable(-32700, "Parse error")
            continue
        if not isinstance(message, dict):
            unreadable(-32600, "Invalid Request")
        elif "id" in message:
            body = answer(message.get("method"), message.get("params"))
            if body is not None:
                send(message["id"], body)
    if HOW.get("eof") == "stay":
        time.sleep(60)
    sys.exit(int(HOW["eof"]) if HOW.get("eof", "0").isdigit() else 0)
