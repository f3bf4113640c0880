package org.starlingqcd.graph.schedule;

import java.util.Set;
import org.starlingqcd.graph.plan.Optimization;

/**
 * How an execution queue is ordered and cut into vectors.
 *
 * @param vectorSize most steps of a vector, or {@link #AUTOMATIC} for as many as fit the budget
 * @param order the order of the contractions
 * @param budgetBytes device memory that the order is made for, {@link Long#MAX_VALUE} for any
 * @param extent number of eigenvectors N that sizes are computed with
 * @param leftOut optimizations that are not used; those of the plan are ignored
 * @param searchSteps orders that {@link StepOrder#SEARCHED} may try
 * @param sites sampled sites of tetraquarks at each time; 0 for their elementals
 */
public record QueueOptions(
    int vectorSize,
    StepOrder order,
    long budgetBytes,
    int extent,
    Set<Optimization> leftOut,
    int searchSteps,
    int sites) {

  /** The vector size that stands for an automatic choice. */
  public static final int AUTOMATIC = 0;

  private static final int DEFAULT_EXTENT = 128;
  private static final int DEFAULT_SEARCH_STEPS = 20_000;

  /** Copies the set and checks the ranges. */
  public QueueOptions {
    leftOut = Optimization.union(leftOut, Set.of());
    if (vectorSize < 0 || budgetBytes < 1 || extent < 1 || searchSteps < 0 || sites < 0) {
      throw new IllegalArgumentException(
          "must be >= 0: vectorSize="
              + vectorSize
              + " searchSteps="
              + searchSteps
              + "; must be >= 1: budgetBytes="
              + budgetBytes
              + " extent="
              + extent
              + " sites="
              + sites);
    }
  }

  /** Options with the usual search. */
  public QueueOptions(
      int vectorSize, StepOrder order, long budgetBytes, int extent, Set<Optimization> leftOut) {
    this(vectorSize, order, budgetBytes, extent, leftOut, DEFAULT_SEARCH_STEPS, 0);
  }

  /** Vectors of a given size, everything else automatic, memory without bound. */
  public QueueOptions(int vectorSize) {
    this(vectorSize, StepOrder.AUTOMATIC, Long.MAX_VALUE, DEFAULT_EXTENT, Set.of());
  }

  /** Everything automatic, memory without bound. */
  public static QueueOptions standard() {
    return new QueueOptions(AUTOMATIC);
  }

  /** These options with another order. */
  public QueueOptions withOrder(StepOrder newOrder) {
    return new QueueOptions(vectorSize, newOrder, budgetBytes, extent, leftOut, searchSteps, sites);
  }

  /** These options for a device memory and a number of eigenvectors. */
  public QueueOptions withBudget(long bytes, int eigenvectors) {
    return new QueueOptions(vectorSize, order, bytes, eigenvectors, leftOut, searchSteps, sites);
  }

  /** These options with more optimizations left out. */
  public QueueOptions without(Set<Optimization> optimizations) {
    return new QueueOptions(
        vectorSize,
        order,
        budgetBytes,
        extent,
        Optimization.union(leftOut, optimizations),
        searchSteps,
        sites);
  }

  /** These options with sampled sites, or 0 for elementals, of tetraquarks. */
  public QueueOptions withSites(int sampled) {
    return new QueueOptions(vectorSize, order, budgetBytes, extent, leftOut, searchSteps, sampled);
  }

  /** Whether an optimization is used. */
  boolean uses(Optimization optimization) {
    return !leftOut.contains(optimization);
  }
}
