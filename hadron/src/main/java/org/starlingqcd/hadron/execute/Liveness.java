package org.starlingqcd.hadron.execute;

import java.util.Arrays;
import java.util.List;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.AccessQueue;

/**
 * The last use of every element of a queue, and the most bytes alive at once if every element lives
 * from its first to its last use; O(accesses).
 */
final class Liveness {
  private final int[] lastUse;
  private final long peakBytes;

  Liveness(AccessQueue queue, List<TensorShape> shapes) {
    lastUse = new int[shapes.size()];
    Arrays.fill(lastUse, -1);
    for (int step = 0; step < queue.steps(); step++) {
      for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
        lastUse[queue.element(k)] = step;
      }
    }
    boolean[] alive = new boolean[shapes.size()];
    long bytes = 0;
    long peak = 0;
    for (int step = 0; step < queue.steps(); step++) {
      for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
        int element = queue.element(k);
        if (!alive[element]) {
          alive[element] = true;
          bytes += shapes.get(element).bytes();
        }
      }
      peak = Math.max(peak, bytes);
      for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
        int element = queue.element(k);
        if (alive[element] && lastUse[element] == step) {
          alive[element] = false;
          bytes -= shapes.get(element).bytes();
        }
      }
    }
    peakBytes = peak;
  }

  /** The last step that uses an element; -1 if none does. */
  int lastUse(int element) {
    return element < lastUse.length ? lastUse[element] : -1;
  }

  /** Most bytes alive at once. */
  long peakBytes() {
    return peakBytes;
  }
}
