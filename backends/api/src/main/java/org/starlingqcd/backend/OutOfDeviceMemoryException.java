package org.starlingqcd.backend;

/** The device has no free block of the requested size. MemHC makes room and tries again. */
public final class OutOfDeviceMemoryException extends BackendException {
  private static final long serialVersionUID = 1L;

  private final long requestedBytes;

  /** Creates the exception for a request of {@code requestedBytes}. */
  public OutOfDeviceMemoryException(String message, long requestedBytes) {
    super(message);
    this.requestedBytes = requestedBytes;
  }

  /** The size of the requested block in bytes. */
  public long requestedBytes() {
    return requestedBytes;
  }
}
