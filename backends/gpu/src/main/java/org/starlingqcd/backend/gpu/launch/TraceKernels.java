package org.starlingqcd.backend.gpu.launch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.Kernel;
import org.starlingqcd.backend.gpu.memory.ElementAccess;
import org.starlingqcd.backend.gpu.memory.ElementLayout;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.gpu.memory.StagingRing;
import org.starlingqcd.backend.gpu.memory.Workspace;

/**
 * Traces by kernels of our own: at most three launches for all blocks of a call. Operands are read
 * where they are, once for four traces in each direction; nothing is gathered or transposed. The
 * bits of a trace depend on its operands and its extent alone.
 *
 * <p>The tables that {@code starling_kernels.h} describes go to the device in one copy, through the
 * memory for pointer arrays of the stream. The pieces of traces are in the workspace, behind the
 * window of the results.
 */
final class TraceKernels {
  /** Lefts and rights of a tile. */
  private static final int TILE = 4;

  /** Most components of an element, and most entries of a mapping. */
  private static final int MOST_SPINS = 16;

  /** Rows and entries of a piece. */
  private static final int ROWS_OF_PIECE = 16;

  private static final int ENTRIES_OF_PIECE = 4;

  private static final int COMPLEX = TensorShape.COMPLEX_BYTES;
  private static final int MOST_LONGS = (int) (GpuStream.POINTER_BYTES / Long.BYTES);

  /** More than a tile with all that it refers to adds to the tables. */
  private static final int LONGS_OF_A_TILE =
      2 * TILE * (MOST_SPINS + 1) + (1 + 3 * MOST_SPINS) + (2 * TILE + 4) + TILE * TILE;

  private final ElementAccess device;
  private final GpuLibrary library;
  private final StagingRing staging;
  private final Workspace workspace;

  private final Table elements = new Table();
  private final Table mappings = new Table();
  private final Table tiles = new Table();
  private final Table diagonals = new Table();
  private final Table targets = new Table();
  private final Table diagonalTargets = new Table();
  private final List<Table> inOrder =
      List.of(elements, mappings, tiles, diagonals, targets, diagonalTargets);
  private final Map<GpuMemory, Integer> elementNumbers = new HashMap<>();
  private final Map<SpinTraceMapping, Integer> mappingNumbers = new HashMap<>();

  /** Numbers of 64 bits that grow. */
  private static final class Table {
    private long[] longs = new long[256];
    private int size;

    void add(long number) {
      if (size == longs.length) {
        longs = Arrays.copyOf(longs, 2 * size);
      }
      longs[size++] = number;
    }

    /** Puts the table behind what the buffer holds; returns where the next one begins. */
    long put(StagingRing.Part buffer, long index) {
      buffer.put(index, longs, size);
      return index + size;
    }
  }

  TraceKernels(ElementAccess device, GpuLibrary library, StagingRing staging, Workspace workspace) {
    this.device = device;
    this.library = library;
    this.staging = staging;
    this.workspace = workspace;
  }

  /** Whether the tables have room for the block's mapping. */
  static boolean takes(TraceBlock block) {
    SpinTraceMapping mapping = block.mapping();
    return mapping.size() <= MOST_SPINS
        && mapping.leftSpins() <= MOST_SPINS
        && mapping.rightSpins() <= MOST_SPINS;
  }

  /** Launches all blocks and returns the number of launches. */
  int trace(List<TraceBlock> blocks, HostMemory results, GpuStream stream) {
    workspace.enter(stream);
    Call call = new Call(new ResultMirror(library, results, stream), stream);
    clear();
    for (TraceBlock block : blocks) {
      call.add(block);
    }
    call.flush();
    return call.launches;
  }

  private void clear() {
    inOrder.forEach(table -> table.size = 0);
    elementNumbers.clear();
    mappingNumbers.clear();
  }

  private int longs() {
    // Asked for every tile.
    int operands = elements.size + mappings.size + tiles.size + targets.size;
    return operands + diagonals.size + diagonalTargets.size;
  }

  /** One call of {@link #trace}. */
  private final class Call {
    private final ResultMirror mirror;
    private final GpuStream stream;
    private int extent;
    private int piecesOfTrace;
    private long mostTraces;
    private int launches;

    /** The mapping that was asked for last. */
    private @Nullable SpinTraceMapping latest;

    private int latestNumber;

    Call(ResultMirror mirror, GpuStream stream) {
      this.mirror = mirror;
      this.stream = stream;
    }

    void add(TraceBlock block) {
      if (block.extent() != extent) {
        flush();
        extent = block.extent();
        int strips = (extent + ROWS_OF_PIECE - 1) / ROWS_OF_PIECE;
        piecesOfTrace = strips * (MOST_SPINS / ENTRIES_OF_PIECE);
      }
      List<GpuMemory> lefts = own("left", block.lefts(), block.mapping().leftSpins());
      if (block.rights().isEmpty()) {
        for (int l = 0; l < lefts.size(); l++) {
          diagonal(lefts.get(l), block.mapping(), block.resultIndex() + l);
        }
        return;
      }
      List<GpuMemory> rights = own("right", block.rights(), block.mapping().rightSpins());
      for (int l = 0; l < lefts.size(); l += TILE) {
        for (int r = 0; r < rights.size(); r += TILE) {
          tile(
              lefts.subList(l, Math.min(lefts.size(), l + TILE)),
              rights.subList(r, Math.min(rights.size(), r + TILE)),
              block.mapping(),
              block.resultIndex() + (long) l * rights.size() + r,
              rights.size());
        }
      }
    }

    private List<GpuMemory> own(String what, List<DeviceMemory> given, int spins) {
      List<GpuMemory> owned = new ArrayList<>(given.size());
      for (DeviceMemory element : given) {
        owned.add(device.use(what, element, spins, extent, extent, stream));
      }
      return owned;
    }

    private void tile(
        List<GpuMemory> lefts,
        List<GpuMemory> rights,
        SpinTraceMapping mapping,
        long index,
        int stride) {
      prepare(index, (long) (lefts.size() - 1) * stride + rights.size());
      long first = targets.size;
      for (int k = 0; k < TILE; k++) {
        tiles.add(number(lefts.get(k < lefts.size() ? k : 0)));
      }
      for (int k = 0; k < TILE; k++) {
        tiles.add(number(rights.get(k < rights.size() ? k : 0)));
      }
      tiles.add(lefts.size());
      tiles.add(rights.size());
      tiles.add(number(mapping));
      tiles.add(first);
      for (int l = 0; l < lefts.size(); l++) {
        long row = index + (long) l * stride;
        for (int r = 0; r < rights.size(); r++) {
          targets.add(mirror.address(row + r));
        }
        mirror.add(row, rights.size());
      }
    }

    private void diagonal(GpuMemory element, SpinTraceMapping mapping, long index) {
      prepare(index, 1);
      diagonals.add(number(element));
      diagonals.add(number(mapping));
      diagonalTargets.add(mirror.address(index));
      mirror.add(index, 1);
    }

    /** Makes room for a tile whose results span {@code count} numbers. */
    private void prepare(long index, long count) {
      if (count > ResultMirror.RESULTS) {
        throw new IllegalArgumentException("must be <= " + ResultMirror.RESULTS + ": " + count);
      }
      if (mirror.isOpen()
          && (!mirror.covers(index, count)
              || targets.size + TILE * TILE > mostTraces
              || longs() + LONGS_OF_A_TILE > MOST_LONGS)) {
        flush();
      }
      if (!mirror.isOpen()) {
        long trace = (long) piecesOfTrace * COMPLEX;
        workspace.grow(ResultMirror.BYTES + Workspace.aligned((TILE * TILE + 1) * trace));
        mirror.open(workspace, index);
        // One less than fits: the workspace hands out aligned blocks.
        mostTraces = (workspace.bytes() - ResultMirror.BYTES) / trace - 1;
      }
    }

    private int number(GpuMemory element) {
      Integer known = elementNumbers.get(element);
      if (known != null) {
        return known;
      }
      int spins =
          element.isComposed()
              ? element.parts().size()
              : (int)
                  (element.bytes()
                      / ContractionLauncher.bytes(1, extent, extent, device.precision()));
      ElementLayout layout = element.layoutOr(ElementLayout.square(spins));
      boolean composed = element.isComposed();
      long address = composed ? 0 : element.address();
      long number = device.precision().complexBytes();
      for (int s = 0; s < MOST_SPINS; s++) {
        if (s >= layout.spins()) {
          elements.add(0);
        } else if (composed) {
          elements.add(element.address(s, layout, extent, extent));
        } else {
          elements.add(address + number * layout.offset(s, extent, extent));
        }
      }
      elements.add(layout.leadingDimension(extent));
      elementNumbers.put(element, elementNumbers.size());
      return elementNumbers.size() - 1;
    }

    private int number(SpinTraceMapping mapping) {
      if (!Objects.equals(mapping, latest)) {
        latest = mapping;
        latestNumber = find(mapping);
      }
      return latestNumber;
    }

    private int find(SpinTraceMapping mapping) {
      Integer known = mappingNumbers.get(mapping);
      if (known != null) {
        return known;
      }
      mappings.add(mapping.size());
      for (int b = 0; b < MOST_SPINS; b++) {
        mappings.add(b < mapping.size() ? mapping.left(b) : 0);
      }
      for (int b = 0; b < MOST_SPINS; b++) {
        mappings.add(b < mapping.size() ? mapping.right(b) : 0);
      }
      for (int b = 0; b < MOST_SPINS; b++) {
        mappings.add(Double.doubleToRawLongBits(b < mapping.size() ? mapping.factor(b) : 0));
      }
      mappingNumbers.put(mapping, mappingNumbers.size());
      return mappingNumbers.size() - 1;
    }

    /** Launches what was collected and sends the results to the host. */
    void flush() {
      if (!mirror.isOpen()) {
        return;
      }
      boolean single = device.precision() == Precision.SINGLE;
      long tables = stream.pointers();
      StagingRing.Part buffer = staging.next((long) longs() * Long.BYTES, stream);
      long mappingsAt = elements.put(buffer, 0);
      long tilesAt = mappings.put(buffer, mappingsAt);
      long diagonalsAt = tiles.put(buffer, tilesAt);
      long targetsAt = diagonals.put(buffer, diagonalsAt);
      long diagonalTargetsAt = targets.put(buffer, targetsAt);
      long end = diagonalTargets.put(buffer, diagonalTargetsAt);
      library.copy(tables, buffer.address(), end * Long.BYTES, CopyDirection.UP, stream.put());
      if (tiles.size > 0) {
        long pieces = workspace.reserve((long) targets.size * piecesOfTrace * COMPLEX);
        launch(
            single ? Kernel.TRACE_PIECES_SINGLE : Kernel.TRACE_PIECES,
            tiles.size / (2 * TILE + 4) * piecesOfTrace,
            tables + tilesAt * Long.BYTES,
            tables,
            tables + mappingsAt * Long.BYTES,
            pieces,
            extent,
            piecesOfTrace);
        launch(
            Kernel.TRACE_SUMS,
            targets.size,
            pieces,
            tables + targetsAt * Long.BYTES,
            piecesOfTrace);
      }
      if (diagonals.size > 0) {
        launch(
            single ? Kernel.DIAGONALS_SINGLE : Kernel.DIAGONALS,
            diagonalTargets.size,
            tables + diagonalsAt * Long.BYTES,
            tables,
            tables + mappingsAt * Long.BYTES,
            tables + diagonalTargetsAt * Long.BYTES,
            extent);
      }
      mirror.send();
      workspace.reset();
      clear();
      latest = null;
    }

    private void launch(Kernel kernel, int blocks, long... arguments) {
      library.launch(kernel, blocks, stream.put(), arguments);
      launches++;
    }
  }
}
