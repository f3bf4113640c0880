package org.starlingqcd.backend;

/** The device has no block of the size asked for; MemHC answers by making room and trying again. */
public final class OutOfDeviceMemoryException extends BackendException {
  private static final long serialVersionUID = 1L;

  private final long requestedBytes;

  /** Creates the exception for a request of {@code requestedBytes}. */
  public OutOfDeviceMemoryException(String message, long requestedBytes) {
    super(message);
    this.requestedBytes = requestedBytes;
  }

  /** The size of the block that could not be had, in bytes. */
  public long requestedBytes() {
    return requestedBytes;
  }
}
