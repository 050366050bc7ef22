# Installs one package as a user would. Arguments: SPEC NPM-FLAG...
# npm's --json answer goes to stdout, followed by one line of our own; everything else to stderr.
spec=$1
shift
cd /srv/app || exit 70
[ -f package-lock.json ] || printf '{"private":true}\n' >package.json || exit 70
if [ "${PROBER_ASK_GIT:-}" = 1 ]; then
  # There is no git here, and npm does not say from where it wanted to clone: this one looks the host up, which gets logged.
  mkdir -p /tmp/bin
  cat >/tmp/bin/git <<'GIT'
#!/bin/sh
for word; do
  case $word in
    *://*) host=${word#*://} ;;
    *@*:*) host=$word ;;
    *) continue ;;
  esac
  host=${host#*@}
  getent hosts "${host%%[/:]*}"
done
exit 128
GIT
  chmod 755 /tmp/bin/git
  PATH=/tmp/bin:$PATH
fi
if [ -d "$spec" ]; then
  # A folder is packed first, so that what is installed is what its author would publish.
  packed=$(cd "$spec" && npm pack "$@" --ignore-scripts --silent --pack-destination /srv/app/.prober-in --cache /srv/app/.prober-cache) ||
    { printf '{"error":{"code":"EPACK","summary":"npm pack failed"}}\n'; rm -rf .prober-cache; exit 71; }
  spec=/srv/app/.prober-in/$(printf '%s\n' "$packed" | tail -n 1)
fi
if [ -f package-lock.json ]; then
  # A lock that was put here is followed to the letter.
  npm ci --json --cache /srv/app/.prober-cache "$@"
else
  npm install --json --cache /srv/app/.prober-cache "$@" -- "$spec"
fi
status=$?
printf '\nprober-free %s %s\n' "$(df --output=avail -k /srv/app | tail -n 1)" "$(df --output=avail -k /tmp | tail -n 1)"
rm -rf .prober-cache .prober-in
exit $status
