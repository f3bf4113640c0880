package org.starlingqcd.correlators;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Wrong usage or wrong input: something the user can put right. The message names the file, the
 * place, what was expected and what to do; the command line prints it alone and exits with status
 * 2.
 */
public class InputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with its whole message. */
  public InputException(String message) {
    super(message);
  }

  /** An exception whose message is a template of {@link String#format} with its values. */
  @SuppressWarnings("AnnotateFormatMethod")
  public static InputException of(String template, @Nullable Object... values) {
    return new InputException(String.format(Locale.US, template, values));
  }

  /** Creates the exception with its whole message and what caused it. */
  public InputException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
