# Installs what /srv/app/pylock.toml names into /srv/app/venv. Arguments: PYTHON INDEX UV-FLAG...
# One line of our own goes to stdout, everything else to stderr.
python=$1 index=$2
shift 2
cd /srv/app || exit 70
uv venv venv --python "$python" --no-config --quiet --color never 1>&2 || exit 70
uv pip install -r pylock.toml --python venv/bin/python --default-index "$index" --no-config --no-progress --color never \
  --compile-bytecode --cache-dir /srv/app/.prober-cache --link-mode hardlink "$@" 1>&2
status=$?
printf 'prober-free %s %s\n' "$(df --output=avail -k /srv/app | tail -n 1)" "$(df --output=avail -k /tmp | tail -n 1)"
rm -rf .prober-cache .prober-in
exit $status
