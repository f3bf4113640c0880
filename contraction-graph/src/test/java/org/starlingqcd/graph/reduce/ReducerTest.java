package org.starlingqcd.graph.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.Sets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.graph.Channels;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.PlanCheck;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.Optimization;
import org.starlingqcd.graph.plan.ReducerOptions;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.wick.WickContraction;

class ReducerTest {
  private static final ReducerOptions SHARING_ONLY =
      ReducerOptions.standard()
          .without(
              EnumSet.of(
                  Optimization.GAMMA5_HERMITICITY, Optimization.ACCUMULATION, Optimization.SEARCH));

  @ParameterizedTest
  @CsvSource({"rho_pipi,20", "a1_rhopi,28", "pipi_i2,362", "f0d2,216", "f0d4,520"})
  void reduce_sharingOnly_needsAtMost(String channel, int products) {
    ContractionPlan plan = Reducer.reduce(Channels.diagrams(channel), SHARING_ONLY);
    assertTrue(plan.products().size() <= products, () -> "products=" + plan.products().size());
  }

  @ParameterizedTest
  @CsvSource({
    "rho_pipi,20",
    "a1_rhopi,21",
    "pipi_i2,199",
    "f0d2,207",
    "f0d4,429",
    "pipipi_i3,1151"
  })
  @Tag("slow")
  void reduce_standard_needsAtMost(String channel, int products) {
    ContractionPlan plan = Reducer.reduce(Channels.diagrams(channel));
    assertTrue(plan.products().size() <= products, () -> "products=" + plan.products().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rho_pipi", "a1_rhopi", "sigma"})
  @Tag("slow")
  void reduce_everySwitch_agreesWithNaiveEvaluation(String channel) {
    DiagramSet set = Channels.diagrams(channel);
    PlanCheck check = new PlanCheck(set, Set.of());
    int seed = 0;
    for (Set<Optimization> leftOut : Sets.powerSet(Optimization.OF_THE_PLAN)) {
      ReducerOptions options = new ReducerOptions(leftOut, Set.of(), false, 5000, seed++);
      check.check(Reducer.reduce(set, options), new QueueOptions(3));
    }
  }

  @Test
  @Tag("slow")
  void reduce_labelWithoutGamma5_usesItForNoCycleOfThatLabel() {
    DiagramSet set = Channels.diagrams("sigma");
    ReducerOptions options = new ReducerOptions(Set.of(), Set.of("light"), false);
    new PlanCheck(set, Set.of("light")).check(Reducer.reduce(set, options), new QueueOptions(3));
  }

  @Test
  @Tag("slow")
  void reduce_severalDefinitions_shareProducts() {
    CorrelationMatrix first = Channels.read("rho_pipi");
    CorrelationMatrix second = Channels.read("sigma");
    DiagramSet joint = WickContraction.contract(List.of(first, second));
    ContractionPlan plan = Reducer.reduce(joint);
    int apart =
        Reducer.reduce(Channels.diagrams("rho_pipi")).products().size()
            + Reducer.reduce(Channels.diagrams("sigma")).products().size();
    assertTrue(plan.products().size() < apart);
    new PlanCheck(joint, Set.of()).check(plan, new QueueOptions(3));
  }

  @Test
  void reduce_noDiagrams_isEmpty() {
    ContractionPlan plan = Reducer.reduce(new DiagramSet());
    assertEquals(0, plan.elementCount());
    assertEquals(0, plan.traces().size());
  }
}
