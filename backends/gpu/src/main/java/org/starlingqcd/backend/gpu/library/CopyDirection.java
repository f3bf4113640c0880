package org.starlingqcd.backend.gpu.library;

/** From where to where a copy goes; the codes are those of both {@code cudaMemcpyKind} and HIP. */
public enum CopyDirection {
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

  /** The value of {@code cudaMemcpyKind} and {@code hipMemcpyKind}. */
  public int code() {
    return code;
  }
}
