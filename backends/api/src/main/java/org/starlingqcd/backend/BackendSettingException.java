package org.starlingqcd.backend;

/**
 * Something that the user set for a backend, in the environment say, is wrong. The message names
 * it, what was expected, what was found and what to do.
 */
public final class BackendSettingException extends BackendException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with its whole message. */
  public BackendSettingException(String message) {
    super(message);
  }

  /** Creates the exception with its whole message and what was thrown because of the setting. */
  public BackendSettingException(String message, Throwable cause) {
    super(message, cause);
  }
}
