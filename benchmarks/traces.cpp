// Traces of all pairs of two lists without the JVM, against what memory, the second-level cache and the first-level cache allow (AVX-512, double precision):
//   g++ -O3 -march=native -I backends/cpu/src/main/native -o /tmp/traces benchmarks/traces.cpp && taskset -c 1 /tmp/traces 64 8 9     (N, length, rounds)
// "loads" read every number once in the order of the traces, "whole" plane by plane; with "near" every entry of the trace reads the same components.
// Medians by the processor time of the thread.
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <algorithm>
#include <vector>
#include "trace_kernel.h"

using namespace starling;
namespace kernel = starling::avx512::trace::doubles;
static const long BYTES = 320L << 20, ENTRIES = 16, SUMS = 12, STEPS = 4000000;
static volatile double sink;

static double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double add(const double* from, long count) {
  __m512d s[4] = {};
  for (long i = 0; i + 32 <= count; i += 32)
    for (long k = 0; k < 4; k++) s[k] += _mm512_loadu_pd(from + i + 8 * k);
  return _mm512_reduce_add_pd(s[0] + s[1] + s[2] + s[3]);
}

static double registers() {
  __m512d s0{}, s1{}, s2{}, s3{}, s4{}, s5{}, s6{}, s7{}, s8{}, s9{}, s10{}, s11{}, a = _mm512_set1_pd(0.5);
#define STEP(k) asm volatile("vfmadd231pd %1, %1, %0" : "+v"(s##k) : "v"(a));
  const double start = now();
  for (long k = 0; k < STEPS; k++) { STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11) }
  return (now() - start) / STEPS;
}

static void load(const TraceLists& lists, bool whole) {
  const long imaginary = lists.extent * lists.extent;
  double sum = 0;
  for (Tile tile = lists.first(); tile.entry < lists.entries; tile = lists.next(tile)) {
    const double* const* elements = lists.elements<double>(tile.entry);
    const long size = tile.height * tile.width;
    for (long e = lists.lefts; e < lists.lefts + lists.rights; e++)
      for (long at = 0; at < size; at += whole ? size : 8 * tile.height)
        for (long p = 0; p < 2; p++) sum += add(elements[e] + p * imaginary + tile.right + at, whole ? size : 8 * tile.height);
    for (long at = 0; at < size; at += whole ? size : 8 * tile.width)
      for (long e = 0; e < lists.lefts; e++)
        for (long p = 0; p < 2; p++) sum += add(elements[e] + p * imaginary + tile.left + at, whole ? size : 8 * tile.width);
  }
  sink = sum;
}

template <class Work>
static double seconds(long repeats, Work work) {
  const double start = now();
  for (long k = 0; k < repeats; k++) work();
  return (now() - start) / repeats;
}

int main(int count, char** arguments) {
  if (count < 4) return 2;
  const long n = atol(arguments[1]), length = atol(arguments[2]), rounds = atol(arguments[3]);
  const long edge = n < 192 ? n : 192, component = 2 * n * n, element = ENTRIES * component;
  const long blocks = std::max(1L, BYTES / (16 * length * element)), repeats = std::max(1L, BYTES / (16 * length * element * blocks));
  std::vector<std::vector<long>> far(blocks), near(1);
  for (long b = 0; b < blocks; b++) {
    std::vector<double*> elements;
    for (long e = 0; e < 2 * length; e++) {
      elements.push_back(static_cast<double*>(aligned_alloc(64, 8 * element)));
      for (long i = 0; i < element; i++) elements[e][i] = (i * 7919 + e * 104729) % 1000 * 1e-3 - 0.5;
    }
    for (long entry = 0; entry < ENTRIES; entry++)
      for (long e = 0; e < 2 * length; e++) {
        const long spin = e < length ? entry : entry % 4 * 4 + entry / 4;
        far[b].push_back(reinterpret_cast<long>(elements[e] + spin * component));
        if (b == 0) near[0].push_back(reinterpret_cast<long>(elements[e]));
      }
  }
  const long numbers = std::max(1L << 17, starling_trace_scratch(edge, length, length));
  double* scratch = static_cast<double*>(aligned_alloc(64, (8 * numbers + 63) & -64L));
  std::fill(scratch, scratch + numbers, 0.5);
  std::vector<double> results(2 * ENTRIES * length * length), times[7];
  const Piece piece = {4, 8, 24};
  for (long round = -1; round < rounds; round++) {
    const auto each = [&](const std::vector<std::vector<long>>& all, auto work) {
      return seconds(repeats, [&] { for (const std::vector<long>& of : all) work(TraceLists{n, edge, length, length, ENTRIES, of.data()}); });
    };
    const auto trace = [&](const TraceLists& lists) { kernel::trace_sums(lists, scratch, results.data()); };
    const double* lefts[] = {scratch, scratch + 8200, scratch + 16400};
    Runs<double> none(nullptr, 0, 0, 0, 0, 1);
    const double measured[] = {
        registers(),
        seconds(40000, [&] { kernel::multiply<3, 4>(lefts, 64, 4096 + 512, scratch + 32768, piece, scratch + 65536, 64, none); }),
        seconds(400000, [&] { avx512::transpose_square(scratch, 64, scratch + 32768, 64); }),
        each(far, [](const TraceLists& lists) { load(lists, true); }), each(far, [](const TraceLists& lists) { load(lists, false); }),
        each(far, trace), each(near, trace)};
    for (long k = 0; round >= 0 && k < 7; k++) times[k].push_back(measured[k]);
  }
  double t[7];
  for (long k = 0; k < 7; k++) {
    std::sort(times[k].begin(), times[k].end());
    t[k] = times[k][times[k].size() / 2];
  }
  const double bytes = 16.0 * length * element * blocks, flops = 8.0 * n * n * ENTRIES * length * length;
  const double multiply = 16.0 * 48 * 32 / t[1];
  const double nearest = 1 / (1 / multiply + 2 * length * t[2] / (512.0 * length * length));
  printf("N %ld, %ld x %ld; GFLOP/s: registers %.0f, multiply %.0f, with transposes of %.1f ns %.0f; loads %.1f GB/s, whole %.1f\n", n, length, length, 1e-9 * 16 * SUMS / t[0],
         1e-9 * multiply, 1e9 * t[2], 1e-9 * nearest, 1e-9 * bytes / t[4], 1e-9 * bytes / t[3]);
  printf("traces %.1f GB/s, %.0f GFLOP/s; near %.0f GFLOP/s; loads and multiply one after the other %.0f GFLOP/s\n", 1e-9 * bytes / t[5], 1e-9 * flops * blocks / t[5],
         1e-9 * flops / t[6], 1e-9 * flops * blocks / (t[4] + flops * blocks / nearest));
}
