package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.Irrep;

/**
 * Projection of a product of mesons to a row of an irrep.
 *
 * <p>{@code O = Σ_{R ∈ LG} (d/|LG|) D_rs(R) (R · seed)}, scaled so that {@code Σ |coefficient|² =
 * 1} over the distinct ordered products. Every group element takes a product to plus or minus one
 * other product, because momenta and polarizations go to signed axes.
 */
final class Projection {
  /** Sums of at most 48 numbers of size 1 that should vanish are below this; others are not. */
  private static final double ZERO = 1e-10;

  private Projection() {}

  /**
   * The projected product.
   *
   * @param row row r of the result, an index
   * @param seedRow row s in which the seed stands, an index
   * @return distinct products with their coefficients, in the order of the group elements that give
   *     them first; empty if the projection vanishes
   */
  static Map<List<HadronFactor>, Double> project(
      List<HadronFactor> seed, Irrep irrep, int row, int seedRow) {
    Map<List<HadronFactor>, Double> sum = apply(Map.of(seed, 1.0), irrep, row, seedRow);
    double norm = Math.sqrt(sum.values().stream().mapToDouble(c -> c * c).sum());
    sum.replaceAll((product, c) -> c / norm);
    return sum;
  }

  /** The projector applied to a sum of products, not scaled. */
  static Map<List<HadronFactor>, Double> apply(
      Map<List<HadronFactor>, Double> products, Irrep irrep, int row, int seedRow) {
    Map<List<HadronFactor>, Double> sum = new LinkedHashMap<>();
    List<CubicRotation> elements = irrep.group().elements();
    double weight = (double) irrep.dimension() / elements.size();
    for (CubicRotation rotation : elements) {
      double d = weight * irrep.matrix(rotation)[row][seedRow];
      products.forEach(
          (product, c) -> {
            int sign = 1;
            List<HadronFactor> image = new ArrayList<>(product.size());
            for (HadronFactor factor : product) {
              HadronFactor.OfMeson hadron = (HadronFactor.OfMeson) factor;
              sign *= sign(rotation, hadron);
              image.add(image(rotation, hadron));
            }
            sum.merge(image, sign * d * c, Double::sum);
          });
    }
    sum.values().removeIf(c -> Math.abs(c) < ZERO);
    return sum;
  }

  private static HadronFactor image(CubicRotation rotation, HadronFactor.OfMeson hadron) {
    int axis = hadron.meson().polarized() ? rotation.axes().get(hadron.axis()) : 0;
    return new HadronFactor.OfMeson(hadron.meson(), rotation.apply(hadron.momentum()), axis);
  }

  private static int sign(CubicRotation rotation, HadronFactor.OfMeson hadron) {
    int polarization = hadron.meson().polarized() ? rotation.signs().get(hadron.axis()) : 1;
    return polarization * hadron.meson().sign(rotation);
  }
}
