#!/usr/bin/env bash
# How long a small `starling run` takes in two installations, in alternating pairs: the pion on the bundled example, from
# the start of the launcher to the end of the process, with the files in the page cache:
#   benchmarks/startup.sh HOME-A HOME-B [ROUNDS]
# A home is a folder with bin/starling, such as distribution/target/starling-VERSION of a checkout after one start of its
# ./starling. Prints the medians and the median of the differences of pairs, in milliseconds.
set -euo pipefail
[ $# -ge 2 ] || { sed -n 2,6p "$0" >&2; exit 2; }
first=$1 second=$2 rounds=${3:-21}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$(mktemp -d "${TMPDIR:-/tmp}/starling-startup.XXXXXX")
trap 'rm -rf "$out"' EXIT
export STARLING_CPU_KERNEL=standard
milliseconds() {
  local begin=${EPOCHREALTIME/./}
  "$1/bin/starling" run pion --data "$root/examples/data" --out "$out/result" --backend cpu >/dev/null 2>&1
  local end=${EPOCHREALTIME/./}
  rm -rf "$out/result"
  echo $(((end - begin) / 1000))
}
median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
# The first starts unpack and check libraries.
for home in "$first" "$second" "$first" "$second"; do milliseconds "$home" >/dev/null; done
for ((round = 0; round < rounds; round++)); do
  a=$(milliseconds "$first") b=$(milliseconds "$second")
  echo "$a $b $((b - a))"
done >"$out/times"
echo "first:      $(cut -d' ' -f1 "$out/times" | median) ms"
echo "second:     $(cut -d' ' -f2 "$out/times" | median) ms"
echo "difference: $(cut -d' ' -f3 "$out/times" | median) ms (median of $rounds pairs)"
