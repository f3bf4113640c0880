package org.starlingqcd.hadron.convention;

import static org.starlingqcd.hadron.convention.Measurement.failed;
import static org.starlingqcd.hadron.convention.Measurement.otherwiseFailed;
import static org.starlingqcd.hadron.convention.Measurement.passed;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.BiConsumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.convention.Measurement.Sample;
import org.starlingqcd.hadron.convention.Measurement.Values;
import org.starlingqcd.hadron.data.ComplexMatrix;
import org.starlingqcd.hadron.data.ElementalName;

/** Tests of elementals alone. */
final class ElementalTests {
  private static final String DEVIATION = "deviation";

  /** Eigenvectors in single precision are orthonormal to 1e-6. */
  private static final double TOLERANCE = 1e-5;

  /** Pairs of momenta that are compared. */
  private static final int MOST_PAIRS = 16;

  private static final List<String> AXES = List.of("x", "y", "z");

  /** Sizes of the diagonal and the other coefficients of derivatives. */
  private static final double SMALLEST_DERIVATIVE = 0.5;

  private static final double LARGEST_DERIVATIVE = 1.6;
  private static final double MOST_MIXED = 0.5;
  private static final String MIXED = "mixed";

  /** Of an eigenvalue, in lattice units. */
  private static final double SMALLEST_MISSING = 0.01;

  /** Overlaps of baryon elementals, by direction. */
  private static final List<String> AS_READ = List.of("as_read_x", "as_read_y", "as_read_z");

  private static final List<String> OPPOSITE = List.of("opposite_x", "opposite_y", "opposite_z");
  private static final double SMALLEST_OVERLAP = 0.2;
  private static final int MOST_BARYON_TIMES = 2;

  private ElementalTests() {}

  static List<Measurement> all() {
    return Stream.of(
            identity("unit-elemental", ElementalTests::addUnit),
            identity("opposite-momenta", ElementalTests::addOpposite),
            derivativePhase(),
            baryonPhase())
        .map(Measurement::ofElementals)
        .toList();
  }

  /** Φ(0) = 1, because eigenvectors are orthonormal, or Φ(-n) = Φ(n)†. */
  private static Measurement identity(String test, BiConsumer<Sample, Blocks> adding) {
    return Measurement.of(
        test,
        List.of(DEVIATION),
        (measurement, blocks) -> adding.accept(measurement.of("").get(DEVIATION), blocks),
        passed(values -> values.mean(DEVIATION) < TOLERANCE),
        otherwiseFailed());
  }

  private static void addUnit(Sample deviations, Blocks blocks) {
    for (int t : blocks.times()) {
      ComplexMatrix phi = blocks.wholeElemental(Momentum.ZERO, t);
      if (phi != null) {
        deviations.raise(phi.minus(ComplexMatrix.unit(phi.size())).largest());
      }
    }
  }

  private static void addOpposite(Sample deviations, Blocks blocks) {
    int pairs = 0;
    for (ElementalName name : blocks.data().mesonElementals()) {
      Momentum n = name.momentum();
      if (name.displacement().equals(ElementalRef.NO_DISPLACEMENT)
          && pairs < MOST_PAIRS
          && n.compareTo(n.negate()) > 0) {
        int t = blocks.times().get(pairs % blocks.times().size());
        ComplexMatrix here = blocks.wholeElemental(n, t);
        ComplexMatrix there = blocks.wholeElemental(n.negate(), t);
        if (here != null && there != null) {
          deviations.raise(here.minus(there.adjoint()).largest());
          pairs++;
        }
      }
    }
  }

  /**
   * The phase of meson elementals against the derivative.
   *
   * <p>∇_k e^{-ip·x} v = e^{-ip·x} (∇_k - i sin p_k) v + O(p²) on smooth vectors, so [∇_k, Φ(n)] ≈
   * -i sin(p_k) Φ(n). The coefficient is Tr Φ†[∇_k, Φ] / Tr Φ†Φ, here for n = ±e_j, divided by -i
   * sin p. It is near δ_jk. On small coarse lattices it lies between 0.6 and 1.3 for j = k.
   */
  private static Measurement derivativePhase() {
    return Measurement.of(
            "derivative-phase",
            IntStream.range(0, 9).mapToObj(kj -> name(kj / 3, kj % 3)).toList(),
            ElementalTests::addDerivatives,
            // Negated so that NaN fails.
            failed(
                "mixed",
                v -> !(alongAxes(v).getOrDefault(MIXED, 0.0) < MOST_MIXED),
                ElementalTests::strongest),
            failed("opposite", v -> diagonal(v).allMatch(value -> value < 0)),
            failed("signs", v -> diagonal(v).anyMatch(value -> value < 0)),
            passed(
                v -> {
                  double size = diagonal(v).map(Math::abs).average().orElse(0);
                  return size >= SMALLEST_DERIVATIVE && size <= LARGEST_DERIVATIVE;
                }),
            otherwiseFailed())
        .showing(ElementalTests::alongAxes);
  }

  /** The name of the coefficient of the derivative along k and the momentum along j. */
  private static String name(int k, int j) {
    return AXES.get(k) + AXES.get(j);
  }

  private static void addDerivatives(Measurement measurement, Blocks blocks) {
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
            measurement.of("").get(name(k, j)).add(-difference / (2 * sine));
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
    ComplexMatrix nabla = blocks.elemental("nabla_" + AXES.get(axis), Momentum.ZERO, time);
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

  /** The coefficients of derivatives along their own component of the momentum. */
  private static DoubleStream diagonal(Values values) {
    Map<String, Double> means = values.means();
    return IntStream.range(0, 3)
        .filter(k -> means.containsKey(name(k, k)))
        .mapToDouble(k -> means.getOrDefault(name(k, k), 0.0));
  }

  /** The same by component, and the largest other coefficient in units of the largest of all. */
  private static Map<String, Double> alongAxes(Values values) {
    Map<String, Double> measured = new LinkedHashMap<>();
    double diagonal = 0;
    double mixed = 0;
    for (Map.Entry<String, Double> mean : values.means().entrySet()) {
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
      measured.put(MIXED, mixed / Math.max(mixed, diagonal));
    }
    return measured;
  }

  /** Derivatives that are largest with another component of the momentum than their own. */
  private static String strongest(Values values) {
    Map<String, Double> means = values.means();
    StringJoiner found = new StringJoiner(", ", ": ", "").setEmptyValue("");
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
        found.add("nabla_" + AXES.get(k) + " belongs to component " + AXES.get(strongest));
      }
    }
    return found.toString();
  }

  /**
   * Eigenvalues of -Δ: they ascend, lie between 0 and 12, and belong to the elementals.
   *
   * <p>With U_k the shift along k, h_k = (U_k + U_k†)/2 and ∇_k = (U_k - U_k†)/2 obey h_k² - ∇_k² =
   * 1, so λ = Σ_k 2 (1 - ⟨h_k⟩) ≥ Σ_k 2 (1 - √(1 - |∇_k v|²)). |∇_k v|² is -(D_kD_k)_ii, or at
   * least the sum over the eigenvectors that there are of |(∇_k)_ji|².
   */
  static Measurement eigenvalues() {
    return Measurement.of(
        "laplacian-eigenvalues",
        List.of("descent", "outside", "missing", "excess"),
        ElementalTests::addEigenvalues,
        tooLarge("descent", TOLERANCE),
        tooLarge("outside", TOLERANCE),
        tooLarge("missing", SMALLEST_MISSING),
        tooLarge("excess", SMALLEST_MISSING),
        passed(v -> true));
  }

  private static Measurement.Row tooLarge(String quantity, double bound) {
    return failed(quantity, v -> v.means().containsKey(quantity) && !(v.mean(quantity) < bound));
  }

  private static void addEigenvalues(Measurement measurement, Blocks blocks) {
    double[] all = blocks.data().laplacianEigenvalues();
    if (all == null) {
      return;
    }
    Measurement.Values values = measurement.of("");
    int n = all.length / blocks.temporalExtent();
    for (int k = 0; k < all.length; k++) {
      values.get("descent").raise(k % n == 0 ? 0 : all[k - 1] - all[k]);
      values.get("outside").raise(Math.max(-all[k], all[k] - 12));
    }
    for (int t : blocks.times()) {
      double[] least = new double[n];
      int known = 0;
      for (String axis : AXES) {
        ComplexMatrix twice = blocks.elemental("D_" + axis + "D_" + axis, Momentum.ZERO, t);
        ComplexMatrix once = blocks.elemental("D_" + axis, Momentum.ZERO, t);
        ComplexMatrix given = twice == null ? once : twice;
        known = given == null ? known : given.size();
        for (int i = 0; given != null && i < given.size(); i++) {
          double square = twice == null ? 0 : -twice.re(i, i);
          for (int j = 0; twice == null && j < given.size(); j++) {
            square += Math.pow(given.re(j, i), 2) + Math.pow(given.im(j, i), 2);
          }
          least[i] += 2 - 2 * Math.sqrt(Math.max(0, 1 - square));
        }
      }
      for (int i = 0; i < known; i++) {
        values.get("missing").raise(least[i] - all[t * n + i]);
      }
      addExcess(values, blocks, t, Arrays.copyOfRange(all, t * n, (t + 1) * n));
    }
  }

  /*
   * -Δ of e^{ipx} v_i, averaged over both signs of p and added up over the axes, is (3 - c) λ_i + 6 c with c = 1 - cos p. It is at least the sum over what lies on each v_j, times λ_j, and the rest times the highest eigenvalue.
   */
  private static void addExcess(Values values, Blocks blocks, int time, double[] all) {
    List<ComplexMatrix> waves =
        IntStream.range(0, AXES.size())
            .mapToObj(axis -> blocks.elemental(Blocks.unit(axis), time))
            .filter(Objects::nonNull)
            .toList();
    double c = 1 - Math.cos(2 * Math.PI / blocks.spatialExtent());
    for (int i = 0; waves.size() == AXES.size() && i < waves.get(0).size(); i++) {
      double excess = -(3 - c) * all[i] - 6 * c;
      for (ComplexMatrix wave : waves) {
        double highest = all[wave.size() - 1];
        excess += highest;
        for (int j = 0; j < wave.size(); j++) {
          double share =
              Math.pow(wave.re(i, j), 2)
                  + Math.pow(wave.im(i, j), 2)
                  + Math.pow(wave.re(j, i), 2)
                  + Math.pow(wave.im(j, i), 2);
          excess += share / 2 * (all[j] - highest);
        }
      }
      values.get("excess").raise(excess);
    }
  }

  /**
   * The phase of baryon elementals against that of meson elementals.
   *
   * <p>A phase factor may be applied to one of the three vectors: B(n)[i, j, k] ≈ Σ_a B(0)[i, j, a]
   * Φ(n)[a, k], up to what the eigenvectors do not span. The test compares the normalized overlap
   * of both sides with the one that Φ(-n) gives, for n = ±e_k, on the lowest rows i.
   */
  private static Measurement baryonPhase() {
    return Measurement.of(
            "baryon-phase",
            Stream.concat(AS_READ.stream(), OPPOSITE.stream()).toList(),
            ElementalTests::addOverlaps,
            passed(v -> isAbove(means(v, AS_READ), means(v, OPPOSITE))),
            failed("opposite", v -> isAbove(means(v, OPPOSITE), means(v, AS_READ))),
            otherwiseFailed())
        .showing(
            values -> {
              Map<String, Double> measured = new LinkedHashMap<>();
              if (!means(values, AS_READ).isEmpty()) {
                measured.put("as_read", Collections.min(means(values, AS_READ)));
                measured.put("opposite_phase", Collections.max(means(values, OPPOSITE)));
              }
              return measured;
            });
  }

  private static void addOverlaps(Measurement measurement, Blocks blocks) {
    List<Integer> times = blocks.times();
    for (int t : times.subList(0, Math.min(MOST_BARYON_TIMES, times.size()))) {
      ComplexMatrix[] rest = blocks.baryonRows(Momentum.ZERO, t);
      for (int axis = 0; axis < 3 && rest != null; axis++) {
        for (Momentum n : List.of(Blocks.unit(axis), Blocks.unit(axis).negate())) {
          ComplexMatrix[] moving = blocks.baryonRows(n, t);
          ComplexMatrix plus = blocks.elemental(n, t);
          ComplexMatrix minus = blocks.elemental(n.negate(), t);
          if (moving != null && plus != null && minus != null) {
            measurement.of("").get(AS_READ.get(axis)).add(overlap(rest, plus, moving));
            measurement.of("").get(OPPOSITE.get(axis)).add(overlap(rest, minus, moving));
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

  private static List<Double> means(Values values, List<String> names) {
    Map<String, Double> means = values.means();
    return names.stream()
        .filter(means::containsKey)
        .map(name -> means.getOrDefault(name, 0.0))
        .toList();
  }

  /** Whether all overlaps are of order one and clearly above all others. */
  private static boolean isAbove(List<Double> overlaps, List<Double> others) {
    double smallest = Collections.min(overlaps);
    return smallest > SMALLEST_OVERLAP && smallest > 2 * Collections.max(others);
  }
}
