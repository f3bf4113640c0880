package org.starlingqcd.hadron.execute;

/** A computation that failed although its input was valid; none of its results may be written. */
public class ContractionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with its whole message. */
  public ContractionException(String message) {
    super(message);
  }
}
