package org.starlingqcd.correlators.definition;

/** An operator vanishes: its seed has no component in the irrep, or all of its terms cancel. */
public final class VanishingOperatorException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  VanishingOperatorException(String message) {
    super(message);
  }
}
