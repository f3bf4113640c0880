package org.starlingqcd.hadron.execute;

import org.starlingqcd.graph.schedule.ElementSizes;

/**
 * The amount of work in a queue.
 *
 * @param builds nodes built, 16 matrix products each
 * @param products batched matrix products
 * @param traces numbers that final contractions give
 * @param flops the sum of {@link ElementSizes#flops} of all steps
 */
public record QueueWork(long builds, long products, long traces, double flops) {
  /** Nothing to do. */
  public static final QueueWork NONE = new QueueWork(0, 0, 0, 0);

  QueueWork plus(QueueWork other) {
    return new QueueWork(
        builds + other.builds,
        products + other.products,
        traces + other.traces,
        flops + other.flops);
  }

  /** Products and traces, as MemHC counts contractions. */
  public long contractions() {
    return products + traces;
  }
}
