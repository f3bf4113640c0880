package org.starlingqcd.hadron.hdf5;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.hdf5.check.DamageException;
import org.starlingqcd.hadron.hdf5.check.Findings;
import org.starlingqcd.hadron.hdf5.check.MetadataCheck;

/** The files whose metadata have been found sound, so that a run checks each once. */
final class CheckedFiles {
  private static final int MOST = 1 << 16;

  private static final Map<Path, FileVersion> SOUND =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Path, FileVersion> eldest) {
              return size() > MOST;
            }
          });

  private CheckedFiles() {}

  /**
   * Checks a file, and those that its links lead into, unless they were found sound before and have
   * not changed since.
   *
   * @throws Hdf5Exception when the metadata of one are damaged, or one is no file
   */
  static void check(Path path) {
    check(path, new HashSet<>());
  }

  private static void check(Path path, Set<Path> on) {
    try {
      FileVersion version = FileVersion.of(path);
      if (version.equals(SOUND.get(path)) || !on.add(path)) {
        return;
      }
      Findings findings = MetadataCheck.check(path);
      findings.valuesElsewhere().forEach((dataset, kind) -> refuse(path, dataset, kind));
      for (String name : findings.links()) {
        for (Path other : places(path, name)) {
          @Nullable String special = PlainFile.special(other);
          if (special != null) {
            throw new Hdf5Exception(
                path + ": a link leads to " + other + ", which is " + special + "; remove it");
          }
          if (Files.isRegularFile(other)) {
            check(other, on);
          }
        }
      }
      if (on.size() <= 1) {
        SOUND.put(path, version);
      }
    } catch (DamageException e) {
      throw new Hdf5Exception(path + ": is " + e.getMessage() + "; copy or write it again");
    } catch (IOException e) {
      throw new Hdf5Exception(path + ": cannot be read: " + e.getMessage());
    }
  }

  /** Refuses a dataset whose values the library would fetch from files that nothing has checked. */
  private static void refuse(Path path, String dataset, String kind) {
    throw new Hdf5Exception(
        path
            + ": the values of "
            + dataset
            + " lie in other files ("
            + kind
            + "), which is not supported; write a copy that holds them: h5repack --layout=CONTI "
            + path.getFileName()
            + " COPY.h5");
  }

  /** Where the HDF5 library looks for a file that a link names. */
  private static List<Path> places(Path path, String name) {
    List<Path> places = new ArrayList<>();
    try {
      Path file = Path.of(name);
      List<Path> folders = new ArrayList<>();
      String prefixes = Objects.requireNonNullElse(System.getenv("HDF5_EXT_PREFIX"), "");
      for (String prefix : prefixes.split(File.pathSeparator, -1)) {
        folders.add(Path.of(prefix));
      }
      folders.add(path.toAbsolutePath().resolveSibling(""));
      folders.add(path.toRealPath().resolveSibling(""));
      for (Path folder : folders) {
        places.add(folder.resolve(file).normalize());
        if (file.getFileName() != null) {
          places.add(folder.resolve(file.getFileName()).normalize());
        }
      }
    } catch (InvalidPathException | IOException e) {
      // The library cannot open it either.
    }
    return places.stream().distinct().toList();
  }
}
