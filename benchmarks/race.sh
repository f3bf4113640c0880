#!/usr/bin/env bash
# Whole processes of Starling and of baseline.py, which shares work as a careful numpy program does, on the same synthetic data
# with the same number of threads, in turn; both results are compared:
#   benchmarks/race.sh [--rounds N] [--threads N] [JOB...]
# A job is DEFINITION:N:SOURCES:SEPARATIONS, such as rho_pipi:32:0:0-3. Prints a table of medians for docs/performance.md. Needs
# Python with numpy on OpenBLAS and h5py (Debian: python3-numpy libopenblas0-pthread python3-h5py); PYTHON names another Python.
set -euo pipefail
rounds=5 threads=$(nproc)
jobs=()
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=$2; shift ;;
    --threads) threads=$2; shift ;;
    -*) sed -n 2,6p "$0" >&2; exit 2 ;;
    *) jobs+=("$1") ;;
  esac
  shift
done
[ ${#jobs[@]} -gt 0 ] || jobs=(pion:64:0-3:0-3 rho_pipi:32:0:0-3 rho_pipi:64:0:0-3 f0d2:64:0:1 f0d2:64:0:0-3 f0d2:128:0:0-3)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=${PYTHON:-python3}
# A core type exported for another program would slow both down.
unset OPENBLAS_CORETYPE
export OPENBLAS_NUM_THREADS=$threads
folder=$(mktemp -d "${TMPDIR:-/tmp}/starling-race.XXXXXX")
trap 'rm -rf "$folder"' EXIT
"$root/starling" --version >/dev/null

list() { # 0-3,7 as 0,1,2,3,7
  local part
  for part in ${1//,/ }; do seq -s, "${part%-*}" "${part#*-}"; done | paste -sd,
}
TIMEFORMAT='%R %U %S'
timed() { { time "$@" >/dev/null 2>"$folder/errors"; } 2>&1 | awk '{print $1, $2 + $3}'; }
median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
column() { cut -d' ' -f"$1" "$folder/times" | median; }
ratio() { awk -v a="$1" -v b="$2" '{print $a / $b}' "$folder/times" | median; }

echo "| definition | N | sources, separations | Starling: wall, processor | baseline: wall, processor | ratio of wall times | of processor times |"
echo "| --- | ---: | --- | ---: | ---: | ---: | ---: |"
for job in "${jobs[@]}"; do
  IFS=: read -r definition extent sources separations <<<"$job"
  data=$folder/$extent
  [ -d "$data" ] || "$root/starling" synth -N "$extent" -T 8 --sources 0-7 --momentum-squared 4 --out "$data" >&2
  "$root/starling" expand "$definition" --json >"$folder/expanded.json"
  rm -rf "$folder/times"
  for ((round = 0; round < rounds; round++)); do
    rm -rf "$folder/out"
    a=$(timed "$root/starling" run "$definition" --data "$data" --backend cpu --threads "$threads" --sources "$sources" \
      --separations "$separations" --out "$folder/out")
    b=$(timed "$python" "$root/benchmarks/baseline.py" "$folder/expanded.json" "$data"/*.h5 "$folder/baseline.npz" \
      --sources "$(list "$sources")" --separations "$(list "$separations")")
    echo "$a $b" >>"$folder/times"
  done
  "$python" - "$folder/out/$definition.h5" "$folder/baseline.npz" <<'EOF'
import sys, h5py, numpy
starling = h5py.File(sys.argv[1])["cfg_0001/correlator"][()]
baseline = numpy.load(sys.argv[2])["correlator"]
difference = abs(starling - baseline).max() / abs(baseline).max()
if difference > 1e-11:
    sys.exit(f"race.sh: the results differ by {difference}")
EOF
  printf '| %s | %s | %s; %s | %.2f, %.2f | %.2f, %.2f | %.2f | %.2f |\n' "$definition" "$extent" "$sources" "$separations" \
    "$(column 1)" "$(column 2)" "$(column 3)" "$(column 4)" "$(ratio 3 1)" "$(ratio 4 2)"
done
