package org.starlingqcd.backend;

/**
 * A failure of a device or of its libraries; the message names the call, its arguments and the
 * library's own words.
 */
public class BackendException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with its whole message. */
  public BackendException(String message) {
    super(message);
  }

  /** Creates the exception with its whole message and what caused it. */
  public BackendException(String message, Throwable cause) {
    super(message, cause);
  }
}
