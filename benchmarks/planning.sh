#!/usr/bin/env bash
# How planning grows with the number of diagrams, as a table:
#   benchmarks/planning.sh [--terms LIST] [--rounds N] [--definitions LIST]
# Each definition has four operators of K written-out terms, K from --terms, each of three mesons of flavour d̄…u with momenta from
# {-1, 0, 1}³ that add up to zero; --definitions adds shipped ones. `starling plan` plans each, N times, on its own Java machine; the
# median by wall time is shown: from the command line to its end, and the parts that it reports.
set -euo pipefail
terms=4,15,44 rounds=3 definitions=f0d4,pipipi_i3
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || { echo "planning.sh: $1 needs a value" >&2; exit 2; }
  case $1 in
    --terms) terms=$2 ;;
    --rounds) rounds=$2 ;;
    --definitions) definitions=$2 ;;
    *) echo "planning.sh: unknown option $1" >&2; exit 2 ;;
  esac
  shift 2
done
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The first call may build the program.
"$root/starling" plan pion >/dev/null

# The same K gives the same definition everywhere: a linear congruence draws the momenta.
definition() {
  awk -v K="$1" '
    function draw() { state = (state * 16807) % 2147483647; return state % 3 - 1 }
    BEGIN {
      state = 20261
      printf "name: growth_%d\nmomentum: [0, 0, 0]\noperators:\n", K
      for (o = 0; o < 4; o++) {
        printf "  - name: operator_%d\n    terms:\n", o
        for (k = 0; k < K; k++) {
          printf "      - coefficient: %d\n        mesons:\n", k + 1
          do {
            fits = 1
            for (i = 0; i < 3; i++) {
              n[0, i] = draw(); n[1, i] = draw(); n[2, i] = -n[0, i] - n[1, i]
              if (n[2, i] < -1 || n[2, i] > 1) fits = 0
            }
          } while (!fits)
          for (m = 0; m < 3; m++)
            printf "          - {bar: d, gamma: g5, quark: u, momentum: [%d, %d, %d]}\n", n[m, 0], n[m, 1], n[m, 2]
        }
      }
    }'
}

# A number of the report; a part of `seconds` when it stands there.
number() { sed -n "s/.*\"$1\" *: *\([-+.0-9eE]*\).*/\1/p" "$2" | head -n 1; }

echo "| definition | diagrams | products | traces | contraction | reduction | order | wall, s |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
for what in ${definitions//,/ } ${terms//,/ }; do
  source=$what
  case $what in *[!0-9]*) ;; *)
    source=$folder/growth_$what.yaml
    definition "$what" >"$source" ;;
  esac
  for ((r = 1; r <= rounds; r++)); do
    begin=$(date +%s%N)
    "$root/starling" plan --json "$source" >"$folder/$r.json"
    end=$(date +%s%N)
    echo "$(( (end - begin) / 1000000 )) $r"
  done | sort -n | sed -n "$(( (rounds + 1) / 2 ))p" >"$folder/median"
  read -r millis r <"$folder/median"
  report=$folder/$r.json
  awk -v name="${what}" -v d="$(number diagrams "$report")" -v p="$(number products "$report")" \
    -v t="$(number traces "$report")" -v c="$(number contraction "$report")" -v e="$(number reduction "$report")" \
    -v o="$(number order "$report")" -v w="$millis" \
    'BEGIN { if (name ~ /^[0-9]+$/) name = "K = " name
             printf "| %s | %d | %d | %d | %.2f | %.2f | %.2f | %.2f |\n", name, d, p, t, c, e, o, w / 1000 }'
done
