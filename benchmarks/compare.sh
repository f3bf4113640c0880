#!/usr/bin/env bash
# Starling against the programs one would use instead, on this machine and in this run, as tables of ratios:
#   benchmarks/compare.sh [--definition NAME] [--extent N] [--extents LIST] [--threads LIST] [--rounds N]
#                         [--backend NAME]
# 1. a hadron contraction against its 64 zgemm products through the same BLAS, at the extents given;
# 2. all contractions of the definition, one source and separation, at --extent, against numpy's einsum and
#    opt_einsum, diagram by diagram. Left out, with a message, where Python has no numpy or no opt_einsum.
# With --backend cuda or hip the second alone, on the GPU, against CuPy; `starling gpu-check` has the first.
set -euo pipefail
definition=f0d2 extent=64 extents=128,256,384 threads=1,2 rounds=9 backend=cpu
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || { echo "compare.sh: $1 needs a value" >&2; exit 2; }
  case $1 in
    --definition) definition=$2 ;;
    --extent) extent=$2 ;;
    --extents) extents=$2 ;;
    --threads) threads=$2 ;;
    --rounds) rounds=$2 ;;
    --backend) backend=$2 ;;
    *) echo "compare.sh: unknown option $1" >&2; exit 2 ;;
  esac
  shift 2
done
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/benchmarks/classpath.sh"
if [ "$backend" = cpu ]; then
  arrays=numpy
  java -cp "$classpath" org.starlingqcd.benchmarks.Ratios "$extents" "$threads" "$rounds"
  echo
else
  arrays=cupy
fi
python=
for candidate in /usr/bin/python3 python3; do
  if command -v "$candidate" >/dev/null && "$candidate" -c "import numpy, $arrays" 2>/dev/null; then
    python=$candidate
    break
  fi
done
if [ -z "$python" ]; then
  echo "compare.sh: Python has no $arrays; the comparison with it is left out" >&2
  exit 0
fi
line=$(java -cp "$classpath" org.starlingqcd.benchmarks.QueueTiming "$definition" "$extent" "${threads##*,}" 3 "$backend")
[ "$backend" = cpu ] && set -- || set -- cupy
OPENBLAS_NUM_THREADS=${threads##*,} "$python" "$root/benchmarks/compare.py" "$definition" "$line" "$rounds" "$@"
