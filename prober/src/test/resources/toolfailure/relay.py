"""Relays with one fault each: relay.py FAULT SERVER-COMMAND...  Faults are the keys of FAULTS below; "none" copies line by line."""
import json
import subprocess
import sys
import threading

KEY = "io.modelcontextprotocol/toolFailure"
KNOWN = ("class", "code", "retryable", "retryNotBefore", "correlationId", "agentGuidance")


def read(line):
    # Numbers stay as they were written: a relay has one fault here, not two.
    return json.loads(line, parse_float=lambda text: "@%s@" % text, parse_int=lambda text: "@%s@" % text)


def write(message):
    text = json.dumps(message)
    out, rest = [], text
    while '"@' in rest:
        before, rest = rest.split('"@', 1)
        number, rest = rest.split('@"', 1)
        out += [before, number]
    return "".join(out) + rest


def drop_meta(message):
    message["result"].pop("_meta", None)


def drop_unknown(message):
    value = message["result"].get("_meta", {}).get(KEY)
    if isinstance(value, dict):
        message["result"]["_meta"][KEY] = {name: value[name] for name in KNOWN if name in value}


def move_key(message):
    meta = message["result"].get("_meta", {})
    if KEY in meta:
        message["result"].setdefault("structuredContent", {})[KEY] = meta.pop(KEY)


def protocol_error(message):
    result = message["result"]
    if result.get("isError") is True:
        message["error"] = {"code": -32000, "message": "tool failed", "data": result.get("_meta", {})}
        del message["result"]


def clear_error(message):
    message["result"].pop("isError", None)


def invent(message):
    message["result"].setdefault("_meta", {}).setdefault(KEY, {"class": "reliability", "code": "relay", "correlationId": "r-1"})


FAULTS = {
    "drop-meta": drop_meta, "drop-unknown": drop_unknown, "move-key": move_key, "protocol-error": protocol_error,
    "clear-error": clear_error, "invent": invent,
}


def main():
    fault = sys.argv[1]
    if fault == "dies-at-once":
        sys.exit(7)
    server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    calls = set()

    def to_server():
        for line in sys.stdin.buffer:
            if b'"tools/call"' in line:
                calls.add(str(json.loads(line).get("id")))
                if fault == "dies":
                    server.kill()
                    sys.stdout.flush()
                    import os
                    os._exit(9)
                if fault == "hangs":
                    continue
                if fault == "calls-twice":
                    server.stdin.write(line)
            server.stdin.write(line)
            server.stdin.flush()
        server.stdin.close()

    threading.Thread(target=to_server, daemon=True).start()
    out = sys.stdout.buffer
    if fault == "noise":
        out.write(b"relay starting\n\xff\xfe not text\n{\n")
        out.flush()
    answered = set()
    for line in server.stdout:
        if fault == "floods":
            while True:
                out.write(b"x" * 65536)
                out.flush()
        if fault == "numbers":
            out.write((json.dumps(json.loads(line)) + "\n").encode())
        elif fault in FAULTS:
            message = read(line)
            if isinstance(message.get("result"), dict) and str(message.get("id")).strip("@") in calls:
                FAULTS[fault](message)
            out.write((write(message) + "\n").encode())
        elif fault == "calls-twice":
            number = json.loads(line).get("id")
            if number not in answered:
                out.write(line)
            answered.add(number)
        else:
            out.write(line)
        out.flush()


main()
