package org.starlingqcd.hadron.convention;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Momentum;

/**
 * The phase of meson elementals against the derivative.
 *
 * <p>∇_k e^{-ip·x} v = e^{-ip·x} (∇_k - i sin p_k) v + O(p²) on smooth vectors, so [∇_k, Φ(n)] ≈ -i
 * sin(p_k) Φ(n). The coefficient is Tr Φ†[∇_k, Φ] / Tr Φ†Φ, here for n = ±e_j, divided by -i sin p.
 * It is near δ_jk. On small coarse lattices it lies between 0.6 and 1.3 for j = k.
 */
final class DerivativePhase extends Measurement {
  static final String TEST = "derivative-phase";

  private static final String[] AXES = {"x", "y", "z"};
  private static final String EXPECTED =
      "x, y, z positive, on average between 0.5 and 1.6; mixed below 0.5";
  private static final double SMALLEST = 0.5;
  private static final double LARGEST = 1.6;
  private static final double MIXED = 0.5;

  DerivativePhase() {
    super(
        TEST,
        EXPECTED,
        "nabla_k, D_k or the derivatives or shifts of Chroma at rest, and undisplaced meson"
            + " elementals at momentum e_k, with L > 2",
        IntStream.range(0, 9).mapToObj(kj -> name(kj / 3, kj % 3)).toList());
    of("");
  }

  /** The coefficient of the derivative along k and the momentum along j. */
  private static String name(int k, int j) {
    return AXES[k] + AXES[j];
  }

  @Override
  void add(Blocks blocks) {
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
            of("").get(name(k, j)).add(-difference / (2 * sine));
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
  Map<String, Double> measured(Values values) {
    Map<String, Double> means = values.means();
    Map<String, Double> measured = new LinkedHashMap<>();
    double diagonal = 0;
    double mixed = 0;
    for (Map.Entry<String, Double> mean : means.entrySet()) {
      String axis = mean.getKey().substring(0, 1);
      double size = Math.abs(mean.getValue());
      if (mean.getKey().equals(axis + axis)) {
        measured.put(axis, mean.getValue());
        diagonal = Math.max(diagonal, size);
      } else {
        mixed = Math.max(mixed, size);
      }
    }
    if (!measured.isEmpty()) {
      measured.put("mixed", mixed / Math.max(mixed, diagonal));
    }
    return measured;
  }

  @Override
  List<Row> table(Values values) {
    Map<String, Double> along = measured(values);
    double mixed = along.getOrDefault("mixed", 0.0);
    along.remove("mixed");
    long negative = along.values().stream().filter(value -> value < 0).count();
    double size = along.values().stream().mapToDouble(Math::abs).average().orElse(0);
    String belongs = String.join(", ", strongest(values));
    return List.of(
        failed(
            !(mixed < MIXED),
            "The components of momenta or the axes of derivatives are in another order"
                + (belongs.isEmpty() ? "" : ": " + belongs)
                + ". Exchange x and z in the list of momenta."),
        failed(
            negative == along.size(),
            "The phase is e^{+ipx}: read the elemental of -n as the one of n. If spin-indices passes,"
                + " the phase is right and the derivative has the opposite sign, as in -4 nabla_k."),
        failed(
            negative > 0,
            "The signs differ between axes: single momenta or derivatives have the wrong sign."),
        failed(
            !(size >= SMALLEST && size <= LARGEST),
            "The derivative has another factor than nabla_k = (forward - backward) / 2."),
        passed(true));
  }

  /** Derivatives that are largest with another component of the momentum than their own. */
  private static List<String> strongest(Values values) {
    Map<String, Double> means = values.means();
    List<String> found = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      int strongest = k;
      for (int j = 0; j < 3; j++) {
        double size = Math.abs(means.getOrDefault(name(k, j), -1.0));
        if (means.containsKey(name(k, j))
            && !(size <= Math.abs(means.getOrDefault(name(k, strongest), 0.0)))) {
          strongest = j;
        }
      }
      if (strongest != k) {
        found.add("nabla_" + AXES[k] + " belongs to component " + AXES[strongest]);
      }
    }
    return found;
  }
}
