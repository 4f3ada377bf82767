#!/usr/bin/env bash
# run.sh TASK does one of SHARDS parts of a task, and goes on where an earlier try was stopped.
#
#   claims    checks the papers' claims in full; CLAIMS="-paper burns" or others
#   sweep     compares approx with exact; SWEEP="-points 1e9"
#   soak      examines sound and broken filters; SOAK="-seeds 100000"
#   fuzz      runs fuzz targets; FUZZ="-for 24h"
#   simulate  runs the lines of the file SETTINGS, each the flags of bloomproof simulate
#
# The part is the index, from 0, of a Kubernetes Indexed Job or a Slurm array; what it finds out
# goes to files of its own in the directory OUT, which merge.sh puts together. WORKERS (the
# processors) run at once. Status 0: done; 1: something is wrong; others: not done.

set -euo pipefail
usage() { sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# = 1 ] || usage
index=${JOB_COMPLETION_INDEX:-${SLURM_ARRAY_TASK_ID:-}}
[[ $index =~ ^[0-9]{1,9}$ && ${SHARDS:-} =~ ^[0-9]{1,9}$ ]] && ((10#$index < 10#$SHARDS)) || {
  echo "run.sh: an index from 0 to SHARDS-1, got '$index' of '${SHARDS:-}'" >&2
  exit 2
}
part=$((10#$index + 1))/$((10#$SHARDS)) # the tools count from 1
mkdir -p "${OUT:?a directory that all parts write to}"
out=$(realpath "$OUT")
workers=${WORKERS:-$(nproc)}
own=$out/$1.${part/\//-of-}
cd "$(dirname "$0")/../.."
export PATH=$PWD/.bin:$PATH

# claim ID checks the part's cases of a claim and adds a line to the part's file.
claim() {
  local lines status=0
  lines=$(bloomproof claims -run -effort "${EFFORT:-full}" -shard "$part" -id "$1") || status=$?
  [ "$status" -le 1 ] || return "$status"
  grep "^$1 " <<<"$lines" >>"$own"
}

# settings simulates the part's lines of SETTINGS, one after the other: each uses all processors.
settings() {
  local line number=0 status=0
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    [ $(((number - 1) % SHARDS)) = "$((10#$index))" ] && [ ! -e "$out/simulate.$number.json" ] || continue
    # shellcheck disable=SC2086 # flags
    if bloomproof simulate -json $line >"$own.new"; then
      mv "$own.new" "$out/simulate.$number.json"
    else
      echo "run.sh: line $number of $SETTINGS: status $?: $line" >&2
      status=3
    fi
  done <"$SETTINGS"
  return $status
}

case $1 in
  claims)
    export part own
    export -f claim
    touch "$own"
    echo >>"$own" # a line may have been cut short
    # shellcheck disable=SC2086
    bloomproof claims -json ${CLAIMS:-} | grep -oE '"id": ?"[^"]+"' | cut -d '"' -f 4 |
      awk 'NR == FNR { if (/ cases/) done[$1]; next } !($1 in done)' "$own" - |
      xargs -r -P "$workers" -I ID bash -c 'claim ID'
    ! grep -E '^[^ ]+ +[^ ]+ +fail ' "$own"
    ;;
  # shellcheck disable=SC2086
  sweep) exec sweep -resume "$own" -shard "$part" -workers "$workers" ${SWEEP:-} ;;
  # shellcheck disable=SC2086
  soak) exec soak -resume "$own" -shard "$part" ${SOAK:-} ;;
  fuzz)
    export GOCACHE=$own.cache # what is built, and the inputs that reached something new
    mkdir -p "$own.found"
    touch "$own.found/since"
    status=0
    # shellcheck disable=SC2086
    .ci/fuzz -shard "$part" -workers "$workers" ${FUZZ:--for 24h} 2>&1 | tee -a "$own.log" || status=$?
    [ $status = 0 ] || find . -path '*/testdata/fuzz/*' -type f -newer "$own.found/since" -exec cp --parents {} "$own.found" \;
    exit $status
    ;;
  simulate) SETTINGS=$(realpath "${SETTINGS:?a file of lines of flags}") && settings ;;
  *) usage ;;
esac
