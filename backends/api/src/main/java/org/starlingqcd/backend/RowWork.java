package org.starlingqcd.backend;

import java.util.List;

/** Work on elements, row by row, in parts that the processor does at the same time. */
public interface RowWork {
  /**
   * An element whose components are matrices.
   *
   * @param columns numbers of a row
   */
  record Operand(DeviceMemory memory, TensorShape shape, int columns) {}

  /** The rows of an operand, for several threads. */
  interface Rows {
    /** Writes the real parts of a row from place {@code at} on, behind them the imaginary parts. */
    void get(int component, int row, double[] numbers, int at);

    /** The reverse of {@link #get}. */
    void put(int component, int row, double[] numbers, int at);
  }

  /**
   * Does a part.
   *
   * @param rows those of the operands; of the last one they are put, of the others got
   */
  void run(int part, List<Rows> rows);
}
