package org.starlingqcd.backend.cpu.trace;

import static org.starlingqcd.backend.TensorShape.COMPLEX_BYTES;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.blas.ElementAccess;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.VectorLoops;
import org.starlingqcd.backend.cpu.blas.Workspace;

/**
 * The traces of one call, resolved to addresses. Blocks are cut into chunks by entries of the
 * mapping and by elements, and the sums of the chunks are added in the order of the mapping. The
 * sum of a pair and an entry has the same bits in every chunk, so the results depend neither on the
 * cuts nor on the number of threads.
 */
public final class Traces implements Runnable {
  /** Most lefts, and most rights, that are traced together. */
  private static final int MOST_ELEMENTS = 64;

  /**
   * Number of doubles below which no block is cut: a call and its first reads take a microsecond.
   */
  private static final long SMALLEST = 1 << 17;

  /** Most lefts, and most rights, whose numbers are copied to double precision together. */
  private static final int MOST_WIDENED = 8;

  /** Chunks for each thread: enough that threads slowed down by other processes do not matter. */
  private static final int CHUNKS_OF_A_THREAD = 16;

  private final Team team;
  private final HostMemory results;
  private final List<Block> blocks = new ArrayList<>();
  private final List<Chunk> chunks = new ArrayList<>();

  /** One block: addresses of the components, layout, mapping. */
  private static final class Block {
    final long[][] lefts;
    final long[][] rights;
    final SpinTraceMapping mapping;
    final Tiling tiling;
    final long resultIndex;
    final Precision precision;

    Block(TraceBlock block, Tiling tiling, ElementAccess device) {
      mapping = block.mapping();
      lefts = addresses(block.lefts(), mapping.leftSpins(), block.extent(), device);
      rights = addresses(block.rights(), mapping.rightSpins(), block.extent(), device);
      this.tiling = tiling;
      resultIndex = block.resultIndex();
      precision = device.precision();
    }

    int results() {
      return lefts.length * Math.max(1, rights.length);
    }

    /** Doubles that the block reads. */
    long numbersRead() {
      long elements = lefts.length + (long) rights.length;
      return 2L * elements * mapping.size() * tiling.extent() * tiling.extent();
    }

    /** Bytes from the real to the imaginary part of a component. */
    long imaginary() {
      return (long) precision.realBytes() * tiling.extent() * tiling.extent();
    }
  }

  /**
   * Some entries of a block's mapping for some of its pairs, with the real and imaginary part of
   * the sum for each entry and pair.
   */
  private static final class Chunk {
    final Block block;
    final int firstEntry;
    final int entries;
    final int firstLeft;
    final int lefts;
    final int firstRight;
    final int rights;
    double[] sums = new double[0];

    /** Ranges of entries, lefts and rights, each by its start and its end. */
    Chunk(Block block, int entry, int entryEnd, int left, int leftEnd, int right, int rightEnd) {
      this.block = block;
      firstEntry = entry;
      entries = entryEnd - entry;
      firstLeft = left;
      lefts = leftEnd - left;
      firstRight = right;
      rights = rightEnd - right;
    }
  }

  /**
   * The traces of some blocks. The number of threads decides only the size of the chunks; the bits
   * of the results depend on neither.
   *
   * @param vectorLoops whether {@link VectorLoops} are called
   */
  public Traces(
      List<TraceBlock> blocks, HostMemory results, ElementAccess device, boolean vectorLoops) {
    team = device.team();
    this.results = results;
    blocks.forEach(block -> add(block, device));
    cut(vectorLoops);
  }

  /**
   * Adds a block after checking that its elements have the same layout and that its results fit.
   */
  private void add(TraceBlock block, ElementAccess device) {
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
          "elements were written with another shape: extent=%s asked=%s"
              .formatted(tiling.extent(), extent));
    }
    Block added = new Block(block, tiling.of(extent), device);
    long bytes = COMPLEX_BYTES * (block.resultIndex() + added.results());
    if (block.resultIndex() < 0 || bytes > results.bytes()) {
      throw new IllegalArgumentException(
          "results do not fit: resultIndex=%s results=%s bytes=%s"
              .formatted(block.resultIndex(), added.results(), results.bytes()));
    }
    blocks.add(added);
  }

  /** Addresses of the spin components that the mapping uses. */
  private static long[][] addresses(
      List<DeviceMemory> elements, int named, int extent, ElementAccess device) {
    long componentBytes = (long) device.precision().complexBytes() * extent * extent;
    return elements.stream()
        .map(device::own)
        .map(element -> element.leadingSpinAddresses(named, componentBytes))
        .toArray(long[][]::new);
  }

  /** Cuts the blocks into chunks. */
  private void cut(boolean vectorLoops) {
    long numbers = 0;
    for (Block block : blocks) {
      numbers += block.numbersRead();
    }
    long most = Math.max(SMALLEST, numbers / ((long) CHUNKS_OF_A_THREAD * team.size()));
    for (Block block : blocks) {
      if (block.rights.length == 0) {
        chunks.add(new Chunk(block, 0, block.mapping.size(), 0, block.lefts.length, 0, 0));
        continue;
      }
      int entries = block.mapping.size();
      int parts = (int) Math.min(entries, (block.numbersRead() + most - 1) / most);
      boolean copied = block.precision == Precision.SINGLE && !vectorLoops;
      int together = copied ? MOST_WIDENED : MOST_ELEMENTS;
      int[] entryEnds = ends(entries, parts);
      int[] leftEnds = ends(block.lefts.length, (block.lefts.length + together - 1) / together);
      int[] rightEnds = ends(block.rights.length, (block.rights.length + together - 1) / together);
      for (int e = 1; e < entryEnds.length; e++) {
        for (int l = 1; l < leftEnds.length; l++) {
          for (int r = 1; r < rightEnds.length; r++) {
            chunks.add(
                new Chunk(
                    block,
                    entryEnds[e - 1],
                    entryEnds[e],
                    leftEnds[l - 1],
                    leftEnds[l],
                    rightEnds[r - 1],
                    rightEnds[r]));
          }
        }
      }
    }
  }

  /** Where parts of about the same length end, after 0. */
  private static int[] ends(int count, int parts) {
    return IntStream.rangeClosed(0, parts).map(part -> part * count / parts).toArray();
  }

  @Override
  public void run() {
    team.run(chunks.size(), this::run);
    finish();
  }

  private void run(int part, Workspace workspace) {
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
          long corner = re + blas.bytes() * tiling.offset(t, t);
          long to = scratch + (long) blas.bytes() * t * tiling.edge();
          blas.copy(size, corner, size + 1, to, 1);
          blas.copy(size, corner + block.imaginary(), size + 1, to + (long) blas.bytes() * n, 1);
        }
        blas.get(scratch, numbers, 0, 2 * n);
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
    int perEntry = 2 * chunk.lefts * chunk.rights;
    chunk.sums = new double[chunk.entries * perEntry];
    if (workspace.blas().hasVectorLoops()) {
      int elements = chunk.lefts + chunk.rights;
      long[] addresses = new long[chunk.entries * elements];
      for (int e = 0; e < chunk.entries; e++) {
        lefts(chunk, e, addresses, e * elements);
        rights(chunk, e, addresses, e * elements + chunk.lefts);
      }
      long extent = block.tiling.extent();
      long edge = block.tiling.edge();
      long scratch = workspace.scratch(VectorLoops.traceScratch(edge, chunk.lefts, chunk.rights));
      VectorLoops.traceSums(
          block.precision.realBytes(),
          extent,
          edge,
          chunk.lefts,
          chunk.rights,
          chunk.entries,
          addresses,
          scratch,
          chunk.sums);
      return;
    }
    for (int e = 0; e < chunk.entries; e++) {
      long[] lefts = new long[chunk.lefts];
      long[] rights = new long[chunk.rights];
      lefts(chunk, e, lefts, 0);
      rights(chunk, e, rights, 0);
      if (block.precision == Precision.SINGLE) {
        widen(lefts, rights, block.tiling, workspace);
      }
      new TraceKernel(workspace, block.tiling, lefts, rights).sums(chunk.sums, e * perEntry);
    }
  }

  /** Copies components to double precision and replaces their addresses. */
  private static void widen(long[] lefts, long[] rights, Tiling tiling, Workspace workspace) {
    int square = tiling.extent() * tiling.extent();
    double[] numbers = workspace.numbers(2 * square);
    long next = workspace.widened(2L * square * (lefts.length + rights.length));
    for (long[] components : new long[][] {lefts, rights}) {
      for (int k = 0; k < components.length; k++) {
        workspace.blas().get(components[k], numbers, 0, 2 * square);
        workspace.doubles().put(numbers, 0, 2 * square, next);
        components[k] = next;
        next += 2L * Double.BYTES * square;
      }
    }
  }

  /** Addresses of the lefts' components of an entry. */
  private static void lefts(Chunk chunk, int entry, long[] to, int at) {
    int spin = chunk.block.mapping.left(chunk.firstEntry + entry);
    for (int l = 0; l < chunk.lefts; l++) {
      to[at + l] = chunk.block.lefts[chunk.firstLeft + l][spin];
    }
  }

  private static void rights(Chunk chunk, int entry, long[] to, int at) {
    int spin = chunk.block.mapping.right(chunk.firstEntry + entry);
    for (int r = 0; r < chunk.rights; r++) {
      to[at + r] = chunk.block.rights[chunk.firstRight + r][spin];
    }
  }

  /** Adds up the chunks in the order of the mapping and writes the results. */
  private void finish() {
    int next = 0;
    for (Block block : blocks) {
      double[] sums = new double[2 * block.results()];
      for (; next < chunks.size() && chunks.get(next).block == block; next++) {
        add(chunks.get(next), sums);
      }
      results.put(2 * block.resultIndex, sums, 0, sums.length);
    }
  }

  private static void add(Chunk chunk, double[] results) {
    Block block = chunk.block;
    if (block.rights.length == 0) {
      System.arraycopy(chunk.sums, 0, results, 0, results.length);
      return;
    }
    int k = 0;
    for (int e = 0; e < chunk.entries; e++) {
      double factor = block.mapping.factor(chunk.firstEntry + e);
      for (int l = 0; l < chunk.lefts; l++) {
        int to = 2 * ((chunk.firstLeft + l) * block.rights.length + chunk.firstRight);
        for (int r = 0; r < 2 * chunk.rights; r++) {
          results[to + r] += factor * chunk.sums[k++];
        }
      }
    }
  }
}
