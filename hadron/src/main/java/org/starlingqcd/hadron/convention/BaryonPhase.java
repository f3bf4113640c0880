package org.starlingqcd.hadron.convention;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.starlingqcd.graph.Momentum;

/**
 * The phase of baryon elementals against that of meson elementals.
 *
 * <p>A phase factor may be applied to one of the three vectors: B(n)[i, j, k] ≈ Σ_a B(0)[i, j, a]
 * Φ(n)[a, k], up to what the eigenvectors do not span. The test compares the normalized overlap of
 * both sides with the one that Φ(-n) gives, for n = ±e_k, on the lowest rows i.
 */
final class BaryonPhase extends Measurement {
  static final String TEST = "baryon-phase";

  private static final String EXPECTED = "as_read above 0.2 and above twice opposite_phase";

  /** By direction. */
  private static final List<String> AS_READ = List.of("as_read_x", "as_read_y", "as_read_z");

  private static final List<String> OPPOSITE = List.of("opposite_x", "opposite_y", "opposite_z");
  private static final double SMALLEST = 0.2;
  private static final int MOST_TIMES = 2;

  BaryonPhase() {
    super(
        TEST,
        EXPECTED,
        "undisplaced baryon elementals at rest and at momentum e_k, and meson elementals there",
        Stream.concat(AS_READ.stream(), OPPOSITE.stream()).toList());
    of("");
  }

  @Override
  void add(Blocks blocks) {
    List<Integer> times = blocks.times();
    for (int t : times.subList(0, Math.min(MOST_TIMES, times.size()))) {
      ComplexMatrix[] rest = blocks.baryonRows(Momentum.ZERO, t);
      for (int axis = 0; axis < 3 && rest != null; axis++) {
        for (int sign = 1; sign >= -1; sign -= 2) {
          Momentum n = sign > 0 ? Blocks.unit(axis) : Blocks.unit(axis).negate();
          ComplexMatrix[] moving = blocks.baryonRows(n, t);
          ComplexMatrix plus = blocks.elemental(n, t);
          ComplexMatrix minus = blocks.elemental(n.negate(), t);
          if (moving != null && plus != null && minus != null) {
            of("").get(AS_READ.get(axis)).add(overlap(rest, plus, moving));
            of("").get(OPPOSITE.get(axis)).add(overlap(rest, minus, moving));
          }
        }
      }
    }
  }

  /** |⟨B(n), B(0)Φ⟩| / (|B(n)| |B(0)Φ|). */
  private static double overlap(ComplexMatrix[] rest, ComplexMatrix phi, ComplexMatrix[] moving) {
    double re = 0;
    double im = 0;
    double norm = 0;
    double movingNorm = 0;
    for (int i = 0; i < rest.length; i++) {
      ComplexMatrix product = rest[i].times(phi);
      double[] inner = moving[i].inner(product);
      re += inner[0];
      im += inner[1];
      norm += product.norm2();
      movingNorm += moving[i].norm2();
    }
    return Math.hypot(re, im) / Math.sqrt(norm * movingNorm);
  }

  @Override
  Map<String, Double> measured(Values values) {
    List<Double> right = means(values, AS_READ);
    Map<String, Double> measured = new LinkedHashMap<>();
    if (!right.isEmpty()) {
      measured.put("as_read", Collections.min(right));
      measured.put("opposite_phase", Collections.max(means(values, OPPOSITE)));
    }
    return measured;
  }

  @Override
  List<Row> table(Values values) {
    List<Double> right = means(values, AS_READ);
    List<Double> wrong = means(values, OPPOSITE);
    return List.of(
        passed(isAbove(right, wrong)),
        failed(
            isAbove(wrong, right),
            "The phases of baryon and meson elementals are opposite: one of them is e^{+ipx}, and"
                + " its elemental of -n has to be read as the one of n."),
        failed(
            true,
            "Baryon and meson elementals do not belong together: they come from different"
                + " eigenvectors, or indices or momenta of one of them are in another order."));
  }

  private static List<Double> means(Values values, List<String> names) {
    return names.stream()
        .map(values::get)
        .filter(sample -> !sample.isEmpty())
        .map(Sample::mean)
        .toList();
  }

  /** Whether all overlaps are of order one and clearly above all others. */
  private static boolean isAbove(List<Double> overlaps, List<Double> others) {
    double smallest = Collections.min(overlaps);
    return smallest > SMALLEST && smallest > 2 * Collections.max(others);
  }
}
