#!/usr/bin/env bash
# A whole `starling run` on synthetic data, one configuration and source, against the rate of the contraction kernel on this
# machine in the same minutes; medians of runs that follow each other, and where the time goes:
#   benchmarks/endtoend.sh [--definition NAME] [--extent N] [--threads N] [--rounds N] [--momentum-squared K]
#                          [--separations LIST] [-- OPTION...]
# The data have four time slices: separations are numbers from 0 to 3, such as 1 (the default), 0-3 or 1,2. Options after --
# go to `starling run`. Data (0.65 GB at N = 256) are made in a folder of $TMPDIR and removed at the end; they are read from
# the page cache, as data that were just written are.
set -euo pipefail
definition=f0d2 extent=256 threads=$(nproc) rounds=5 momentum=3 separations=1
while [ $# -gt 0 ]; do
  [ "$1" != -- ] || { shift; break; }
  [ $# -ge 2 ] || { echo "endtoend.sh: $1 needs a value" >&2; exit 2; }
  case $1 in
    --definition) definition=$2 ;;
    --extent) extent=$2 ;;
    --threads) threads=$2 ;;
    --rounds) rounds=$2 ;;
    --momentum-squared) momentum=$2 ;;
    --separations) separations=$2 ;;
    *) echo "endtoend.sh: unknown option $1" >&2; exit 2 ;;
  esac
  shift 2
done
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/benchmarks/classpath.sh"
folder=$(mktemp -d "${TMPDIR:-/tmp}/starling-endtoend.XXXXXX")
trap 'rm -rf "$folder"' EXIT
"$root/starling" synth -N "$extent" -T 4 --sources 0-3 --momentum-squared "$momentum" --out "$folder/data" >&2
java -cp "$classpath" org.starlingqcd.benchmarks.EndToEnd "$root/starling" "$definition" "$folder/data" "$folder/out" \
  "$extent" "$threads" "$rounds" --sources 0 --separations "$separations" "$@"
