package org.starlingqcd.backend.gpu.launch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.gpu.memory.Workspace;

/**
 * A window of the results on the device. Traces are written into it, and each run of adjacent
 * results goes to the host in one copy. Indices and counts are in complex numbers.
 */
final class ResultMirror {
  /** Complex results that the window holds. */
  static final int RESULTS = 1 << 16;

  /** Size of the window. */
  static final long BYTES = (long) RESULTS * TensorShape.COMPLEX_BYTES;

  private static final int COMPLEX = TensorShape.COMPLEX_BYTES;

  private final GpuLibrary library;
  private final HostMemory results;
  private final GpuStream stream;
  private final List<Span> spans = new ArrayList<>();
  private long window;
  private long first = -1;

  /** Results on the device that still have to go to the host. */
  private record Span(long from, long count) {}

  ResultMirror(GpuLibrary library, HostMemory results, GpuStream stream) {
    this.library = library;
    this.results = results;
    this.stream = stream;
  }

  /** Whether the window is placed in the workspace. */
  boolean isOpen() {
    return first >= 0;
  }

  /** Whether the open window covers {@code count} results from {@code index} on. */
  boolean covers(long index, long count) {
    return index >= first && index + count <= first + RESULTS;
  }

  /** Places the window in the workspace; its first result is the one at {@code index}. */
  void open(Workspace workspace, long index) {
    window = workspace.reserve(BYTES);
    first = index;
  }

  /** Device address of the result at {@code index}. */
  long address(long index) {
    return window + (index - first) * COMPLEX;
  }

  /** Notes results that the next {@link #send} copies to the host. */
  void add(long index, long count) {
    spans.add(new Span(index, count));
  }

  /** Copies the noted results to the host, in stream order, and closes the window. */
  void send() {
    spans.sort(Comparator.comparingLong(Span::from));
    for (int s = 0; s < spans.size(); ) {
      long from = spans.get(s).from;
      long end = from;
      while (s < spans.size() && spans.get(s).from <= end) {
        end = Math.max(end, spans.get(s).from + spans.get(s).count);
        s++;
      }
      library.copy(
          results.address() + from * COMPLEX,
          address(from),
          (end - from) * COMPLEX,
          CopyDirection.DOWN,
          stream.put());
    }
    spans.clear();
    first = -1;
  }
}
