package org.starlingqcd.hadron.input;

import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.GammaBasis;

/**
 * Where the inputs of a queue come from: blocks in host layout and in the DeGrand-Rossi basis.
 * Implementations may be called from several threads.
 */
public interface InputBlocks {
  /**
   * Writes τ(sinkTime, sourceTime), [16][N][N], to byte {@code offset} of {@code target}.
   *
   * @throws DistillationException when it is missing or cannot be used
   */
  void loadPerambulator(String label, int sinkTime, int sourceTime, HostMemory target, long offset);

  /**
   * Writes Φ(n, t) or its adjoint, [N][N], to byte {@code offset} of {@code target}.
   *
   * @throws DistillationException when it is missing or cannot be used
   */
  void loadElemental(ElementalRef elemental, int time, HostMemory target, long offset);

  /**
   * Writes B(n, t) or its conjugate, [N][N][N] with its legs in the order asked for, to byte {@code
   * offset} of {@code target}.
   *
   * @throws DistillationException when it is missing or cannot be used
   */
  void loadBaryonElemental(
      ExecutionQueue.BaryonElemental elemental, HostMemory target, long offset);

  /**
   * Writes values {@code firstRow … firstRow + rows - 1} of the open leg of B(n, t) or its
   * conjugate, [rows][N][N], to byte {@code offset} of {@code target}.
   *
   * @throws DistillationException when it is missing or cannot be used
   */
  void loadBaryonRows(
      ExecutionQueue.BaryonElemental elemental,
      int firstRow,
      int rows,
      HostMemory target,
      long offset);

  /** The basis in which components and parities of baryons are meant. */
  GammaBasis gammaBasis();
}
