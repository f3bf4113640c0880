package org.starlingqcd.backend.gpu;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;

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
final class TraceLauncher {
  /** Complex results that wait on the device for one copy to the host. */
  private static final int RESULTS = 1 << 16;

  /** Length of the vector of ones. */
  static final int ONES = 1 << 14;

  private static final int COMPLEX = TensorShape.COMPLEX_BYTES;

  private final GpuDevice device;
  private final GpuLibrary library;
  private final StagingRing staging;
  private final Workspace workspace;
  private final long ones;

  /** Gathered or transposed elements in the workspace. */
  private record GatherKey(List<GpuMemory> elements, boolean transposed) {}

  /** Results on the device that are to go to the host, in complex numbers. */
  private record Span(long from, long count) {}

  /** Addresses of a tile: gathered lefts, transposed rights, pieces of the sums, results. */
  private record Tile(long left, long right, long partial, long target) {}

  /** A piece of the sum that is contiguous in left rows and transposed right rows. */
  private record Run(int leftSpin, int rightSpin, int length, double factor) {}

  TraceLauncher(
      GpuDevice device, GpuLibrary library, StagingRing staging, Workspace workspace, long ones) {
    this.device = device;
    this.library = library;
    this.staging = staging;
    this.workspace = workspace;
    this.ones = ones;
  }

  /** Launches all blocks; returns the number of launches of products, which tests look at. */
  int trace(List<TraceBlock> blocks, HostMemory results, GpuStream stream) {
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
    private final Map<GatherKey, Long> gathered = new HashMap<>();
    private final List<Span> spans = new ArrayList<>();
    private long mirror;
    private long mirrorFirst = -1;

    Call(HostMemory results, GpuStream stream) {
      this.results = results;
      this.stream = stream;
      this.queue = new LaunchQueue(library, stream, staging);
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
      return (rights + (lefts > 1 ? lefts : 0)) * element
          + Workspace.aligned(pieces * lefts * rights);
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
      long right = gather(new GatherKey(rights, true), extent);
      long left = right == 0 ? 0 : gather(new GatherKey(lefts, false), extent);
      long partial = left == 0 ? 0 : workspace.reserve(partialBytes);
      return partial == 0 ? null : new Tile(left, right, partial, target);
    }

    /** One product (rights × length) · (length × lefts) for each row of each run. */
    private void multiply(
        List<GpuMemory> lefts, List<GpuMemory> rights, int extent, List<Run> runs, Tile tile) {
      ElementLayout leftLayout = layout(lefts.get(0), extent);
      ElementLayout rightLayout = layout(rights.get(0), extent);
      int leftRow = leftLayout.leadingDimension(extent);
      int rightRow = rightLayout.rows() * extent;
      int leftNumbers = leftLayout.spins() * extent * extent;
      int rightNumbers = rightLayout.spins() * extent * extent;
      long piece = (long) lefts.size() * rights.size() * COMPLEX;
      long next = tile.partial;
      for (Run run : runs) {
        MatrixProduct product =
            new MatrixProduct(
                true,
                rights.size(),
                lefts.size(),
                run.length * extent,
                rightNumbers,
                leftNumbers,
                rights.size(),
                run.factor,
                0,
                0);
        long leftStart = tile.left + leftLayout.offset(run.leftSpin, extent, extent) * COMPLEX;
        int column = run.rightSpin % rightLayout.columns();
        int row = run.rightSpin / rightLayout.columns();
        long rightStart =
            tile.right + ((long) column * extent * rightRow + (long) row * extent) * COMPLEX;
        for (int i = 0; i < extent; i++) {
          queue.add(
              0,
              product,
              rightStart + (long) i * rightRow * COMPLEX,
              leftStart + (long) i * leftRow * COMPLEX,
              next);
          next += piece;
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

    private long gather(GatherKey key, int extent) {
      Long known = gathered.get(key);
      if (known != null) {
        return known;
      }
      GpuMemory first = key.elements.get(0);
      ElementLayout layout = layout(first, extent);
      long bytes = bytes(first, extent);
      if (!key.transposed && key.elements.size() == 1 && !first.isComposed()) {
        return first.address();
      }
      long target = workspace.reserve(bytes * key.elements.size());
      if (target == 0) {
        return 0;
      }
      for (int e = 0; e < key.elements.size(); e++) {
        GpuMemory element = key.elements.get(e);
        if (key.transposed) {
          transpose(element, layout, extent, target + e * bytes);
        } else {
          copy(element, layout, extent, target + e * bytes);
        }
      }
      gathered.put(key, target);
      return target;
    }

    private void copy(GpuMemory element, ElementLayout layout, int extent, long target) {
      ElementLayout own = element.layoutOr(layout);
      if (own.equals(layout) && !own.separate()) {
        library.copy(
            target, element.address(), bytes(element, extent), CopyDirection.WITHIN, stream.put());
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
        library.transpose(
            stream.putBlas(), height, width, element.address(), width, target, height);
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
      gathered.clear();
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
