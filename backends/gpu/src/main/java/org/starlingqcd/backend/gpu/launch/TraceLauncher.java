package org.starlingqcd.backend.gpu.launch;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.memory.ElementAccess;
import org.starlingqcd.backend.gpu.memory.ElementLayout;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.gpu.memory.StagingRing;
import org.starlingqcd.backend.gpu.memory.Workspace;

/**
 * Launches traces: by {@link TraceKernels} where the library has kernels, which single precision
 * needs, else as matrix products. A block of traces is the product (lefts × numbers) · (numbers ×
 * rights) with the rights transposed. The launcher gathers the lefts and transposes the rights into
 * the workspace, each once for all blocks of a call that share the list. It cuts the sum into
 * pieces that are contiguous on both sides ({@link TraceRun}): each piece is one row of one or more
 * components. The products of pieces with equal factors are one batched launch, and a product with
 * a vector of ones adds the pieces up. The order of every sum is fixed, so equal inputs give equal
 * bits.
 *
 * <p>The results gather in a {@link ResultMirror} before they go to the host.
 */
public final class TraceLauncher {
  /**
   * Most traces of a tile that are computed as products of a matrix and a vector, which read the
   * rights once for each left. A product of matrices computes whole tiles of some 32 × 32 numbers
   * even where fewer are needed; up to about this many traces that takes longer than the reading.
   */
  private static final int MOST_BY_VECTOR = 32;

  /** Length of the vector of ones. */
  public static final int ONES = 1 << 14;

  private static final int COMPLEX = TensorShape.COMPLEX_BYTES;

  private final ElementAccess device;
  private final GpuLibrary library;
  private final LaunchQueue queue;
  private final Workspace workspace;
  private final long ones;
  private final @Nullable TraceKernels kernels;

  /**
   * Addresses of a tile: the lefts (one address each, or one for all of them in a row), the
   * transposed rights, the pieces of the sums, and the results.
   */
  private record Tile(List<Long> lefts, long right, long partial, long target) {}

  public TraceLauncher(
      ElementAccess device,
      GpuLibrary library,
      StagingRing staging,
      Workspace workspace,
      long ones) {
    this.device = device;
    this.library = library;
    this.queue = new LaunchQueue(library, staging);
    this.workspace = workspace;
    this.ones = ones;
    boolean loaded = library.loadKernels();
    if (!loaded && device.precision() == Precision.SINGLE) {
      throw new BackendException("single precision needs kernels, which cannot be loaded here");
    }
    kernels = loaded ? new TraceKernels(device, library, staging, workspace) : null;
  }

  /** Whether the library has kernels of our own. */
  public boolean hasKernels() {
    return kernels != null;
  }

  /** Launches all blocks and returns the number of product launches, which tests check. */
  public int trace(List<TraceBlock> blocks, HostMemory results, GpuStream stream) {
    for (TraceBlock block : blocks) {
      check(block, results);
    }
    if (kernels != null && blocks.stream().allMatch(TraceKernels::takes)) {
      return kernels.trace(blocks, results, stream);
    }
    if (device.precision() == Precision.SINGLE) {
      throw new IllegalArgumentException("must have at most 16 entries and spins below 16");
    }
    Call call = new Call(results, stream);
    for (TraceBlock block : blocks) {
      call.add(block);
    }
    call.flush();
    return queue.launches();
  }

  private static void check(TraceBlock block, HostMemory results) {
    long count = (long) block.lefts().size() * Math.max(1, block.rights().size());
    long end = Math.addExact(block.resultIndex(), count);
    if (block.resultIndex() < 0 || end * COMPLEX > results.bytes()) {
      throw new IndexOutOfBoundsException(
          "results %s to %s of %s complex numbers"
              .formatted(block.resultIndex(), end, results.bytes() / COMPLEX));
    }
  }

  /** One call of {@link #trace}. */
  private final class Call {
    private final GpuStream stream;
    private final ResultMirror mirror;
    private final Gathering gathering;

    Call(HostMemory results, GpuStream stream) {
      this.stream = stream;
      this.mirror = new ResultMirror(library, results, stream);
      queue.begin(stream);
      this.gathering = new Gathering(library, workspace, stream);
      workspace.enter(stream);
    }

    void add(TraceBlock block) {
      int extent = block.extent();
      List<GpuMemory> lefts = own("left", block.lefts(), block.mapping().leftSpins(), extent);
      if (block.rights().isEmpty()) {
        single(lefts, block);
      } else if (!lefts.isEmpty()) {
        pairs(lefts, own("right", block.rights(), block.mapping().rightSpins(), extent), block);
      }
    }

    private List<GpuMemory> own(String what, List<DeviceMemory> elements, int spins, int extent) {
      List<GpuMemory> result = new ArrayList<>(elements.size());
      for (DeviceMemory element : elements) {
        result.add(device.use(what, element, spins, extent, extent, stream));
      }
      return result;
    }

    /** Traces of single elements: one product of a diagonal with ones for each component. */
    private void single(List<GpuMemory> lefts, TraceBlock block) {
      int extent = block.extent();
      SpinTraceMapping mapping = block.mapping();
      for (int first = 0; first < lefts.size(); first += ResultMirror.RESULTS) {
        int count = Math.min(ResultMirror.RESULTS, lefts.size() - first);
        long index = block.resultIndex() + first;
        long target = mirrored(index, count);
        library.clear(target, (long) count * COMPLEX, stream.put());
        for (int b = 0; b < mapping.size(); b++) {
          for (int l = 0; l < count; l++) {
            GpuMemory element = lefts.get(first + l);
            ElementLayout layout = element.layoutOr(layout(element, extent));
            queue.add(
                b,
                diagonal(layout, extent, mapping.factor(b)),
                element.address(mapping.left(b), layout, extent, extent),
                ones(extent),
                target + (long) l * COMPLEX);
          }
        }
        mirror.add(index, count);
      }
    }

    /** Sum of the diagonal of a component: a row of steps along the diagonal, times ones. */
    private MatrixProduct diagonal(ElementLayout layout, int extent, double factor) {
      int step = layout.leadingDimension(extent) + 1;
      return new MatrixProduct(false, 1, 1, extent, step, extent, 1, factor, 0, 1);
    }

    /** Cuts a block into tiles that fit the workspace. */
    private void pairs(List<GpuMemory> lefts, List<GpuMemory> rights, TraceBlock block) {
      long element = Workspace.aligned(bytes(lefts.get(0), block.extent()));
      for (GpuMemory memory : rights) {
        element = Math.max(element, Workspace.aligned(bytes(memory, block.extent())));
      }
      long pieces = (long) block.mapping().size() * block.extent() * COMPLEX;
      int tileRights = Math.min(rights.size(), ResultMirror.RESULTS);
      int tileLefts = lefts.size();
      long space = workspace.bytes() - ResultMirror.BYTES;
      while (need(tileLefts, tileRights, element, pieces) > space
          || (long) (tileLefts - 1) * rights.size() + tileRights > ResultMirror.RESULTS) {
        if (tileLefts >= tileRights && tileLefts > 1) {
          tileLefts = (tileLefts + 1) / 2;
        } else if (tileRights > 1) {
          tileRights = (tileRights + 1) / 2;
        } else {
          flush();
          workspace.grow(need(1, 1, element, pieces) + ResultMirror.BYTES + Workspace.aligned(1));
          break;
        }
      }
      for (int r = 0; r < rights.size(); r += tileRights) {
        int rightEnd = Math.min(rights.size(), r + tileRights);
        for (int l = 0; l < lefts.size(); l += tileLefts) {
          int leftEnd = Math.min(lefts.size(), l + tileLefts);
          long index = block.resultIndex() + (long) l * rights.size() + r;
          tile(lefts.subList(l, leftEnd), rights.subList(r, rightEnd), rights.size(), block, index);
        }
      }
    }

    private long need(int lefts, int rights, long element, long pieces) {
      return (rights + (long) lefts) * element + Workspace.aligned(pieces * lefts * rights);
    }

    private void tile(
        List<GpuMemory> lefts,
        List<GpuMemory> rights,
        int resultStride,
        TraceBlock block,
        long index) {
      int extent = block.extent();
      int count = lefts.size() * rights.size();
      long span = (long) (lefts.size() - 1) * resultStride + rights.size();
      List<TraceRun> runs =
          TraceRun.of(block.mapping(), layout(lefts.get(0), extent), layout(rights.get(0), extent));
      long partialBytes = (long) runs.size() * extent * count * COMPLEX;
      Tile tile = place(lefts, rights, extent, partialBytes, index, span);
      if (tile == null) {
        flush();
        tile = place(lefts, rights, extent, partialBytes, index, span);
      }
      if (tile == null) {
        throw new IllegalStateException(
            "workspace of " + workspace.bytes() + " bytes is too small for a tile of traces");
      }
      multiply(lefts, rights, extent, runs, tile);
      sum(lefts.size(), rights.size(), resultStride, runs.size() * extent, tile);
      if (rights.size() == resultStride) {
        mirror.add(index, span);
      } else {
        for (int l = 0; l < lefts.size(); l++) {
          mirror.add(index + (long) l * resultStride, rights.size());
        }
      }
    }

    /** Finds room for a tile in the workspace, or null. */
    private @Nullable Tile place(
        List<GpuMemory> lefts,
        List<GpuMemory> rights,
        int extent,
        long partialBytes,
        long index,
        long span) {
      long target = mirrored(index, span);
      long right = gathering.transposed(rights, layout(rights.get(0), extent), extent);
      List<Long> places = right == 0 ? List.of() : leftPlaces(lefts, rights.size(), extent);
      long partial = places.isEmpty() ? 0 : workspace.reserve(partialBytes);
      return partial == 0 ? null : new Tile(places, right, partial, target);
    }

    /** Whether every left is multiplied on its own. */
    private static boolean byVector(int lefts, int rights) {
      return lefts * rights <= MOST_BY_VECTOR;
    }

    /** Addresses of the lefts that products start at; empty when the workspace has no room. */
    private List<Long> leftPlaces(List<GpuMemory> lefts, int rights, int extent) {
      ElementLayout layout = layout(lefts.get(0), extent);
      if (!byVector(lefts.size(), rights)) {
        long all = gathering.inOrder(lefts, layout, extent);
        return all == 0 ? List.of() : List.of(all);
      }
      List<Long> places = new ArrayList<>();
      for (GpuMemory left : lefts) {
        long place = gathering.inOrder(List.of(left), layout, extent);
        if (place == 0) {
          return List.of();
        }
        places.add(place);
      }
      return places;
    }

    /**
     * Adds one product (rights × length) · (length × lefts) for each row of each run, or one for
     * each left where there are few traces.
     */
    private void multiply(
        List<GpuMemory> lefts, List<GpuMemory> rights, int extent, List<TraceRun> runs, Tile tile) {
      ElementLayout leftLayout = layout(lefts.get(0), extent);
      ElementLayout rightLayout = layout(rights.get(0), extent);
      int leftRow = leftLayout.leadingDimension(extent);
      int rightRow = rightLayout.rows() * extent;
      int leftNumbers = leftLayout.spins() * extent * extent;
      int rightNumbers = rightLayout.spins() * extent * extent;
      int columns = lefts.size() / tile.lefts.size();
      long piece = (long) columns * rights.size() * COMPLEX;
      long next = tile.partial;
      for (TraceRun run : runs) {
        MatrixProduct product =
            new MatrixProduct(
                true,
                rights.size(),
                columns,
                run.length() * extent,
                rightNumbers,
                leftNumbers,
                rights.size(),
                run.factor(),
                0,
                0);
        long leftStart = leftLayout.offset(run.leftSpin(), extent, extent) * COMPLEX;
        int column = run.rightSpin() % rightLayout.columns();
        int row = run.rightSpin() / rightLayout.columns();
        long rightStart =
            tile.right + ((long) column * extent * rightRow + (long) row * extent) * COMPLEX;
        // The pieces of all lefts for one row follow each other, so that the sum is a matrix.
        for (int l = 0; l < tile.lefts.size(); l++) {
          for (long i = 0; i < extent; i++) {
            queue.add(
                0,
                product,
                rightStart + i * rightRow * COMPLEX,
                tile.lefts.get(l) + leftStart + i * leftRow * COMPLEX,
                next + (l + i * tile.lefts.size()) * piece);
          }
        }
        next += piece * tile.lefts.size() * extent;
      }
    }

    /** Adds up the pieces with products with ones, in rounds of at most {@link #ONES} pieces. */
    private void sum(int lefts, int rights, int resultStride, int pieces, Tile tile) {
      boolean whole = rights == resultStride;
      int groups = whole ? 1 : lefts;
      int size = whole ? lefts * rights : rights;
      int round = 1;
      for (int first = 0; first < pieces; first += ONES, round++) {
        int count = Math.min(ONES, pieces - first);
        MatrixProduct product =
            new MatrixProduct(
                false, size, 1, count, lefts * rights, count, size, 1, 0, first == 0 ? 0 : 1);
        for (int g = 0; g < groups; g++) {
          queue.add(
              round,
              product,
              tile.partial + ((long) first * lefts * rights + (long) g * size) * COMPLEX,
              ones(count),
              tile.target + (long) g * resultStride * COMPLEX);
        }
      }
    }

    /** Device address of {@code count} results from {@code index} on. */
    private long mirrored(long index, long count) {
      if (mirror.isOpen() && !mirror.covers(index, count)) {
        flush();
      }
      if (!mirror.isOpen()) {
        workspace.reset();
        mirror.open(workspace, index);
      }
      return mirror.address(index);
    }

    /** Launches the collected products and sends the results to the host. */
    void flush() {
      queue.flush();
      mirror.send();
      gathering.clear();
      workspace.reset();
    }
  }

  private long ones(int count) {
    if (count > ONES) {
      throw new IllegalArgumentException("must be <= " + ONES + ": extent=" + count);
    }
    return ones;
  }

  private static ElementLayout layout(GpuMemory element, int extent) {
    long component = (long) extent * extent * COMPLEX;
    ElementLayout usual = ElementLayout.square((int) (element.bytes() / component));
    ElementLayout own = element.layoutOr(usual);
    return own.separate() ? usual : own;
  }

  private static long bytes(GpuMemory element, int extent) {
    return ContractionLauncher.bytes(
        layout(element, extent).spins(), extent, extent, Precision.DOUBLE);
  }
}
