package org.starlingqcd.backend;

/**
 * A failure of a device or of its libraries. The message names the call and its arguments and
 * quotes the library's error.
 */
public class BackendException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with a complete message. */
  public BackendException(String message) {
    super(message);
  }

  /** Creates the exception with a complete message and its cause. */
  public BackendException(String message, Throwable cause) {
    super(message, cause);
  }
}
