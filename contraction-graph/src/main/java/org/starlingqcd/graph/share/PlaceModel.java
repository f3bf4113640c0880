package org.starlingqcd.graph.share;

import org.starlingqcd.graph.schedule.ElementSizes;
import org.starlingqcd.graph.schedule.ExecutionQueue;

/**
 * How long steps and transfers take. A step takes the time of its flops or of the bytes that it
 * reads and writes, whichever is longer.
 *
 * @param flopsPerSecond rate of products in a place
 * @param bytesPerSecond rate at which a place reads and writes its own memory
 * @param linkBytesPerSecond rate at which an element moves from one place to another
 */
public record PlaceModel(double flopsPerSecond, double bytesPerSecond, double linkBytesPerSecond) {
  /** Elements on either side of a trace that a kernel reads at once. */
  private static final double TRACE_TILE = 4;

  /**
   * GPUs like H100 or MI250 that reach 40 Tflop/s in products and 2 TB/s in traces, with direct
   * links of 100 GB/s.
   */
  public static PlaceModel gpus() {
    return new PlaceModel(40e12, 2e12, 100e9);
  }

  /** Seconds of a step for N eigenvectors. */
  double seconds(ExecutionQueue queue, ExecutionQueue.Step step, int extent) {
    double bytes;
    if (step instanceof ExecutionQueue.Traces traces) {
      double left = bytes(queue, traces.lefts().get(0), extent);
      bytes =
          traces.rights().isEmpty()
              ? traces.lefts().size() * left
              : 2 * left * traces.lefts().size() * traces.rights().size() / TRACE_TILE;
    } else {
      double[] sum = {bytes(queue, step.destination(), extent)};
      step.forEachInput(element -> sum[0] += bytes(queue, element, extent));
      bytes = sum[0];
    }
    double flops = ElementSizes.flops(queue.elements(), step, extent);
    return Math.max(flops / flopsPerSecond, bytes / bytesPerSecond);
  }

  /** Seconds in which so many bytes move. */
  double linkSeconds(long bytes) {
    return bytes / linkBytesPerSecond;
  }

  private static double bytes(ExecutionQueue queue, int element, int extent) {
    return ElementSizes.bytes(queue.elements().get(element), extent);
  }
}
