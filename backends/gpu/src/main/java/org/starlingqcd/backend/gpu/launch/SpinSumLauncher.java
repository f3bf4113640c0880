package org.starlingqcd.backend.gpu.launch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.Kernel;
import org.starlingqcd.backend.gpu.memory.ElementAccess;
import org.starlingqcd.backend.gpu.memory.ElementLayout;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.gpu.memory.StagingRing;

/**
 * Sums of spin components of pair blocks or nodes, by a kernel of our own where the library has it:
 * every number of a result is the sum of its terms in the order of the mapping, whatever the
 * extent. Elsewhere a sum is a contraction of the block with a unit matrix.
 */
public final class SpinSumLauncher {
  private static final int SPINS = PairContraction.LINE_SPINS;

  /** Rows of a component that a block of threads writes. */
  private static final int ROWS_OF_SUM = 8;

  /** Numbers of the tables of {@code starling_kernels.h}. */
  private static final int LONGS_OF_A_SUM = 2 * SPINS + 3;

  private static final int LONGS_OF_A_TERM = 3;
  private static final int MOST_LONGS = (int) (GpuStream.POINTER_BYTES / Long.BYTES);

  private final ElementAccess device;
  private final GpuLibrary library;
  private final ContractionLauncher contractions;
  private final @Nullable StagingRing staging;
  private final Map<SpinSumMapping, BatchSpinMapping> sums = new HashMap<>();
  private long unit;
  private int unitExtent;

  /**
   * Creates the launcher of a device.
   *
   * @param tables where the kernel's tables are written; null where there is no kernel
   */
  public SpinSumLauncher(
      ElementAccess device,
      GpuLibrary library,
      @Nullable StagingRing tables,
      ContractionLauncher contractions) {
    this.device = device;
    this.library = library;
    staging = tables;
    this.contractions = contractions;
  }

  /** Launches a sum of components. */
  public void sum(
      GpuMemory block, GpuMemory node, SpinSumMapping mapping, int extent, GpuStream stream) {
    if (staging != null && LONGS_OF_A_SUM + LONGS_OF_A_TERM * mapping.size() <= MOST_LONGS) {
      sumByKernel(block, node, mapping, extent, stream, staging);
      return;
    }
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(block, unit(extent, stream), node, sums.computeIfAbsent(mapping, this::contraction));
    contractions.contract(batch, stream);
  }

  private void sumByKernel(
      GpuMemory block,
      GpuMemory node,
      SpinSumMapping mapping,
      int extent,
      GpuStream stream,
      StagingRing tables) {
    GpuMemory from = device.use("block", block, mapping.components(), extent, extent, stream);
    GpuMemory to = device.use("node", node, SPINS, extent, extent, stream);
    ElementLayout source = from.layoutOr(ElementLayout.square(mapping.components()));
    ElementLayout usual = ElementLayout.square(SPINS);
    ElementLayout target = to.isComposed() ? to.layoutOr(usual) : usual;
    long[] longs = new long[LONGS_OF_A_SUM + LONGS_OF_A_TERM * mapping.size()];
    longs[SPINS] = target.leadingDimension(extent);
    longs[SPINS + 1] = source.leadingDimension(extent);
    int end = LONGS_OF_A_SUM;
    for (int spin = 0; spin < SPINS; spin++) {
      longs[spin] = to.address(spin, target, extent, extent);
      for (int k = 0; k < mapping.size(); k++) {
        if (mapping.destination(k) == spin) {
          longs[end++] = from.address(mapping.source(k), source, extent, extent);
          longs[end++] = Double.doubleToRawLongBits(mapping.factorRe(k));
          longs[end++] = Double.doubleToRawLongBits(mapping.factorIm(k));
        }
      }
      longs[SPINS + 3 + spin] = (long) (end - LONGS_OF_A_SUM) / LONGS_OF_A_TERM;
    }
    long at = stream.pointers();
    StagingRing.Part buffer = tables.next((long) longs.length * Long.BYTES, stream);
    buffer.put(0, longs, longs.length);
    library.copy(
        at, buffer.address(), (long) longs.length * Long.BYTES, CopyDirection.UP, stream.put());
    int strips = (extent + ROWS_OF_SUM - 1) / ROWS_OF_SUM;
    library.launch(
        device.precision() == Precision.SINGLE ? Kernel.SPIN_SUMS_SINGLE : Kernel.SPIN_SUMS,
        SPINS * strips,
        stream.put(),
        at,
        at + (long) LONGS_OF_A_SUM * Long.BYTES,
        extent);
    to.written(target);
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

  /**
   * A unit matrix on the device. It is created again, with a wait, only when the extent changes.
   */
  GpuMemory unit(int extent, GpuStream stream) {
    long bytes = ContractionLauncher.bytes(1, extent, extent, device.precision());
    if (unitExtent != extent) {
      close();
      unit = library.allocate(bytes);
      try (HostMemory host = device.allocateHost(bytes)) {
        host.clear();
        int complex = device.precision().complexBytes();
        for (int i = 0; i < extent; i++) {
          ByteBuffer number =
              host.bytes((long) complex * i * (extent + 1), complex).order(ByteOrder.nativeOrder());
          if (device.precision() == Precision.SINGLE) {
            number.putFloat(1);
          } else {
            number.putDouble(1);
          }
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
