package org.starlingqcd.backend;

/**
 * How pairs of indices are packed of which each is kept once: {@code i < j} at place {@code
 * j(j-1)/2 + i}, or with equal indices {@code i ≤ j} at {@code j(j+1)/2 + i}; and how matrices of
 * pairs are cut, which depends on N alone, so that results do not depend on the memory.
 *
 * @param extent values N of an index
 * @param symmetric whether an exchange of both indices changes nothing, so that there are pairs of
 *     equal ones; otherwise it changes the sign
 * @param rows pairs of a strip; those of the last one that are left over are zero
 */
public record PairPacking(int extent, boolean symmetric, int rows) {
  /** Halves of lines in the scratch memory of {@link Device#formPairs}. */
  public static final int FORM_HALVES = 5;

  /** Halves of lines in the scratch memory of {@link Device#closePair}. */
  public static final int CLOSE_HALVES = 2;

  private static final int FEW_STRIPS = 4;
  private static final int MOST_STRIPS = 16;

  /** Rows from which products are efficient one by one. */
  private static final int STRIP = 288;

  /** A power of two would bring all components of a line to the same places of a cache. */
  private static final int PADDING = 8;

  /** Checks the ranges. */
  public PairPacking {
    if (extent < (symmetric ? 1 : 2) || rows < 1) {
      throw new IllegalArgumentException("must have a pair: extent=" + extent + " rows=" + rows);
    }
  }

  /** Pairs in a few strips, or in more of them where there are many pairs. */
  public static PairPacking of(int extent, boolean symmetric) {
    int pairs = new PairPacking(extent, symmetric, 1).pairs();
    int few = Math.max(1, Math.min(FEW_STRIPS, pairs / 2));
    int strips = Math.max(few, Math.min(MOST_STRIPS, (pairs + STRIP - 1) / STRIP));
    return new PairPacking(extent, symmetric, (pairs + strips - 1) / strips);
  }

  /** Number P of pairs. */
  public int pairs() {
    return place(0, extent);
  }

  /** Strips of pairs. */
  public int strips() {
    return (pairs() + rows - 1) / rows;
  }

  /** The first indices that pairs with this second one have end here. */
  public int end(int second) {
    return symmetric ? second + 1 : second;
  }

  /** Place of the pair of i and j in any order. */
  public int place(int i, int j) {
    long larger = Math.max(i, j);
    return Math.toIntExact(larger * (larger + sign()) / 2) + Math.min(i, j);
  }

  /** Sign, -1 or +1, of an exchange of both indices. */
  public int sign() {
    return symmetric ? 1 : -1;
  }

  /** The numbers of i and j relative to those of the pair; 0 where they vanish. */
  public int sign(int i, int j) {
    return i < j ? 1 : i > j ? sign() : Math.max(0, sign());
  }

  /** What the sum of a number of a pair and that with i and j exchanged is multiplied by. */
  public static double weight(int i, int j) {
    return i == j ? 0.5 : 1;
  }

  /** The shape of a strip of a tetraquark, {@code [rows][pairs]}. */
  public TensorShape stripShape(Precision precision) {
    return new TensorShape(1, 1, rows * pairs(), precision);
  }

  /** The shape of a matrix whose columns are these pairs, {@code [strip][other pairs][rows]}. */
  public TensorShape matrixShape(int otherPairs, Precision precision) {
    return new TensorShape(strips(), 1, otherPairs * rows, precision);
  }

  /** The shape of a strip times such a matrix, {@code [strip][rows][rows]}. */
  public TensorShape productShape(Precision precision) {
    return new TensorShape(strips(), 1, rows * rows, precision);
  }

  /** The shape of scratch memory for the real or the imaginary parts of some lines. */
  public TensorShape scratchShape(int halves, Precision precision) {
    return new TensorShape(1, 1, halves * PairContraction.LINE_SPINS / 2 * lead(), precision);
  }

  /** Numbers of a component of such a half. */
  public int lead() {
    return extent * extent + (extent % PADDING == 0 ? PADDING : 0);
  }
}
