package org.starlingqcd.backend.cpu;

import static org.starlingqcd.backend.TensorShape.COMPLEX_BYTES;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TraceBlock;

/**
 * Traces of one call, resolved to addresses. The sum of a block is cut into chunks that do not
 * depend on the number of threads and are added in order, so the results do not depend on it
 * either.
 *
 * <p>A chunk takes a few columns of a tile of every right element, transposes them, and multiplies
 * (lefts × numbers) by (numbers × rights) as one real product of twice the size in both directions:
 * each right is transposed once for all lefts.
 */
final class Traces {
  /** Doubles that the packed pieces of a chunk may take: half of a second-level cache. */
  private static final int PACKED = 1 << 16;

  private final List<Block> blocks = new ArrayList<>();
  private final List<Chunk> chunks = new ArrayList<>();

  /** One block: addresses of the components, layout, mapping. */
  private static final class Block {
    final long[][] lefts;
    final long[][] rights;
    final SpinTraceMapping mapping;
    final Tiling tiling;
    final long resultIndex;

    Block(
        long[][] lefts,
        long[][] rights,
        SpinTraceMapping mapping,
        Tiling tiling,
        long resultIndex) {
      this.lefts = lefts;
      this.rights = rights;
      this.mapping = mapping;
      this.tiling = tiling;
      this.resultIndex = resultIndex;
    }

    int results() {
      return lefts.length * Math.max(1, rights.length);
    }

    /** Bytes from the real to the imaginary part of a component. */
    long imaginary() {
      return (long) Double.BYTES * tiling.extent() * tiling.extent();
    }
  }

  /** One entry of a block's mapping, and its sums of all four kinds of real products. */
  private static final class Chunk {
    final Block block;
    final int entry;
    final double[] sums;

    Chunk(Block block, int entry, int sums) {
      this.block = block;
      this.entry = entry;
      this.sums = new double[sums];
    }
  }

  /** Adds a block, checking that its elements lie alike and that its results have room. */
  void add(TraceBlock block, HostMemory results, CpuDevice device) {
    List<CpuMemory> elements =
        Stream.concat(block.lefts().stream(), block.rights().stream()).map(device::own).toList();
    int extent = block.extent();
    Tiling tiling = elements.isEmpty() ? Tiling.PLAIN : elements.get(0).tiling();
    for (CpuMemory element : elements) {
      if (!element.tiling().sameNumbers(tiling)) {
        throw new IllegalArgumentException(
            "elements of a trace differ in layout: " + tiling + " and " + element.tiling());
      }
    }
    if (tiling.isTiled() && tiling.extent() != extent) {
      throw new IllegalArgumentException(
          "elements were written with another shape: extent="
              + tiling.extent()
              + " asked="
              + extent);
    }
    SpinTraceMapping mapping = block.mapping();
    Block added =
        new Block(
            addresses(block.lefts(), mapping::left, mapping.size(), extent, device),
            addresses(block.rights(), mapping::right, mapping.size(), extent, device),
            mapping,
            tiling.isTiled() ? tiling : new Tiling(extent, extent),
            block.resultIndex());
    long bytes = COMPLEX_BYTES * (block.resultIndex() + added.results());
    if (block.resultIndex() < 0 || bytes > results.bytes()) {
      throw new IllegalArgumentException(
          "results do not fit: resultIndex="
              + block.resultIndex()
              + " results="
              + added.results()
              + " bytes="
              + results.bytes());
    }
    addChunks(added);
  }

  /** Addresses of as many spin components as the mapping names. */
  private static long[][] addresses(
      List<DeviceMemory> elements,
      IntUnaryOperator spin,
      int entries,
      int extent,
      CpuDevice device) {
    long componentBytes = (long) COMPLEX_BYTES * extent * extent;
    int named = IntStream.range(0, entries).map(spin).max().orElse(0) + 1;
    return elements.stream()
        .map(device::own)
        .map(element -> element.leadingSpinAddresses(named, componentBytes))
        .toArray(long[][]::new);
  }

  private void addChunks(Block added) {
    blocks.add(added);
    if (added.rights.length == 0) {
      chunks.add(new Chunk(added, 0, 2 * added.lefts.length));
      return;
    }
    for (int b = 0; b < added.mapping.size(); b++) {
      chunks.add(new Chunk(added, b, 4 * added.lefts.length * added.rights.length));
    }
  }

  /** Number of parts that can run in parallel. */
  int parts() {
    return chunks.size();
  }

  /** Runs one part. */
  void run(int part, Workspace workspace) {
    Chunk chunk = chunks.get(part);
    if (chunk.block.rights.length == 0) {
      diagonal(chunk, workspace);
    } else {
      pairs(chunk, workspace);
    }
  }

  private static void diagonal(Chunk chunk, Workspace workspace) {
    Block block = chunk.block;
    Tiling tiling = block.tiling;
    Blas blas = workspace.blas();
    int n = tiling.extent();
    long scratch = workspace.scratch(2L * n);
    double[] numbers = workspace.numbers(2 * n);
    for (int l = 0; l < block.lefts.length; l++) {
      for (int b = 0; b < block.mapping.size(); b++) {
        long re = block.lefts[l][block.mapping.left(b)];
        for (int t = 0; t < tiling.tiles(); t++) {
          int size = tiling.size(t);
          long corner = re + 8 * tiling.offset(t, t);
          long to = scratch + 8L * t * tiling.edge();
          blas.copy(size, corner, size + 1, to, 1);
          blas.copy(size, corner + block.imaginary(), size + 1, to + 8L * n, 1);
        }
        blas.get(scratch, numbers, 2 * n);
        double sumRe = 0;
        double sumIm = 0;
        for (int i = 0; i < n; i++) {
          sumRe += numbers[i];
          sumIm += numbers[n + i];
        }
        chunk.sums[2 * l] += block.mapping.factor(b) * sumRe;
        chunk.sums[2 * l + 1] += block.mapping.factor(b) * sumIm;
      }
    }
  }

  private static void pairs(Chunk chunk, Workspace workspace) {
    Block block = chunk.block;
    Tiling tiling = block.tiling;
    Blas blas = workspace.blas();
    int lefts = block.lefts.length;
    int rights = block.rights.length;
    int leftSpin = block.mapping.left(chunk.entry);
    int rightSpin = block.mapping.right(chunk.entry);
    int edge = tiling.edge();
    int rowsAtOnce = Math.max(1, Math.min(edge, PACKED / (2 * (lefts + rights) * edge)));
    long packed = (long) rowsAtOnce * edge;
    long sums = workspace.scratch(packed * 2 * (lefts + rights) + 4L * lefts * rights);
    long packedLeft = sums + 8L * 4 * lefts * rights;
    long packedRight = packedLeft + 8 * packed * 2 * lefts;
    blas.put(chunk.sums, chunk.sums.length, sums);
    long imaginary = block.imaginary();
    for (int row = 0; row < tiling.tiles(); row++) {
      for (int column = 0; column < tiling.tiles(); column++) {
        int width = tiling.size(column);
        int height = tiling.size(row);
        for (int i = 0; i < height; i += rowsAtOnce) {
          int rows = Math.min(rowsAtOnce, height - i);
          int count = rows * width;
          long leftAt = 8 * (tiling.offset(row, column) + (long) i * width);
          for (int l = 0; l < lefts; l++) {
            long from = block.lefts[l][leftSpin] + leftAt;
            blas.copy(count, from, 1, packedLeft + 8L * 2 * l * count, 1);
            blas.copy(count, from + imaginary, 1, packedLeft + 8L * (2 * l + 1) * count, 1);
          }
          long rightAt = 8 * (tiling.offset(column, row) + i);
          for (int r = 0; r < rights; r++) {
            long from = block.rights[r][rightSpin] + rightAt;
            long to = packedRight + 8L * 2 * r * count;
            for (int k = 0; k < rows; k++) {
              blas.copy(width, from + 8L * k, height, to + 8L * k * width, 1);
              blas.copy(width, from + imaginary + 8L * k, height, to + 8L * (count + k * width), 1);
            }
          }
          blas.addTimesTransposed(
              2 * lefts,
              2 * rights,
              count,
              packedLeft,
              count,
              packedRight,
              count,
              sums,
              2 * rights);
        }
      }
    }
    blas.get(sums, chunk.sums, chunk.sums.length);
  }

  /** Adds up the chunks in order and writes the results. */
  void finish(HostMemory target) {
    int next = 0;
    for (Block block : blocks) {
      double[] results = new double[2 * block.results()];
      if (block.rights.length == 0) {
        double[] sums = chunks.get(next++).sums;
        target.put(2 * block.resultIndex, sums, 0, sums.length);
        continue;
      }
      int rights = block.rights.length;
      for (int b = 0; b < block.mapping.size(); b++) {
        double factor = block.mapping.factor(b);
        double[] sums = chunks.get(next++).sums;
        for (int l = 0; l < block.lefts.length; l++) {
          for (int r = 0; r < rights; r++) {
            int reRe = 2 * l * 2 * rights + 2 * r;
            int imRe = reRe + 2 * rights;
            int to = 2 * (l * rights + r);
            results[to] += factor * (sums[reRe] - sums[imRe + 1]);
            results[to + 1] += factor * (sums[reRe + 1] + sums[imRe]);
          }
        }
      }
      target.put(2 * block.resultIndex, results, 0, results.length);
    }
  }
}
