package org.starlingqcd.hadron.execute;

import java.util.Arrays;
import org.starlingqcd.graph.Complex;

/**
 * The meaning of the numbers that the kernels write one after another: each is a trace, or a part
 * of one, without its phase.
 *
 * @param traces number of the trace
 * @param phases its phase, a power of i
 */
@SuppressWarnings("ArrayRecordComponent") // as large as the queue has traces; never compared
record RawResults(int[] traces, Complex[] phases) {
  /**
   * Puts the traces where their numbers say; numbers of one trace are added up.
   *
   * @param raw what the kernels wrote, interleaved complex
   * @param values all traces by number, interleaved complex; others stay as they are
   */
  void into(double[] raw, double[] values) {
    for (int trace : traces) {
      // The sum of this zero and a number is the number, bit for bit.
      Arrays.fill(values, 2 * trace, 2 * trace + 2, -0.0);
    }
    for (int k = 0; k < traces.length; k++) {
      Complex value = new Complex(raw[2 * k], raw[2 * k + 1]).times(phases[k]);
      values[2 * traces[k]] += value.re();
      values[2 * traces[k] + 1] += value.im();
    }
  }
}
