#!/usr/bin/env bash
# T_cc by operators of tetraquarks of both colours: Starling against numpy.einsum over pairs of indices (tetraquark.py), on the same
# synthetic data with the same number of threads, in turn; both results are compared:
#   benchmarks/tetraquark.sh [--rounds N] [--threads N] [--packed] [N...]
# Without --packed numpy's pairs are all N² (k, l). Prints a table of medians: seconds from the first input to the last trace, and of
# whole processes. Needs Python as race.sh.
set -euo pipefail
rounds=5 threads=$(nproc) packed=
extents=()
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=$2; shift ;;
    --threads) threads=$2; shift ;;
    --packed) packed=--packed ;;
    -*) sed -n 2,7p "$0" >&2; exit 2 ;;
    *) extents+=("$1") ;;
  esac
  shift
done
[ ${#extents[@]} -gt 0 ] || extents=(24)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=${PYTHON:-python3}
unset OPENBLAS_CORETYPE
export OPENBLAS_NUM_THREADS=$threads
folder=$(mktemp -d "${TMPDIR:-/tmp}/starling-tetraquark.XXXXXX")
trap 'rm -rf "$folder"' EXIT
sed '/DDstar/,$d' "$root/examples/definitions/tcc.yaml" >"$folder/tcc.yaml"
"$root/starling" expand "$folder/tcc.yaml" --json >"$folder/expanded.json"
TIMEFORMAT='%R %U %S'
timed() { { time "$@" >"$folder/text" 2>"$folder/errors"; } 2>&1 | awk '{print $1, $2 + $3}'; }
median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
column() { cut -d' ' -f"$1" "$folder/times" | median; }
ratio() { awk -v a="$1" -v b="$2" '{print $a / $b}' "$folder/times" | median; }

echo "| N | Starling: contractions, wall, processor | numpy: contractions, wall, processor | ratio of contractions | of wall times | of processor times |"
echo "| ---: | ---: | ---: | ---: | ---: | ---: |"
for extent in "${extents[@]}"; do
  data=$folder/$extent
  "$root/starling" synth -N "$extent" -T 8 --labels light,charm --sources 0-7 --momentum-squared 0 --tetraquark 3bar3,66bar --out "$data" >&2
  rm -f "$folder/times"
  for ((round = 0; round < rounds; round++)); do
    rm -rf "$folder/out"
    a=$(timed "$root/starling" run "$folder/tcc.yaml" --data "$data" --backend cpu --threads "$threads" --sources 0-3 --separations 1-7 --json \
      --out "$folder/out")
    a="$("$python" -c 'import json, sys; print(json.load(sys.stdin)["seconds"]["execution"])' <"$folder/text") $a"
    b=$(timed "$python" "$root/benchmarks/tetraquark.py" "$folder/expanded.json" "$data"/*.h5 "$folder/numpy.npz" --sources 0,1,2,3 \
      --separations 1,2,3,4,5,6,7 $packed)
    "$python" - "$folder/out/tcc.h5" "$folder/numpy.npz" >"$folder/seconds" <<'EOF'
import sys, h5py, numpy
starling = h5py.File(sys.argv[1])["cfg_0001/correlator"][()]
other = numpy.load(sys.argv[2])
difference = abs(starling - other["correlator"]).max() / abs(other["correlator"]).max()
if difference > 1e-11:
    sys.exit(f"tetraquark.sh: the results differ by {difference}")
print(other["seconds"])
EOF
    echo "$a $(cat "$folder/seconds") $b" >>"$folder/times"
  done
  printf '| %s | %.3f, %.2f, %.2f | %.2f, %.2f, %.2f | %.1f | %.2f | %.2f |\n' "$extent" "$(column 1)" "$(column 2)" "$(column 3)" \
    "$(column 4)" "$(column 5)" "$(column 6)" "$(ratio 4 1)" "$(ratio 5 2)" "$(ratio 6 3)"
done
