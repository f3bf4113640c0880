package org.starlingqcd.correlators.definition;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;

/**
 * A definition that cannot be used. The message names the file, the line, the operator and what is
 * wrong.
 */
public final class DefinitionException extends InputException {
  private static final long serialVersionUID = 1;

  /** A finished message. */
  public DefinitionException(String message) {
    super(message);
  }

  /** Creates the exception with its whole message and its cause. */
  public DefinitionException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
