package org.starlingqcd.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.TimeBinding;

/** Compares plans and queues with the naive evaluation of their diagrams on random matrices. */
public final class PlanCheck {
  private static final int EXTENT = 2;
  private static final int T = 4;
  private static final int SOURCE = 3;

  private final DiagramSet set;
  private final RandomLattice lattice;
  private final BoundTimes times = BoundTimes.of(T, SOURCE, List.of(0, 1, 2));
  private final Map<Integer, NaiveEvaluation> naive = new HashMap<>();

  public PlanCheck(DiagramSet set, Set<String> labelsWithoutGamma5) {
    this.set = set;
    lattice = new RandomLattice(EXTENT, 7, labelsWithoutGamma5);
  }

  public void check(ContractionPlan plan, QueueOptions options) {
    check(TimeBinding.bind(plan, times, options, TestCosts::of), options.toString());
  }

  public void check(ExecutionQueue queue, String what) {
    QueueEvaluation evaluation = new QueueEvaluation(queue, lattice);
    Set<String> seen = new HashSet<>();
    for (ExecutionQueue.Result r : evaluation.results()) {
      assertTrue(seen.add(r.matrix() + " " + r.row() + " " + r.column() + " " + r.index()));
      boolean onePoint = r.column() == ContractionPlan.NONE;
      int sink =
          onePoint
              ? times.onePointTimes().get(r.index())
              : (SOURCE + times.separations().get(r.index())) % T;
      NaiveEvaluation reference =
          naive.computeIfAbsent(sink, t -> new NaiveEvaluation(set, lattice, t, SOURCE));
      DiagramSet.Combination expected =
          onePoint
              ? set.onePoint(r.matrix(), r.row())
              : set.element(r.matrix(), r.row(), r.column());
      Complex difference = reference.value(expected).plus(evaluation.value(r).times(-1));
      // A few hundred products of 8 × 8 matrices, each right to eps relative to its norm.
      assertEquals(0, difference.abs(), 1e-11 * (1 + reference.scale(expected)), what);
    }
    assertEquals(expectedResults(), seen.size());
  }

  private int expectedResults() {
    int results = 0;
    for (CorrelationMatrix matrix : set.matrices()) {
      int n = matrix.operators().size();
      results += n * n * times.separations().size();
      results += matrix.onePoint() ? n * times.onePointTimes().size() : 0;
    }
    return results;
  }
}
