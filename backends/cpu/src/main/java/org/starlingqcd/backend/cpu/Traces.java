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
 */
final class Traces {
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
    double[] sums = new double[0];

    Chunk(Block block, int entry) {
      this.block = block;
      this.entry = entry;
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
      chunks.add(new Chunk(added, 0));
      return;
    }
    for (int b = 0; b < added.mapping.size(); b++) {
      chunks.add(new Chunk(added, b));
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
    chunk.sums = new double[2 * block.lefts.length];
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
    long[] lefts = addresses(block.lefts, block.mapping.left(chunk.entry));
    long[] rights = addresses(block.rights, block.mapping.right(chunk.entry));
    chunk.sums = new TraceKernel(workspace, block.tiling, lefts, rights).sums();
  }

  private static long[] addresses(long[][] elements, int spin) {
    long[] addresses = new long[elements.length];
    for (int e = 0; e < addresses.length; e++) {
      addresses[e] = elements[e][spin];
    }
    return addresses;
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
