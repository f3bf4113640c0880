package org.starlingqcd.hadron.conversion;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.PlainFile;

/**
 * An HDF5 file that is written over several attempts: {@code FILE.part} until it is complete, and
 * beside it {@code FILE.part.done}, a list of the parts that are on disk. In a folder that others
 * write to, links and special files may stand in the places of both: neither is followed, opened or
 * continued.
 */
public final class PartialFile {
  private final Path target;
  private final Path partial;
  private final Path done;

  /** What was opened: a file, and the parts of it that an earlier attempt has finished. */
  public record Earlier(Hdf5File file, List<String> parts) {}

  /**
   * Writes a file in one attempt. It has checksums and appears under its name when it is complete;
   * nothing is left of one that cannot be written.
   *
   * @param content writes what is in it
   * @throws DistillationException when it cannot be written
   */
  public static void write(Path target, Consumer<Hdf5File> content) {
    PartialFile made = new PartialFile(target);
    try {
      PlainFile.check(target);
      Files.createDirectories(target.toAbsolutePath().resolveSibling(""));
      try {
        try (Hdf5File file = made.create()) {
          content.accept(file);
        }
        made.complete();
      } finally {
        Files.deleteIfExists(made.partial);
      }
    } catch (IOException | Hdf5Exception e) {
      throw new DistillationException(target + ": cannot be written: " + PlainFile.reason(e), e);
    }
  }

  /** For a file that does not exist yet. */
  public PartialFile(Path target) {
    this.target = target;
    partial = target.resolveSibling(target.getFileName() + ".part");
    done = target.resolveSibling(target.getFileName() + ".part.done");
  }

  /**
   * Opens what an earlier attempt has left.
   *
   * @param identity one line that says what is written; an attempt with another one is not
   *     continued
   */
  public Optional<Earlier> earlier(String identity) throws IOException {
    if (Files.isRegularFile(partial, LinkOption.NOFOLLOW_LINKS)
        && Files.isRegularFile(done, LinkOption.NOFOLLOW_LINKS)) {
      List<String> lines = Files.readAllLines(done);
      if (!lines.isEmpty() && lines.get(0).equals(identity)) {
        try {
          List<String> parts = new ArrayList<>(lines.subList(1, lines.size()));
          Hdf5File file = Hdf5File.openForUpdate(partial);
          file.writeChecksums();
          return Optional.of(new Earlier(file, parts));
        } catch (Hdf5Exception e) {
          // It was stopped while it was created; it is written anew.
        }
      }
    }
    return Optional.empty();
  }

  /** Begins the file anew. */
  public Hdf5File create() throws IOException {
    Files.deleteIfExists(done);
    Hdf5File file = Hdf5File.create(partial);
    file.writeChecksums();
    return file;
  }

  /** Begins the list of parts, once the file has all that is written before them. */
  public void begin(String identity) throws IOException {
    write(identity, StandardOpenOption.CREATE_NEW);
  }

  /** Notes a part that is on disk. */
  public void finish(String part) throws IOException {
    write(part, StandardOpenOption.APPEND);
  }

  private void write(String line, StandardOpenOption how) throws IOException {
    Files.write(
        done,
        List.of(line),
        StandardCharsets.UTF_8,
        StandardOpenOption.WRITE,
        how,
        LinkOption.NOFOLLOW_LINKS);
  }

  /** Gives the file, which is closed, its name. */
  public void complete() throws IOException {
    PlainFile.replace(partial, target);
    Files.deleteIfExists(done);
  }
}
