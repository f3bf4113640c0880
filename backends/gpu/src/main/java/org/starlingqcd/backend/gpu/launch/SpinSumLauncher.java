package org.starlingqcd.backend.gpu.launch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.memory.ElementAccess;
import org.starlingqcd.backend.gpu.memory.ElementLayout;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.precision.Precision;

/** Sums of spin components of pair blocks, as contractions of the block with a unit matrix. */
public final class SpinSumLauncher {
  private static final int SPINS = PairContraction.LINE_SPINS;

  private final ElementAccess device;
  private final GpuLibrary library;
  private final ContractionLauncher contractions;
  private final Map<SpinSumMapping, BatchSpinMapping> sums = new HashMap<>();
  private long unit;
  private int unitExtent;

  public SpinSumLauncher(
      ElementAccess device, GpuLibrary library, ContractionLauncher contractions) {
    this.device = device;
    this.library = library;
    this.contractions = contractions;
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
