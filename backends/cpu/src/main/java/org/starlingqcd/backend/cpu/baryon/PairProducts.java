package org.starlingqcd.backend.cpu.baryon;

import java.util.List;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction.FirstAttached;

/** The products of a contraction of pairs of lines, stage by stage, on a team of threads. */
interface PairProducts {
  /**
   * Attaches the first line to a slice.
   *
   * @param attached address of the values of the open index that are held
   */
  void attachFirst(long attached, FirstAttached stage);

  /** Attaches the second line for some sums. */
  void attachSecond(List<LinePairSum> sums, int rows);

  /**
   * Closes all columns with elementals at the other end.
   *
   * @param others addresses of the elementals
   * @param blocks for each elemental and each sum the address of the n × n matrix to write into
   */
  void close(PairClosing.Columns columns, long[] others, long[] blocks);

  /** Number of slices of at most {@code part} that make up a whole. */
  static int slices(int whole, int part) {
    return (whole + part - 1) / part;
  }
}
