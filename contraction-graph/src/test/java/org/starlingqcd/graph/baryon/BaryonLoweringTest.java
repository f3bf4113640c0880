package org.starlingqcd.graph.baryon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.TestCosts;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.PairSum;
import org.starlingqcd.graph.plan.ReducerOptions;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.wick.WickContraction;

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
    return Reducer.reduce(set(operators), ReducerOptions.standard());
  }

  private static DiagramSet set(Factor[]... operators) {
    List<Operator> list =
        java.util.Arrays.stream(operators)
            .map(f -> new Operator("o", List.of(new Term(Complex.ONE, List.of(f)))))
            .toList();
    return WickContraction.contract(List.of(new CorrelationMatrix("test", list, LABELS, false)));
  }

  /** Branches of all pair blocks. */
  private static List<BaryonPart.Branch> branches(ContractionPlan plan) {
    return plan.baryonPart().pairs().stream().flatMap(p -> p.branches().stream()).toList();
  }

  private static Factor[][] nucleons() {
    return new Factor[][] {
      {baryon("udd", 1, Momentum.ZERO)}, {baryon("udd", 2, Momentum.ZERO)},
    };
  }

  @Test
  void nucleonOfBothComponents_needsOneBlock() {
    ContractionPlan plan = plan(nucleons());
    assertEquals(1, plan.baryonPart().pairs().size());
    assertEquals(8, plan.baryonPart().unshared().pairs());
    assertEquals(2, plan.baryonPart().baryons().size());
    assertEquals(0, plan.products().size());
    BaryonPart.PlannedPairs block = plan.baryonPart().pairs().get(0);
    assertEquals(block.first(), block.branches().get(0).second());
  }

  @Test
  void nucleonOfBothComponents_needsFiveSums() {
    ContractionPlan plan = plan(nucleons());
    assertEquals(1, branches(plan).size());
    BaryonPart.Branch branch = branches(plan).get(0);
    // The diquark's legs at one end, at the other leg 1 (4 spins) and leg 3 (2), where exchanging
    // the two leaves five of eight; both diquarks at once are added to one of them.
    assertEquals(5, branch.spins().size());
    assertTrue(branch.antisymmetric());
    assertTrue(plan.baryonPart().products() < 42, "" + plan.baryonPart().products());
  }

  @Test
  void nucleonOfOneComponent_asksForItsSumsOnly() {
    Factor[][] operators = {nucleons()[0]};
    List<PairSum> spins = branches(plan(operators)).get(0).spins();
    // Leg 1 (4 spins) and leg 3 (1): where the two are equal, the antisymmetric sum vanishes.
    assertEquals(3, spins.size());
    ContractionPlan mixed =
        Reducer.reduce(set(operators), new ReducerOptions(Set.of(), Set.of(), true));
    assertEquals(1 + 5, branches(mixed).get(0).spins().size());
  }

  @Test
  void contractions_areCountedWithAllSpinsAtOnce() {
    BaryonPart attached = plan(nucleons()).baryonPart();
    assertEquals(3, attached.contractions());
    assertEquals(3 * 8, attached.unshared().contractions());
    Factor[][] moving = {
      {baryon("udd", 1, Momentum.ZERO)}, {baryon("udd", 1, new Momentum(0, 0, 1))},
    };
    // Two elementals with the same lines, closed with two each.
    assertEquals(2 * (1 + 1 + 2), plan(moving).baryonPart().contractions());
  }

  @Test
  void linesAttachedToABaryon_areSharedByAllMomentaAtTheOtherEnd() {
    Factor[][] operators = new Factor[5][];
    for (int n = 0; n < 5; n++) {
      operators[n] = new Factor[] {baryon("udd", 1, new Momentum(0, 0, n))};
    }
    ContractionPlan plan = plan(operators);
    assertEquals(5, plan.baryonPart().pairs().size());
    for (BaryonPart.Branch branch : branches(plan)) {
      assertEquals(5, branch.others().size());
    }
  }

  @Test
  void pionsOnTheThirdLine_addLittle() {
    Factor[][] operators = new Factor[4][];
    for (int n = 0; n < 4; n++) {
      operators[n] =
          new Factor[] {
            baryon("uds", 1, Momentum.ZERO),
            new Bilinear("s", Gamma.G5, "s", new Momentum(0, 0, n), "none")
          };
    }
    BaryonPart part = plan(operators).baryonPart();
    assertTrue(part.unshared().products() >= 8 * part.products(), part.products() + "");
  }

  @Test
  void twoBaryons_makeARingOfBlocks() {
    Factor[] operator = {baryon("udd", 1, Momentum.ZERO), baryon("udd", 2, Momentum.ZERO)};
    ContractionPlan plan = plan(operator);
    // Every pair of baryons has the same two bare lines and the same elementals.
    assertEquals(1, plan.baryonPart().pairs().size());
    assertTrue(plan.products().size() > 0);
    ExecutionQueue queue =
        TimeBinding.bind(
            plan, BoundTimes.of(8, 3, List.of(0, 2)), QueueOptions.standard(), TestCosts::of);
    long blocks =
        queue.vectors().stream()
            .flatMap(v -> v.steps().stream())
            .filter(s -> s instanceof ExecutionQueue.BoundPairs)
            .count();
    assertEquals(2, blocks);
    assertEquals(2, queue.results().size());
  }

  @Test
  void displacedElementals_keepTheirLegs() {
    BaryonFactor displaced =
        new BaryonFactor("u", "d", "d", Gamma.G5, 1, 1, Momentum.ZERO, "nabla_x");
    ContractionPlan plan = plan(new Factor[] {displaced});
    for (BaryonPart.BaryonElementalRef baryon : plan.baryonPart().baryons()) {
      assertEquals("nabla_x", baryon.displacement());
    }
    assertTrue(branches(plan).stream().noneMatch(BaryonPart.Branch::antisymmetric));
    assertTrue(branches(plan).size() >= 1);
  }

  @Test
  void legs_mustBeAPermutation() {
    assertThrows(IllegalArgumentException.class, () -> new BaryonPart.Legs(0, 1, 1));
    assertEquals(1, new BaryonPart.Legs(1, 2, 0).sign());
    assertEquals(-1, new BaryonPart.Legs(1, 0, 2).sign());
  }
}
