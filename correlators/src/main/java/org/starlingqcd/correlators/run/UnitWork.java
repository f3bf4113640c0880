package org.starlingqcd.correlators.run;

import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.correlators.result.ResultUnit;
import org.starlingqcd.correlators.run.UnitComputation.Planned;
import org.starlingqcd.correlators.run.UnitSchedule.Unit;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.hadron.execute.QueueResult;
import org.starlingqcd.hadron.input.ReadAhead;
import org.starlingqcd.hadron.input.UnitKey;

/**
 * Units of one configuration that are computed together: their plan and their data.
 *
 * @param units the units, planned alike
 * @param data data of the configuration
 * @param planned the plan
 * @param reader what reads the data ahead
 * @param ensemble the configurations of the run
 */
record UnitWork(
    List<Unit> units, InputBlocks data, Planned planned, ReadAhead reader, Ensemble ensemble) {
  /** The first of the units. */
  UnitKey key() {
    return units.get(0).key();
  }

  int configuration() {
    return key().configuration();
  }

  /** Sources of the units, in their order. */
  List<Integer> sources() {
    return units.stream().map(unit -> unit.key().source()).toList();
  }

  /**
   * The inputs of the plan, whose first source was bound at 0, at the first source of the units.
   *
   * @param later sources of the same configuration that come later; blocks that they need stay in
   *     memory
   */
  InputBlocks inputs(Collection<Integer> later) {
    int extent = ensemble.temporalExtent();
    UnitKey first = key();
    return new InputBlocks() {
      @Override
      public void load(Input input, Rows rows, HostMemory target, long offset) {
        Input block = input.shifted(first.source(), extent);
        reader.load(first, data, block, rows, this::isKept, target, offset);
      }

      @Override
      public long key(Input input, Rows rows) {
        return data.key(input.shifted(first.source(), extent), rows);
      }

      /** Whether a block stays in host memory; behind a block cache it need not. */
      private boolean isKept(Input block) {
        return !data.keeps() && isUsedLater(block);
      }

      private boolean isUsedLater(Input block) {
        return later.stream()
            .map(time -> block.shifted(-time, extent))
            .anyMatch(planned.inputs()::contains);
      }

      @Override
      public boolean isNeededLater(Input input) {
        return isUsedLater(input.shifted(first.source(), extent));
      }

      @Override
      public GammaBasis gammaBasis() {
        return data.gammaBasis();
      }
    };
  }

  /** For each unit, one unit of a result for each definition that was planned for it. */
  List<List<ResultUnit>> results(QueueResult result) {
    return IntStream.range(0, units.size())
        .mapToObj(
            number -> planned.plan().units(result, key().configuration(), key().source(), number))
        .toList();
  }
}
