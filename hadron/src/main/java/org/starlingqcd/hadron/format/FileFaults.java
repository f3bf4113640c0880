package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.text.Printable;

/** Messages about a file. Each begins with its path, and control characters are escaped. */
public class FileFaults {
  private final Path path;

  FileFaults(Path path) {
    this.path = path;
  }

  /** The file, or the one that stands for several. */
  public final Path path() {
    return path;
  }

  /** A message: a text, or a template for {@link String#formatted} with its values. */
  public final DistillationException fault(String what, @Nullable Object... values) {
    return new DistillationException(message(what, values));
  }

  /** The same with a cause. */
  final DistillationException fault(Exception cause, String what, @Nullable Object... values) {
    return new DistillationException(message(what, values), cause);
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private String message(String what, @Nullable Object... values) {
    return path + ": " + Printable.of(values.length == 0 ? what : what.formatted(values));
  }

  /** Throws a message unless a condition holds. */
  final void check(boolean sound, String what, @Nullable Object... values) {
    if (!sound) {
      throw fault(what, values);
    }
  }
}
