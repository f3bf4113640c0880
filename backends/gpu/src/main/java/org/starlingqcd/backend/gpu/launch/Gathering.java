package org.starlingqcd.backend.gpu.launch;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.memory.ElementLayout;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.gpu.memory.Workspace;

/**
 * Gathers elements one after the other in the workspace, as they are or transposed, each list once
 * until {@link #clear}. An element that can be used in place is not copied.
 */
final class Gathering {
  private static final int COMPLEX = TensorShape.COMPLEX_BYTES;

  private final GpuLibrary library;
  private final Workspace workspace;
  private final GpuStream stream;
  private final Map<Key, Long> gathered = new HashMap<>();

  private record Key(List<GpuMemory> elements, ElementLayout layout, boolean transposed) {}

  Gathering(GpuLibrary library, Workspace workspace, GpuStream stream) {
    this.library = library;
    this.workspace = workspace;
    this.stream = stream;
  }

  /** Address of the elements in this layout; 0 when the workspace has no room. */
  long inOrder(List<GpuMemory> elements, ElementLayout layout, int extent) {
    GpuMemory first = elements.get(0);
    if (elements.size() == 1 && !first.isComposed() && first.layoutOr(layout).equals(layout)) {
      return first.address();
    }
    return gather(new Key(elements, layout, false), extent);
  }

  /** Address of the transposed matrices of blocks; 0 when the workspace has no room. */
  long transposed(List<GpuMemory> elements, ElementLayout layout, int extent) {
    return gather(new Key(elements, layout, true), extent);
  }

  private long gather(Key key, int extent) {
    Long known = gathered.get(key);
    if (known != null) {
      return known;
    }
    long bytes = ContractionLauncher.bytes(key.layout.spins(), extent, extent, Precision.DOUBLE);
    long target = workspace.reserve(bytes * key.elements.size());
    if (target == 0) {
      return 0;
    }
    for (int e = 0; e < key.elements.size(); e++) {
      GpuMemory element = key.elements.get(e);
      if (key.transposed) {
        transpose(element, key.layout, extent, target + e * bytes);
      } else {
        copy(element, key.layout, extent, target + e * bytes, bytes);
      }
    }
    gathered.put(key, target);
    return target;
  }

  private void copy(GpuMemory element, ElementLayout layout, int extent, long target, long bytes) {
    ElementLayout own = element.layoutOr(layout);
    if (own.equals(layout) && !own.separate()) {
      library.copy(target, element.address(), bytes, CopyDirection.WITHIN, stream.put());
      return;
    }
    long row = (long) extent * COMPLEX;
    for (int spin = 0; spin < layout.spins(); spin++) {
      library.copyRows(
          target + layout.offset(spin, extent, extent) * COMPLEX,
          row * layout.columns(),
          element.address(spin, own, extent, extent),
          row * own.columns(),
          row,
          extent,
          CopyDirection.WITHIN,
          stream.put());
    }
  }

  /** Transposes the matrix of blocks as a whole, or each block into its place. */
  private void transpose(GpuMemory element, ElementLayout layout, int extent, long target) {
    ElementLayout own = element.layoutOr(layout);
    int height = layout.rows() * extent;
    int width = layout.leadingDimension(extent);
    if (own.equals(layout) && !own.separate()) {
      library.transpose(stream.putBlas(), height, width, element.address(), width, target, height);
      return;
    }
    for (int spin = 0; spin < layout.spins(); spin++) {
      int row = spin / layout.columns();
      int column = spin % layout.columns();
      library.transpose(
          stream.putBlas(),
          extent,
          extent,
          element.address(spin, own, extent, extent),
          own.leadingDimension(extent),
          target + ((long) column * extent * height + (long) row * extent) * COMPLEX,
          height);
    }
  }

  /** Forgets the gathered elements, since the workspace is reused. */
  void clear() {
    gathered.clear();
  }
}
