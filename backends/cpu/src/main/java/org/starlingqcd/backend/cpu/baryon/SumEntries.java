package org.starlingqcd.backend.cpu.baryon;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/**
 * Entries of sums over spin components in the form of {@link VectorLoops#attachSecond}, which
 * distinguishes only signs. Components with other factors, or whose rows must be padded, are first
 * written into separate memory.
 */
final class SumEntries {
  private record Factor(int spin, double re, double im) {}

  private final int n;
  private final long bytes;
  private final long padded;

  /** Number of sums. */
  final int sums;

  /** For each sum the number of entries that are added, and of all. */
  final long[] counts;

  private final int[] firsts;
  private final int[] seconds;
  private final Factor[] factors;
  private final Map<Factor, Integer> placeInMemory = new HashMap<>();
  private final List<Factor> scaled = new ArrayList<>();

  /** Sorts the entries of some sums. */
  SumEntries(List<LinePairSum> sums, int n, Precision precision) {
    this.n = n;
    bytes = precision.realBytes();
    padded = VectorLoops.padded(bytes, n);
    this.sums = sums.size();
    int all = sums.stream().mapToInt(LinePairSum::size).sum();
    counts = new long[2 * sums.size()];
    firsts = new int[all];
    seconds = new int[all];
    factors = new Factor[all];
    int next = 0;
    for (int s = 0; s < sums.size(); s++) {
      LinePairSum sum = sums.get(s);
      for (boolean added : new boolean[] {true, false}) {
        for (int e = 0; e < sum.size(); e++) {
          Factor factor = new Factor(sum.second(e), sum.factorRe(e), sum.factorIm(e));
          boolean inMemory = padded != n || !isSign(factor);
          if ((inMemory || factor.re() > 0) == added) {
            if (inMemory && placeInMemory.putIfAbsent(factor, scaled.size()) == null) {
              scaled.add(factor);
            }
            firsts[next] = sum.first(e);
            seconds[next] = sum.second(e);
            factors[next] = factor;
            counts[2 * s + (added ? 0 : 1)]++;
            next++;
          }
        }
      }
      counts[2 * s + 1] += counts[2 * s];
    }
  }

  private static boolean isSign(Factor factor) {
    return factor.im() == 0 && Math.abs(factor.re()) == 1;
  }

  /** Doubles from one plane to the next of the matrices to the right. */
  long rightStride() {
    return n * padded;
  }

  /** Number of components that are first written into memory. */
  int scaled() {
    return scaled.size();
  }

  /** Doubles that these components take. */
  long memory() {
    return (long) PairWorkspace.PLANES * scaled.size() * rightStride();
  }

  /** Writes one of them. */
  void scale(int number, long line, long memory) {
    Factor factor = scaled.get(number);
    long square = (long) n * n;
    VectorLoops.scale(
        bytes,
        line + bytes * PairWorkspace.PLANES * square * factor.spin(),
        square,
        n,
        factor.re(),
        factor.im(),
        memory + bytes * PairWorkspace.PLANES * rightStride() * number);
  }

  /** Addresses of the matrices to the left, {@code step} bytes apart. */
  long[] lefts(int[] placeOfSpin, long first, long step) {
    long[] result = new long[firsts.length];
    for (int k = 0; k < result.length; k++) {
      result[k] = first + step * placeOfSpin[firsts[k]];
    }
    return result;
  }

  /** Addresses of the matrices to the right. */
  long[] rights(long line, long memory) {
    long[] result = new long[firsts.length];
    for (int k = 0; k < result.length; k++) {
      Integer place = placeInMemory.get(factors[k]);
      result[k] =
          place == null
              ? line + bytes * PairWorkspace.PLANES * n * n * seconds[k]
              : memory + bytes * PairWorkspace.PLANES * rightStride() * place;
    }
    return result;
  }
}
