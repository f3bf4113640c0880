package org.starlingqcd.correlators.run;

import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.result.ResultUnit;
import org.starlingqcd.correlators.run.UnitComputation.Planned;
import org.starlingqcd.correlators.run.UnitSchedule.Unit;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.hadron.execute.QueueResult;
import org.starlingqcd.hadron.input.HeldBlock;
import org.starlingqcd.hadron.input.InputStore;
import org.starlingqcd.hadron.input.StoredInputs;
import org.starlingqcd.hadron.input.UnitKey;
import org.starlingqcd.hadron.input.Use;

/**
 * Units of one configuration that are computed together: their plan and their data.
 *
 * @param units the units, planned alike
 * @param data data of the configuration
 * @param planned the plan
 * @param store holds the data that were read ahead or are needed again
 * @param ensemble the configurations of the run
 */
record UnitWork(
    List<Unit> units, InputBlocks data, Planned planned, InputStore store, Ensemble ensemble) {
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
  StoredInputs inputs(Collection<Integer> later) {
    int extent = ensemble.temporalExtent();
    UnitKey first = key();
    return new StoredInputs() {
      @Override
      public void load(Input input, Rows rows, HostMemory target, long offset) {
        load(input, rows, this, false, target, offset);
      }

      @Override
      public boolean load(
          Input input, Rows rows, Object user, boolean again, HostMemory target, long offset) {
        Input block = input.shifted(first.source(), extent);
        Use use = new Use(user, again, isUsedLater(block));
        return store.load(first, data, block, rows, use, target, offset);
      }

      @Override
      public @Nullable HeldBlock hold(Input input, Rows rows, Object user, boolean again) {
        Input block = input.shifted(first.source(), extent);
        return store.hold(first, data, block, rows, new Use(user, again, isUsedLater(block)));
      }

      @Override
      public @Nullable HostMemory lend(Input input, Rows rows, Form form) {
        return data.lend(input.shifted(first.source(), extent), rows, form);
      }

      @Override
      public void release(Input input, Rows rows, Object user) {
        store.release(first, input.shifted(first.source(), extent), rows, user);
      }

      @Override
      public long key(Input input, Rows rows) {
        return data.key(input.shifted(first.source(), extent), rows);
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
      public Precision precision() {
        return data.precision();
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
