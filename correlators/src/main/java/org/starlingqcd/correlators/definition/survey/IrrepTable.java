package org.starlingqcd.correlators.definition.survey;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.starlingqcd.correlators.definition.DefinitionHeader;
import org.starlingqcd.correlators.definition.Isospin;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.projection.ProductContent;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.IsospinCoupling;
import org.starlingqcd.graph.Momentum;

/**
 * The irreps that a product of hadrons contains.
 *
 * @param product the hadrons with their momenta, as text
 * @param momentum the total momentum
 * @param rows one for each irrep
 */
public record IrrepTable(String product, List<Integer> momentum, List<Row> rows) {
  /** Flavour to label, where no labels matter. */
  static final Map<String, String> QUARKS = Map.of("u", "light", "d", "light", "s", "strange");

  /**
   * One irrep.
   *
   * @param irrep its name
   * @param rows names of its rows
   * @param multiplicity how often the product contains it if equal hadrons count as different
   * @param operators how many independent operators there are for one row, by total isospin; the
   *     exchange of equal hadrons is taken into account, and so are all intermediate isospins
   */
  public record Row(
      String irrep, List<String> rows, int multiplicity, Map<String, Integer> operators) {}

  /** The table of a product. */
  public static IrrepTable of(List<HadronFactor> product) {
    Momentum total =
        product.stream().map(HadronFactor::momentum).reduce(Momentum.ZERO, Momentum::plus);
    List<HalfInteger> isospins = totals(product);
    List<Row> rows = new ArrayList<>();
    new ProductContent(product)
        .multiplicities()
        .forEach(
            (irrep, multiplicity) -> {
              Map<String, Integer> operators = new LinkedHashMap<>();
              for (HalfInteger isospin : isospins) {
                DefinitionHeader header = header(irrep, 0, new Isospin(isospin, isospin), total);
                operators.put(
                    isospin.toString(),
                    new IndependentOperators(header, isospin).of(product, irrep).size());
                ;
              }
              rows.add(new Row(irrep.name(), irrep.rows(), multiplicity, operators));
            });
    return new IrrepTable(HadronText.of(product), List.of(total.x(), total.y(), total.z()), rows);
  }

  /** A header for operators that are only listed. */
  static DefinitionHeader header(Irrep irrep, int row, Isospin isospin, Momentum momentum) {
    return new DefinitionHeader(
        "survey",
        isospin,
        momentum,
        null,
        new DefinitionHeader.Target(irrep.name(), row),
        null,
        QUARKS,
        false,
        false);
  }

  /** The total isospins that hadrons couple to, ascending. */
  static List<HalfInteger> totals(List<HadronFactor> product) {
    TreeSet<Integer> doubled = new TreeSet<>();
    doubled.add(product.get(0).isospin().twice());
    for (HadronFactor hadron : product.subList(1, product.size())) {
      TreeSet<Integer> next = new TreeSet<>();
      for (int left : doubled) {
        IsospinCoupling.totals(new HalfInteger(left), hadron.isospin())
            .forEach(total -> next.add(total.twice()));
      }
      doubled = next;
    }
    return doubled.stream().map(HalfInteger::new).toList();
  }
}
