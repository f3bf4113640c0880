package org.starlingqcd.backend;

/**
 * The pairs of spin components in a trace: {@code Σ_b factor_b · Σ_ij left[leftSpin_b][i][j] ·
 * right[rightSpin_b][j][i]}, or, for a trace of one element, {@code Σ_b factor_b · Σ_i
 * left[leftSpin_b][i][i]}. Factors are real, ±1 for spin matrices.
 */
public final class SpinTraceMapping extends SpinEntries {
  private final int leftSpins;
  private final int rightSpins;

  /**
   * Creates a mapping; the arrays are copied and equally long. {@code right} is ignored by traces
   * of one element.
   */
  public SpinTraceMapping(int[] left, int[] right, double[] factors) {
    super(factors, 1, new int[0], left, right);
    leftSpins = named(0);
    rightSpins = named(1);
  }

  /**
   * {@code Tr[A·X·B·Y]} of meson nodes X, Y with monomial spin matrices A, B as in {@link
   * BatchSpinMapping#mesonProduct}.
   */
  public static SpinTraceMapping mesonTrace(int[] rowA, int[] signA, int[] rowB, int[] signB) {
    int[] left = new int[16];
    int[] right = new int[16];
    double[] factors = new double[16];
    int b = 0;
    for (int alpha = 0; alpha < 4; alpha++) {
      for (int beta = 0; beta < 4; beta++, b++) {
        left[b] = 4 * rowA[alpha] + beta;
        right[b] = 4 * rowB[beta] + alpha;
        factors[b] = signA[alpha] * signB[beta];
      }
    }
    return new SpinTraceMapping(left, right, factors);
  }

  /** {@code Tr[A·X]} of one meson node. */
  public static SpinTraceMapping mesonTrace(int[] rowA, int[] signA) {
    int[] left = new int[4];
    double[] factors = new double[4];
    for (int alpha = 0; alpha < 4; alpha++) {
      left[alpha] = 4 * rowA[alpha] + alpha;
      factors[alpha] = signA[alpha];
    }
    return new SpinTraceMapping(left, new int[4], factors);
  }

  /** Left spin of entry {@code b}. */
  public int left(int b) {
    return component(0, b);
  }

  /** Right spin of entry {@code b}. */
  public int right(int b) {
    return component(1, b);
  }

  /** Components that left elements have at least. */
  public int leftSpins() {
    return leftSpins;
  }

  /** Components that right elements have at least. */
  public int rightSpins() {
    return rightSpins;
  }

  /** Factor of entry {@code b}. */
  public double factor(int b) {
    return factorRe(b);
  }
}
