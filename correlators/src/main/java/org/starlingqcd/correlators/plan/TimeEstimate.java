package org.starlingqcd.correlators.plan;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.starlingqcd.backend.MeasuredRates;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.graph.schedule.ElementSizes;
import org.starlingqcd.graph.schedule.ExecutionQueue;

/**
 * The time that a queue takes on the CPU of this machine, from the rates that a calibration
 * measured: the flops of contractions and of traces at their rates, the bytes of inputs at an
 * assumed rate, and an assumed time for everything that is no arithmetic. Stages are added, as if
 * nothing were read ahead.
 *
 * <p>Builds of nodes and products of pair blocks count as contractions of two nodes of as many
 * flops. Spin sums and copies count as nothing.
 */
final class TimeEstimate {
  /** Bytes a second: what a local solid-state disk gives, and a good share of a file system. */
  static final double READ_BYTES_PER_SECOND = 1e9;

  /** What a unit takes in any case: preparing its queue and writing its result. */
  static final double UNIT_SECONDS = 0.015;

  /** What a node, a product or a trace takes beside its arithmetic. */
  static final double STEP_SECONDS = 5e-5;

  private TimeEstimate() {}

  /**
   * The estimate, under the keys of {@code starling plan --json}.
   *
   * @param eigenvectors N
   * @param bytes of all inputs
   */
  static Map<String, Object> describe(
      ExecutionQueue queue,
      int eigenvectors,
      Precision precision,
      long bytes,
      MeasuredRates measured) {
    double contractions = 0;
    double traces = 0;
    long steps = 0;
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        double flops = ElementSizes.flops(queue.elements(), step, eigenvectors);
        if (step instanceof ExecutionQueue.Traces block) {
          traces += flops;
          steps += (long) block.lefts().size() * block.rights().size();
        } else {
          contractions += flops;
          steps++;
        }
      }
    }
    MeasuredRates.Rates rates = measured.of(precision, eigenvectors);
    double contractionSeconds = contractions / rates.contractions();
    double traceSeconds = traces / rates.traces();
    double readSeconds = bytes / READ_BYTES_PER_SECOND;
    double overheadSeconds = UNIT_SECONDS + STEP_SECONDS * steps;
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("seconds", contractionSeconds + traceSeconds + readSeconds + overheadSeconds);
    map.put("contractions", contractionSeconds);
    map.put("traces", traceSeconds);
    map.put("read", readSeconds);
    map.put("overhead", overheadSeconds);
    map.put("threads", measured.threads());
    map.put("contraction_flops_per_second", rates.contractions());
    map.put("trace_flops_per_second", rates.traces());
    map.put("read_bytes_per_second", READ_BYTES_PER_SECOND);
    return map;
  }

  /** The seconds of a queue without reading. */
  static double seconds(
      ExecutionQueue queue, int eigenvectors, Precision precision, MeasuredRates measured) {
    Map<String, Object> map = describe(queue, eigenvectors, precision, 0, measured);
    return (double) Objects.requireNonNull(map.get("seconds"));
  }
}
