package org.starlingqcd.hadron.execute;

import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.data.SpinMatrix;

/**
 * Batch-spin mappings of gamma structures in the DeGrand-Rossi basis, by mask (see {@link Gamma}).
 *
 * <p>There g1 and g3 are i times a real signed permutation, g2 and g4 real signed permutations; a
 * product therefore has the phase i exactly when an odd number of g1, g3 occurs. Mappings hold the
 * real part, and {@link #phase} tells the power of i that belongs into the coefficient. There are
 * 256 mappings of each kind, made when first needed and shared by all contractions. Thread-safe.
 */
public final class SpinMappings {
  private static final int MASKS = 16;
  private static final int G1_AND_G3 = 0b0101;
  private static final Complex[] POWERS_OF_I = {Complex.ONE, new Complex(0, 1), new Complex(-1, 0)};

  private static final int[][] ROWS = new int[MASKS][SpinMatrix.SPINS];
  private static final int[][] SIGNS = new int[MASKS][SpinMatrix.SPINS];
  private static final BatchSpinMapping[] PRODUCTS = new BatchSpinMapping[MASKS * MASKS];
  private static final SpinTraceMapping[] TRACES = new SpinTraceMapping[MASKS * MASKS];
  private static final SpinTraceMapping[] SINGLE_TRACES = new SpinTraceMapping[MASKS];

  /** An elemental times each spin component of a perambulator. */
  private static final BatchSpinMapping BUILD = BatchSpinMapping.leftScalar(16);

  private static final BatchSpinMapping[] BUILDS = new BatchSpinMapping[MASKS];
  private static final int[] PARTS = new int[MASKS];

  static {
    for (int mask = 0; mask < MASKS; mask++) {
      SpinMatrix matrix = SpinMatrix.deGrandRossi(new Gamma(mask, 1));
      boolean imaginary = isImaginary(mask);
      for (int row = 0; row < SpinMatrix.SPINS; row++) {
        for (int column = 0; column < SpinMatrix.SPINS; column++) {
          double entry = imaginary ? matrix.im(row, column) : matrix.re(row, column);
          if (entry != 0) {
            ROWS[mask][row] = column;
            SIGNS[mask][row] = (int) entry;
          }
        }
      }
    }
    for (int mask = 0; mask < MASKS; mask++) {
      SpinSumMapping rows = rows(0, mask);
      int spins = rows.size();
      int[] source = new int[spins];
      int[] each = new int[spins];
      double[] factors = new double[2 * spins];
      for (int spin = 0; spin < spins; spin++) {
        source[spin] = rows.source(spin);
        each[spin] = rows.destination(spin);
        factors[2 * spin] = rows.factorRe(spin);
      }
      BUILDS[mask] = new BatchSpinMapping(1, spins, spins, new int[spins], source, each, factors);
      PARTS[mask] = 1;
      for (int row = 1; row < SpinMatrix.SPINS; row++) {
        boolean follows =
            ROWS[mask][row] == ROWS[mask][row - 1] + 1 && SIGNS[mask][row] == SIGNS[mask][row - 1];
        PARTS[mask] += follows ? 0 : 1;
      }
    }
  }

  private SpinMappings() {}

  /** Whether the structure is i times a real matrix. */
  static boolean isImaginary(int mask) {
    return (Integer.bitCount(mask & G1_AND_G3) & 1) != 0;
  }

  /** {@code Φ τ}: 16 products with one spin-free left matrix. */
  public static BatchSpinMapping build() {
    return BUILD;
  }

  /** The real part of {@code F Φ τ}. */
  static BatchSpinMapping build(int gamma) {
    return BUILDS[gamma];
  }

  /** {@code F' F⁻¹ X}, where F and F' are the real parts of the two structures. */
  static SpinSumMapping rows(int from, int to) {
    int spins = SpinMatrix.SPINS * SpinMatrix.SPINS;
    int[] source = new int[spins];
    int[] each = new int[spins];
    double[] factors = new double[2 * spins];
    for (int spin = 0; spin < spins; spin++) {
      int row = spin / SpinMatrix.SPINS;
      int old = 0;
      while (ROWS[from][old] != ROWS[to][row]) {
        old++;
      }
      source[spin] = SpinMatrix.SPINS * old + spin % SpinMatrix.SPINS;
      each[spin] = spin;
      factors[2 * spin] = SIGNS[to][row] * SIGNS[from][old];
    }
    return new SpinSumMapping(spins, source, each, factors);
  }

  /** The parts of which rows follow each other with equal signs: 1 for the unit matrix only. */
  static int parts(int gamma) {
    return PARTS[gamma];
  }

  /** The real part of {@code Γ_L · X · Γ_I · Y}: 64 products. */
  public static BatchSpinMapping product(int leftGamma, int innerGamma) {
    synchronized (PRODUCTS) {
      int index = MASKS * leftGamma + innerGamma;
      BatchSpinMapping mapping = PRODUCTS[index];
      if (mapping == null) {
        mapping =
            BatchSpinMapping.mesonProduct(
                ROWS[leftGamma], SIGNS[leftGamma], ROWS[innerGamma], SIGNS[innerGamma]);
        PRODUCTS[index] = mapping;
      }
      return mapping;
    }
  }

  /** The real part of {@code Γ_L · X · Γ_I · (Φ ⊗ 1)}: 16 products with one spin-free matrix. */
  static BatchSpinMapping attach(int leftGamma, int innerGamma) {
    int spins = SpinMatrix.SPINS * SpinMatrix.SPINS;
    int[] left = new int[spins];
    int[] destination = new int[spins];
    double[] factors = new double[2 * spins];
    for (int b = 0; b < spins; b++) {
      int row = b / SpinMatrix.SPINS;
      int inner = b % SpinMatrix.SPINS;
      left[b] = SpinMatrix.SPINS * ROWS[leftGamma][row] + inner;
      destination[b] = SpinMatrix.SPINS * row + ROWS[innerGamma][inner];
      factors[2 * b] = SIGNS[leftGamma][row] * SIGNS[innerGamma][inner];
    }
    return new BatchSpinMapping(spins, 1, spins, left, new int[spins], destination, factors);
  }

  /** {@code Tr[Γ · (Φ ⊗ 1) · Y]} with an elemental Φ, without the power of i and the sign of Γ. */
  static SpinTraceMapping elementalTrace(int gamma) {
    int[] right = new int[SpinMatrix.SPINS];
    double[] factors = new double[SpinMatrix.SPINS];
    for (int row = 0; row < SpinMatrix.SPINS; row++) {
      right[row] = SpinMatrix.SPINS * ROWS[gamma][row] + row;
      factors[row] = SIGNS[gamma][row];
    }
    return new SpinTraceMapping(new int[SpinMatrix.SPINS], right, factors);
  }

  /** The real part of {@code Tr[Γ_L · X · Γ_I · Y]}. */
  public static SpinTraceMapping trace(int leftGamma, int innerGamma) {
    synchronized (TRACES) {
      int index = MASKS * leftGamma + innerGamma;
      SpinTraceMapping mapping = TRACES[index];
      if (mapping == null) {
        mapping =
            SpinTraceMapping.mesonTrace(
                ROWS[leftGamma], SIGNS[leftGamma], ROWS[innerGamma], SIGNS[innerGamma]);
        TRACES[index] = mapping;
      }
      return mapping;
    }
  }

  /** The real part of {@code Tr[Γ_L · X]}. */
  public static SpinTraceMapping trace(int leftGamma) {
    synchronized (SINGLE_TRACES) {
      SpinTraceMapping mapping = SINGLE_TRACES[leftGamma];
      if (mapping == null) {
        mapping = SpinTraceMapping.mesonTrace(ROWS[leftGamma], SIGNS[leftGamma]);
        SINGLE_TRACES[leftGamma] = mapping;
      }
      return mapping;
    }
  }

  /** The power of i that the mappings of these structures leave out. */
  public static Complex phase(int leftGamma, int innerGamma) {
    return POWERS_OF_I[(isImaginary(leftGamma) ? 1 : 0) + (isImaginary(innerGamma) ? 1 : 0)];
  }

  /** The power of i that the mapping of this structure leaves out. */
  public static Complex phase(int gamma) {
    return phase(gamma, 0);
  }
}
