package org.starlingqcd.graph.schedule;

/**
 * What a queue costs on the device that it is made for. The scheduler compares orders and vector
 * sizes by it. This module knows neither device nor memory manager, so the module that runs queues
 * supplies the model.
 */
@FunctionalInterface
public interface CostModel {
  /**
   * Returns the cost of a queue; several threads may call this at the same time.
   *
   * @param eigenvectors N
   * @param budgetBytes device memory, {@link Long#MAX_VALUE} for no bound
   */
  Cost of(ExecutionQueue queue, int eigenvectors, long budgetBytes);

  /**
   * What a queue holds and moves.
   *
   * @param peakBytes most bytes resident at once; with less device memory, elements have to leave
   * @param bytesToDevice bytes copied to the device
   * @param bytesToHost bytes copied to the host
   * @param evictions number of elements that leave while they are still needed
   */
  record Cost(long peakBytes, long bytesToDevice, long bytesToHost, long evictions) {
    /** The cost of a queue that does not run within the budget at all. */
    public static final Cost IMPOSSIBLE = new Cost(Long.MAX_VALUE, Long.MAX_VALUE, 0, 0);

    /** Bytes copied in both directions. */
    public long movedBytes() {
      return bytesToDevice + bytesToHost;
    }

    /** Whether this queue moves less, or as much with a lower peak. */
    boolean isLessThan(Cost other) {
      return movedBytes() < other.movedBytes()
          || (movedBytes() == other.movedBytes() && peakBytes < other.peakBytes);
    }
  }
}
