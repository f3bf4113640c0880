package org.starlingqcd.backend.gpu.library;

/**
 * The direction of a copy; the codes are those of both {@code cudaMemcpyKind} and {@code
 * hipMemcpyKind}.
 */
public enum CopyDirection {
  /** Within host memory, where slow memory lies too. */
  HOST(0),
  /** Host to device. */
  UP(1),
  /** Device to host. */
  DOWN(2),
  /** Device to device. */
  WITHIN(3);

  private final int code;

  CopyDirection(int code) {
    this.code = code;
  }

  /** The direction between blocks of which each is on the host or on the device. */
  public static CopyDirection between(boolean fromHost, boolean toHost) {
    if (fromHost) {
      return toHost ? HOST : UP;
    }
    return toHost ? DOWN : WITHIN;
  }

  /** The value of {@code cudaMemcpyKind} and {@code hipMemcpyKind}. */
  public int code() {
    return code;
  }
}
