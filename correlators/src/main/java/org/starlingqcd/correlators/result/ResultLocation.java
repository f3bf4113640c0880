package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.PlainFile;

/**
 * The files of a result: the result itself, its journals and locks, and the messages about them.
 *
 * @param base the file's name without {@code .h5}
 */
record ResultLocation(Path file, Path folder, String base) {
  private static final String SUFFIX = ".h5";

  /** Creates the folder. */
  void prepareFolder() {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new InputException(
          "results cannot be written to %s: %s (--out takes another folder)"
              .formatted(folder, PlainFile.reason(e)),
          e);
    }
    if (!Files.isWritable(folder)) {
      throw InputException.of(
          "results cannot be written to %s: no permission (--out takes another folder)", folder);
    }
  }

  /** The location of a result; refuses paths that cannot be a result file, and writes nothing. */
  static ResultLocation at(Path path) {
    Path file = path.toAbsolutePath().normalize();
    @Nullable Path folder = file.getParent();
    String name = String.valueOf(file.getFileName());
    if (folder == null || !name.endsWith(SUFFIX)) {
      throw new IllegalArgumentException("must end in .h5: file=" + path);
    }
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new InputException(
          folder + ": is a file; results need a folder (--out takes another one)");
    }
    if (Files.isDirectory(file)) {
      throw new InputException(
          file + ": is a folder where the result file has to be; move it away");
    }
    return new ResultLocation(file, folder, name.substring(0, name.length() - SUFFIX.length()));
  }

  Path journals() {
    return folder.resolve(base + ".journal");
  }

  Path claims() {
    return journals().resolve("claims");
  }

  /** A file of the folder that stays: whoever opens or closes a result locks it. */
  Path gate() {
    return folder.resolve(".starling.lock");
  }

  /**
   * A result that has no unit yet. With its first unit it replaces {@link #file}, which stays as it
   * is until then.
   */
  Path unbegun() {
    return journals().resolve("unbegun.h5");
  }

  /** A result whose definition has grown since, until all of its units have been completed. */
  Path earlier() {
    return journals().resolve("earlier.h5");
  }

  /** The result as the processes that compute it see it: one without a unit, or the file. */
  Path current() {
    return Files.exists(unbegun()) ? unbegun() : file;
  }

  Path temporary() {
    return folder.resolve("." + base + ".h5.tmp");
  }

  /** Makes the folder of journals; refuses a link, which may lead anywhere. */
  void makeJournals() throws IOException {
    try {
      Files.createDirectory(journals());
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(journals(), LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(
            journals() + " is a link or a file, expected a folder for journals; remove it", e);
      }
    }
  }

  /** Writes the contents of a new file. */
  interface Content {
    void write(Hdf5File file) throws IOException;
  }

  /**
   * Writes a new file, flushes it and renames it to {@code target}. An existing target is unchanged
   * if this fails.
   */
  void replace(Path target, Content content) throws IOException {
    Path temporary = temporary();
    try {
      try (Hdf5File written = Hdf5File.create(temporary)) {
        written.writeChecksums();
        content.write(written);
      } catch (Hdf5Exception e) {
        throw new IOException(e.getMessage(), e);
      }
      try (FileChannel channel =
          FileChannel.open(temporary, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
        channel.force(true);
      }
      rename(temporary, target);
    } catch (IOException | RuntimeException e) {
      try {
        discard(temporary);
      } catch (IOException unable) {
        e.addSuppressed(unable);
      }
      throw e;
    }
  }

  /**
   * Removes a file. HDF5 may still have one open that it could not write; made empty, it gives its
   * room back at once.
   */
  private static void discard(Path file) throws IOException {
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      FileChannel.open(
              file,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING,
              LinkOption.NOFOLLOW_LINKS)
          .close();
    }
    Files.deleteIfExists(file);
  }

  /** Renames a complete file over another, durably. */
  void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    // Where it is now first: a file that the disk has twice is better than one it does not have.
    if (to.startsWith(journals())) {
      flush(journals());
      flush(folder);
    } else {
      flush(folder);
      if (from.startsWith(journals())) {
        flush(journals());
      }
    }
  }

  /** Makes a rename in a folder durable. */
  private static void flush(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (AccessDeniedException e) {
      // Some systems cannot open folders as files; they need no such call.
    }
  }

  /**
   * Removes the folder of journals if it has no journal. Every process that has the result open has
   * one.
   */
  void removeJournalsIfEmpty() throws IOException {
    try (var files = Files.newDirectoryStream(journals(), "*.units")) {
      if (files.iterator().hasNext()) {
        return;
      }
    }
    try {
      Files.deleteIfExists(unbegun());
      Files.deleteIfExists(claims());
      Files.deleteIfExists(journals());
    } catch (DirectoryNotEmptyException e) {
      // The user has put a file there.
    }
  }

  /** Refuses an existing result whose units cannot stand in one file with the wanted ones. */
  void checkSame(ResultHeader old, ResultHeader wanted) {
    String difference = old.difference(wanted);
    if (difference != null) {
      throw InputException.of(
          "%s: holds results %s; give another --out, or --overwrite to discard them",
          file, difference);
    }
  }

  /**
   * Refuses an existing result that neither has the wanted units nor can grow to have them. Writes
   * nothing, so it says nothing of a result whose locks tell whether it is in use: one without
   * units, or one that has begun to grow.
   */
  void checkContinuable(ResultHeader wanted) {
    if (Files.exists(file) && current().equals(file) && !Files.exists(earlier())) {
      ResultHeader old = ReadResults.checked(file).header();
      if (!old.canGrowInto(wanted)) {
        checkSame(old, wanted);
      }
    }
  }

  /** A random UUID. The kernel's costs nothing; Java's generator takes a hundredth of a second. */
  static String newId() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/uuid")).strip();
    } catch (IOException e) {
      return UUID.randomUUID().toString();
    }
  }

  /** A name for the journal of a process. */
  Path newJournal() {
    return journals().resolve(newId() + ".units");
  }

  /** The journals of other processes than the one that writes {@code own}. */
  List<Path> otherJournals(@Nullable Journal own) throws IOException {
    List<Path> others = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(journals(), "*.units")) {
      for (Path path : files) {
        @Nullable String special = PlainFile.special(path, LinkOption.NOFOLLOW_LINKS);
        if (special != null) {
          throw new IOException(path + " is " + special + ", expected a journal; remove it");
        }
        if (own == null || !path.equals(own.path())) {
          others.add(path);
        }
      }
    }
    others.sort(null);
    return others;
  }

  /** The failure to open a result for computing. */
  RuntimeException cannotOpen(IOException e) {
    return isFull(e)
        ? cannotWrite(e)
        : new InputException(
            "results cannot be written to " + folder + ": " + PlainFile.reason(e), e);
  }

  /** The failure to write a result. Finished units are safe. */
  ComputationException cannotWrite(IOException e) {
    return new ComputationException(
        String.format(
            "%s: cannot be written: %s; finished units are kept, and the same command"
                + " continues the run",
            file, PlainFile.reason(e)),
        e);
  }

  /** Whether the disk has no room, or this user or process may not have more of it. */
  static boolean isFull(IOException e) {
    String reason = PlainFile.reason(e);
    return Stream.of("No space left", "quota exceeded", "File too large")
        .anyMatch(reason::contains);
  }
}
