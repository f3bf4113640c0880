package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.LittleGroup;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;

/**
 * Which irreps a product of hadrons contains: the product with all of its spin states, at all
 * momenta that the little group of the total makes of its own.
 *
 * <p>Multiplicities follow from characters, {@code (1/|LG|) Σ_R χ_Λ(R)* χ(R)}. Only products whose
 * momenta R leaves as they are contribute to {@code χ(R)}, each the product of the hadrons' traces.
 * The exchange of equal hadrons is not looked at: isospin decides which combination survives.
 */
public final class ProductContent {
  private final List<HadronFactor> seed;
  private final Momentum total;
  private final List<Irrep> irreps;

  /** The content of the product that a seed stands for. */
  public ProductContent(List<HadronFactor> seed) {
    this.seed = List.copyOf(seed);
    total = seed.stream().map(HadronFactor::momentum).reduce(Momentum.ZERO, Momentum::plus);
    irreps = Irrep.all(total, seed.stream().filter(HadronFactor::isBaryon).count() % 2 == 1);
  }

  /** How many operators there are for each row of each irrep; irreps without any are left out. */
  public Map<Irrep, Integer> multiplicities() {
    List<CubicRotation> elements = LittleGroup.of(total).elements();
    Set<List<HadronFactor>> orbit = new LinkedHashSet<>();
    for (CubicRotation rotation : elements) {
      orbit.add(seed.stream().map(h -> h.images(rotation).get(0).hadron()).toList());
    }
    Set<List<Momentum>> seen = new LinkedHashSet<>();
    orbit.removeIf(product -> !seen.add(product.stream().map(HadronFactor::momentum).toList()));
    Map<Irrep, Complex> sums = new LinkedHashMap<>();
    irreps.forEach(irrep -> sums.put(irrep, Complex.ZERO));
    for (CubicRotation rotation : elements) {
      Complex character = Complex.ZERO;
      for (List<HadronFactor> product : orbit) {
        character = character.plus(trace(product, rotation));
      }
      Complex chi = character;
      sums.replaceAll(
          (irrep, sum) -> sum.plus(trace(irrep.matrix(rotation)).conjugate().times(chi)));
    }
    Map<Irrep, Integer> multiplicities = new LinkedHashMap<>();
    sums.forEach(
        (irrep, sum) -> {
          int multiplicity = Math.toIntExact(Math.round(sum.re() / elements.size()));
          if (multiplicity > 0) {
            multiplicities.put(irrep, multiplicity);
          }
        });
    return multiplicities;
  }

  private static Complex trace(List<HadronFactor> product, CubicRotation rotation) {
    Complex trace = Complex.ONE;
    for (HadronFactor hadron : product) {
      if (!rotation.apply(hadron.momentum()).equals(hadron.momentum())) {
        return Complex.ZERO;
      }
      Complex sum = Complex.ZERO;
      for (HadronFactor state : hadron.spinStates()) {
        for (HadronFactor.Image image : state.images(rotation)) {
          sum = image.hadron().equals(state) ? sum.plus(image.coefficient()) : sum;
        }
      }
      trace = trace.times(sum);
    }
    return trace;
  }

  private static Complex trace(Complex[][] matrix) {
    Complex trace = Complex.ZERO;
    for (int k = 0; k < matrix.length; k++) {
      trace = trace.plus(matrix[k][k]);
    }
    return trace;
  }

  /** The irreps in which the seed itself has a part, with the seed rows for which it has. */
  public Map<Irrep, List<String>> seedRows() {
    Map<Irrep, List<String>> parts = new LinkedHashMap<>();
    for (Irrep irrep : irreps) {
      List<String> rows = new ArrayList<>();
      for (int s = 0; s < irrep.dimension(); s++) {
        if (!Projection.apply(Map.of(seed, Complex.ONE), irrep, s, s).isEmpty()) {
          rows.add(irrep.rows().get(s));
        }
      }
      if (!rows.isEmpty()) {
        parts.put(irrep, rows);
      }
    }
    return parts;
  }

  /** The irreps with their multiplicities and rows, for messages. */
  public String text() {
    return multiplicities().entrySet().stream()
        .map(
            e ->
                (e.getValue() == 1 ? "" : e.getValue() + " ")
                    + e.getKey().name()
                    + rows(e.getKey()))
        .collect(Collectors.joining(", "));
  }

  private static String rows(Irrep irrep) {
    return irrep.dimension() == 1 ? "" : " (rows " + String.join(" ", irrep.rows()) + ")";
  }

  /** {@link #seedRows} for messages. */
  public String seedText() {
    return seedRows().entrySet().stream()
        .map(
            e ->
                e.getKey().name()
                    + (e.getKey().dimension() == 1
                        ? ""
                        : (e.getValue().size() == 1 ? " (seed row " : " (seed rows ")
                            + String.join(" ", e.getValue())
                            + ")"))
        .collect(Collectors.joining(", "));
  }
}
