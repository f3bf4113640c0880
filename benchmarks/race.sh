#!/usr/bin/env bash
# Whole processes of Starling, of baseline.py, which shares work as a careful numpy program does, and of a third program if one is given, on
# the same synthetic data with the same number of threads, in turn; all results are compared:
#   benchmarks/race.sh [--rounds N] [--threads N] [--home HOME] [--other COMMAND] [JOB...]
# A job is DEFINITION:N:SOURCES:SEPARATIONS, such as rho_pipi:32:0:0-3. HOME is an installation, by default that of this checkout. COMMAND
# gets the arguments of baseline.py and writes the same file; a script of yours that calls EasyDistillation, say. Prints the tables of
# docs/performance.md: medians, and medians of the rounds' ratios to Starling. Needs Python with numpy on OpenBLAS and h5py
# (Debian: python3-numpy libopenblas0-pthread python3-h5py); PYTHON names another Python.
set -euo pipefail
rounds=5 threads=$(nproc) home='' other=''
jobs=()
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=$2; shift ;;
    --threads) threads=$2; shift ;;
    --home) home=$2; shift ;;
    --other) other=$2; shift ;;
    -*) sed -n 2,9p "$0" >&2; exit 2 ;;
    *) jobs+=("$1") ;;
  esac
  shift
done
[ ${#jobs[@]} -gt 0 ] || jobs=(pion:64:0-3:0-3 rho_pipi:32:0:0-3 rho_pipi:64:0:0-3 f0d2:64:0:1 f0d2:64:0:0-3 f0d2:128:0:0-3)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=${PYTHON:-python3}
# A core type exported for another program would slow all down.
unset OPENBLAS_CORETYPE
export OPENBLAS_NUM_THREADS=$threads
folder=$(mktemp -d "${TMPDIR:-/tmp}/starling-race.XXXXXX")
trap 'rm -rf "$folder"' EXIT
if [ -z "$home" ]; then
  "$root/starling" --version >/dev/null
  home=$(echo "$root"/distribution/target/starling-*/bin)
  home=${home%/bin}
fi
starling=$home/bin/starling

list() { # 0-3,7 as 0,1,2,3,7
  local part
  for part in ${1//,/ }; do seq -s, "${part%-*}" "${part#*-}"; done | paste -sd,
}
TIMEFORMAT='%R %U %S'
timed() { { time "$@" >/dev/null 2>"$folder/errors" || { cat "$folder/errors" >&2; exit 1; }; } 2>&1 | awk 'NF == 3 {print $1, $2 + $3; next} {print >"/dev/stderr"}'; }
median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
column() { awk -v k="$1" '{print $k}' "$folder/times" | median; }
ratio() { awk -v a="$1" -v b="$2" '{print $a / $b}' "$folder/times" | median; }

run() {
  rm -rf "$folder/out"
  timed "$starling" run "$definition" --data "$data" --backend cpu --threads "$threads" --sources "$sources" --separations "$separations" \
    --out "$folder/out"
}
rival() { # rival RESULT COMMAND...
  timed "${@:2}" "$folder/expanded.json" "$data"/*.h5 "$folder/$1.npz" --sources "$(list "$sources")" --separations "$(list "$separations")"
}
baseline() { rival baseline "$python" "$root/benchmarks/baseline.py"; }
third() {
  # shellcheck disable=SC2086
  [ -z "$other" ] || rival other $other
}

echo "| definition | N | sources; separations | Starling: wall, processor | baseline: wall, processor | ratio of wall times | of processor times |${other:+ other: wall, processor | ratio of wall times | of processor times |}"
echo "| --- | ---: | --- | ---: | ---: | ---: | ---: |${other:+ ---: | ---: | ---: |}"
for job in "${jobs[@]}"; do
  IFS=: read -r definition extent sources separations <<<"$job"
  data=$folder/$extent
  [ -d "$data" ] || "$starling" synth -N "$extent" -T 8 --sources 0-7 --momentum-squared 4 --out "$data" >&2
  "$starling" expand "$definition" --json >"$folder/expanded.json"
  rm -f "$folder/times"
  run >/dev/null
  for ((round = 0; round < rounds; round++)); do
    # Who comes first changes from round to round.
    if ((round % 2)); then c=$(third) b=$(baseline) a=$(run); else a=$(run) b=$(baseline) c=$(third); fi
    echo "$a $b $c" >>"$folder/times"
  done
  for result in baseline ${other:+other}; do
    "$python" - "$folder/out/$definition.h5" "$folder/$result.npz" <<'PYTHON'
import sys, h5py, numpy
starling = h5py.File(sys.argv[1])["cfg_0001/correlator"][()]
rival = numpy.load(sys.argv[2])["correlator"]
difference = abs(starling - rival).max() / abs(rival).max()
if not difference < 1e-11:
    sys.exit(f"race.sh: the results differ by {difference}")
PYTHON
  done
  printf '| %s | %s | %s; %s | %.2f, %.2f | %.2f, %.2f | %.2f | %.2f |' "$definition" "$extent" "$sources" "$separations" \
    "$(column 1)" "$(column 2)" "$(column 3)" "$(column 4)" "$(ratio 3 1)" "$(ratio 4 2)"
  [ -z "$other" ] || printf ' %.2f, %.2f | %.2f | %.2f |' "$(column 5)" "$(column 6)" "$(ratio 5 1)" "$(ratio 6 2)"
  echo
done

printf '\n| what | wall | processor |\n| --- | ---: | ---: |\n'
again() { # again NAME COMMAND...: once more than counts
  timed "${@:2}" >/dev/null
  rm -f "$folder/times"
  for ((round = 0; round < rounds; round++)); do timed "${@:2}" >>"$folder/times"; done
  printf '| %s | %.2f | %.2f |\n' "$1" "$(column 1)" "$(column 2)"
}
again '`starling --version`' "$starling" --version
again 'the last job again, with nothing to do' "$starling" run "$definition" --data "$data" --backend cpu --threads "$threads" \
  --sources "$sources" --separations "$separations" --out "$folder/out"
