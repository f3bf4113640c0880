package org.starlingqcd.hadron.data;

import org.jspecify.annotations.Nullable;

/**
 * Distillation data that cannot be used: missing, damaged, of another format or in contradiction
 * with themselves. The message names the file or the configuration, the object, what was expected
 * and what would help.
 */
public class DistillationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with its whole message. */
  public DistillationException(String message) {
    super(message);
  }

  /** Creates the exception with a template of its message for {@link String#formatted}. */
  @SuppressWarnings("AnnotateFormatMethod")
  public static DistillationException of(String template, @Nullable Object... values) {
    return new DistillationException(template.formatted(values));
  }

  /** Creates the exception with its whole message and its cause. */
  public DistillationException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
