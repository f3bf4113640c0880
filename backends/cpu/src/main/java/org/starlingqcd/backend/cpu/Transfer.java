package org.starlingqcd.backend.cpu;

import java.util.Arrays;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.blas.LayoutChange;
import org.starlingqcd.backend.cpu.blas.Tiling;

/**
 * Converts elements into the device's layout or back into the host's.
 *
 * @param spins addresses of the spin components on the device
 * @param size complex numbers of a spin component
 * @param tiling the device's layout
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record Transfer(long[] spins, long size, Tiling tiling, Precision precision) {
  /** Random numbers generated at a time. */
  private static final int CHUNK = 1 << 12;

  /** Creates a transfer to an element, which from then on has this layout. */
  static Transfer to(CpuMemory element, TensorShape shape, Tiling tiling) {
    Transfer transfer = of(element, shape, tiling);
    element.tiling(tiling);
    return transfer;
  }

  /**
   * Creates a transfer from an element in its present layout.
   *
   * @throws IllegalArgumentException when the element was written with another extent
   */
  static Transfer from(CpuMemory element, TensorShape shape) {
    Tiling tiling = element.tiling();
    Transfer transfer = of(element, shape, tiling);
    int extent = shape.rank() == 2 ? shape.extent() : 0;
    if (tiling.isTiled() && tiling.extent() != extent) {
      throw new IllegalArgumentException(
          "the element was written with another shape: extent=%s asked=%s"
              .formatted(tiling.extent(), extent));
    }
    return transfer;
  }

  private static Transfer of(CpuMemory element, TensorShape shape, Tiling tiling) {
    long size = shape.componentSize();
    return new Transfer(
        element.spinAddresses(shape.spins(), shape.precision().complexBytes() * size),
        size,
        tiling,
        shape.precision());
  }

  /**
   * Checks that an element lies within host memory.
   *
   * @throws IllegalArgumentException when it does not, or when {@code offset} is not a multiple of
   *     the bytes of a real number
   */
  static void checkRange(HostMemory host, long offset, TensorShape shape) {
    int bytes = shape.precision().realBytes();
    if (offset < 0 || offset % bytes != 0 || offset + shape.bytes() > host.bytes()) {
      throw new IllegalArgumentException(
          "must be a multiple of %s, >= 0 && <= %s: offset=%s"
              .formatted(bytes, host.bytes() - shape.bytes(), offset));
    }
  }

  /** Writes an element from one address in the host's layout to another in the device's. */
  static void arrange(long host, long device, TensorShape shape, Tiling tiling) {
    long size = shape.componentSize();
    long component = size * shape.precision().complexBytes();
    for (int s = 0; s < shape.spins(); s++) {
      LayoutChange.toDevice(
          new Blas(shape.precision()), host + s * component, device + s * component, size, tiling);
    }
  }

  /** Copies one spin component; {@code host} is the address of the first. */
  void upload(long host, int spin) {
    LayoutChange.toDevice(
        new Blas(precision),
        host + spin * size * precision.complexBytes(),
        spins[spin],
        size,
        tiling);
  }

  /** Copies to the host's address {@code host}. */
  void download(long host) {
    Blas calls = new Blas(precision);
    for (int s = 0; s < spins.length; s++) {
      LayoutChange.toHost(
          calls, spins[s], host + s * size * precision.complexBytes(), size, tiling);
    }
  }

  /** Fills the element with the random numbers of a seed. */
  void fillRandom(long seed) {
    Blas calls = new Blas(precision);
    double[] chunk = new double[(int) Math.min(2 * size, CHUNK)];
    try (HostMemory host = HostMemory.allocateForDevice(precision.complexBytes() * size)) {
      for (int s = 0; s < spins.length; s++) {
        for (long done = 0; done < 2 * size; done += chunk.length) {
          int count = (int) Math.min(chunk.length, 2 * size - done);
          RandomNumbers.fill(seed, 2 * size * s + done, chunk, count);
          if (precision == Precision.SINGLE) {
            // Rounding must not make a one of a number just below it.
            Arrays.setAll(chunk, k -> Math.min(chunk[k], Math.nextDown(1.0f)));
          }
          calls.put(chunk, 0, count, host.address() + precision.realBytes() * done);
        }
        LayoutChange.toDevice(calls, host.address(), spins[s], size, tiling);
      }
    }
  }
}
