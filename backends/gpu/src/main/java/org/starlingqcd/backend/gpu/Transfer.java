package org.starlingqcd.backend.gpu;

import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.memory.ElementLayout;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;

/**
 * Copies of elements between the host and the device, in stream order. They change between the
 * host's layout {@code [spin][i][j]} and the {@link ElementLayout} on the device.
 */
record Transfer(GpuLibrary library, CopyDirection direction, GpuStream stream) {
  /** Copies an element as a whole, by parts, or by rows of blocks; {@code host} is an address. */
  void run(GpuMemory memory, ElementLayout layout, long host, TensorShape shape) {
    CopyDirection kind = memory.isSlow() ? CopyDirection.HOST : direction;
    long component = shape.componentSize() * shape.precision().complexBytes();
    if (layout.columns() == 1 && !layout.separate()) {
      copy(memory.address(), host, shape.bytes(), kind);
      return;
    }
    int extent = (int) Math.round(Math.sqrt((double) shape.componentSize()));
    long row = (long) extent * shape.precision().complexBytes();
    for (int spin = 0; spin < shape.spins(); spin++) {
      long block = memory.address(spin, layout, extent, extent);
      long matrix = host + spin * component;
      if (layout.separate()) {
        copy(block, matrix, component, kind);
      } else {
        boolean up = direction == CopyDirection.UP;
        long pitch = row * layout.columns();
        library.copyRows(
            up ? block : matrix,
            up ? pitch : row,
            up ? matrix : block,
            up ? row : pitch,
            row,
            extent,
            kind,
            stream.put());
      }
    }
  }

  private void copy(long block, long host, long bytes, CopyDirection kind) {
    boolean up = direction == CopyDirection.UP;
    library.copy(up ? block : host, up ? host : block, bytes, kind, stream.put());
  }
}
