#!/usr/bin/env bash
# When the block cache of a node pays in wall time: runs of a1_rhopi at N = 64 whose files can be read at a bounded rate, without
# the cache, filling it and reading from it:
#   benchmarks/slow-files.sh HOME [ROUNDS [MB/S...]]
# HOME is as for block-cache.sh. Files and caches lie in /dev/shm. A library before the C library delays every read of the
# files, so that all threads of a process share the rate, as they share a network or a disk. Prints medians of wall seconds.
set -euo pipefail
[ $# -ge 1 ] || { sed -n 2,7p "$0" >&2; exit 2; }
home=$1 rounds=${2:-5}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 10 25 50 100 200
work=$(mktemp -d /dev/shm/starling-slow-files.XXXXXX)
trap 'rm -rf "$work"' EXIT
cat >"$work/slow.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* Reads, and then waits for as long as the bytes take at the rate, if the file lies in the slow folder. */
ssize_t pread64(int file, void *target, size_t count, off64_t offset) {
  ssize_t (*next)(int, void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pread64");
  ssize_t done = next(file, target, count, offset);
  const char *folder = getenv("SLOW_FOLDER"), *rate = getenv("SLOW_BYTES");
  char link[64], path[4096];
  if (done <= 0 || !folder || !rate) return done;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0 || strncmp(path, folder, strlen(folder)) != 0) return done;
  double seconds = done / atof(rate);
  struct timespec wait = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};
  pthread_mutex_lock(&one_at_a_time);
  nanosleep(&wait, NULL);
  pthread_mutex_unlock(&one_at_a_time);
  return done;
}
C
cc -O2 -shared -fPIC -o "$work/slow.so" "$work/slow.c" -ldl -lpthread
"$home/bin/starling" synth -N 64 -T 16 --momentum-squared 4 --out "$work/data" >/dev/null 2>&1

# run RATE OPTION...: wall seconds of a run, and those for which it read
run() {
  local rate=$1 begin
  shift
  rm -rf "$work/out"
  begin=$(date +%s.%N)
  LD_PRELOAD=$work/slow.so SLOW_FOLDER=$work/data SLOW_BYTES=${rate}e6 "$home/bin/starling" run a1_rhopi --data "$work/data" \
    --sources 0 --out "$work/out" --backend cpu --json "$@" >"$work/json" 2>"$work/errors" || { cat "$work/errors" >&2; exit 1; }
  echo "$(date +%s.%N) $begin $(sed -nE 's/.*"read" *: *([0-9.eE-]+).*/\1/p' "$work/json" | head -n 1)" | awk '{printf "%.3f %.3f", $1 - $2, $3}'
}
median() { sort -g | awk '{v[NR] = $1} END {printf "%.2f", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

cached=(--block-cache 2GiB --block-cache-directory "$work/cache")
run 1000 >/dev/null
for rate; do
  for ((round = 0; round < rounds; round++)); do
    "$home/bin/starling" cache clear --block-cache-directory "$work/cache" >/dev/null 2>&1 || true
    echo "fills $(run "$rate" "${cached[@]}")"
    echo "hits $(run "$rate" "${cached[@]}")"
    echo "without $(run "$rate")"
  done >"$work/times"
  for name in without fills hits; do
    printf '%s ' "$rate MB/s, $name:" "$(awk -v n=$name '$1 == n {print $2}' "$work/times" | median) s, of which reading" \
      "$(awk -v n=$name '$1 == n {print $3}' "$work/times" | median) s"
    echo
  done
done
