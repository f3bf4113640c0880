package org.starlingqcd.graph.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.graph.Channels;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.PlanCheck;
import org.starlingqcd.graph.TestCosts;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.Optimization;
import org.starlingqcd.graph.plan.ReducerOptions;
import org.starlingqcd.graph.reduce.Reducer;

@Tag("slow")
class SchedulingTest {
  private static final int N = 128;
  private static final long NODE = ElementSizes.bytes(new ExecutionQueue.Node(), N);

  @ParameterizedTest
  @EnumSource
  void queue_everyOrderAndSwitch_agreesWithNaiveEvaluation(StepOrder order) {
    DiagramSet set = Channels.diagrams("sigma");
    PlanCheck check = new PlanCheck(set, Set.of());
    ContractionPlan plan = Reducer.reduce(set);
    for (int switches = 0; switches < 8; switches++) {
      Set<Optimization> leftOut = EnumSet.noneOf(Optimization.class);
      if ((switches & 2) != 0) {
        leftOut.add(Optimization.TRACE_BLOCKS);
      }
      if ((switches & 4) != 0) {
        leftOut.add(Optimization.NODE_REBUILDING);
      }
      int vectorSize = (switches & 1) != 0 ? 5 : QueueOptions.AUTOMATIC;
      QueueOptions options =
          new QueueOptions(vectorSize, order, Long.MAX_VALUE, N, leftOut, 200, 0);
      check.check(plan, options);
      check.check(plan, options.withBudget(12 * NODE, N));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"f0d2", "f0d4"})
  void queue_searchedOrder_needsLessMemoryThanTheGivenOrder(String channel) {
    DiagramSet set = Channels.diagrams(channel);
    BoundTimes times = new BoundTimes(64, List.of(0), List.of(3), List.of());
    ExecutionQueue given =
        TimeBinding.bind(
            Reducer.reduce(
                set, ReducerOptions.standard().without(Set.of(Optimization.ACCUMULATION))),
            times,
            new QueueOptions(1)
                .withOrder(StepOrder.GIVEN)
                .without(Set.of(Optimization.NODE_REBUILDING)));
    ExecutionQueue searched =
        TimeBinding.bind(
            Reducer.reduce(set), times, new QueueOptions(1).withOrder(StepOrder.SEARCHED));
    assertTrue(peak(given) > 2.1 * peak(searched));
  }

  private static long peak(ExecutionQueue queue) {
    return TestCosts.of(queue, N, Long.MAX_VALUE).peakBytes();
  }

  @Test
  void bind_automaticOrderWithoutACostModel_isRefused() {
    ContractionPlan plan = Reducer.reduce(Channels.diagrams("sigma"));
    BoundTimes times = new BoundTimes(64, List.of(0), List.of(3), List.of());
    assertThrows(
        IllegalArgumentException.class,
        () -> TimeBinding.bind(plan, times, QueueOptions.standard()));
  }

  @Test
  void queue_traceBlocks_holdManySinksTimesManySources() {
    ContractionPlan plan = Reducer.reduce(Channels.diagrams("f0d2"));
    BoundTimes times = new BoundTimes(64, List.of(0), List.of(3), List.of());
    ExecutionQueue single =
        TimeBinding.bind(
            plan,
            times,
            new QueueOptions(16).without(Set.of(Optimization.TRACE_BLOCKS)),
            TestCosts::of);
    ExecutionQueue blocks = TimeBinding.bind(plan, times, new QueueOptions(16), TestCosts::of);
    assertEquals(single.traceCount(), blocks.traceCount());
    assertEquals(single.traceCount(), traceSteps(single));
    assertTrue(traceSteps(blocks) * 2 < traceSteps(single));
  }

  private static long traceSteps(ExecutionQueue queue) {
    return queue.vectors().stream()
        .flatMap(vector -> vector.steps().stream())
        .filter(step -> step instanceof ExecutionQueue.Traces)
        .count();
  }

  @Test
  void queue_equalInput_isEqual() {
    BoundTimes times = BoundTimes.of(8, 1, List.of(0, 1));
    ExecutionQueue first =
        TimeBinding.bind(
            Reducer.reduce(Channels.diagrams("sigma")),
            times,
            QueueOptions.standard(),
            TestCosts::of);
    ExecutionQueue second =
        TimeBinding.bind(
            Reducer.reduce(Channels.diagrams("sigma")),
            times,
            QueueOptions.standard(),
            TestCosts::of);
    assertEquals(first, second);
  }
}
