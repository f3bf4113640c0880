package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.Printable;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Where a result lies and what lies beside it, and the messages about it.
 *
 * @param file the result file
 * @param folder the output folder
 * @param base the file's name without {@code .h5}
 */
record ResultPlace(Path file, Path folder, String base) {
  private static final String SUFFIX = ".h5";

  /**
   * Where a result is to lie, whose folder is created; refuses what cannot become a result file.
   */
  static ResultPlace prepare(Path path) {
    ResultPlace place = at(path);
    place.prepareFolder();
    return place;
  }

  /** Creates the folder. */
  void prepareFolder() {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new InputException(
          "results cannot be written to "
              + folder
              + ": "
              + reason(e)
              + " (--out takes another folder)",
          e);
    }
    if (!Files.isWritable(folder)) {
      throw new InputException(
          "results cannot be written to "
              + folder
              + ": no permission (--out takes another folder)");
    }
  }

  /** Where a result would lie; refuses what cannot become a result file and writes nothing. */
  static ResultPlace at(Path path) {
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
    return new ResultPlace(file, folder, name.substring(0, name.length() - SUFFIX.length()));
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
   * A result that has no unit yet. It takes the place of {@link #file} with its first one; until
   * then whatever lies there stays.
   */
  Path unbegun() {
    return journals().resolve("unbegun.h5");
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

  /** What a new file is to hold. */
  interface Content {
    void write(Hdf5File file) throws IOException;
  }

  /**
   * Writes a new file, flushes it and renames it over {@code target}, which stays as it is when
   * that fails.
   */
  void replace(Path target, Content content) throws IOException {
    Path temporary = temporary();
    try {
      try (Hdf5File written = Hdf5File.create(temporary)) {
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

  /** Puts a whole file in the place of another, durably. */
  void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    flushFolder();
  }

  /** Makes a rename durable. */
  private void flushFolder() throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (AccessDeniedException e) {
      // A system that does not open folders as files has no such call to make.
    }
  }

  /**
   * Removes the folder of journals unless a journal is left; every process that has the result open
   * has one.
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
      // Somebody put a file of his own there.
    }
  }

  /** Refuses a result of another definition, ensemble or other separations. */
  void checkSame(ResultHeader old, ResultHeader wanted, Predicate<String> sameDefinition) {
    @Nullable String difference = null;
    if (!old.name().equals(wanted.name())
        || !old.operators().equals(wanted.operators())
        || (old.onePoint() != wanted.onePoint() && !old.separations().isEmpty())
        || !sameDefinition.test(old.definition())) {
      difference = "another definition of the name '" + Printable.of(old.name()) + "'";
    } else if (!old.ensemble().equals(wanted.ensemble())) {
      difference =
          "ensemble '"
              + Printable.of(old.ensemble())
              + "', the data are of ensemble '"
              + Printable.of(wanted.ensemble())
              + "'";
    } else if (old.temporalExtent().isPresent()
        && wanted.temporalExtent().isPresent()
        && !old.temporalExtent().equals(wanted.temporalExtent())) {
      difference =
          "temporal extent "
              + old.temporalExtent().getAsInt()
              + ", the data have "
              + wanted.temporalExtent().getAsInt();
    } else if (!old.separations().isEmpty() && !old.separations().equals(wanted.separations())) {
      difference = "separations " + old.separations() + ", asked for are " + wanted.separations();
    }
    if (difference != null) {
      throw new InputException(
          file
              + ": holds results of "
              + difference
              + "; give another --out, or --overwrite to throw them away");
    }
  }

  /** Refuses numbers that are not finite, naming the first. */
  void checkNumbers(ResultUnit unit, ResultHeader header) {
    int n = header.operators().size();
    if (unit.correlator().length != header.correlatorDoubles()
        || unit.onePoint().length != 2 * n * unit.times().length) {
      throw new IllegalArgumentException(
          "shape of a unit: correlator="
              + unit.correlator().length
              + " onePoint="
              + unit.onePoint().length
              + " times="
              + unit.times().length
              + " operators="
              + n);
    }
    for (int k = 0; k < unit.correlator().length; k++) {
      if (!Double.isFinite(unit.correlator()[k])) {
        int element = k / 2;
        throw notFinite(
            unit,
            String.format(
                Locale.ROOT,
                "separation %d, sink operator '%s', source operator '%s'",
                header.separations().get(element / (n * n)),
                header.operators().get(element / n % n),
                header.operators().get(element % n)),
            unit.correlator()[k]);
      }
    }
    for (int k = 0; k < unit.onePoint().length; k++) {
      if (!Double.isFinite(unit.onePoint()[k])) {
        throw notFinite(
            unit,
            String.format(
                Locale.ROOT,
                "one-point function of operator '%s' at time %d",
                header.operators().get(k / 2 % n),
                unit.times()[k / 2 / n]),
            unit.onePoint()[k]);
      }
    }
  }

  private ComputationException notFinite(ResultUnit unit, String where, double value) {
    return new ComputationException(
        base
            + ": configuration "
            + unit.configuration()
            + ", source "
            + unit.source()
            + ", "
            + where
            + ": the result is "
            + value
            + "; the numbers of the data are too large or the data are damaged");
  }

  /** A failure to write; what is finished is safe. */
  ComputationException cannotWrite(IOException e) {
    return new ComputationException(
        file
            + ": cannot be written: "
            + reason(e)
            + "; finished units are kept, and the same command continues from there",
        e);
  }

  /** Whether the disk has no room, or this user or process may not have more of it. */
  static boolean isFull(IOException e) {
    String reason = reason(e);
    return Stream.of("No space left", "quota exceeded", "File too large")
        .anyMatch(reason::contains);
  }

  /** The system's own words, without the file's name. */
  static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "no permission";
    }
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
