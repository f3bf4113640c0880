package org.starlingqcd.backend.gpu.library;

/**
 * The direction of a copy; the codes are those of both {@code cudaMemcpyKind} and {@code
 * hipMemcpyKind}.
 */
public enum CopyDirection {
  /** Host to device. */
  UP(1),
  /** Device to host. */
  DOWN(2),
  /** Device to device. */
  WITHIN(3),
  /** As the addresses say: one of them is page-locked memory that kernels can use. */
  ANY(4);

  private final int code;

  CopyDirection(int code) {
    this.code = code;
  }

  /** The value of {@code cudaMemcpyKind} and {@code hipMemcpyKind}. */
  public int code() {
    return code;
  }
}
