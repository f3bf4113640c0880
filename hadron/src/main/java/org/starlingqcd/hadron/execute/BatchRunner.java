package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.execute.PreparedQueue.Batch;
import org.starlingqcd.hadron.execute.PreparedQueue.Contraction;
import org.starlingqcd.hadron.execute.PreparedQueue.Copying;
import org.starlingqcd.hadron.execute.PreparedQueue.SpinSum;
import org.starlingqcd.hadron.execute.PreparedQueue.TraceTile;
import org.starlingqcd.hadron.execute.StageTimes.Stage;
import org.starlingqcd.memhc.MemHC;

/**
 * Launches the batches of a prepared queue: it pins as many contractions as fit, launches them
 * together, and continues with the next ones. Where the device wants more work at once than a batch
 * has, and everything fits into its memory, it joins several batches to one window.
 */
final class BatchRunner {
  /** Receives every contraction whose elements are pinned. */
  @FunctionalInterface
  interface Listener {
    /** The first {@code count} of these elements are the inputs of the next step. */
    void pinned(int[] read, int count);
  }

  private final Device device;
  private final MemHC memhc;
  private final Listener listener;
  private final Map<BaryonSpin.Sum, SpinSumMapping> spinSumMappings = new HashMap<>();
  private final int[] outputs = new int[1];
  private int[] inputs = new int[2];
  private GammaBasis basis = GammaBasis.DEGRAND_ROSSI;
  private int n = 1;
  private LaunchWindow window;
  private @Nullable Target target;

  /**
   * Where a queue's results and times go.
   *
   * @param windowFlops flops from which on a window of several batches is launched; 0: every batch
   *     alone
   */
  private record Target(HostMemory raw, StageTimes times, double windowFlops) {}

  private boolean launched;

  BatchRunner(Device device, MemHC memhc, Listener listener) {
    this.device = device;
    this.memhc = memhc;
    this.listener = listener;
    window = new LaunchWindow(device, n, memhc::memory);
  }

  /**
   * Prepares for a queue. The mappings of spin sums are made once for all configurations whose
   * spins have the same basis.
   *
   * @param raw receives the numbers of the traces
   * @param fits whether all elements fit into the device's memory, so that none has to leave
   */
  void begin(
      PreparedQueue prepared, GammaBasis newBasis, HostMemory raw, StageTimes times, boolean fits) {
    if (newBasis != basis) {
      spinSumMappings.clear();
      basis = newBasis;
    }
    n = prepared.eigenvectors();
    window = new LaunchWindow(device, n, memhc::memory);
    target = new Target(raw, times, fits ? device.flopsOfLaunch() : 0);
    launched = false;
    inputs = new int[prepared.mostInputs()];
  }

  private Target target() {
    return Objects.requireNonNull(target);
  }

  /**
   * Launches a batch, at the latest with {@link #flush}.
   *
   * @return the number of its traces
   * @throws CancellationException when {@code control} asks to stop
   */
  int launch(Batch vector, ExecutionControl control) {
    boolean joins = target().windowFlops() > 0 && !vector.isAlone();
    // The device begins with the first nodes while the inputs of others are read.
    if (!joins || (vector.builds() && !launched)) {
      flush();
    }
    collectCopies(vector);
    collectContractions(vector);
    if (!joins) {
      flush();
      runPairs(vector, control);
      runSpinSums(vector);
      runLone(vector, control);
    }
    int traces = collectTraces(vector);
    if (!joins || window.flops() >= target().windowFlops()) {
      flush();
    }
    return traces;
  }

  /** Copies an element of another place's memory into an element of this one. */
  void receive(int element, BatchRunner from, int original) {
    from.flush();
    flush();
    from.inputs[0] = original;
    from.pinAlone(from.inputs, 1, from.outputs, 0);
    outputs[0] = element;
    pinAlone(inputs, 0, outputs, 1);
    memhc.receive(element, from.memhc, original);
  }

  /** Tells MemHC how it can make evicted nodes, products and copies again. */
  void offerRecomputation(PreparedQueue prepared) {
    ContractionBatch alone = new ContractionBatch(n, n, n);
    Map<Integer, Contraction> contractions = prepared.repeatable();
    Map<Integer, Copying> copies = prepared.copies();
    memhc.recomputeWith(
        (element, operands, destination) -> {
          Contraction contraction = contractions.get(element);
          if (contraction != null) {
            alone.clear();
            LaunchWindow.add(contraction, operands.get(0), operands.get(1), destination, alone);
            device.contract(alone, device.computeStream());
          } else {
            SpinSumMapping mapping = Objects.requireNonNull(copies.get(element)).mapping();
            device.sumSpins(operands.get(0), destination, mapping, n, device.computeStream());
          }
        });
  }

  private void collectCopies(Batch vector) {
    for (Copying copy : vector.copies()) {
      inputs[0] = copy.from();
      outputs[0] = copy.to();
      pinOrFlush(1, 1);
      window.addCopy(copy);
    }
  }

  private void collectContractions(Batch vector) {
    for (Contraction contraction : vector.contractions()) {
      inputs[0] = contraction.left();
      inputs[1] = contraction.right();
      outputs[0] = contraction.destination();
      if (window.mustPrecede(contraction)) {
        flush();
      }
      pinOrFlush(2, 1);
      if (vector.builds()) {
        window.addNode(contraction);
      } else {
        window.addProduct(contraction);
      }
    }
  }

  private void runPairs(Batch vector, ExecutionControl control) {
    for (PairParts pairs : vector.pairs()) {
      pairs.forEach(
          (branch, read, written, work) -> {
            QueueExecutor.checkCancelled(control);
            pinAlone(read, read.length, written, written.length);
            device.contractPairs(
                pairs.contraction(branch, memhc.memory(pairs.workspace()), device.precision()),
                work.stage(memhc::memory),
                device.computeStream());
            memhc.launched();
          });
    }
    if (!vector.pairs().isEmpty()) {
      target().times().end(Stage.PRODUCTS);
    }
  }

  private SpinSumMapping spinSumMapping(BaryonSpin.Sum sum) {
    return spinSumMappings.computeIfAbsent(sum, key -> key.mapping(basis));
  }

  private void runSpinSums(Batch vector) {
    for (SpinSum sum : vector.spinSums()) {
      inputs[0] = sum.block();
      outputs[0] = sum.destination();
      pinAlone(inputs, 1, outputs, 1);
      device.sumSpins(
          memhc.memory(sum.block()),
          memhc.memory(sum.destination()),
          spinSumMapping(sum.sum()),
          n,
          device.computeStream());
      memhc.launched();
      target().times().end(Stage.PRODUCTS);
    }
  }

  private void runLone(Batch vector, ExecutionControl control) {
    List<LoneStep> together = new ArrayList<>();
    for (LoneStep step : vector.lone()) {
      QueueExecutor.checkCancelled(control);
      int[] read = step.inputs().stream().mapToInt(Integer::intValue).toArray();
      int[] written = step.outputs().stream().mapToInt(Integer::intValue).toArray();
      boolean joins = !together.isEmpty() && together.get(0).joins(step);
      if (!joins || !pin(read, read.length, written, written.length)) {
        launchLone(together);
        pinAlone(read, read.length, written, written.length);
      }
      together.add(step);
    }
    launchLone(together);
  }

  private void launchLone(List<LoneStep> together) {
    if (!together.isEmpty()) {
      LoneStep.run(together, device, memhc::memory);
      memhc.launched();
      target().times().end(Stage.PRODUCTS);
      together.clear();
    }
  }

  private boolean pin(int[] read, int nIn, int[] written, int nOut) {
    boolean pinned = memhc.pin(read, nIn, written, nOut);
    if (pinned) {
      listener.pinned(read, nIn);
    }
    return pinned;
  }

  /** Pins so many inputs and outputs, after a launch of what is pinned if there is no room. */
  private void pinOrFlush(int nIn, int nOut) {
    if (!pin(inputs, nIn, outputs, nOut)) {
      flush();
      pinAlone(inputs, nIn, outputs, nOut);
    }
  }

  /** Pins when nothing else is pinned; MemHC throws if even that does not fit. */
  private void pinAlone(int[] read, int nIn, int[] written, int nOut) {
    if (!pin(read, nIn, written, nOut)) {
      throw new IllegalStateException(
          "not pinned though nothing else is: " + Arrays.toString(Arrays.copyOf(read, nIn)));
    }
  }

  /** Collects the traces of a batch; returns the number of their results. */
  private int collectTraces(Batch vector) {
    int results = 0;
    for (TraceTile tile : vector.traces()) {
      pinOrFlush(tile.inputs(inputs), 0);
      window.add(tile);
      results += tile.results();
    }
    return results;
  }

  /** Launches what is collected. */
  void flush() {
    if (!window.isEmpty()) {
      window.launch(target().raw(), target().times());
      memhc.launched();
      launched = true;
    }
  }
}
