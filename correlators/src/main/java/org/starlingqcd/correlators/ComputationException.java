package org.starlingqcd.correlators;

/**
 * The computation failed for a reason that lies neither in its input nor in a defect of the
 * program: a full disk, numbers that are not finite. The message says what is kept and what to do;
 * the command line prints it alone and exits with status 1.
 */
public class ComputationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with its whole message. */
  public ComputationException(String message) {
    super(message);
  }

  /** Creates the exception with its whole message and what caused it. */
  public ComputationException(String message, Throwable cause) {
    super(message, cause);
  }
}
