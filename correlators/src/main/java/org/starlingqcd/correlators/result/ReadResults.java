package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.data.UserCache;
import org.starlingqcd.hadron.hdf5.FileVersion;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * What the result files that were read last say of themselves. A run looks at each of its results
 * several times before it computes; a file is read and checked again only when it has changed. The
 * finished units of large files are kept in the {@link UserCache}, for a run with nothing to do.
 */
final class ReadResults {
  private static final Logger LOG = LoggerFactory.getLogger(ReadResults.class);

  /** Results of one run; contents take some 200 bytes for each configuration. */
  private static final int MOST = 64;

  /** Bytes of a file whose configurations take longer to look up than those that are kept. */
  private static final long LEAST_BYTES = 1 << 18;

  private record Read(FileVersion version, ResultFile.Contents contents) {}

  private static final Map<Path, Read> READ =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, Read> eldest) {
          return size() > MOST;
        }
      };

  private ReadResults() {}

  /**
   * The contents of a file whose configurations are whole.
   *
   * @throws InputException when it cannot be read or contradicts itself
   */
  static ResultFile.Contents checked(Path path) {
    ResultFile.Contents known = known(path);
    if (known != null) {
      return known;
    }
    FileVersion version;
    try {
      version = FileVersion.of(path);
    } catch (IOException e) {
      throw unusable(e);
    }
    try (Hdf5File file = Hdf5File.open(path)) {
      SortedMap<Integer, SortedSet<Integer>> units = kept(path, version);
      ResultFile.Contents contents = ResultFile.checkedContents(file, units);
      if (units.isEmpty() && version.isSettled()) {
        keep(path, version, contents.finished());
      }
      note(path, version, contents);
      return contents;
    } catch (Hdf5Exception e) {
      throw unusable(e);
    }
  }

  /** The contents of a file, whose configurations are not looked at. */
  static ResultFile.Contents unchecked(Path path) {
    ResultFile.Contents known = known(path);
    try {
      return known != null ? known : ResultFile.contents(path);
    } catch (Hdf5Exception e) {
      throw unusable(e);
    }
  }

  private static ResultFile.@Nullable Contents known(Path path) {
    synchronized (READ) {
      Read read = READ.get(path);
      try {
        return read != null && read.version().equals(FileVersion.of(path)) ? read.contents() : null;
      } catch (IOException e) {
        // Opening the file tells what is wrong.
        return null;
      }
    }
  }

  private static byte[] stamp(FileVersion version) {
    return ("starling-units 1 " + version + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The finished units of a file that was checked; empty when they are not kept. */
  private static SortedMap<Integer, SortedSet<Integer>> kept(Path path, FileVersion version) {
    SortedMap<Integer, SortedSet<Integer>> units = new TreeMap<>();
    if (version.size() < LEAST_BYTES) {
      return units;
    }
    try {
      ByteBuffer in = new UserCache("units").read(path, stamp(version));
      while (in != null && in.hasRemaining()) {
        SortedSet<Integer> sources = new TreeSet<>();
        units.put(in.getInt(), sources);
        for (int left = in.getInt(); left > 0; left--) {
          sources.add(in.getInt());
        }
      }
    } catch (IOException e) {
      LOG.info("the units of {} were not kept: {}", path, e.toString());
    }
    return units;
  }

  /**
   * Notes a file that has just been written.
   *
   * @param last whether this process writes it no more
   */
  static void written(Path path, ResultFile.Contents contents, boolean last) throws IOException {
    FileVersion version = FileVersion.of(path);
    note(path, version, contents);
    if (last) {
      keep(path, version, contents.finished());
    }
  }

  private static void note(Path path, FileVersion version, ResultFile.Contents contents) {
    synchronized (READ) {
      READ.put(path, new Read(version, contents));
    }
  }

  /** Keeps the finished units of a file that was checked or has just been written. */
  private static void keep(Path path, FileVersion version, Map<Integer, SortedSet<Integer>> units) {
    if (version.size() < LEAST_BYTES) {
      return;
    }
    try {
      new UserCache("units")
          .write(
              path,
              stamp(version),
              out -> {
                for (Map.Entry<Integer, SortedSet<Integer>> unit : units.entrySet()) {
                  out.writeInt(unit.getKey());
                  out.writeInt(unit.getValue().size());
                  for (int source : unit.getValue()) {
                    out.writeInt(source);
                  }
                }
                return path;
              });
    } catch (IOException e) {
      LOG.info("the units of {} are not kept: {}", path, e.toString());
    }
  }

  private static InputException unusable(Exception e) {
    return new InputException(e.getMessage() + "; move the file away, or give another --out", e);
  }
}
