# Resolves a requirement with uv. Arguments: INDEX REQUIREMENT NAME BEFORE; for a local package REQUIREMENT is its path and NAME is
# empty; BEFORE may be empty. Prints one JSON object: what the index or the package says, and uv's lock or why there is none.
import email.parser, glob, html.parser, json, os, platform, re, subprocess, sys, tarfile, urllib.error, urllib.request, zipfile

index, requirement, name, before = sys.argv[1:5]
MAX = 64 << 20


def index_page():
    accept = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"
    request = urllib.request.Request(index.rstrip("/") + "/" + name + "/", headers={"Accept": accept})
    # The index is a neighbour; proxies of the environment are for others.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for attempt in range(3):
        try:
            with opener.open(request, timeout=60) as answer:
                return answer.status, files_of(answer.headers.get_content_type(), answer.read(MAX))
        except urllib.error.HTTPError as error:
            if error.code < 500 or attempt == 2:
                return error.code, []
        except OSError:
            if attempt == 2:
                return 0, []


def files_of(kind, body):
    if kind.endswith("json"):
        return [{"file": f.get("filename"), "python": f.get("requires-python"), "time": f.get("upload-time"), "yanked": bool(f.get("yanked"))}
                for f in json.loads(body)["files"]]
    links = []

    class Links(html.parser.HTMLParser):
        def handle_starttag(self, tag, attributes):
            found = dict(attributes)
            if tag == "a" and found.get("href"):
                links.append({"file": found["href"].split("#")[0].rsplit("/", 1)[-1], "python": found.get("data-requires-python"),
                              "time": None, "yanked": "data-yanked" in found})

    Links().feed(body.decode("utf-8", "replace"))
    return links


def local_python():
    """Requires-Python of a local package, where it can be told without running anything of it."""
    try:
        if os.path.isdir(requirement):
            project = os.path.join(requirement, "pyproject.toml")
            if os.path.exists(project):
                import tomllib
                with open(project, "rb") as file:
                    return tomllib.load(file).get("project", {}).get("requires-python")
            return None
        if requirement.endswith(".whl"):
            with zipfile.ZipFile(requirement) as wheel:
                member = next(n for n in wheel.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", n))
                with wheel.open(member) as file:
                    text = file.read(4 << 20)
        else:
            with tarfile.open(requirement) as sdist:
                member = next(m for m in sdist if re.fullmatch(r"[^/]+/PKG-INFO", m.name))
                text = sdist.extractfile(member).read(4 << 20)
        return email.parser.Parser().parsestr(text.decode("utf-8", "replace"), headersonly=True)["Requires-Python"]
    except Exception:
        return None


answer = {"python": platform.python_version()}
if name:
    answer["status"], answer["files"] = index_page()
else:
    answer["requiresPython"] = local_python()
if name and answer["status"] != 200:
    print(json.dumps(answer))
    sys.exit(0)

os.makedirs("/tmp/uv", exist_ok=True)
with open("/tmp/uv/request.in", "w") as file:
    file.write(requirement + "\n")
command = ["uv", "pip", "compile", "/tmp/uv/request.in", "--python", sys.executable, "--default-index", index, "--no-config", "--no-progress",
           "--color", "never", "--no-header", "--cache-dir", "/tmp/uv/cache", "--format", "pylock.toml", "--output-file", "/tmp/uv/pylock.toml", "--quiet"]
if before:
    command += ["--exclude-newer", before]
done = subprocess.run(command, stdout=sys.stderr, stderr=subprocess.PIPE)
sys.stderr.buffer.write(done.stderr[-65536:])
answer["uv"] = done.returncode
answer["said"] = done.stderr[:8192].decode("utf-8", "replace")
if done.returncode == 0:
    with open("/tmp/uv/pylock.toml") as file:
        answer["lock"] = file.read(MAX)
print(json.dumps(answer))
