package org.starlingqcd.backend.tck;

/** A device did something else than its contract says. */
public final class ContractBreachException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong, where, and what was expected. */
  public ContractBreachException(String message) {
    super(message);
  }
}
