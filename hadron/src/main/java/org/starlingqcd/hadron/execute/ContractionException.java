package org.starlingqcd.hadron.execute;

/** A computation that went wrong though its input was sound; nothing of it must be written. */
public class ContractionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with its whole message. */
  public ContractionException(String message) {
    super(message);
  }
}
