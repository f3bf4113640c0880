package org.starlingqcd.backend.contract;

/** A device broke its contract. */
public final class ContractBreachException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with a message that says what is wrong, where, and what was expected. */
  public ContractBreachException(String message) {
    super(message);
  }
}
