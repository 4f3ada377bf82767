#!/usr/bin/env bash
# merge.sh TASK prints what the parts of a task found, from the files that run.sh left in OUT.
# Status 0: all parts are there and nothing is wrong; of a sweep and a soak, what is there is done.

set -euo pipefail
usage() { sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# = 1 ] || usage
out=$(realpath "${OUT:?the directory that the parts wrote to}")
cd "$(dirname "$0")/../.."
export PATH=$PWD/.bin:$PATH
shopt -s nullglob extglob
parts=("$out/$1".*-of-*([0-9])?(.log))
missing() { # unless there is a file for each of the parts that the first one's name tells of
  local of=${parts[0]:-}
  of=${of##*-of-}
  of=${of%.log}
  [ "${#parts[@]}" != "$of" ] && echo "merge.sh: ${#parts[@]} files of ${of:-any} parts in $out" >&2
}
case $1 in
  claims)
    ! missing || exit 3
    # A claim stands when each of the N parts has a line for it, and none says fail.
    # shellcheck disable=SC2086
    bloomproof claims -json ${CLAIMS:-} | grep -oE '"id": ?"[^"]+"' | cut -d '"' -f 4 | awk '
      NR == FNR { id[++n] = $1; next }
      !/ cases/ { next }
      !seen[$1, $5]++ { split($5, part, "/"); if (of && part[2] != of) mixed = 1; of = part[2]; parts[$1]++; cases[$1] += $7; verdict[$1] = $2 }
      $3 == "fail" { failed[$1] = 1; print }
      END {
        for (i = 1; i <= n; i++) {
          c = id[i]
          what = failed[c] ? "fail" : parts[c] < of ? "parts missing: " of - parts[c] : "pass"
          bad += what != "pass"
          printf "%-28s %-12s %-5s %d cases\n", c, verdict[c], what, cases[c]
        }
        if (mixed) print "parts of different numbers of shards"
        exit bad > 0 || mixed
      }' - "${parts[@]}"
    ;;
  sweep | soak)
    ! missing || exit 3
    exec "$1" -summary "${parts[@]}"
    ;;
  simulate)
    lines=$(grep -c '' "${SETTINGS:?the file of lines of flags}")
    status=0
    for number in $(seq "$lines"); do
      cat "$out/simulate.$number.json" || status=1
    done
    exit $status
    ;;
  fuzz)
    ! missing || exit 3
    grep -hE '^(fuzz: [0-9]|found by)' "${parts[@]}"
    ! find "$out" -path '*.found/*/testdata/fuzz/*' -type f | grep .
    ;;
  *) usage ;;
esac
