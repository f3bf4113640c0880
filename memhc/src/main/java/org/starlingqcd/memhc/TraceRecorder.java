package org.starlingqcd.memhc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;

/** Collects the accesses of a run for its {@link AccessTrace}. */
final class TraceRecorder {
  private final Path file;
  private final ElementTable table;
  private final List<AccessQueue> queues = new ArrayList<>();
  private final List<long[]> keys = new ArrayList<>();
  private AccessQueue.Builder unscheduled = AccessQueue.builder();
  private boolean empty = true;
  private boolean scheduled;

  /** A recorder that writes the file when it is closed. */
  TraceRecorder(Path file, ElementTable table) {
    this.file = file;
    this.table = table;
  }

  /**
   * A queue begins; contractions that ran before the first one form a queue of their own.
   *
   * @param keyOf the key of an input, see {@link AccessTrace}; 0: not known
   */
  void scheduled(AccessQueue queue, IntToLongFunction keyOf) {
    endUnscheduled();
    scheduled = true;
    queues.add(queue);
    BitSet used = new BitSet();
    for (int k = 0; k < queue.accesses(); k++) {
      used.set(queue.element(k));
    }
    long[] known = new long[table.count];
    used.stream()
        .filter(element -> table.has(element, ElementTable.INPUT))
        .forEach(element -> known[element] = keyOf.applyAsLong(element));
    keys.add(known);
  }

  /** A contraction ran, which counts only without a queue. */
  void pinned(int[] inputs, int nIn, int[] outputs, int nOut) {
    if (!scheduled) {
      unscheduled.step(inputs, nIn, outputs, nOut);
      empty = false;
    }
  }

  /** The contractions since the last call ran as one batch. */
  void launched() {
    if (!scheduled) {
      unscheduled.endVector();
    }
  }

  /** A value was asked for outside of any contraction. */
  void read(int element) {
    if (!scheduled) {
      unscheduled.keep(element);
    }
  }

  private void endUnscheduled() {
    if (!empty) {
      queues.add(unscheduled.build());
      keys.add(new long[0]);
      empty = true;
    }
    unscheduled = AccessQueue.builder();
  }

  void close() {
    endUnscheduled();
    boolean[] input = new boolean[table.count];
    for (int element = 0; element < table.count; element++) {
      input[element] = table.has(element, ElementTable.INPUT);
    }
    try {
      new AccessTrace(
              table.shapes, Arrays.copyOf(table.sizeClass, table.count), input, queues, keys)
          .write(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(file + ": cannot write the memory trace", failed);
    }
  }
}
