#!/usr/bin/env bash
# Compares two builds of the program: every shipped definition on the example data, with ample memory and with small budgets. The
# numbers of the results must be equal bit for bit and the memory manager's counters must be equal. Needs Python with h5py (PYTHON
# names another interpreter):
#   benchmarks/same-results.sh OTHER_CLONE [DEFINITION...]
# OTHER_CLONE is a clone of the project at the other commit; its `starling` builds it on first use. Prints a line for each difference
# and for each definition, and ends with 1 when anything differs.
set -euo pipefail
unset OPENBLAS_CORETYPE
[ $# -ge 1 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
other=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- "$other"/examples/definitions/*.yaml
folder=$(mktemp -d "${TMPDIR:-/tmp}/starling-same.XXXXXX")
trap 'rm -rf "$folder"' EXIT
# Builds that calibrated chose kernels that may differ between two runs; this takes the usual ones and measures nothing.
export STARLING_CPU_KERNEL=standard
python=${PYTHON:-python3}
differences=0

run() { # BUILD NAME DEFINITION BUDGET
  local build=$1 name=$2 definition=$3 budget=$4 memory=() data=$other/examples/data/quenched_4x8_cfg0001.h5 sources=0,3
  # Three-point functions have data of their own.
  ! grep -q '^insertions:' "$definition" || { data=$other/examples/data-currents sources=0,4; }
  [ "$budget" = ample ] || memory=(--device-memory "$budget")
  "$build/starling" run "$definition" --data "$data" --sources "$sources" --backend cpu --threads 2 --json \
    ${memory[@]+"${memory[@]}"} --out "$folder/$name" >"$folder/$name.json" 2>"$folder/$name.err" || echo "status $?" >"$folder/$name.json"
}

for definition in "$@"; do
  name=$(basename "$definition" .yaml)
  "$other/starling" plan "$definition" --tensor-size 8 --device-memory 100% --json >"$folder/plan.json"
  budgets=$("$python" - "$folder/plan.json" <<'P'
import json, sys
memory = json.load(open(sys.argv[1]))["memory"]
peak, smallest = memory["peak_device_bytes"], memory["smallest_device_bytes"]
print("ample", *sorted({max(smallest, b) for b in (peak, peak // 2, peak // 4, smallest)}, reverse=True))
P
)
  for budget in $budgets; do
    rm -rf "$folder/old" "$folder/new"
    run "$other" old "$definition" "$budget"
    run "$root" new "$definition" "$budget"
    "$python" - "$folder" "$name" "$budget" <<'P' || differences=$((differences + 1))
import glob, json, os, sys
import h5py
folder, name, budget = sys.argv[1:]

def numbers(build):
    """Every dataset of the results of a build, as bytes."""
    found = {}
    for path in sorted(glob.glob(f"{folder}/{build}/*.h5")):
        with h5py.File(path) as file:
            file.visititems(lambda key, entry: found.update(
                {(os.path.basename(path), key): entry[()].tobytes()} if isinstance(entry, h5py.Dataset) else {}))
    return found

text = [open(f"{folder}/{build}.json").read() for build in ("old", "new")]
if any(t.startswith("status") for t in text):
    if text[0] != text[1]:
        sys.exit(print(f"{name}: budget {budget}: {text[0].strip()} and {text[1].strip()}") or 1)
    sys.exit(0)
old, new = numbers("old"), numbers("new")
unequal = sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))
for key in unequal:
    print(f"{name}: budget {budget}: {key[0]} differs in {key[1]}")
if not old:
    unequal.append(print(f"{name}: budget {budget}: no results"))
memory = [json.loads(t)["memory"] for t in text]
# The budget of an ample run depends on what is free at the moment; times differ from run to run.
ignored = {"device_bytes"} if budget == "ample" else set()
for key in memory[0]:
    if key not in ignored and "seconds" not in key and memory[0][key] != memory[1].get(key):
        unequal.append(print(f"{name}: budget {budget}: {key}: {memory[0][key]} and {memory[1].get(key)}"))
sys.exit(1 if unequal else 0)
P
  done
  echo "$name: compared with ample memory and budgets of$(printf ' %s' ${budgets#ample }) bytes"
done
echo "$differences differences"
[ "$differences" = 0 ]
