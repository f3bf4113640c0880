package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The choices of noises for some lines, all different: tuples with an entry for each line. Windows
 * ({@code noise_subsets}) keep those that lie in one window of each list.
 */
final class NoiseTuples {
  /** More assignments than this are refused. */
  private static final int MOST = 2_000_000;

  /**
   * Windows of noises: window k of a list of R noises on which w lines draw is k, k+1, … k+w-1
   * modulo R.
   *
   * @param subsets K
   * @param lines w, by list
   */
  record Windows(int subsets, Map<List<Integer>, Integer> lines) {
    /** Copies the map. */
    Windows {
      lines = Map.copyOf(lines);
    }

    private List<Integer> window(List<Integer> noises, int k) {
      int w = lines.getOrDefault(noises, 1);
      List<Integer> window = new ArrayList<>(w);
      for (int i = 0; i < w; i++) {
        window.add(noises.get((k + i) % noises.size()));
      }
      return window;
    }
  }

  /** By number, the noises of the lines. */
  final List<int[]> all = new ArrayList<>();

  private final Map<Long, Integer> numbers = new HashMap<>();
  private final long base;

  /**
   * Finds all tuples.
   *
   * @param choices of each line
   * @param windows null for all assignments
   * @param repeated whether a tuple that lies in several windows comes once for each
   */
  NoiseTuples(List<List<Integer>> choices, @Nullable Windows windows, boolean repeated) {
    base = 2L + choices.stream().flatMap(List::stream).mapToInt(noise -> noise).max().orElse(0);
    int[] tuple = new int[choices.size()];
    int count = windows == null ? 1 : windows.subsets();
    for (int k = 0; k < count; k++) {
      List<List<Integer>> some = choices;
      if (windows != null) {
        int window = k;
        some =
            choices.stream()
                .map(
                    noises ->
                        noises.get(0) == CutLine.NO_NOISE ? noises : windows.window(noises, window))
                .toList();
      }
      add(some, tuple, 0, repeated);
    }
  }

  private void add(List<List<Integer>> choices, int[] tuple, int line, boolean repeated) {
    if (line == tuple.length) {
      int[] found = tuple.clone();
      Integer known = numbers.putIfAbsent(code(found), all.size());
      if (known == null || repeated) {
        all.add(found);
      }
      if (all.size() > MOST) {
        throw new IllegalArgumentException(
            "a diagram of %d lines has more than %d assignments of noises: bound them with noise_subsets"
                .formatted(tuple.length, MOST));
      }
      return;
    }
    for (int noise : choices.get(line)) {
      boolean taken = false;
      for (int k = 0; k < line && noise != CutLine.NO_NOISE; k++) {
        taken |= tuple[k] == noise;
      }
      if (!taken) {
        tuple[line] = noise;
        add(choices, tuple, line + 1, repeated);
      }
    }
  }

  /** The number of a tuple; negative where it is none of these. */
  int number(int[] tuple) {
    return numbers.getOrDefault(code(tuple), -1);
  }

  /** Tuples of up to ten lines and 70 noises have different codes. */
  private long code(int[] tuple) {
    long code = 0;
    for (int noise : tuple) {
      code = code * base + noise + 1;
    }
    return code;
  }
}
