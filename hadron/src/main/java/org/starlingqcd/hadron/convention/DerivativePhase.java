package org.starlingqcd.hadron.convention;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Momentum;

/**
 * The phase of meson elementals against the derivative.
 *
 * <p>∇_k e^{-ip·x} v = e^{-ip·x} (∇_k - i sin p_k) v + O(p²) on smooth vectors, so [∇_k, Φ(n)] ≈ -i
 * sin(p_k) Φ(n). The coefficient is Tr Φ†[∇_k, Φ] / Tr Φ†Φ, here for n = ±e_j, divided by -i sin p.
 * It is near δ_jk. On small coarse lattices it lies between 0.6 and 1.3 for j = k.
 */
final class DerivativePhase implements Measurement {
  static final String TEST = "derivative-phase";

  private static final String[] AXES = {"x", "y", "z"};
  private static final String EXPECTED =
      "x, y, z positive, on average between 0.5 and 1.6; mixed below 0.5";
  private static final double SMALLEST = 0.5;
  private static final double LARGEST = 1.6;
  private static final double MIXED = 0.5;

  /** [axis of the derivative][axis of the momentum]. */
  private final Sample[][] coefficients = new Sample[3][3];

  DerivativePhase() {
    for (Sample[] row : coefficients) {
      for (int j = 0; j < row.length; j++) {
        row[j] = new Sample();
      }
    }
  }

  @Override
  public void add(Blocks blocks) {
    double sine = Math.sin(2 * Math.PI / blocks.spatialExtent());
    if (sine < 1e-6) {
      return;
    }
    for (int t : blocks.times()) {
      for (int k = 0; k < 3; k++) {
        ComplexMatrix nabla = nabla(blocks, k, t);
        for (int j = 0; j < 3 && nabla != null; j++) {
          ComplexMatrix plus = blocks.elemental(Blocks.unit(j), t);
          ComplexMatrix minus = blocks.elemental(Blocks.unit(j).negate(), t);
          if (plus != null && minus != null) {
            double difference = coefficient(nabla, plus) - coefficient(nabla, minus);
            coefficients[k][j].add(-difference / (2 * sine));
          }
        }
      }
    }
  }

  /**
   * ∇_k at rest: as such, or from the displacements of Chroma, which are shifts ({@code disp_k},
   * {@code disp_-k}) or left-right derivatives ({@code deriv_k}, -4 ∇_k at rest). Null without any.
   */
  private static @Nullable ComplexMatrix nabla(Blocks blocks, int axis, int time) {
    ComplexMatrix nabla = blocks.elemental("nabla_" + AXES[axis], Momentum.ZERO, time);
    if (nabla != null) {
      return nabla;
    }
    ComplexMatrix leftRight = blocks.elemental("deriv_" + (axis + 1), Momentum.ZERO, time);
    if (leftRight != null) {
      return leftRight.times(-0.25);
    }
    ComplexMatrix forward = blocks.elemental("disp_" + (axis + 1), Momentum.ZERO, time);
    ComplexMatrix backward = blocks.elemental("disp_-" + (axis + 1), Momentum.ZERO, time);
    return forward == null || backward == null ? null : forward.minus(backward).times(0.5);
  }

  /** Im Tr Φ†[∇, Φ] / Tr Φ†Φ. */
  private static double coefficient(ComplexMatrix nabla, ComplexMatrix phi) {
    return phi.inner(nabla.times(phi).minus(phi.times(nabla)))[1] / phi.norm2();
  }

  @Override
  public List<Finding> findings() {
    Map<String, Double> measured = new LinkedHashMap<>();
    double sum = 0;
    double diagonal = 0;
    double mixed = 0;
    int negative = 0;
    List<String> along = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      int strongest = k;
      for (int j = 0; j < 3; j++) {
        if (coefficients[k][j].isEmpty()) {
          continue;
        }
        double value = coefficients[k][j].mean();
        if (j == k) {
          measured.put(AXES[k], value);
          sum += Math.abs(value);
          negative += value < 0 ? 1 : 0;
          diagonal = Math.max(diagonal, Math.abs(value));
        } else {
          mixed = Math.max(mixed, Math.abs(value));
        }
        if (coefficients[k][strongest].isEmpty()
            || Math.abs(value) > Math.abs(coefficients[k][strongest].mean())) {
          strongest = j;
        }
      }
      if (strongest != k) {
        along.add("nabla_" + AXES[k] + " belongs to component " + AXES[strongest]);
      }
    }
    if (measured.isEmpty()) {
      return List.of(
          Finding.notMeasured(
              TEST,
              "",
              EXPECTED,
              "nabla_k, D_k or the derivatives or shifts of Chroma at rest, and undisplaced meson elementals at momentum e_k, with L > 2"));
    }
    double size = sum / measured.size();
    double ratio = mixed / Math.max(mixed, diagonal);
    measured.put("mixed", ratio);
    String meaning = meaning(negative, measured.size() - 1, size, ratio, String.join(", ", along));
    return List.of(
        new Finding(
            TEST,
            "",
            measured,
            EXPECTED,
            meaning.isEmpty() ? Verdict.PASSED : Verdict.FAILED,
            meaning));
  }

  private static String meaning(int negative, int axes, double size, double mixed, String along) {
    if (!(mixed < MIXED)) {
      return "The components of momenta or the axes of derivatives are in another order"
          + (along.isEmpty() ? "" : ": " + along)
          + ". Exchange x and z in the list of momenta.";
    }
    if (negative == axes) {
      return "The phase is e^{+ipx}: read the elemental of -n as the one of n. If spin-indices passes,"
          + " the phase is right and the derivative has the opposite sign, as in -4 nabla_k.";
    }
    if (negative > 0) {
      return "The signs differ between axes: single momenta or derivatives have the wrong sign.";
    }
    if (!(size >= SMALLEST && size <= LARGEST)) {
      return "The derivative has another factor than nabla_k = (forward - backward) / 2.";
    }
    return "";
  }
}
