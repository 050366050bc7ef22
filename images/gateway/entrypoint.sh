#!/bin/sh
# Writes the gateway's configuration from the environment and starts it.
#
#   NPM_REGISTRY_URL   http(s)://[user:password@]host[:port][/path]
#   NPM_REWRITE        "yes": tarball addresses in package documents are turned to the gateway (npm does so by itself
#                      for its default registry only)
#   PYPI_INDEX_URL     the same for the Python index, with its path (…/simple)
#   PYPI_FILES_HOSTS   http(s)://host[:port] of each host that the index's links name, separated by blanks
#   HTTPS_PROXY, HTTP_PROXY, NO_PROXY   the host's own; http://[user:password@]host:port. Everything is tunnelled (CONNECT)
#   BLOB_CACHE         upper bound of the file cache, in nginx' notation (default 10g)
#
# A registry or proxy on the host's own loopback address is looked for at host.docker.internal.
set -eu
say() { echo "gateway: $*" >&2; }
die() { say "$*"; exit 64; }

mkdir -p /tmp/gw
next_port=40000

decode() { perl -e '$_ = shift; s/%([0-9A-Fa-f]{2})/chr hex $1/ge; print' "$1"; }

# split URL: sets scheme, userinfo, host, port, path; refuses what could not go into a configuration file.
split() {
  case $1 in http://*) scheme=http port=80 ;; https://*) scheme=https port=443 ;; *) die "$2 is not an http(s) address" ;; esac
  rest=${1#*://} path=
  case $rest in */*) path=/${rest#*/}; rest=${rest%%/*} ;; esac
  path=${path%/} userinfo=
  case $rest in *@*) userinfo=${rest%@*}; rest=${rest##*@} ;; esac
  case $rest in *:*) port=${rest##*:}; rest=${rest%:*} ;; esac
  host=$rest
  case $host in '' | *[!A-Za-z0-9.-]*) die "$2 has a host that cannot be used" ;; esac
  case $port in '' | *[!0-9]*) die "$2 has a port that cannot be used" ;; esac
  case $path in *[!A-Za-z0-9._~/@%+-]*) die "$2 has a path that cannot be used" ;; esac
}

# address HOST: the host as it can be reached from here.
address() {
  case $1 in
    localhost | 127.*)
      found=$(getent ahostsv4 host.docker.internal | awk '{ print $1; exit }')
      [ -n "$found" ] || die "$1 is the host's loopback and cannot be reached from the gateway"
      printf %s "$found" ;;
    *) printf %s "$1" ;;
  esac
}

bypasses() { # bypasses HOST: does NO_PROXY name it?
  for item in $(printf %s "${NO_PROXY:-${no_proxy:-}}" | tr ',' ' '); do
    item=${item%%:*}
    item=${item#\*}
    case $1 in
      "${item#.}" | *".${item#.}") return 0 ;;
    esac
    [ "$item" = '' ] && return 0
  done
  return 1
}

# upstream NAME URL: writes NAME.conf, which says where requests go, as whom and under what name.
upstream() {
  split "$2" "$1"
  u_scheme=$scheme u_host=$host u_port=$port u_path=$path u_auth=
  [ -n "$userinfo" ] && u_auth="Basic $(decode "$userinfo" | base64 -w0)"
  proxy=${HTTPS_PROXY:-${https_proxy:-}}
  [ "$u_scheme" = http ] && proxy=${HTTP_PROXY:-${http_proxy:-$proxy}}
  u_connect="$u_scheme://$(address "$u_host"):$u_port"
  if [ -n "$proxy" ] && ! bypasses "$u_host"; then
    case $proxy in *://*) ;; *) proxy=http://$proxy ;; esac
    split "$proxy" 'the proxy'
    [ "$scheme" = http ] || die 'a proxy that itself speaks TLS (https://…) cannot be used; use its http:// address'
    options=proxyport=$port
    if [ -n "$userinfo" ]; then
      (umask 077; decode "$userinfo" >"/tmp/gw/$1.proxy")
      options=$options,proxy-authorization-file=/tmp/gw/$1.proxy
    fi
    socat "TCP4-LISTEN:$next_port,bind=127.0.0.1,reuseaddr,fork,max-children=64" "PROXY:$(address "$host"):$u_host:$u_port,$options" &
    u_connect=$u_scheme://127.0.0.1:$next_port
    next_port=$((next_port + 1))
  fi
  u_name=$u_host
  case $u_scheme:$u_port in http:80 | https:443) ;; *) u_name=$u_host:$u_port ;; esac
  cat >"/tmp/gw/$1.conf" <<CONF
set \$upstream "$u_connect"; set \$upstream_name "$u_scheme://$u_name"; set \$prefix "$u_path";
proxy_set_header Host "$u_name"; proxy_ssl_name "$u_host"; proxy_set_header Connection "";
proxy_set_header Authorization "$u_auth"; proxy_set_header User-Agent "mcp-prober-gateway";
CONF
}

# from_to FROM TO: links and redirections to an upstream go to the gateway instead.
from_to() { printf 'sub_filter "%s/" "%s/";\nproxy_redirect "%s/" "%s/";\n' "$1" "$2" "$1" "$2"; }

# origin: the upstream's own scheme, host and port, as links name it.
origin() { printf '%s://%s' "$u_scheme" "$u_name"; }

upstream npm "$NPM_REGISTRY_URL"
: >/tmp/gw/npm-rewrite.conf
if [ "${NPM_REWRITE:-no}" = yes ]; then
  {
    echo 'sub_filter_once off; sub_filter_types application/json application/vnd.npm.install-v1+json;'
    from_to "$(origin)$u_path" http://gw:4873
  } >/tmp/gw/npm-rewrite.conf
fi

upstream index "$PYPI_INDEX_URL"
index_path=$(printf %s "$u_path" | sed 's/[.+]/\\\\&/g')
{
  echo 'sub_filter_once off; sub_filter_types application/vnd.pypi.simple.v1+json application/vnd.pypi.simple.v1+html;'
  from_to "$(origin)" http://gw:3141
} >/tmp/gw/index-rewrite.conf
index_origin=$(origin)
: >/tmp/gw/files.conf
number=0
for files in ${PYPI_FILES_HOSTS:-}; do
  [ "${files%/}" = "$index_origin" ] && continue
  number=$((number + 1))
  upstream "files-$number" "$files"
  from_to "$(origin)" "http://gw:3141/-files-$number" >>/tmp/gw/index-rewrite.conf
  cat >>/tmp/gw/files.conf <<CONF
location ^~ /-files-$number/ {
  include /tmp/gw/files-$number.conf;
  if (\$path ~ "^/-files-$number(/.*)\$") { set \$rest \$1; }
  proxy_pass \$upstream\$rest;
  proxy_cache blob; proxy_cache_key "py \$upstream_name \$rest"; proxy_cache_valid 200 365d;
}
CONF
done
cat >/tmp/gw/blocked.conf <<'CONF'
server_name _;
error_page 400 405 =403 /.blocked;
location = /.blocked { internal; return 403 "blocked by the gateway: an install reaches package registries only\n"; }
location / { return 403 "blocked by the gateway: an install reaches package registries only\n"; }
CONF

sed -e "s|@BLOB_CACHE@|${BLOB_CACHE:-10g}|" -e "s|@INDEX_PATH@|$index_path|" /gateway/nginx.conf.template >/tmp/nginx.conf

# Names that an install asks for: none exists here, each is logged beside the requests.
perl /gateway/dns.pl &
exec nginx -e /dev/stderr -c /tmp/nginx.conf
