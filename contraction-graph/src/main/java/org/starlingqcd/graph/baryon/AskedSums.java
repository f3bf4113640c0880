package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.LongIntTable;
import org.starlingqcd.graph.plan.BaryonPart.SpinTerm;
import org.starlingqcd.graph.plan.PairSum;

/**
 * Counts the spin sums that each block has to hold while graphs are moved between blocks. Graphs
 * that are parts of one sum ({@link GraphSums}) and leave the same line open are added up first:
 * {@code Σ c Tr[L G] = Tr[L Σ c G]}. The block then has to supply a set of vectors ({@link
 * SpinVectors}), and it needs as many sums as there are independent vectors.
 *
 * <p>A move takes time linear in the number of graphs that move: a hash identifies the set of
 * vectors of a block, and the dimension is computed once for each hash.
 */
final class AskedSums {
  /** One graph's claim on one block: a term in one of its sums. */
  private record Claim(int slot, int term, Complex coefficient, long hash) {}

  private record TermKey(SpinTerm term, boolean symmetric) {}

  private static final int INITIAL = 1024;

  private final boolean mixedComponents;
  private final Map<TermKey, Integer> termNumbers = new HashMap<>();
  private final List<double[][]> termVectors = new ArrayList<>();
  private final List<Claim> claims = new ArrayList<>();
  private final LongIntTable slotNumbers = new LongIntTable();
  private final List<List<Integer>> claimsOfSlot = new ArrayList<>();
  private final List<List<Integer>> slotsOfBlock = new ArrayList<>();
  private final Map<Long, Integer> dimensions = new HashMap<>();
  private final Map<List<Long>, List<PairSum>> bases = new HashMap<>();
  private boolean[] made = new boolean[INITIAL];
  private long[] slotHash = new long[INITIAL];
  private int[] slotSize = new int[INITIAL];
  private int[] blockOfSlot = new int[INITIAL];
  private long[] blockHash = new long[INITIAL];

  /**
   * Begins without claims.
   *
   * @param mixedComponents whether every graph may need both components of w; if so, no graph may
   *     be part of a sum of several graphs
   */
  AskedSums(boolean mixedComponents) {
    this.mixedComponents = mixedComponents;
  }

  /**
   * Describes a claim without making it.
   *
   * @param block number of the block
   * @param open a number that identifies the block together with the line left open
   * @param sum the sum that the graph is part of
   */
  int claim(int block, int open, int sum, SpinTerm term, boolean symmetric, Complex coefficient) {
    long key = (long) open << Integer.SIZE | sum;
    int slot = slotNumbers.get(key);
    if (slot < 0) {
      slot = claimsOfSlot.size();
      slotNumbers.put(key, slot);
      claimsOfSlot.add(new ArrayList<>(2));
      if (slot == slotHash.length) {
        slotHash = Arrays.copyOf(slotHash, 2 * slot);
        slotSize = Arrays.copyOf(slotSize, 2 * slot);
        blockOfSlot = Arrays.copyOf(blockOfSlot, 2 * slot);
      }
      blockOfSlot[slot] = block;
      while (slotsOfBlock.size() <= block) {
        slotsOfBlock.add(new ArrayList<>(2));
      }
      if (slotsOfBlock.size() > blockHash.length) {
        blockHash = Arrays.copyOf(blockHash, 2 * slotsOfBlock.size());
      }
      slotsOfBlock.get(block).add(slot);
    }
    int number =
        termNumbers.computeIfAbsent(
            new TermKey(term, symmetric),
            k -> {
              termVectors.add(
                  mixedComponents
                      ? SpinVectors.apart(term, symmetric)
                      : SpinVectors.of(term, symmetric));
              return termVectors.size() - 1;
            });
    long hash =
        mixed(mixed(number) + 31 * rounded(coefficient.re()) + 1009 * rounded(coefficient.im()));
    claimsOfSlot.get(slot).add(claims.size());
    claims.add(new Claim(slot, number, coefficient, hash));
    if (claims.size() > made.length) {
      made = Arrays.copyOf(made, 2 * made.length);
    }
    return claims.size() - 1;
  }

  /**
   * Returns the number of a coefficient; coefficients that differ by rounding errors have the same
   * number.
   */
  private static long rounded(double coefficient) {
    return Math.round(coefficient / VectorSpan.TOLERANCE);
  }

  /** Splitmix64's finalizer. */
  private static long mixed(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /** Makes claims, or takes them back. */
  void change(int[] which, boolean make) {
    for (int c : which) {
      Claim claim = claims.get(c);
      int slot = claim.slot();
      int block = blockOfSlot[slot];
      blockHash[block] -= slotSize[slot] == 0 ? 0 : mixed(slotHash[slot]);
      slotHash[slot] += make ? claim.hash() : -claim.hash();
      slotSize[slot] += make ? 1 : -1;
      blockHash[block] += slotSize[slot] == 0 ? 0 : mixed(slotHash[slot]);
      made[c] = make;
    }
  }

  /** Number of sums that a block needs for the present claims. */
  int dimension(int block) {
    Integer known = dimensions.get(blockHash[block]);
    if (known == null) {
      VectorSpan span = new VectorSpan();
      vectors(block).forEach(span::add);
      known = span.dimension();
      dimensions.put(blockHash[block], known);
    }
    return known;
  }

  private List<double[]> vectors(int block) {
    List<double[]> vectors = new ArrayList<>();
    for (int slot : slotsOfBlock.get(block)) {
      if (slotSize[slot] > 0) {
        double[][] sums = new double[SpinVectors.MOST][];
        for (int c : claimsOfSlot.get(slot)) {
          if (made[c]) {
            Claim claim = claims.get(c);
            addTo(sums, termVectors.get(claim.term()), claim.coefficient());
          }
        }
        for (double[] sum : sums) {
          if (sum != null && SpinVectors.largest(sum) > VectorSpan.TOLERANCE) {
            vectors.add(sum);
          }
        }
      }
    }
    return vectors;
  }

  private static void addTo(double[][] sums, double[][] vectors, Complex coefficient) {
    for (int open = 0; open < vectors.length; open++) {
      if (vectors[open] != null) {
        if (sums[open] == null) {
          sums[open] = new double[2 * SpinVectors.LENGTH];
        }
        SpinVectors.addTo(sums[open], vectors[open], coefficient.re(), coefficient.im());
      }
    }
  }

  /**
   * Independent sums that span everything that some blocks have to hold; sums with few entries come
   * first.
   */
  List<PairSum> basis(Collection<Integer> blocks) {
    Map<Long, Integer> different = new LinkedHashMap<>();
    blocks.forEach(block -> different.putIfAbsent(blockHash[block], block));
    return bases.computeIfAbsent(
        List.copyOf(different.keySet()), key -> basisOf(different.values()));
  }

  private List<PairSum> basisOf(Collection<Integer> blocks) {
    Set<PairSum> all = new HashSet<>();
    List<PairSum> candidates = new ArrayList<>();
    List<double[]> directions = new ArrayList<>();
    for (int block : blocks) {
      for (double[] vector : vectors(block)) {
        PairSum sum = SpinVectors.sum(vector);
        if (all.add(sum)) {
          candidates.add(sum);
          directions.add(vector);
        }
      }
    }
    List<Integer> order = new ArrayList<>();
    for (int k = 0; k < candidates.size(); k++) {
      order.add(k);
    }
    order.sort(Comparator.comparingInt(k -> candidates.get(k).products()));
    VectorSpan span = new VectorSpan();
    List<PairSum> basis = new ArrayList<>();
    for (int k : order) {
      if (span.add(directions.get(k))) {
        basis.add(candidates.get(k));
      }
    }
    return basis;
  }
}
