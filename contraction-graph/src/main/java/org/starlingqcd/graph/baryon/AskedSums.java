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
import java.util.TreeMap;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Interner;
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
  /** A block, which holds sums. */
  static final class Block {
    private final List<Claims> all = new ArrayList<>();
    private long hash;
  }

  /** What the graphs of a choice ask of a block, by graph: a multiple of a term in a sum. */
  static final class Claims {
    private final Block block;
    // Claims for one sum and one open line have one slot.
    private final int[] slots;
    private final int[] terms;
    private final List<GraphSums.Part> parts;
    private final int sign;
    private final long[] hashes;
    private boolean made;

    private Claims(Block block, int[] terms, List<GraphSums.Part> parts, int sign) {
      this.block = block;
      this.terms = terms;
      this.parts = parts;
      this.sign = sign;
      slots = new int[terms.length];
      hashes = new long[terms.length];
      block.all.add(this);
    }
  }

  private final boolean mixedComponents;
  private final Interner<List<Object>> termNumbers = new Interner<>();
  private final List<SparseSums.Term> terms = new ArrayList<>();
  private final SparseSums sparse = new SparseSums();
  private final LongIntTable slotNumbers = new LongIntTable();
  // By slot: how many of its claims are made, their hash, and what this adds to that of the block.
  private int[] sizes = new int[1024];
  private long[] slotHashes = new long[1024];
  private long[] shares = new long[1024];
  private final LongIntTable dimensions = new LongIntTable();
  private final Map<List<Long>, List<PairSum>> bases = new HashMap<>();

  /**
   * Begins without claims.
   *
   * @param mixedComponents whether every graph may need both components of w; if so, no graph may
   *     be part of a sum of several graphs
   */
  AskedSums(boolean mixedComponents) {
    this.mixedComponents = mixedComponents;
  }

  /** The number of a term that claims may be for. */
  int term(SpinTerm term, boolean symmetric) {
    int number = termNumbers.of(List.of(term, symmetric));
    if (number == terms.size()) {
      terms.add(
          new SparseSums.Term(
              mixedComponents
                  ? SpinVectors.apart(term, symmetric)
                  : SpinVectors.of(term, symmetric)));
    }
    return number;
  }

  /**
   * Describes claims on a block without making them.
   *
   * @param open a number that identifies the block together with the line left open
   * @param terms by graph the number of its {@link #term}
   * @param parts the graphs within sums
   * @param sign factor of the coefficients
   */
  Claims claims(Block block, int open, int[] terms, List<GraphSums.Part> parts, int sign) {
    Claims claims = new Claims(block, terms, parts, sign);
    for (int k = 0; k < terms.length; k++) {
      GraphSums.Part part = parts.get(k);
      long key = (long) open << Integer.SIZE | Integer.toUnsignedLong(part.sum());
      claims.slots[k] = slotNumbers.intern(key);
      claims.hashes[k] =
          LongIntTable.mixed(
              LongIntTable.mixed(terms[k])
                  + 31 * rounded(sign * part.coefficient().re())
                  + 1009 * rounded(sign * part.coefficient().im()));
    }
    if (slotNumbers.size() > sizes.length) {
      int length = 2 * slotNumbers.size();
      sizes = Arrays.copyOf(sizes, length);
      slotHashes = Arrays.copyOf(slotHashes, length);
      shares = Arrays.copyOf(shares, length);
    }
    return claims;
  }

  /** Coefficients that differ by rounding errors have the same number. */
  private static long rounded(double coefficient) {
    return Math.round(coefficient / VectorSpan.TOLERANCE);
  }

  /** Makes claims, or takes them back. */
  void change(Claims claims, boolean make) {
    long change = 0;
    for (int k = 0; k < claims.slots.length; k++) {
      int slot = claims.slots[k];
      slotHashes[slot] += make ? claims.hashes[k] : -claims.hashes[k];
      sizes[slot] += make ? 1 : -1;
      long share = sizes[slot] == 0 ? 0 : LongIntTable.mixed(slotHashes[slot]);
      change += share - shares[slot];
      shares[slot] = share;
    }
    claims.block.hash += change;
    claims.made = make;
  }

  /** Number of sums that a block needs for the present claims. */
  int dimension(Block block) {
    // Keys of the table are not negative.
    long key = block.hash & Long.MAX_VALUE;
    int known = dimensions.get(key);
    if (known < 0) {
      addUp(block);
      known = sparse.dimension();
      dimensions.put(key, known);
    }
    return known;
  }

  /** Adds up the claims of each slot; slots with equal claims are looked at once. */
  private void addUp(Block block) {
    Map<Integer, List<Runnable>> bySlot = new TreeMap<>();
    for (Claims claims : block.all) {
      for (int k = 0; claims.made && k < claims.slots.length; k++) {
        SparseSums.Term term = terms.get(claims.terms[k]);
        Complex coefficient = claims.parts.get(k).coefficient().times(claims.sign);
        bySlot
            .computeIfAbsent(claims.slots[k], slot -> new ArrayList<>())
            .add(() -> sparse.add(term, coefficient.re(), coefficient.im()));
      }
    }
    sparse.begin();
    Set<Long> looked = new HashSet<>();
    bySlot.forEach(
        (slot, additions) -> {
          if (looked.add(slotHashes[slot])) {
            additions.forEach(Runnable::run);
            sparse.end();
          }
        });
  }

  /**
   * Independent sums that span everything that some blocks have to hold; sums with few entries come
   * first.
   */
  List<PairSum> basis(Collection<Block> blocks) {
    Map<Long, Block> different = new LinkedHashMap<>();
    blocks.forEach(block -> different.putIfAbsent(block.hash, block));
    return bases.computeIfAbsent(
        List.copyOf(different.keySet()), key -> basisOf(different.values()));
  }

  private List<PairSum> basisOf(Collection<Block> blocks) {
    Map<PairSum, double[]> directions = new LinkedHashMap<>();
    for (Block block : blocks) {
      addUp(block);
      sparse.vectors().forEach(v -> directions.putIfAbsent(SpinVectors.sum(v), v));
    }
    List<Map.Entry<PairSum, double[]>> candidates = new ArrayList<>(directions.entrySet());
    candidates.sort(Comparator.comparingInt(candidate -> candidate.getKey().products()));
    VectorSpan span = new VectorSpan();
    candidates.removeIf(candidate -> !span.add(candidate.getValue()));
    return candidates.stream().map(Map.Entry::getKey).toList();
  }
}
