package org.starlingqcd.graph;

/**
 * A product of Euclidean gamma matrices up to sign: a sign (+1 or -1) times the product of distinct
 * g1 … g4 in ascending order, kept as a bit mask (bit μ-1 stands for gμ). The g's are Hermitian and
 * anticommute, so every string of them reduces to this form whatever the basis. {@code g5 = g1 g2
 * g3 g4}.
 *
 * @param mask which of g1 … g4 occur
 * @param sign +1 or -1
 */
public record Gamma(int mask, int sign) {
  /** The unit matrix. */
  public static final Gamma ONE = new Gamma(0, 1);

  /** {@code g5 = g1 g2 g3 g4}. */
  public static final Gamma G5 = new Gamma(15, 1);

  /** {@code g4}. */
  public static final Gamma G4 = new Gamma(8, 1);

  /** Checks the ranges. */
  public Gamma {
    if (mask < 0 || mask > 15 || (sign != 1 && sign != -1)) {
      throw new IllegalArgumentException(
          "mask must be >= 0 && <= 15, sign ±1: mask=" + mask + " sign=" + sign);
    }
  }

  /** gμ for μ = 1 … 5. */
  public static Gamma g(int mu) {
    if (mu == 5) {
      return G5;
    }
    if (mu < 1 || mu > 5) {
      throw new IllegalArgumentException("must be >= 1 && <= 5: mu=" + mu);
    }
    return new Gamma(1 << (mu - 1), 1);
  }

  /**
   * Parses {@code 1} or a concatenation such as {@code g3g5}, multiplied left to right.
   *
   * @throws IllegalArgumentException for anything else, with the names that are known
   */
  public static Gamma parse(String name) {
    if (name.equals("1")) {
      return ONE;
    }
    if (name.isEmpty() || name.length() % 2 != 0) {
      throw unknown(name);
    }
    Gamma product = ONE;
    for (int k = 0; k < name.length(); k += 2) {
      char digit = name.charAt(k + 1);
      if (name.charAt(k) != 'g' || digit < '1' || digit > '5') {
        throw unknown(name);
      }
      product = product.times(g(digit - '0'));
    }
    return product;
  }

  private static IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException(
        "unknown gamma structure '"
            + name
            + "': expected 1 or a product of g1 … g5 such as g5 or g3g5");
  }

  /** The product with another, in this order. */
  public Gamma times(Gamma other) {
    // Moving each g of other leftwards past the larger-index g's of this one costs a sign each.
    int swaps = 0;
    for (int mu = 0; mu < 4; mu++) {
      if ((other.mask >> mu & 1) != 0) {
        swaps += Integer.bitCount(mask >> (mu + 1));
      }
    }
    return new Gamma(mask ^ other.mask, (swaps & 1) == 0 ? sign * other.sign : -sign * other.sign);
  }

  /** The Hermitian adjoint: the product reversed. */
  public Gamma adjoint() {
    int n = Integer.bitCount(mask);
    return (n * (n - 1) / 2 & 1) == 0 ? this : new Gamma(mask, -sign);
  }

  /** {@code g4 Γ† g4}: the matrix of the adjoint bilinear. */
  public Gamma bar() {
    return G4.times(adjoint()).times(G4);
  }

  /** The same structure with sign +1. */
  public Gamma unsigned() {
    return sign == 1 ? this : new Gamma(mask, 1);
  }

  @Override
  public String toString() {
    if (mask == 0) {
      return sign == 1 ? "1" : "-1";
    }
    StringBuilder text = new StringBuilder(sign == 1 ? "" : "-");
    if (mask == 15) {
      return text.append("g5").toString();
    }
    for (int mu = 0; mu < 4; mu++) {
      if ((mask >> mu & 1) != 0) {
        text.append('g').append(mu + 1);
      }
    }
    return text.toString();
  }
}
