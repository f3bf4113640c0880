package org.starlingqcd.backend.gpu.launch;

import java.util.HashMap;
import java.util.Map;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.DiquarkContraction;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.gpu.ElementLayout;
import org.starlingqcd.backend.gpu.GpuDevice;
import org.starlingqcd.backend.gpu.GpuMemory;
import org.starlingqcd.backend.gpu.GpuStream;
import org.starlingqcd.backend.gpu.StagingRing;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.MatrixProduct;

/**
 * Contractions of baryons. With {@code A[q][i][k][n] = Σ_l sink[i][k][l] · second[q][l][n]} and
 * {@code W[p][j][k][n] = Σ_m first[p][k][m] · source[j][m][n]} a diquark block is one product of
 * the (16N × N²) matrix W with the transpose of the (16N × N²) matrix A, written into the block's
 * own layout, a single 16N × 16N matrix. Where W and A do not fit the scratch memory, the open
 * indices i and j are cut into slices.
 *
 * <p>Rows of four spins p are products of their own: those with q from the first of the four on are
 * all that a symmetric block needs (5/8 of the flops), and are the same products, to the bit, in a
 * whole block.
 */
public final class DiquarkLauncher {
  private static final int SPINS = DiquarkContraction.LINE_SPINS;
  private static final int ROWS_OF_SPINS = 4;
  private static final int COMPLEX = TensorShape.COMPLEX_BYTES;

  private final GpuDevice device;
  private final GpuLibrary library;
  private final StagingRing staging;
  private final ContractionLauncher contractions;
  private final Map<SpinSumMapping, BatchSpinMapping> sums = new HashMap<>();
  private long unit;
  private int unitExtent;

  public DiquarkLauncher(
      GpuDevice device, GpuLibrary library, StagingRing staging, ContractionLauncher contractions) {
    this.device = device;
    this.library = library;
    this.staging = staging;
    this.contractions = contractions;
  }

  /** Launches a contraction. */
  public void contract(DiquarkContraction contraction, GpuStream stream) {
    int n = contraction.extent();
    Operands operands = new Operands(contraction);
    LaunchQueue queue = new LaunchQueue(library, stream, staging);
    for (int i = 0; i < n; i += operands.rows) {
      int rowsA = Math.min(operands.rows, n - i);
      operands.sinkSide(queue, i, rowsA);
      for (int j = 0; j < n; j += operands.rows) {
        int rowsW = Math.min(operands.rows, n - j);
        operands.sourceSide(queue, j, rowsW);
        queue.flush();
        if (rowsA == n && rowsW == n) {
          operands.join(queue);
        } else {
          operands.joinSlices(queue, i, rowsA, j, rowsW);
        }
        queue.flush();
      }
    }
    operands.block.written(ElementLayout.square(SPINS * SPINS));
  }

  /** The operands of a contraction, checked, with the slices that the scratch memory allows. */
  private final class Operands {
    private final int n;
    private final boolean symmetric;
    private final GpuMemory sink;
    private final GpuMemory first;
    private final GpuMemory second;
    private final GpuMemory source;
    private final GpuMemory block;
    private final int rows;
    private final long a;
    private final long w;

    Operands(DiquarkContraction contraction) {
      n = contraction.extent();
      symmetric = contraction.symmetric();
      sink = device.own("sink", contraction.sink(), n, n, n);
      first = device.own("first", contraction.first(), SPINS, n, n);
      second = device.own("second", contraction.second(), SPINS, n, n);
      source = device.own("source", contraction.source(), n, n, n);
      block = device.own("destination", contraction.destination(), SPINS * SPINS, n, n);
      GpuMemory scratch = device.own("workspace", contraction.workspace(), 1, 1, 1);
      long row = ContractionLauncher.bytes(SPINS, n, n);
      rows = (int) Math.min(n, scratch.bytes() / (2 * row));
      if (block.isComposed() || sink.isComposed() || source.isComposed()) {
        throw new IllegalArgumentException("baryons and diquark blocks are not composed");
      }
      a = scratch.address();
      w = a + rows * row;
    }

    /** A for {@code count} values of i: 16 products (i k × l) · (l × n). */
    private void sinkSide(LaunchQueue queue, int i, int count) {
      ElementLayout layout = second.layoutOr(ElementLayout.square(SPINS));
      MatrixProduct product = product(false, n, count * n, n, layout.leadingDimension(n), n, n);
      long slice = sink.address() + (long) i * n * n * COMPLEX;
      for (int q = 0; q < SPINS; q++) {
        queue.add(
            0,
            product,
            second.address(q, layout, n, n),
            slice,
            a + (long) q * count * n * n * COMPLEX);
      }
    }

    /** W for {@code count} values of j: a product (k × m) · (m × n) for each p and j. */
    private void sourceSide(LaunchQueue queue, int j, int count) {
      ElementLayout layout = first.layoutOr(ElementLayout.square(SPINS));
      MatrixProduct product = product(false, n, n, n, n, layout.leadingDimension(n), n);
      long matrix = (long) n * n * COMPLEX;
      for (int p = 0; p < SPINS; p++) {
        for (int k = 0; k < count; k++) {
          queue.add(
              0,
              product,
              source.address() + (j + k) * matrix,
              first.address(p, layout, n, n),
              w + ((long) p * count + k) * matrix);
        }
      }
    }

    /** The whole of W · Aᵀ, four spins p at a time. */
    private void join(LaunchQueue queue) {
      for (int p = 0; p < SPINS; p += ROWS_OF_SPINS) {
        rowsOfSpins(queue, p, p, SPINS);
      }
      queue.flush();
      for (int p = ROWS_OF_SPINS; p < SPINS && !symmetric; p += ROWS_OF_SPINS) {
        rowsOfSpins(queue, p, 0, p);
      }
    }

    private void rowsOfSpins(LaunchQueue queue, int p, int from, int to) {
      long spin = (long) n * n * n * COMPLEX;
      queue.add(
          0,
          product(true, (to - from) * n, ROWS_OF_SPINS * n, n * n, n * n, n * n, SPINS * n),
          a + from * spin,
          w + p * spin,
          block.address(SPINS * p + from, ElementLayout.square(SPINS * SPINS), n, n));
    }

    /** A slice of every component: those with p ≤ q first, then the others. */
    private void joinSlices(LaunchQueue queue, int i, int rowsA, int j, int rowsW) {
      MatrixProduct product = product(true, rowsA, rowsW, n * n, n * n, n * n, SPINS * n);
      long corner = ((long) j * SPINS * n + i) * COMPLEX;
      long matrix = (long) n * n * COMPLEX;
      for (int half = 0; half < (symmetric ? 1 : 2); half++) {
        for (int p = 0; p < SPINS; p++) {
          for (int q = half == 0 ? p : 0; q < (half == 0 ? SPINS : p); q++) {
            queue.add(
                0,
                product,
                a + (long) q * rowsA * matrix,
                w + (long) p * rowsW * matrix,
                block.address(SPINS * p + q, ElementLayout.square(SPINS * SPINS), n, n) + corner);
          }
        }
        queue.flush();
      }
    }
  }

  private static MatrixProduct product(
      boolean transposed, int m, int n, int k, int lda, int ldb, int ldc) {
    return new MatrixProduct(transposed, m, n, k, lda, ldb, ldc, 1, 0, 0);
  }

  /** Launches a sum of components as a contraction of the block with a unit matrix. */
  public void sum(
      GpuMemory block, GpuMemory node, SpinSumMapping mapping, int extent, GpuStream stream) {
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(block, unit(extent, stream), node, sums.computeIfAbsent(mapping, this::contraction));
    contractions.contract(batch, stream);
  }

  private BatchSpinMapping contraction(SpinSumMapping mapping) {
    int[] source = new int[mapping.size()];
    int[] destination = new int[mapping.size()];
    double[] factors = new double[2 * mapping.size()];
    for (int k = 0; k < mapping.size(); k++) {
      source[k] = mapping.source(k);
      destination[k] = mapping.destination(k);
      factors[2 * k] = mapping.factorRe(k);
      factors[2 * k + 1] = mapping.factorIm(k);
    }
    return new BatchSpinMapping(
        mapping.components(), 1, SPINS, source, new int[mapping.size()], destination, factors);
  }

  /** A unit matrix on the device; made anew, with a wait, only when the extent changes. */
  GpuMemory unit(int extent, GpuStream stream) {
    long bytes = ContractionLauncher.bytes(1, extent, extent);
    if (unitExtent != extent) {
      close();
      unit = library.allocate(bytes);
      try (HostMemory host = device.allocateHost(bytes)) {
        host.clear();
        double[] one = {1};
        for (int i = 0; i < extent; i++) {
          host.put(2L * i * (extent + 1), one, 0, 1);
        }
        library.copy(unit, host.address(), bytes, CopyDirection.UP, stream.put());
        stream.synchronize();
      }
      unitExtent = extent;
    }
    GpuMemory memory = new GpuMemory(device, unit, bytes);
    memory.written(ElementLayout.packed(1));
    return memory;
  }

  /** Frees the unit matrix. */
  public void close() {
    if (unit != 0) {
      long address = unit;
      unit = 0;
      unitExtent = 0;
      library.free(address);
    }
  }
}
