package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.correlators.plan.DataTraits;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.ExecutionQueue.Step;
import org.starlingqcd.graph.schedule.ExecutionQueue.Traces;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.share.PlaceModel;
import org.starlingqcd.graph.share.QueueSharing;
import org.starlingqcd.graph.share.SharedQueue;
import org.starlingqcd.graph.share.SharedQueue.Transfer;
import org.starlingqcd.graph.wick.WickContraction;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.execute.ExecutionControl;
import org.starlingqcd.hadron.execute.QueueCost;
import org.starlingqcd.hadron.execute.SharedExecutor;
import org.starlingqcd.memhc.MemHCOptions;

/** Queues of shipped definitions on several devices; the CPU stands in for each of them. */
class SharedQueuesTest {
  private static ExecutionQueue queue(CorrelationMatrix matrix, int extent, int separations) {
    List<Integer> list = new ArrayList<>();
    for (int separation = 0; separation < separations; separation++) {
      list.add(separation);
    }
    return TimeBinding.bind(
        Reducer.reduce(
            WickContraction.contract(List.of(matrix)),
            PlanSettings.defaults().reducerOptions(new DataTraits(Set.of(), false))),
        BoundTimes.of(extent, 0, list),
        PlanSettings.defaults().queueOptions(Long.MAX_VALUE, 8),
        QueueCost::of);
  }

  /** Every step runs once, where its inputs are, and everything that it needs has come before. */
  @ParameterizedTest
  @CsvSource({
    "a1_rhopi,2,4",
    "a1_rhopi,3,1",
    "rho_pipi,5,8",
    "f0d2,4,8",
    "nucleon,2,3",
    "npi_i12,3,4",
    "tcc,2,4",
    "zc,3,2"
  })
  void shares_holdEveryStepOnceWithItsInputs(String name, int places, int separations) {
    ExecutionQueue queue = queue(Engine.definition(name), 8, separations);
    SharedQueue shared = QueueSharing.share(queue, places, 16, PlaceModel.gpus());
    assertEquals(places, shared.places());
    BitSet traces = new BitSet();
    List<BitSet> has = new ArrayList<>();
    for (int place = 0; place < places; place++) {
      has.add(new BitSet());
    }
    long moved = 0;
    for (int v = 0; v < queue.vectors().size(); v++) {
      List<Step> steps = new ArrayList<>();
      for (Transfer move : shared.transfers().get(v)) {
        boolean input = queue.elements().get(move.element()) instanceof Input;
        assertTrue(input || has.get(move.from()).get(move.element()), "sent before it is made");
        assertTrue(!has.get(move.to()).get(move.element()), "sent twice");
        has.get(move.to()).set(move.element());
        moved++;
      }
      for (int place = 0; place < places; place++) {
        BitSet here = has.get(place);
        for (Step step : shared.parts().get(place).vectors().get(v).steps()) {
          step.forEachInput(
              element ->
                  assertTrue(
                      here.get(element) || queue.elements().get(element) instanceof Input,
                      "used where it is not: " + element));
          if (step instanceof Traces block) {
            int rights = Math.max(1, block.rights().size());
            for (int t = 0; t < block.lefts().size() * rights; t++) {
              assertTrue(!traces.get(block.firstTrace() + t), "a trace twice");
              traces.set(block.firstTrace() + t);
            }
          } else {
            steps.add(step);
          }
        }
        shared.parts().get(place).vectors().get(v).steps().stream()
            .filter(step -> !(step instanceof Traces))
            .forEach(step -> here.set(step.destination()));
      }
      List<Step> whole =
          queue.vectors().get(v).steps().stream()
              .filter(step -> !(step instanceof Traces))
              .toList();
      assertEquals(whole.size(), steps.size());
      assertTrue(steps.containsAll(whole));
    }
    assertEquals(queue.traceCount(), traces.cardinality());
    assertTrue(moved > 0 && shared.movedBytes() > 0);
    assertTrue(shared.balance() >= 1);
    assertTrue(shared.speedUp() <= places + 1e-9, "speed-up=" + shared.speedUp());
    assertEquals(shared, QueueSharing.share(queue, places, 16, PlaceModel.gpus()));
  }

  /** Sixteen separations of the largest definitions: what the documentation says of them. */
  @ParameterizedTest
  @CsvSource({"f0d2,1.9,3.2,4.5", "npi_i12,1.9,3.7,6.5"})
  void largeQueues_areFasterOnSeveralPlaces(String name, double two, double four, double eight) {
    ExecutionQueue queue = queue(Engine.definition(name), 32, 16);
    double[] least = {two, four, eight};
    for (int k = 0; k < least.length; k++) {
      SharedQueue shared = QueueSharing.share(queue, 2 << k, 128, PlaceModel.gpus());
      assertTrue(shared.speedUp() >= least[k], name + " on " + (2 << k) + ": " + shared.speedUp());
      assertTrue(shared.balance() < 1.26, "balance=" + shared.balance());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a1_rhopi", "nucleon", "zc"})
  void severalDevices_giveTheBitsOfOne(String name) {
    CorrelationMatrix matrix = Engine.definition(name);
    int operators = matrix.operators().size();
    double[] expected = null;
    Path file =
        name.equals("zc")
            ? Engine.examples().resolve("data-tetraquark/quenched_4x6_tetraquark_cfg0001.h5")
            : Engine.data(1);
    try (DistillationData data = DistillationData.open(List.of(file))) {
      int extent = data.header().temporalExtent();
      ExecutionQueue queue = queue(matrix, extent, 3);
      for (int places : List.of(1, 2, 3)) {
        for (long budget : List.of(Engine.BUDGET, 400L << 10)) {
          List<Device> devices = new ArrayList<>();
          for (int place = 0; place < places; place++) {
            devices.add(Backends.select("cpu", 0).open(DeviceOptions.defaults()));
          }
          List<MemHCOptions> options =
              devices.stream().map(device -> MemHCOptions.ofBudget(budget)).toList();
          try (SharedExecutor executor = SharedExecutor.open(devices, options)) {
            SharedExecutor.Prepared prepared =
                executor.prepare(queue, data.header().eigenvectors());
            double[] actual = null;
            for (int again = 0; again < 2; again++) {
              actual =
                  executor.run(prepared, data, ExecutionControl.NONE).correlator(0, operators, 3);
              executor.audit();
            }
            expected = expected == null ? actual : expected;
            assertArrayEquals(expected, actual, "places=" + places + " budget=" + budget);
          } finally {
            devices.forEach(Device::close);
          }
        }
      }
    }
  }

  @Test
  void onePlace_isTheWholeQueue() {
    ExecutionQueue queue = queue(Engine.definition("a1_rhopi"), 8, 2);
    SharedQueue shared = QueueSharing.share(queue, 1, 16, PlaceModel.gpus());
    assertEquals(queue.vectors(), shared.parts().get(0).vectors());
    assertEquals(0, shared.movedBytes());
    assertEquals(1, shared.speedUp(), 1e-9);
  }
}
