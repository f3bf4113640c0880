package org.starlingqcd.backend;

/**
 * How pairs of indices are packed of which each is kept once: {@code i < j} at place {@code
 * j(j-1)/2 + i}, or with equal indices {@code i ≤ j} at {@code j(j+1)/2 + i}.
 *
 * @param extent values N of an index
 * @param diagonal whether there are pairs of equal indices
 */
public record PairPacking(int extent, boolean diagonal) {
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

  /** The shape of a matrix from pairs to pairs. */
  public TensorShape shape(Precision precision) {
    return TensorShape.elemental(pairs()).in(precision);
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
