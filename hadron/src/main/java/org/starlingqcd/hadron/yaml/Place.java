package org.starlingqcd.hadron.yaml;

import org.jspecify.annotations.Nullable;

/**
 * A place in a YAML file, for messages.
 *
 * @param faults the exceptions of the file
 * @param line line number, from 1
 * @param part the part of the file that the line belongs to, such as an operator; may be empty
 */
public record Place(Faults faults, int line, String part) {
  /** Makes the exceptions about one file. */
  @FunctionalInterface
  public interface Faults {
    /** The exception whose message begins with file, line and part. */
    RuntimeException of(int line, String part, String message, @Nullable Throwable cause);
  }

  /** The beginning of a file. */
  public static Place start(Faults faults) {
    return new Place(faults, 1, "");
  }

  /** The same part at another line. */
  public Place at(int otherLine) {
    return new Place(faults, otherLine, part);
  }

  /** The same line in another part. */
  public Place in(String otherPart) {
    return new Place(faults, line, otherPart);
  }

  /** What is wrong here, in the form of {@link String#format}. */
  @SuppressWarnings("AnnotateFormatMethod")
  public RuntimeException error(String format, @Nullable Object... values) {
    return faults.of(line, part, format.formatted(values), null);
  }

  /** The message of another exception. */
  public RuntimeException error(RuntimeException cause) {
    return faults.of(line, part, String.valueOf(cause.getMessage()), cause);
  }
}
