package org.starlingqcd.graph.schedule;

/**
 * How an execution queue is ordered and cut into vectors.
 *
 * @param vectorSize most steps of a vector, or 0 for as many as fit the budget
 * @param order the order of the contractions
 * @param budgetBytes device memory that the order is made for, {@link Long#MAX_VALUE} for any
 * @param extent number of eigenvectors N that sizes are reckoned with
 * @param traceBlocks run the traces of many elements with many others as one matrix product
 * @param rebuildNodes drop nodes and build them again rather than move them: as long as the budget
 *     would be exceeded, for up to a quarter more work; with memory without bound, to lower the
 *     peak for up to one per cent more work
 * @param searchSteps orders that {@link StepOrder#SEARCHED} may try
 */
public record QueueOptions(
    int vectorSize,
    StepOrder order,
    long budgetBytes,
    int extent,
    boolean traceBlocks,
    boolean rebuildNodes,
    int searchSteps) {

  /** The vector size that stands for an automatic choice. */
  public static final int AUTOMATIC = 0;

  private static final int DEFAULT_EXTENT = 128;
  private static final int DEFAULT_SEARCH_STEPS = 20_000;

  /** Checks the ranges. */
  public QueueOptions {
    if (vectorSize < 0 || budgetBytes < 1 || extent < 1 || searchSteps < 0) {
      throw new IllegalArgumentException(
          "must be >= 0: vectorSize="
              + vectorSize
              + " searchSteps="
              + searchSteps
              + "; must be >= 1: budgetBytes="
              + budgetBytes
              + " extent="
              + extent);
    }
  }

  /** Vectors of a given size, everything else automatic, memory without bound. */
  public QueueOptions(int vectorSize) {
    this(
        vectorSize,
        StepOrder.AUTOMATIC,
        Long.MAX_VALUE,
        DEFAULT_EXTENT,
        true,
        true,
        DEFAULT_SEARCH_STEPS);
  }

  /** Everything automatic, memory without bound. */
  public static QueueOptions standard() {
    return new QueueOptions(AUTOMATIC);
  }

  /** These options with another vector size. */
  public QueueOptions withVectorSize(int size) {
    return new QueueOptions(
        size, order, budgetBytes, extent, traceBlocks, rebuildNodes, searchSteps);
  }

  /** These options with another order. */
  public QueueOptions withOrder(StepOrder newOrder) {
    return new QueueOptions(
        vectorSize, newOrder, budgetBytes, extent, traceBlocks, rebuildNodes, searchSteps);
  }

  /** These options for a device memory and a number of eigenvectors. */
  public QueueOptions withBudget(long bytes, int eigenvectors) {
    return new QueueOptions(
        vectorSize, order, bytes, eigenvectors, traceBlocks, rebuildNodes, searchSteps);
  }

  /** These options with trace blocks on or off. */
  public QueueOptions withTraceBlocks(boolean on) {
    return new QueueOptions(vectorSize, order, budgetBytes, extent, on, rebuildNodes, searchSteps);
  }

  /** These options with rebuilding of nodes on or off. */
  public QueueOptions withRebuildNodes(boolean on) {
    return new QueueOptions(vectorSize, order, budgetBytes, extent, traceBlocks, on, searchSteps);
  }

  /** These options with another limit of the search for an order. */
  public QueueOptions withSearchSteps(int steps) {
    return new QueueOptions(
        vectorSize, order, budgetBytes, extent, traceBlocks, rebuildNodes, steps);
  }
}
