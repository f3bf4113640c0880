package org.starlingqcd.correlators.batch;

import java.util.List;

/** The batch systems that there are. */
public final class BatchSystems {
  /** All of them. */
  public static final List<BatchSystem> ALL = List.of(new Slurm(), new Pbs(), new Lsf());

  private BatchSystems() {}
}
