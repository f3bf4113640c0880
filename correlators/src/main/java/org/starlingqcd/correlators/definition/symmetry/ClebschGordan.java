package org.starlingqcd.correlators.definition.symmetry;

import java.math.BigInteger;

/**
 * Clebsch-Gordan coefficients {@code ⟨j1 m1; j2 m2 | J M⟩} in the Condon-Shortley convention,
 * exact.
 *
 * <p>Racah's closed formula (G. Racah, Phys. Rev. 62, 438 (1942), eq. 16) in integers of any size;
 * every angular momentum is passed as twice its value.
 */
public final class ClebschGordan {
  private ClebschGordan() {}

  /** The coefficient; zero wherever a selection rule forbids it. All arguments are doubled. */
  public static SignedRoot coefficient(int j1, int m1, int j2, int m2, int j, int m) {
    if (m1 + m2 != m
        || !allowed(j1, j2, j)
        || !component(j1, m1)
        || !component(j2, m2)
        || !component(j, m)) {
      return SignedRoot.ZERO;
    }
    int a = (j1 + j2 - j) / 2;
    int b = (j1 - m1) / 2;
    int c = (j2 + m2) / 2;
    int d = (j - j2 + m1) / 2;
    int e = (j - j1 - m2) / 2;
    // Σ_k (-1)^k / (k! (a-k)! (b-k)! (c-k)! (d+k)! (e+k)!), each summand times
    // a!b!c!(d+a)!(e+a)!a!,
    // which all six factorials divide because k ≤ a.
    BigInteger common =
        factorial(a)
            .pow(2)
            .multiply(factorial(b))
            .multiply(factorial(c))
            .multiply(factorial(d + a))
            .multiply(factorial(e + a));
    BigInteger sum = BigInteger.ZERO;
    for (int k = Math.max(0, Math.max(-d, -e)); k <= Math.min(a, Math.min(b, c)); k++) {
      BigInteger divisor =
          factorial(k)
              .multiply(factorial(a - k))
              .multiply(factorial(b - k))
              .multiply(factorial(c - k))
              .multiply(factorial(d + k))
              .multiply(factorial(e + k));
      BigInteger summand = common.divide(divisor);
      sum = (k & 1) == 0 ? sum.add(summand) : sum.subtract(summand);
    }
    BigInteger square =
        sum.pow(2)
            .multiply(BigInteger.valueOf(j + 1L))
            .multiply(factorial((j + j1 - j2) / 2))
            .multiply(factorial((j - j1 + j2) / 2))
            .multiply(factorial(a))
            .multiply(factorial((j + m) / 2))
            .multiply(factorial((j - m) / 2))
            .multiply(factorial(b))
            .multiply(factorial((j1 + m1) / 2))
            .multiply(factorial((j2 - m2) / 2))
            .multiply(factorial(c));
    BigInteger divisor = common.pow(2).multiply(factorial((j1 + j2 + j) / 2 + 1));
    return new SignedRoot(sum.signum(), square, divisor);
  }

  /** Whether j1 and j2 couple to J; all arguments are doubled. */
  public static boolean allowed(int j1, int j2, int j) {
    return j >= Math.abs(j1 - j2) && j <= j1 + j2 && (j1 + j2 - j) % 2 == 0;
  }

  /** Whether m is a component of j; both are doubled. */
  public static boolean component(int j, int m) {
    return j >= 0 && Math.abs(m) <= j && (j - m) % 2 == 0;
  }

  private static BigInteger factorial(int n) {
    BigInteger product = BigInteger.ONE;
    for (int k = 2; k <= n; k++) {
      product = product.multiply(BigInteger.valueOf(k));
    }
    return product;
  }
}
