package org.starlingqcd.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BaryonLoweringTest {
  private static final Map<String, String> LABELS =
      Map.of("u", "light", "d", "light", "s", "strange");

  private static BaryonFactor baryon(String quarks, int component, Momentum momentum) {
    return new BaryonFactor(
        quarks.substring(0, 1),
        quarks.substring(1, 2),
        quarks.substring(2, 3),
        Gamma.G5,
        1,
        component,
        momentum,
        "none");
  }

  private static ContractionPlan plan(Factor[]... operators) {
    List<Operator> list =
        java.util.Arrays.stream(operators)
            .map(f -> new Operator("o", List.of(new Term(Complex.ONE, List.of(f)))))
            .toList();
    return Reducer.reduce(
        WickContraction.contract(List.of(new CorrelationMatrix("test", list, LABELS, false))));
  }

  @Test
  void nucleonOfBothComponents_needsOneBlock() {
    ContractionPlan plan =
        plan(
            new Factor[] {baryon("udd", 1, Momentum.ZERO)},
            new Factor[] {baryon("udd", 2, Momentum.ZERO)});
    assertEquals(1, plan.baryonPart().diquarks().size());
    assertEquals(8, plan.baryonPart().diquarksUnshared());
    assertEquals(2, plan.baryonPart().baryons().size());
    assertEquals(0, plan.products().size());
    BaryonPart.Diquark block = plan.baryonPart().diquarks().get(0);
    assertEquals(block.first(), block.second());
  }

  @Test
  void threeFlavours_putTheLikeLabelsIntoTheBlock() {
    ContractionPlan plan = plan(new Factor[] {baryon("usd", 1, Momentum.ZERO)});
    BaryonPart.Diquark block = plan.baryonPart().diquarks().get(0);
    assertEquals(block.first(), block.second());
  }

  @Test
  void pionsOnTheThirdLine_addNoBlock() {
    Factor[][] operators = new Factor[4][];
    for (int n = 0; n < 4; n++) {
      operators[n] =
          new Factor[] {
            baryon("uds", 1, Momentum.ZERO),
            new Bilinear("s", Gamma.G5, "s", new Momentum(0, 0, n), "none")
          };
    }
    // Graphs with mesons on one line share the block of two bare lines; others have one with a
    // meson each.
    ContractionPlan plan = plan(operators);
    assertTrue(
        plan.baryonPart().diquarksUnshared() >= 16L * plan.baryonPart().diquarks().size(),
        plan.baryonPart().diquarksUnshared() + " / " + plan.baryonPart().diquarks().size());
  }

  @Test
  void twoBaryons_makeARingOfBlocks() {
    ContractionPlan plan =
        plan(new Factor[] {baryon("udd", 1, Momentum.ZERO), baryon("udd", 2, Momentum.ZERO)});
    // Every pair of baryons has the same two bare lines and the same elementals.
    assertEquals(1, plan.baryonPart().diquarks().size());
    assertTrue(plan.products().size() > 0);
    ExecutionQueue queue =
        TimeBinding.bind(plan, BoundTimes.of(8, 3, List.of(0, 2)), QueueOptions.standard());
    long blocks =
        queue.vectors().stream()
            .flatMap(v -> v.steps().stream())
            .filter(s -> s instanceof ExecutionQueue.Diquark)
            .count();
    assertEquals(2, blocks);
    assertEquals(2, queue.results().size());
  }

  @Test
  void displacedElementals_keepTheirLegs() {
    BaryonFactor displaced =
        new BaryonFactor("u", "d", "d", Gamma.G5, 1, 1, Momentum.ZERO, "nabla_x");
    ContractionPlan plan = plan(new Factor[] {displaced});
    for (BaryonPart.Diquark d : plan.baryonPart().diquarks()) {
      assertEquals("nabla_x", plan.baryonPart().baryons().get(d.sink()).displacement());
    }
    assertTrue(plan.baryonPart().diquarks().size() >= 2);
  }

  @Test
  void legs_mustBeAPermutation() {
    assertThrows(IllegalArgumentException.class, () -> new BaryonPart.Legs(0, 1, 1));
    assertEquals(1, new BaryonPart.Legs(1, 2, 0).sign());
    assertEquals(-1, new BaryonPart.Legs(1, 0, 2).sign());
  }
}
