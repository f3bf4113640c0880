package org.starlingqcd.backend.gpu.launch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.memory.ElementAccess;
import org.starlingqcd.backend.gpu.memory.ElementLayout;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.gpu.memory.StagingRing;
import org.starlingqcd.backend.gpu.memory.Workspace;

/**
 * Turns traces into matrix products. A block of traces is (lefts × numbers) · (numbers × rights)
 * with the rights transposed: lefts are gathered and rights transposed into the workspace, each
 * once for all blocks of a call that share the list. The sum is cut into pieces that are contiguous
 * on both sides, one row of one or more components each; their products are one batched launch for
 * equal factors, and a product with a vector of ones adds the pieces up. The order of every sum is
 * fixed, so equal inputs give equal bits.
 *
 * <p>Results gather on the device and go to the host in one copy for each run of adjacent results.
 */
public final class TraceLauncher {
  /** Complex results that wait on the device for one copy to the host. */
  private static final int RESULTS = 1 << 16;

  /**
   * Most traces of a tile that are computed by matrices times vectors, which read the rights once
   * for each left. A product of matrices fills whole tiles of some 32 × 32 numbers whether they are
   * asked for or not; up to about this many traces that takes longer than the reading.
   */
  private static final int MOST_BY_VECTOR = 32;

  /** Length of the vector of ones. */
  public static final int ONES = 1 << 14;

  private static final int COMPLEX = TensorShape.COMPLEX_BYTES;

  private final ElementAccess device;
  private final GpuLibrary library;
  private final StagingRing staging;
  private final Workspace workspace;
  private final long ones;

  /** Results on the device that are to go to the host, in complex numbers. */
  private record Span(long from, long count) {}

  /**
   * Addresses of a tile: lefts, each for itself or one behind the other after the first, transposed
   * rights, pieces of the sums, results.
   */
  private record Tile(List<Long> lefts, long right, long partial, long target) {}

  /** A piece of the sum that is contiguous in left rows and transposed right rows. */
  private record Run(int leftSpin, int rightSpin, int length, double factor) {}

  public TraceLauncher(
      ElementAccess device,
      GpuLibrary library,
      StagingRing staging,
      Workspace workspace,
      long ones) {
    this.device = device;
    this.library = library;
    this.staging = staging;
    this.workspace = workspace;
    this.ones = ones;
  }

  /** Launches all blocks; returns the number of launches of products, which tests look at. */
  public int trace(List<TraceBlock> blocks, HostMemory results, GpuStream stream) {
    Call call = new Call(results, stream);
    for (TraceBlock block : blocks) {
      call.add(block);
    }
    call.flush();
    return call.queue.launches();
  }

  /** One call of {@link #trace}. */
  private final class Call {
    private final HostMemory results;
    private final GpuStream stream;
    private final LaunchQueue queue;
    private final Gathering gathering;
    private final List<Span> spans = new ArrayList<>();
    private long mirror;
    private long mirrorFirst = -1;

    Call(HostMemory results, GpuStream stream) {
      this.results = results;
      this.stream = stream;
      this.queue = new LaunchQueue(library, stream, staging);
      this.gathering = new Gathering(library, workspace, stream);
      workspace.enter(stream);
    }

    void add(TraceBlock block) {
      int extent = block.extent();
      long count = (long) block.lefts().size() * Math.max(1, block.rights().size());
      long end = Math.addExact(block.resultIndex(), count);
      if (block.resultIndex() < 0 || end * COMPLEX > results.bytes()) {
        throw new IndexOutOfBoundsException(
            "results "
                + block.resultIndex()
                + " to "
                + end
                + " of "
                + results.bytes() / COMPLEX
                + " complex numbers");
      }
      List<GpuMemory> lefts = own("left", block.lefts(), block.mapping(), extent, true);
      if (block.rights().isEmpty()) {
        single(lefts, block);
      } else if (!lefts.isEmpty()) {
        pairs(lefts, own("right", block.rights(), block.mapping(), extent, false), block);
      }
    }

    private List<GpuMemory> own(
        String what,
        List<DeviceMemory> elements,
        SpinTraceMapping mapping,
        int extent,
        boolean left) {
      int spins = 1;
      for (int b = 0; b < mapping.size(); b++) {
        spins = Math.max(spins, 1 + (left ? mapping.left(b) : mapping.right(b)));
      }
      List<GpuMemory> result = new ArrayList<>(elements.size());
      for (DeviceMemory element : elements) {
        result.add(device.own(what, element, spins, extent, extent));
      }
      return result;
    }

    /** Traces of single elements: one product of a diagonal with ones for each component. */
    private void single(List<GpuMemory> lefts, TraceBlock block) {
      int extent = block.extent();
      SpinTraceMapping mapping = block.mapping();
      for (int first = 0; first < lefts.size(); first += RESULTS) {
        int count = Math.min(RESULTS, lefts.size() - first);
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
        spans.add(new Span(index, count));
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
      long mirrorBytes = (long) RESULTS * COMPLEX;
      int tileRights = Math.min(rights.size(), RESULTS);
      int tileLefts = lefts.size();
      long space = workspace.bytes() - mirrorBytes;
      while (need(tileLefts, tileRights, element, pieces) > space
          || (long) (tileLefts - 1) * rights.size() + tileRights > RESULTS) {
        if (tileLefts >= tileRights && tileLefts > 1) {
          tileLefts = (tileLefts + 1) / 2;
        } else if (tileRights > 1) {
          tileRights = (tileRights + 1) / 2;
        } else {
          flush();
          workspace.grow(need(1, 1, element, pieces) + mirrorBytes + Workspace.aligned(1));
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
      List<Run> runs =
          runs(block.mapping(), layout(lefts.get(0), extent), layout(rights.get(0), extent));
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
        spans.add(new Span(index, span));
      } else {
        for (int l = 0; l < lefts.size(); l++) {
          spans.add(new Span(index + (long) l * resultStride, rights.size()));
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

    /** Whether every left is multiplied for itself. */
    private static boolean byVector(int lefts, int rights) {
      return lefts * rights <= MOST_BY_VECTOR;
    }

    /** Where the lefts are that products begin with; empty when the workspace has no room. */
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
     * One product (rights × length) · (length × lefts) for each row of each run, or one for each
     * left where there are few.
     */
    private void multiply(
        List<GpuMemory> lefts, List<GpuMemory> rights, int extent, List<Run> runs, Tile tile) {
      ElementLayout leftLayout = layout(lefts.get(0), extent);
      ElementLayout rightLayout = layout(rights.get(0), extent);
      int leftRow = leftLayout.leadingDimension(extent);
      int rightRow = rightLayout.rows() * extent;
      int leftNumbers = leftLayout.spins() * extent * extent;
      int rightNumbers = rightLayout.spins() * extent * extent;
      int columns = lefts.size() / tile.lefts.size();
      long piece = (long) columns * rights.size() * COMPLEX;
      long next = tile.partial;
      for (Run run : runs) {
        MatrixProduct product =
            new MatrixProduct(
                true,
                rights.size(),
                columns,
                run.length * extent,
                rightNumbers,
                leftNumbers,
                rights.size(),
                run.factor,
                0,
                0);
        long leftStart = leftLayout.offset(run.leftSpin, extent, extent) * COMPLEX;
        int column = run.rightSpin % rightLayout.columns();
        int row = run.rightSpin / rightLayout.columns();
        long rightStart =
            tile.right + ((long) column * extent * rightRow + (long) row * extent) * COMPLEX;
        for (int i = 0; i < extent; i++) {
          for (long left : tile.lefts) {
            queue.add(
                0,
                product,
                rightStart + (long) i * rightRow * COMPLEX,
                left + leftStart + (long) i * leftRow * COMPLEX,
                next);
            next += piece;
          }
        }
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

    /** Device address of results from {@code index} on, from where they go to the host. */
    private long mirrored(long index, long count) {
      if (mirrorFirst >= 0 && (index < mirrorFirst || index + count > mirrorFirst + RESULTS)) {
        flush();
      }
      if (mirrorFirst < 0) {
        workspace.reset();
        mirror = workspace.reserve((long) RESULTS * COMPLEX);
        mirrorFirst = index;
      }
      return mirror + (index - mirrorFirst) * COMPLEX;
    }

    /** Launches what is collected and sends the results to the host. */
    void flush() {
      queue.flush();
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
            mirror + (from - mirrorFirst) * COMPLEX,
            (end - from) * COMPLEX,
            CopyDirection.DOWN,
            stream.put());
      }
      spans.clear();
      gathering.clear();
      mirrorFirst = -1;
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
    return ContractionLauncher.bytes(layout(element, extent).spins(), extent, extent);
  }

  /** Merges entries that follow each other in a row of the left and of the transposed right. */
  private static List<Run> runs(SpinTraceMapping mapping, ElementLayout left, ElementLayout right) {
    List<Run> runs = new ArrayList<>();
    for (int b = 0; b < mapping.size(); b++) {
      Run last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
      boolean joins =
          last != null
              && last.factor == mapping.factor(b)
              && last.leftSpin + last.length == mapping.left(b)
              && mapping.left(b) % left.columns() != 0
              && last.rightSpin + last.length * right.columns() == mapping.right(b);
      if (joins && last != null) {
        runs.set(
            runs.size() - 1, new Run(last.leftSpin, last.rightSpin, last.length + 1, last.factor));
      } else {
        runs.add(new Run(mapping.left(b), mapping.right(b), 1, mapping.factor(b)));
      }
    }
    return runs;
  }
}
