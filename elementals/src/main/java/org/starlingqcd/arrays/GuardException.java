package org.starlingqcd.arrays;

/** An array was written without its guard, so the device may have computed with old numbers. */
public final class GuardException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  GuardException(String message) {
    super(message);
  }
}
