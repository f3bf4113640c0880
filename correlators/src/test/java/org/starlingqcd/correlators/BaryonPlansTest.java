package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.wick.WickContraction;

/** What the plans of large definitions with baryons save, as docs/planning.md says. */
@Tag("slow")
class BaryonPlansTest {
  private static ContractionPlan plan(String... names) {
    DefinitionLoader loader = new DefinitionLoader();
    return Reducer.reduce(
        WickContraction.contract(
            Stream.of(names)
                .map(name -> Engine.examples().resolve("large").resolve(name + ".yaml"))
                .map(file -> loader.load(file.toString()))
                .map(Definition::toCorrelationMatrix)
                .toList()));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "npi_i12_011 npi_i32_011,       45380, 29.5, 70.9",
    "npi_i12_011,                   28052, 17.9, 43.8",
    "npi_i32_011,                   17328, 13.1, 27.0",
    "npi_i12_011_s1 npi_i32_011_s1, 11345, 16.0, 28.8",
    "npi_i12_011_s1,                 7013, 13.2, 26.9",
    "npi_i32_011_s1,                 4332,  8.8, 16.6",
    "nn_i1_001,                      2254, 30.5, 214",
    "npi_g1u_111,                   14069, 12.9, 27.4",
  })
  void plan_savesAtLeast(String names, int diagrams, double products, double contractions) {
    ContractionPlan plan = plan(names.split(" "));
    assertEquals(diagrams, plan.counts().diagrams());
    BaryonPart part = plan.baryonPart();
    assertAtLeast(products, part.unshared().products() / part.products());
    assertAtLeast(
        contractions, (double) part.unshared().contractions() / (double) part.contractions());
  }

  private static CorrelationMatrix delta(String isospin) {
    return DefinitionLoader.parse(
            "delta.yaml",
            "name: delta\nisospin: ["
                + isospin
                + "]\noperators:\n"
                + "  - {name: D, hadrons: [{baryon: Delta, momentum: [0, 0, 0], component: 2}]}\n")
        .toCorrelationMatrix();
  }

  private static BaryonPart baryons(CorrelationMatrix matrix) {
    return Reducer.reduce(WickContraction.contract(List.of(matrix))).baryonPart();
  }

  /** Four flavour components of one spin state have three or six terms, and one spin tensor. */
  @Test
  void delta_costsWhatItsSpinTensorCosts() {
    for (String isospin : List.of("3/2, 3/2", "3/2, 1/2", "3/2, -1/2", "3/2, -3/2")) {
      BaryonPart delta = baryons(delta(isospin));
      assertEquals(3, delta.contractions());
      assertEquals(1, delta.spinSums().size());
      assertEquals(54, delta.products());
      // The open legs have two spins at one end, where the third quark has two components, and four
      // at the other.
      assertEquals(2 * 4, delta.pairs().get(0).components());
    }
  }

  /** The same tensor as many terms: quarks of a diquark exchanged, coefficients divided. */
  @Test
  void tensor_asMoreTerms_costsNoMore() {
    CorrelationMatrix matrix = delta("3/2, 1/2");
    Operator operator = matrix.operators().get(0);
    List<Term> terms = new ArrayList<>();
    for (Term term : operator.terms()) {
      BaryonFactor b = (BaryonFactor) term.factors().get(0);
      BaryonFactor exchanged =
          new BaryonFactor(
              b.quark2(),
              b.quark1(),
              b.quark3(),
              b.diquark(),
              b.parity(),
              b.component(),
              b.momentum(),
              b.displacement(),
              b.deGrandRossi());
      terms.add(new Term(term.coefficient().times(0.3), List.of(b)));
      terms.add(new Term(term.coefficient().times(0.3), List.of(exchanged)));
      terms.add(new Term(term.coefficient().times(0.4), List.of(b)));
    }
    BaryonPart many =
        baryons(
            new CorrelationMatrix(
                "many",
                List.of(new Operator("many", terms)),
                matrix.quarkLabels(),
                matrix.onePoint()));
    assertEquals(baryons(matrix).products(), many.products());
    assertEquals(baryons(matrix).contractions(), many.contractions());
  }

  @ParameterizedTest
  @CsvSource({
    "delta_h, 121, 2936",
    "npi_g1u, 182, 2889",
    "npi_001_g1, 138, 3040",
    "npi_111_f1, 75, 2004"
  })
  void projection_costsNoMoreThanItsComponents(String name, int contractions, double products) {
    CorrelationMatrix matrix = Engine.definition(name);
    BaryonPart projected = baryons(matrix);
    BaryonPart components = baryons(components(matrix));
    assertTrue(projected.contractions() <= contractions, projected.contractions() + "");
    assertTrue(projected.products() <= products, projected.products() + "");
    assertTrue(projected.contractions() <= components.contractions());
    assertTrue(projected.products() <= components.products());
  }

  /** Every distinct product of momenta and components as an operator of its own. */
  private static CorrelationMatrix components(CorrelationMatrix matrix) {
    List<Operator> operators = new ArrayList<>();
    for (Operator operator : matrix.operators()) {
      Map<List<Object>, List<Term>> products = new LinkedHashMap<>();
      for (Term term : operator.terms()) {
        List<Object> product = new ArrayList<>();
        for (Factor factor : term.factors()) {
          if (factor instanceof BaryonFactor b) {
            // The components of a Delta are not those of its third quark.
            product.add(operator.name().equals("Delta") ? 0 : b.component());
            product.add(b.momentum());
          } else {
            product.add(((Bilinear) factor).momentum());
          }
        }
        products.computeIfAbsent(product, key -> new ArrayList<>()).add(term);
      }
      products.forEach(
          (product, terms) -> operators.add(new Operator(operator.name() + product, terms)));
    }
    return new CorrelationMatrix(matrix.name(), operators, matrix.quarkLabels(), false);
  }

  private static void assertAtLeast(double factor, double actual) {
    assertTrue(actual >= factor, actual + " is less than " + factor);
  }
}
