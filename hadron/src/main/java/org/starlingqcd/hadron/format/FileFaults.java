package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.hdf5.PlainFile;
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
  public final void check(boolean sound, String what, @Nullable Object... values) {
    if (!sound) {
      throw fault(what, values);
    }
  }

  /** Throws a message about damage unless a condition holds. */
  final void checkSound(boolean sound, String what, @Nullable Object... values) {
    check(sound, "is damaged: " + what, values);
  }

  /**
   * A text in UTF-8 that a user wrote.
   *
   * @param longest bytes that it may have
   * @param what it should be, as {@code mapping file}
   */
  static String text(Path path, int longest, String what) {
    FileFaults faults = new FileFaults(path);
    try {
      ByteBuffer bytes = ByteBuffer.wrap(PlainFile.read(path, longest));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw faults.fault(e, "is no %s: it is not text in UTF-8", what);
    } catch (IOException e) {
      String why = e instanceof NoSuchFileException ? "no such file" : PlainFile.reason(e);
      throw faults.fault(e, "the %s cannot be read: %s", what, why);
    }
  }
}
