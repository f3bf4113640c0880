package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.Complex;

/**
 * Projection of a product of hadrons to a row of an irrep.
 *
 * <p>{@code O = Σ_{R ∈ LG} (d/|LG|) D_rs(R)* (R · seed)}, scaled so that {@code Σ |coefficient|² =
 * 1} over the distinct ordered products. A group element takes a product to a sum of products: one
 * of them for mesons with polarizations, several where baryons have spin components.
 *
 * <p>A sum of products is a map from distinct ordered products to their coefficients.
 */
public final class Projection {
  /** Sums of at most 48 numbers of size 1 are zero if they are below this. */
  private static final double ZERO = 1e-10;

  private Projection() {}

  /**
   * The projected product.
   *
   * @param row row r of the result, an index
   * @param seedRow row s of the seed, an index
   * @return distinct products with their coefficients, in the order in which group elements first
   *     give them; empty if the projection vanishes
   */
  public static Map<List<HadronFactor>, Complex> project(
      List<HadronFactor> seed, Irrep irrep, int row, int seedRow) {
    Map<List<HadronFactor>, Complex> sum = apply(Map.of(seed, Complex.ONE), irrep, row, seedRow);
    double norm = Math.sqrt(sum.values().stream().mapToDouble(Projection::square).sum());
    sum.replaceAll((product, c) -> new Complex(c.re() / norm, c.im() / norm));
    return sum;
  }

  private static double square(Complex c) {
    return c.re() * c.re() + c.im() * c.im();
  }

  /** The projector applied to a sum of products, not scaled. */
  public static Map<List<HadronFactor>, Complex> apply(
      Map<List<HadronFactor>, Complex> products, Irrep irrep, int row, int seedRow) {
    Map<List<HadronFactor>, Complex> sum = new LinkedHashMap<>();
    List<CubicRotation> elements = irrep.group().elements();
    double weight = (double) irrep.dimension() / elements.size();
    for (CubicRotation rotation : elements) {
      Complex d = irrep.matrix(rotation)[row][seedRow].conjugate().times(weight);
      addImage(rotation, d, products, sum);
    }
    sum.values().removeIf(c -> c.abs() < ZERO);
    return sum;
  }

  /** R times a sum of products. */
  public static Map<List<HadronFactor>, Complex> rotate(
      CubicRotation rotation, Map<List<HadronFactor>, Complex> products) {
    Map<List<HadronFactor>, Complex> sum = new LinkedHashMap<>();
    addImage(rotation, Complex.ONE, products, sum);
    sum.values().removeIf(c -> c.abs() < ZERO);
    return sum;
  }

  private static void addImage(
      CubicRotation rotation,
      Complex weight,
      Map<List<HadronFactor>, Complex> products,
      Map<List<HadronFactor>, Complex> sum) {
    products.forEach(
        (product, c) -> {
          List<List<HadronFactor.Image>> images = new ArrayList<>(product.size());
          product.forEach(hadron -> images.add(hadron.images(rotation)));
          addProducts(images, new ArrayList<>(), weight.times(c), sum);
        });
  }

  /** Multiplies out a product of sums. */
  private static void addProducts(
      List<List<HadronFactor.Image>> images,
      List<HadronFactor> chosen,
      Complex coefficient,
      Map<List<HadronFactor>, Complex> sum) {
    if (chosen.size() == images.size()) {
      sum.merge(List.copyOf(chosen), coefficient, Complex::plus);
      return;
    }
    for (HadronFactor.Image image : images.get(chosen.size())) {
      chosen.add(image.hadron());
      addProducts(images, chosen, coefficient.times(image.coefficient()), sum);
      chosen.remove(chosen.size() - 1);
    }
  }
}
