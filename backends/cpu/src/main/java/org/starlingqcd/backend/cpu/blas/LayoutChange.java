package org.starlingqcd.backend.cpu.blas;

/** Converts single components between the host's interleaved layout and the device's. */
public final class LayoutChange {
  /** Numbers copied in one call; BLAS counts in 32 bits. */
  private static final int CHUNK = 1 << 20;

  private LayoutChange() {}

  /**
   * Splits a component into real and imaginary parts.
   *
   * @param host address of {@code size} interleaved complex numbers
   * @param device address of the component, {@code 2 * size} real numbers
   */
  public static void toDevice(Blas blas, long host, long device, long size, Tiling tiling) {
    change(blas, host, device, size, tiling, true);
  }

  /** The reverse of {@link #toDevice}. */
  public static void toHost(Blas blas, long device, long host, long size, Tiling tiling) {
    change(blas, host, device, size, tiling, false);
  }

  private static void change(
      Blas blas, long host, long device, long size, Tiling tiling, boolean toDevice) {
    long bytes = blas.bytes();
    if (!tiling.isTiled() || tiling.tiles() == 1) {
      for (long done = 0; done < size; done += CHUNK) {
        int count = (int) Math.min(CHUNK, size - done);
        run(blas, host + 2 * bytes * done, device + bytes * done, bytes * size, count, toDevice);
      }
      return;
    }
    int extent = tiling.extent();
    for (int row = 0; row < tiling.tiles(); row++) {
      for (int column = 0; column < tiling.tiles(); column++) {
        int width = tiling.size(column);
        long tile = device + bytes * tiling.offset(row, column);
        long corner =
            host
                + 2 * bytes * ((long) row * tiling.edge() * extent + (long) column * tiling.edge());
        for (int i = 0; i < tiling.size(row); i++) {
          run(
              blas,
              corner + 2 * bytes * i * extent,
              tile + bytes * i * width,
              bytes * size,
              width,
              toDevice);
        }
      }
    }
  }

  /** A run of numbers that are neighbours in both layouts. */
  private static void run(
      Blas blas, long host, long device, long imaginary, int count, boolean toDevice) {
    if (toDevice) {
      blas.copy(count, host, 2, device, 1);
      blas.copy(count, host + blas.bytes(), 2, device + imaginary, 1);
    } else {
      blas.copy(count, device, 1, host, 2);
      blas.copy(count, device + imaginary, 1, host + blas.bytes(), 2);
    }
  }
}
