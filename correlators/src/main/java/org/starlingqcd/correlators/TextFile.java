package org.starlingqcd.correlators;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.starlingqcd.hadron.hdf5.PlainFile;
import org.starlingqcd.hadron.yaml.Fields;
import org.starlingqcd.hadron.yaml.Place;

/** Reads files of text that users write. */
public final class TextFile {
  private static final int MOST_OF_SETTINGS = 1 << 20;

  private TextFile() {}

  /**
   * The text of a file.
   *
   * @param most bytes that it may have
   * @throws CharacterCodingException when it is not UTF-8
   * @throws FileSystemException when it is a pipe, socket or device, or larger than {@code most};
   *     its reason follows "FILE: "
   * @throws IOException when it cannot be read
   */
  public static String read(Path file, int most) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(PlainFile.read(file, most));
    return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
  }

  /**
   * The text of a file with settings.
   *
   * @throws InputException naming the file and what is wrong with it
   */
  private static String readSettings(Path file) {
    try {
      return read(file, MOST_OF_SETTINGS);
    } catch (NoSuchFileException e) {
      throw new InputException(file + ": no such file", e);
    } catch (CharacterCodingException e) {
      throw new InputException(file + ": is not UTF-8 text", e);
    } catch (FileSystemException e) {
      throw new InputException(
          file + ": " + (e.getReason() == null ? "cannot be read: " + e : e.getReason()), e);
    } catch (IOException e) {
      throw new InputException(
          file + (Files.isDirectory(file) ? ": is a folder" : ": cannot be read: " + e), e);
    }
  }

  /**
   * The keys of a file with settings.
   *
   * @param what what it is, with an article
   * @throws InputException naming the file and what is wrong with it
   */
  public static Fields settings(Path file, String what) {
    return Fields.parse(
        readSettings(file),
        what,
        Place.start(
            (line, part, message, cause) ->
                new InputException(file + ":" + line + ": " + part + message, cause)));
  }
}
