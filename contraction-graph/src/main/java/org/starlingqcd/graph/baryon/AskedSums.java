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
  private static final int INITIAL = 1024;

  private final boolean mixedComponents;
  private final List<double[][]> termVectors = new ArrayList<>();
  private final SparseSums sparse = new SparseSums();
  private final LongIntTable slotNumbers = new LongIntTable();
  private final LongIntTable dimensions = new LongIntTable();
  private final Map<List<Long>, List<PairSum>> bases = new HashMap<>();
  // Claims: a term in a sum of a block, its slot; the claims of a slot and the slots of a block are
  // linked lists in the order in which they were described.
  private int claims;
  private int[] slotOfClaim = new int[INITIAL];
  private int[] termOfClaim = new int[INITIAL];
  private double[] re = new double[INITIAL];
  private double[] im = new double[INITIAL];
  private long[] hashOfClaim = new long[INITIAL];
  private int[] nextClaim = new int[INITIAL];
  private boolean[] made = new boolean[INITIAL];
  private int slots;
  private int[] firstClaim = new int[INITIAL];
  private int[] lastClaim = new int[INITIAL];
  private long[] slotHash = new long[INITIAL];
  // What a slot adds to the hash of its block.
  private long[] slotShare = new long[INITIAL];
  private int[] slotSize = new int[INITIAL];
  private int[] blockOfSlot = new int[INITIAL];
  private int[] nextSlot = new int[INITIAL];
  private int[] firstSlot = new int[0];
  private int[] lastSlot = new int[0];
  private long[] blockHash = new long[0];
  // The hashes of a block's slots that have been looked at.
  private long[] hashes = new long[16];

  /**
   * Begins without claims.
   *
   * @param mixedComponents whether every graph may need both components of w; if so, no graph may
   *     be part of a sum of several graphs
   */
  AskedSums(boolean mixedComponents) {
    this.mixedComponents = mixedComponents;
  }

  /** Adds a term that claims may be for; returns its number. */
  int term(SpinTerm term, boolean symmetric) {
    double[][] vectors =
        mixedComponents ? SpinVectors.apart(term, symmetric) : SpinVectors.of(term, symmetric);
    termVectors.add(vectors);
    sparse.term(vectors);
    return termVectors.size() - 1;
  }

  /**
   * Describes a claim of one graph on one block without making it.
   *
   * @param block number of the block
   * @param open a number that identifies the block together with the line left open
   * @param sum the sum that the graph is part of
   * @param term number of a {@link #term}
   * @param sign factor of the coefficient
   */
  int claim(int block, int open, int sum, int term, Complex coefficient, int sign) {
    int slot = slot(block, (long) open << Integer.SIZE | sum);
    int claim = claims++;
    if (claim == slotOfClaim.length) {
      growClaims();
    }
    slotOfClaim[claim] = slot;
    termOfClaim[claim] = term;
    re[claim] = sign * coefficient.re();
    im[claim] = sign * coefficient.im();
    hashOfClaim[claim] =
        LongIntTable.mixed(
            LongIntTable.mixed(term) + 31 * rounded(re[claim]) + 1009 * rounded(im[claim]));
    nextClaim[claim] = -1;
    if (firstClaim[slot] < 0) {
      firstClaim[slot] = claim;
    } else {
      nextClaim[lastClaim[slot]] = claim;
    }
    lastClaim[slot] = claim;
    return claim;
  }

  private int slot(int block, long key) {
    int known = slotNumbers.get(key);
    if (known >= 0) {
      return known;
    }
    int slot = slots++;
    slotNumbers.put(key, slot);
    if (slot == firstClaim.length) {
      growSlots();
    }
    if (block >= firstSlot.length) {
      growBlocks(block);
    }
    firstClaim[slot] = -1;
    nextSlot[slot] = -1;
    blockOfSlot[slot] = block;
    if (firstSlot[block] < 0) {
      firstSlot[block] = slot;
    } else {
      nextSlot[lastSlot[block]] = slot;
    }
    lastSlot[block] = slot;
    return slot;
  }

  private void growClaims() {
    int length = 2 * slotOfClaim.length;
    slotOfClaim = Arrays.copyOf(slotOfClaim, length);
    termOfClaim = Arrays.copyOf(termOfClaim, length);
    re = Arrays.copyOf(re, length);
    im = Arrays.copyOf(im, length);
    hashOfClaim = Arrays.copyOf(hashOfClaim, length);
    nextClaim = Arrays.copyOf(nextClaim, length);
    made = Arrays.copyOf(made, length);
  }

  private void growSlots() {
    int length = 2 * firstClaim.length;
    firstClaim = Arrays.copyOf(firstClaim, length);
    lastClaim = Arrays.copyOf(lastClaim, length);
    slotHash = Arrays.copyOf(slotHash, length);
    slotShare = Arrays.copyOf(slotShare, length);
    slotSize = Arrays.copyOf(slotSize, length);
    blockOfSlot = Arrays.copyOf(blockOfSlot, length);
    nextSlot = Arrays.copyOf(nextSlot, length);
  }

  private void growBlocks(int block) {
    int before = firstSlot.length;
    int length = Math.max(2 * before, block + INITIAL);
    firstSlot = Arrays.copyOf(firstSlot, length);
    Arrays.fill(firstSlot, before, length, -1);
    lastSlot = Arrays.copyOf(lastSlot, length);
    blockHash = Arrays.copyOf(blockHash, length);
  }

  /**
   * Returns the number of a coefficient; coefficients that differ by rounding errors have the same
   * number.
   */
  private static long rounded(double coefficient) {
    return Math.round(coefficient / VectorSpan.TOLERANCE);
  }

  /** Makes claims, or takes them back. */
  void change(int[] which, boolean make) {
    for (int c : which) {
      int slot = slotOfClaim[c];
      long before = slotShare[slot];
      slotHash[slot] += make ? hashOfClaim[c] : -hashOfClaim[c];
      slotSize[slot] += make ? 1 : -1;
      long after = slotSize[slot] == 0 ? 0 : LongIntTable.mixed(slotHash[slot]);
      slotShare[slot] = after;
      blockHash[blockOfSlot[slot]] += after - before;
      made[c] = make;
    }
  }

  /** Number of sums that a block needs for the present claims. */
  int dimension(int block) {
    // Keys of the table are not negative.
    long key = blockHash[block] & Long.MAX_VALUE;
    int known = dimensions.get(key);
    if (known < 0) {
      known = dimensionAnew(block);
      dimensions.put(key, known);
    }
    return known;
  }

  /** The dimension; slots with equal claims are looked at once. */
  private int dimensionAnew(int block) {
    int count = 0;
    sparse.begin();
    for (int slot = firstSlot[block]; slot >= 0; slot = nextSlot[slot]) {
      if (slotSize[slot] > 0 && !isAmong(slotHash[slot], count)) {
        if (count == hashes.length) {
          hashes = Arrays.copyOf(hashes, 2 * count);
        }
        hashes[count++] = slotHash[slot];
        for (int c = firstClaim[slot]; c >= 0; c = nextClaim[c]) {
          if (made[c]) {
            sparse.add(termOfClaim[c], re[c], im[c]);
          }
        }
        sparse.end();
      }
    }
    return sparse.dimension();
  }

  /** The vectors that a block has to supply. */
  private List<double[]> vectors(int block) {
    List<double[]> vectors = new ArrayList<>();
    for (int slot = firstSlot[block]; slot >= 0; slot = nextSlot[slot]) {
      if (slotSize[slot] > 0) {
        double[][] sums = new double[SpinVectors.MOST][];
        for (int c = firstClaim[slot]; c >= 0; c = nextClaim[c]) {
          if (made[c]) {
            addTo(sums, termVectors.get(termOfClaim[c]), re[c], im[c]);
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

  private boolean isAmong(long hash, int count) {
    for (int k = 0; k < count; k++) {
      if (hashes[k] == hash) {
        return true;
      }
    }
    return false;
  }

  private static void addTo(double[][] sums, double[][] vectors, double re, double im) {
    for (int open = 0; open < vectors.length; open++) {
      if (vectors[open] != null) {
        if (sums[open] == null) {
          sums[open] = new double[2 * SpinVectors.LENGTH];
        }
        SpinVectors.addTo(sums[open], vectors[open], re, im);
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
