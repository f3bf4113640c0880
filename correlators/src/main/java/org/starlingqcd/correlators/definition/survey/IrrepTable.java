package org.starlingqcd.correlators.definition.survey;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.ChargeParity;
import org.starlingqcd.correlators.definition.DefinitionHeader;
import org.starlingqcd.correlators.definition.Isospin;
import org.starlingqcd.correlators.definition.Stochastic;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.ProductContent;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.IsospinCoupling;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;

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
   * @param gParity the G parities that they have, themselves or together with their partners, by
   *     total isospin: a text of {@code +} and {@code -}; empty for products with net flavour
   */
  public record Row(
      String irrep,
      List<String> rows,
      int multiplicity,
      Map<String, Integer> operators,
      @JsonProperty("g_parity") Map<String, String> gParity) {}

  /**
   * The table of a product.
   *
   * @param sign the G parity of the operators that count; 0 for all
   */
  public static IrrepTable of(List<HadronFactor> product, int sign) {
    Momentum total =
        product.stream().map(HadronFactor::momentum).reduce(Momentum.ZERO, Momentum::plus);
    List<HalfInteger> isospins = totals(product);
    List<Row> rows = new ArrayList<>();
    new ProductContent(product)
        .multiplicities()
        .forEach(
            (irrep, multiplicity) -> {
              Map<String, Integer> operators = new LinkedHashMap<>();
              Map<String, String> gParity = new LinkedHashMap<>();
              for (HalfInteger isospin : isospins) {
                DefinitionHeader header = header(irrep, 0, new Isospin(isospin, isospin), total);
                List<IndependentOperators.Found> all = found(product, irrep, header, 0);
                boolean neutral = all.stream().noneMatch(f -> hasNetFlavour(f.operator()));
                StringBuilder signs = new StringBuilder();
                int count = sign == 0 ? all.size() : 0;
                for (int g = 1; neutral && g >= -1; g -= 2) {
                  int withSign = found(product, irrep, header, g).size();
                  signs.append(withSign == 0 ? "" : g > 0 ? "+" : "-");
                  count = g == sign ? withSign : count;
                }
                operators.put(isospin.toString(), count);
                if (!signs.isEmpty()) {
                  gParity.put(isospin.toString(), signs.toString());
                }
              }
              rows.add(new Row(irrep.name(), irrep.rows(), multiplicity, operators, gParity));
            });
    return new IrrepTable(HadronText.of(product), List.of(total.x(), total.y(), total.z()), rows);
  }

  private static List<IndependentOperators.Found> found(
      List<HadronFactor> product, Irrep irrep, DefinitionHeader header, int sign) {
    Isospin isospin = Objects.requireNonNull(header.isospin());
    return new IndependentOperators(header, isospin.total(), charge(sign)).of(product, irrep);
  }

  /** G parity of a sign; null for 0. */
  static DefinitionHeader.@Nullable Charge charge(int sign) {
    return sign == 0 ? null : new DefinitionHeader.Charge(ChargeParity.G, sign);
  }

  /** Whether an operator has a net flavour besides isospin's, and thus no G parity. */
  static boolean hasNetFlavour(Operator operator) {
    return ChargeParity.G.of(operator.terms()).isNone();
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
        false,
        Stochastic.NONE);
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
