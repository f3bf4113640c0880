package org.starlingqcd.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReducerTest {
  @ParameterizedTest
  @CsvSource({"rho_pipi,20", "a1_rhopi,28", "pipi_i2,362", "f0d2,216", "f0d4,520"})
  void reduce_sharingOnly_needsAtMost(String channel, int products) {
    ContractionPlan plan = Reducer.reduce(Channels.diagrams(channel), ReducerOptions.sharingOnly());
    assertTrue(plan.products().size() <= products, () -> "products=" + plan.products().size());
  }

  @ParameterizedTest
  @CsvSource({"rho_pipi,20", "a1_rhopi,21", "pipi_i2,200", "f0d2,207", "f0d4,520"})
  void reduce_standard_needsAtMost(String channel, int products) {
    ContractionPlan plan = Reducer.reduce(Channels.diagrams(channel));
    assertTrue(plan.products().size() <= products, () -> "products=" + plan.products().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rho_pipi", "a1_rhopi", "sigma"})
  void reduce_classicChannel_agreesWithNaiveEvaluation(String channel) {
    for (boolean gamma5 : new boolean[] {false, true}) {
      for (boolean endGammas : new boolean[] {false, true}) {
        for (boolean accumulation : new boolean[] {false, true}) {
          check(
              Channels.diagrams(channel),
              ReducerOptions.standard()
                  .withGamma5Hermiticity(gamma5)
                  .withEndGammas(endGammas)
                  .withAccumulation(accumulation));
        }
      }
    }
  }

  static void check(DiagramSet set, ReducerOptions options) {
    ContractionPlan plan = Reducer.reduce(set, options);
    RandomLattice lattice = new RandomLattice(2, 7, options.labelsWithoutGamma5());
    BoundTimes times = BoundTimes.of(4, 3, List.of(0, 1, 2));
    QueueEvaluation evaluation =
        new QueueEvaluation(TimeBinding.bind(plan, times, new QueueOptions(3)), lattice);
    Set<String> seen = new HashSet<>();
    for (ExecutionQueue.Result r : evaluation.results()) {
      assertTrue(seen.add(r.matrix() + " " + r.row() + " " + r.column() + " " + r.index()));
      boolean onePoint = r.column() == ContractionPlan.NONE;
      int sink =
          onePoint
              ? times.onePointTimes().get(r.index())
              : (3 + times.separations().get(r.index())) % 4;
      NaiveEvaluation naive = new NaiveEvaluation(set, lattice, sink, 3);
      DiagramSet.Combination expected =
          onePoint
              ? set.onePoint(r.matrix(), r.row())
              : set.element(r.matrix(), r.row(), r.column());
      Complex difference = naive.value(expected).plus(evaluation.value(r).times(-1));
      // A few hundred products of 8 × 8 matrices, each right to eps relative to its norm.
      assertEquals(0, difference.abs(), 1e-11 * (1 + naive.scale(expected)), r.toString());
    }
  }

  @Test
  void reduce_noDiagrams_isEmpty() {
    ContractionPlan plan = Reducer.reduce(new DiagramSet());
    assertEquals(0, plan.elementCount());
    assertEquals(0, plan.traces().size());
  }
}
