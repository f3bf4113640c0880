#!/usr/bin/env bash
# The rates of contractions against their aims on this machine, a line each that begins with PASS or FAIL:
#   benchmarks/contractions.sh [--rounds N] [--kernel NAME]
# one and two threads against the rate of registers and zgemm, odd numbers of eigenvectors, single precision, and AVX2
# against OpenBLAS's core type HASWELL. Five rounds take about ten minutes. Medians by wall time: let nothing else run.
# The kernels are those of the rule, as in every run; --kernel packed,products=3 measures the micro-kernels alone.
set -euo pipefail
rounds=5 kernel=
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || { echo "contractions.sh: $1 needs a value" >&2; exit 2; }
  case $1 in
    --rounds) rounds=$2 ;;
    --kernel) kernel=$2 ;;
    *) echo "contractions.sh: unknown option $1" >&2; exit 2 ;;
  esac
  shift 2
done
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/benchmarks/classpath.sh"
[ -z "$kernel" ] || export STARLING_CPU_KERNEL=$kernel
aims() { java -cp "$classpath" org.starlingqcd.benchmarks.ContractionAims "$root/starling" "$rounds" "$1"; }
aims all
OPENBLAS_CORETYPE=HASWELL aims AVX2
