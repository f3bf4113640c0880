#!/usr/bin/env bash
# What the block cache of a node saves and what its encryption costs: pairs of runs of a1_rhopi at N = 64, the first of which
# fills the cache and the second of which reads from it, plain and encrypted in turn:
#   benchmarks/block-cache.sh HOME [ROUNDS [SOURCES]]
# HOME is a folder with bin/starling, such as distribution/target/starling-VERSION of a checkout after one start of its
# ./starling. Data and caches lie in /dev/shm, so that nothing waits for a disk. Prints medians, and medians of ratios.
set -euo pipefail
[ $# -ge 1 ] || { sed -n 2,7p "$0" >&2; exit 2; }
home=$1 rounds=${2:-7} sources=${3:-0-3}
work=$(mktemp -d /dev/shm/starling-block-cache.XXXXXX)
trap 'rm -rf "$work"' EXIT
"$home/bin/starling" synth -N 64 -T 16 --momentum-squared 4 --out "$work/data" >/dev/null 2>&1

# run NAME OPTION...: one line of a table: the name, seconds of input (read, or written to the cache) and of the processor
run() {
  local name=$1 times
  shift
  rm -rf "$work/out"
  times=$({
    TIMEFORMAT='%U %S'
    time "$home/bin/starling" run a1_rhopi --data "$work/data" --sources "$sources" --out "$work/out" --backend cpu --json \
      "$@" >"$work/json" 2>"$work/errors"
  } 2>&1) || { cat "$work/errors" >&2; exit 1; }
  echo "$name $(awk '{print $1 + $2}' <<<"$(number read) $(number cache)") $(awk '{print $1 + $2}' <<<"$times")"
}
number() { sed -nE "s/.*\"$1\" *: *([0-9.eE-]+).*/\1/p" "$work/json" | head -n 1; }
clear() { "$home/bin/starling" cache clear --block-cache-directory "$work/cache" >/dev/null 2>&1; }
median() { sort -g | awk '{v[NR] = $1} END {printf "%.3f", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
# column NAME NUMBER: the numbers of one kind of run, a round on each line
column() { awk -v name="$1" -v k="$2" '$1 == name {print $k}' "$work/times"; }
ratio() { paste <(column "$1" "$3") <(column "$2" "$3") | awk '{print $1 / $2}' | median; }

cached=(--block-cache 2GiB --block-cache-directory "$work/cache")
run warm-up >/dev/null
for ((round = 0; round < rounds; round++)); do
  clear
  run fills "${cached[@]}"
  run hits "${cached[@]}"
  clear
  run fills-encrypted "${cached[@]}" --block-cache-encrypt
  run hits-encrypted "${cached[@]}" --block-cache-encrypt
  run without
done >"$work/times"
for name in without fills hits fills-encrypted hits-encrypted; do
  echo "$name: input $(column $name 2 | median) s, processor $(column $name 3 | median) s"
done
echo "input: fills / hits $(ratio fills hits 2), without a cache / hits $(ratio without hits 2)"
echo "encryption, processor: fills $(ratio fills-encrypted fills 3), hits $(ratio hits-encrypted hits 3)"
