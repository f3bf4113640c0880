package org.starlingqcd.correlators.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.MeasuredRates;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;

final class TimeEstimateTest {
  private static final MeasuredRates RATES =
      new MeasuredRates(
          3,
          Map.of(
              Precision.DOUBLE,
              Map.of(32, new MeasuredRates.Rates(7e9, 2e9)),
              Precision.SINGLE,
              Map.of(32, new MeasuredRates.Rates(14e9, 4e9))));

  /** Two nodes of 16 products, one trace over 16 pairs of spins, two perambulators and Φ twice. */
  @Test
  void pion_isReckonedByHand() {
    Map<?, ?> time = describe(Precision.DOUBLE);
    double contractions = 2 * 16 * 8e3 / (3 * 7e9);
    double traces = 16 * 8e2 / (3 * 2e9);
    double read = (2 * 16 + 2) * 1600 / 1e9;
    assertEquals(contractions, number(time, "contractions"), 1e-18);
    assertEquals(traces, number(time, "traces"), 1e-18);
    assertEquals(read, number(time, "read"), 1e-18);
    double overhead = TimeEstimate.UNIT_SECONDS + 3 * TimeEstimate.STEP_SECONDS;
    assertEquals(overhead, number(time, "overhead"), 1e-18);
    assertEquals(contractions + traces + read + overhead, number(time, "seconds"), 1e-17);
    assertEquals(21e9, number(time, "contraction_flops_per_second"));
    assertEquals(6e9, number(time, "trace_flops_per_second"));
    assertEquals(3, number(time, "threads"));
  }

  @Test
  void single_hasItsOwnRates() {
    assertEquals(42e9, number(describe(Precision.SINGLE), "contraction_flops_per_second"));
  }

  @Test
  void rates_thatNobodyMeasured_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> new MeasuredRates.Rates(1, 0));
    assertThrows(IllegalArgumentException.class, () -> new MeasuredRates(1, Map.of()));
  }

  private static Map<?, ?> describe(Precision precision) {
    List<Definition> pion = new DefinitionLoader().loadAll(List.of("pion"));
    return (Map<?, ?>)
        new PlanReport(
                pion,
                10,
                precision,
                PlanSettings.defaults(),
                new DataTraits(Set.of(), false),
                new JointContraction(pion)::diagrams)
            .describe(RATES)
            .get("estimated_time");
  }

  private static double number(Map<?, ?> map, String key) {
    return ((Number) map.get(key)).doubleValue();
  }
}
