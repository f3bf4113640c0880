package org.starlingqcd.backend.cpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.cpu.blas.KernelChoice;

/**
 * The choice among kernels for one extent, from measured times.
 *
 * <p>A first stage measures every kernel on a contraction alone and keeps the preferred one and the
 * fastest of the others. These are measured on vector pairs as runs launch them: contractions that
 * share an input, on one thread and on all. The kernels take turns in every round, and another one
 * begins each round, so that other load on the machine slows all of them. What counts is the ratio
 * to the preferred kernel in the same round: its median over the rounds, and the geometric mean of
 * the medians of both numbers of threads, since one choice serves all of them.
 */
final class KernelContest {
  /** Factor by which another kernel must be faster than the preferred one. */
  static final double MARGIN = 1.02;

  /** Kernels that are slower than the fastest one by this factor are measured no longer. */
  static final double HOPELESS = 1.2;

  /** Most kernels beside the preferred one in the second stage. */
  static final int CHALLENGERS = 2;

  /** Work that kernels are measured on. */
  enum Load {
    /** One contraction on one thread. */
    ALONE,
    /** Contractions that share an input, on one thread. */
    SHARED,
    /** The same on all threads. */
    SHARED_ON_ALL
  }

  /** Measures a kernel. */
  interface Stopwatch {
    /** Seconds of a contraction. */
    double seconds(KernelChoice kernel, Load load);
  }

  private final Map<Load, Map<KernelChoice, Double>> seconds = new EnumMap<>(Load.class);
  private KernelChoice chosen;

  /**
   * Measures kernels and chooses one.
   *
   * @param kernels the preferred one first
   * @param loads of the second stage
   * @param rounds of the second stage, an odd number
   */
  KernelContest(List<KernelChoice> kernels, List<Load> loads, int rounds, Stopwatch stopwatch) {
    chosen = kernels.get(0);
    List<KernelChoice> finalists = sieve(kernels, stopwatch);
    if (finalists.size() > 1) {
      chosen = finalists.get(fastest(finalists, loads, rounds, stopwatch));
    }
  }

  /** The fastest kernel, or the preferred one where none is faster by the margin. */
  KernelChoice chosen() {
    return chosen;
  }

  /** Median seconds of a contraction; null where the kernel was not measured. */
  @Nullable Double seconds(KernelChoice kernel, Load load) {
    return seconds.getOrDefault(load, Map.of()).get(kernel);
  }

  /** The preferred kernel and the others that may win. */
  private List<KernelChoice> sieve(List<KernelChoice> kernels, Stopwatch stopwatch) {
    Map<KernelChoice, Double> alone = new LinkedHashMap<>();
    // In the first round memory and code are new.
    for (int round = 0; round < 3; round++) {
      double bound = round == 0 ? Double.MAX_VALUE : HOPELESS * least(alone);
      for (KernelChoice kernel : kernels) {
        if (alone.getOrDefault(kernel, 0.0) <= bound) {
          alone.merge(kernel, stopwatch.seconds(kernel, Load.ALONE), Math::min);
        }
      }
    }
    seconds.put(Load.ALONE, alone);
    double bound = HOPELESS * least(alone);
    List<KernelChoice> finalists = new ArrayList<>(List.of(kernels.get(0)));
    alone.entrySet().stream()
        .filter(each -> each.getValue() <= bound && !each.getKey().equals(kernels.get(0)))
        .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
        .limit(CHALLENGERS)
        .forEach(each -> finalists.add(each.getKey()));
    return finalists;
  }

  private static double least(Map<KernelChoice, Double> times) {
    return times.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  /** Number of the winner among the finalists, of which the first is preferred. */
  private int fastest(
      List<KernelChoice> finalists, List<Load> loads, int rounds, Stopwatch stopwatch) {
    int count = finalists.size();
    double[] mean = new double[count];
    Arrays.fill(mean, 1);
    for (Load load : loads) {
      double[][] times = new double[count][rounds];
      for (int round = 0; round < rounds; round++) {
        for (int turn = 0; turn < count; turn++) {
          int kernel = (turn + round) % count;
          times[kernel][round] = stopwatch.seconds(finalists.get(kernel), load);
        }
      }
      Map<KernelChoice, Double> medians = new LinkedHashMap<>();
      for (int kernel = 0; kernel < count; kernel++) {
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
          ratios[round] = times[kernel][round] / times[0][round];
        }
        mean[kernel] *= Math.pow(median(ratios), 1.0 / loads.size());
        medians.put(finalists.get(kernel), median(times[kernel]));
      }
      seconds.put(load, medians);
    }
    int winner = 0;
    for (int kernel = 1; kernel < count; kernel++) {
      if (mean[kernel] < (winner == 0 ? 1 / MARGIN : mean[winner])) {
        winner = kernel;
      }
    }
    return winner;
  }

  private static double median(double[] numbers) {
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
