package org.starlingqcd.backend;

/**
 * A setting of a backend is wrong, for example an environment variable. The message names the
 * setting, says what was expected and what was found, and tells the user what to do.
 */
public final class BackendSettingException extends BackendException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with a complete message. */
  public BackendSettingException(String message) {
    super(message);
  }

  /** Creates the exception with a complete message and its cause. */
  public BackendSettingException(String message, Throwable cause) {
    super(message, cause);
  }
}
