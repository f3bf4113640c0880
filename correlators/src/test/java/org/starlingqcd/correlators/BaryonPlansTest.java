package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
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
  })
  void plan_savesAtLeast(String names, int diagrams, double products, double contractions) {
    ContractionPlan plan = plan(names.split(" "));
    assertEquals(diagrams, plan.counts().diagrams());
    BaryonPart part = plan.baryonPart();
    assertAtLeast(products, part.unshared().products() / part.products());
    assertAtLeast(
        contractions, (double) part.unshared().contractions() / (double) part.contractions());
  }

  private static void assertAtLeast(double factor, double actual) {
    assertTrue(actual >= factor, actual + " is less than " + factor);
  }
}
