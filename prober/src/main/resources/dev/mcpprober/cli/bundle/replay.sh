# Exit status: 0 the finding shows, 1 it does not, 2 it could not be tried.
# Needs a POSIX shell with the usual tools and what starts the server; nothing of mcp-prober.
# Against another server, e.g. one that you have mended:  SERVER='node build/index.js' sh reproduce.sh
set -u
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
name="mcp-reproduce-$$"
work=$(mktemp -d "${TMPDIR:-/tmp}/mcp-reproduce.XXXXXX") || exit 2

printable() { cut -c1-1500 | tr -c '\040-\176\n' '?'; }
now() { date +%s; }
tick() { sleep 0.1 2>/dev/null || sleep 1; }
over() { [ -e "$work/status" ] || [ -e "$work/closed" ]; }
lines() { tr -d '\000' <"$work/out"; }
# What has no line end yet is no line to a client.
has() {
  if [ "$(tail -c 1 "$work/out" | wc -l)" -eq 0 ]; then lines | sed '$d'; else lines; fi | grep -E -q -e "$1"
}
# Numbers, ids made up at random and temporary files differ from run to run.
norm() {
  sed -E -e 's/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/#/g' -e 's/[0-9A-Fa-f]{8,}/#/g' -e 's/[0-9]+(\.[0-9]+)?/#/g' \
    -e 's,/tmp/[^" ]*,/tmp/#,g'
}

finish() {
  exec 3>&-
  trap '' INT TERM HUP
  if [ -s "$work/err" ]; then printf 'stderr: %s\n' "$(tail -n 1 "$work/err" | printable)"; fi
  kill "$(cat "$work/pid" 2>/dev/null)" 2>/dev/null
  stop_container
  i=0
  until [ -e "$work/status" ] || [ $i -ge 20 ]; do tick; i=$((i + 1)); done
  [ -e "$work/status" ] || kill -9 "$(cat "$work/pid" 2>/dev/null)" 2>/dev/null
  rm -rf "$work"
  exit "$1"
}
miss() {
  case $(cat "$work/status" 2>/dev/null) in
    125 | 126 | 127) echo 'the server could not be started'; cat "$work/err" | printable; finish 2 ;;
  esac
  printf 'does not show: %s\n' "$1"
  finish 1
}

start() {
  mkfifo "$work/in" "$work/pipe" || exit 2
  : >"$work/out"
  { cat <"$work/pipe" >"$work/out"; : >"$work/closed"; } &
  { ( sh -c 'echo $PPID' >"$work/pid"; server ) <"$work/in" >"$work/pipe" 2>"$work/err"; echo $? >"$work/status"; } 2>/dev/null &
  exec 3>"$work/in"
  trap '' PIPE
  trap 'finish 2' INT TERM HUP
}

# send FRAME: one frame to the server's stdin, as the prober sent it.
send() {
  printf 'sent: %s\n' "$(printf '%b' "$1" | printable)"
  printf '%b' "$1" >&3 2>/dev/null
}
# await PATTERN SECONDS: until a line of stdout has it.
await() {
  end=$(($(now) + $2))
  until has "$1"; do
    if over; then tick; tick; has "$1"; return; fi
    if [ "$(now)" -ge "$end" ]; then return 1; fi
    tick
  done
}
close_stdin() { echo 'closed stdin'; exec 3>&-; }

# no_answer PATTERN SECONDS: nothing comes that has it.
no_answer() {
  if await "$1" "$2"; then miss "there is an answer: $(lines | grep -E -e "$1" | head -n 1 | printable)"; fi
  if over; then miss 'the process ended, or closed its stdout'; fi
  printf 'proof: no answer within %s s\n' "$2"
}
# ended STATUS SECONDS: the process ends by itself.
ended() {
  end=$(($(now) + $2))
  until [ -e "$work/status" ]; do
    if [ "$(now)" -ge "$end" ]; then miss "the process still runs after $2 s"; fi
    tick
  done
  status=$(cat "$work/status")
  if [ "$status" -ne "$1" ]; then miss "the process ended, but with status $status"; fi
  printf 'proof: the process ended with status %s\n' "$status"
}
# closed SECONDS: stdout ends while the process runs.
closed() {
  end=$(($(now) + $1))
  until [ -e "$work/closed" ]; do
    if [ "$(now)" -ge "$end" ]; then miss 'stdout is open'; fi
    tick
  done
  if [ -e "$work/status" ]; then miss 'the process ended'; fi
  echo 'proof: stdout was closed, the process runs'
}
# still_runs SECONDS WHY
still_runs() {
  end=$(($(now) + $1))
  until [ "$(now)" -ge "$end" ]; do
    if [ -e "$work/status" ]; then miss "the process ended with status $(cat "$work/status")"; fi
    tick
  done
  printf 'proof: %s s after %s the process still runs\n' "$1" "$2"
}

# want LINE: what the prober saw.
want() { printf '%b\n' "$1" >"$work/wanted"; }
# line TIMES SECONDS ID CODE YES NO BYTES: it comes, alike but for what differs from run to run, in its first BYTES; or an answer of its kind.
line() {
  end=$(($(now) + $2))
  until found "$@"; do
    if over; then
      tick
      tick
      found "$@" || miss 'no such line came'
      break
    fi
    if [ "$(now)" -ge "$end" ]; then miss 'no such line came'; fi
    tick
  done
  printf 'proof: %s\n' "$(printable <"$work/proof")"
}
found() {
  lines | grep -E -e "$3" | grep -E -e "$4" >"$work/candidates"
  tr -d '\000' <"$work/wanted" | cut -c1-"$7" | norm >"$work/pattern"
  cut -c1-"$7" <"$work/candidates" | norm >"$work/alike"
  if [ "$(grep -c -F -x -f "$work/pattern" "$work/alike")" -ge "$1" ]; then
    sed -n "$(grep -n -F -x -f "$work/pattern" "$work/alike" | head -n 1 | cut -d: -f1)p" "$work/candidates" >"$work/proof"
    return 0
  fi
  if [ -z "$5" ]; then return 1; fi
  grep -E -e "$5" "$work/candidates" | grep -v -E -e "$6" >"$work/kind"
  head -n 1 "$work/kind" >"$work/proof"
  [ "$(grep -c '' "$work/kind")" -ge "$1" ]
}
