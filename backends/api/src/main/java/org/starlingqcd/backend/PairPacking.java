package org.starlingqcd.backend;

/**
 * How pairs of indices are packed of which each is kept once: {@code i < j} at place {@code
 * j(j-1)/2 + i}, or with equal indices {@code i ≤ j} at {@code j(j+1)/2 + i}; and how matrices of
 * pairs are cut, which depends on their number alone, so that results do not depend on the memory.
 *
 * @param extent values N of an index
 * @param diagonal whether there are pairs of equal indices
 */
public record PairPacking(int extent, boolean diagonal) {
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

  /** Signs, -1 or +1, of the exchange of the two indices of a row's pair and of a column's. */
  public record Signs(int rows, int columns) {}

  /** Checks the ranges. */
  public PairPacking {
    if (extent < (diagonal ? 1 : 2)) {
      throw new IllegalArgumentException("must have a pair: extent=" + extent);
    }
  }

  /** Number P of pairs. */
  public int pairs() {
    return place(0, extent);
  }

  /** The first indices that pairs with this second one have end here. */
  public int end(int second) {
    return diagonal ? second + 1 : second;
  }

  /** Place of the pair of i and j in any order. */
  public int place(int i, int j) {
    long larger = Math.max(i, j);
    return Math.toIntExact(larger * (larger + (diagonal ? 1 : -1)) / 2) + Math.min(i, j);
  }

  /** The second index of the pair at a place. */
  public int second(int place) {
    int second = (int) Math.sqrt(2.0 * place);
    while (place(0, second) > place) {
      second--;
    }
    while (place(0, second + 1) <= place) {
      second++;
    }
    return second;
  }

  /** Strips of rows that a tetraquark is cut into: a few, and more of them where there are many. */
  public int strips() {
    return Math.max(
        Math.max(1, Math.min(FEW_STRIPS, pairs() / 2)),
        Math.min(MOST_STRIPS, (pairs() + STRIP - 1) / STRIP));
  }

  /** Rows of a strip; rows of the last one that are left over are zero. */
  public int rows() {
    return (pairs() + strips() - 1) / strips();
  }

  /** The shape of some rows of a tetraquark, {@code [rows][pairs]}. */
  public TensorShape stripShape(Precision precision) {
    return new TensorShape(1, 1, rows() * pairs(), precision);
  }

  /**
   * The shape of a matrix from pairs to pairs, {@code [strip of columns][pairs][rows]}: the columns
   * are cut as rows are.
   */
  public TensorShape matrixShape(Precision precision) {
    return new TensorShape(strips(), 1, pairs() * rows(), precision);
  }

  /** The shape of a strip times such a matrix, {@code [strip of columns][rows][rows]}. */
  public TensorShape productShape(Precision precision) {
    return new TensorShape(strips(), 2, rows(), precision);
  }

  /** The shape of scratch memory for the real or the imaginary parts of some lines. */
  public TensorShape scratchShape(int halves, Precision precision) {
    return new TensorShape(1, 1, halves * PairContraction.LINE_SPINS / 2 * lead(), precision);
  }

  /** Numbers of a component of such a half. */
  public int lead() {
    return extent * extent + (extent % PADDING == 0 ? PADDING : 0);
  }

  /**
   * The numbers of i and j relative to those of the pair.
   *
   * @param exchange sign of an exchange of the two
   */
  public static int sign(int i, int j, int exchange) {
    return i < j ? 1 : i > j ? exchange : Math.max(0, exchange);
  }

  /**
   * What the sum of a number and that with i and j exchanged is multiplied by, so that it counts
   * once: 1/2 where they are equal; 0 where it vanishes.
   *
   * @param exchange sign of an exchange of the two
   */
  public static double weight(int i, int j, int exchange) {
    return i == j ? 0.25 * (1 + exchange) : 1;
  }
}
