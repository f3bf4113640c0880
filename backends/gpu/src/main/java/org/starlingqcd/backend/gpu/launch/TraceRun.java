package org.starlingqcd.backend.gpu.launch;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.gpu.memory.ElementLayout;

/**
 * A piece of the sum in a trace that is contiguous in the rows of the left and in the rows of the
 * transposed right. It spans {@code length} spin components, which share one factor.
 */
record TraceRun(int leftSpin, int rightSpin, int length, double factor) {
  /** Merges entries that follow each other in a row of the left and of the transposed right. */
  static List<TraceRun> of(SpinTraceMapping mapping, ElementLayout left, ElementLayout right) {
    List<TraceRun> runs = new ArrayList<>();
    for (int b = 0; b < mapping.size(); b++) {
      TraceRun last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
      boolean joins =
          last != null
              && last.factor == mapping.factor(b)
              && last.leftSpin + last.length == mapping.left(b)
              && mapping.left(b) % left.columns() != 0
              && last.rightSpin + last.length * right.columns() == mapping.right(b);
      if (joins && last != null) {
        runs.set(
            runs.size() - 1,
            new TraceRun(last.leftSpin, last.rightSpin, last.length + 1, last.factor));
      } else {
        runs.add(new TraceRun(mapping.left(b), mapping.right(b), 1, mapping.factor(b)));
      }
    }
    return runs;
  }
}
