package org.starlingqcd.analysis.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.CorrelatorLoader;
import org.starlingqcd.analysis.Selection;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.PlainFile;

/** Reads correlators from results and from files of other programs, told apart by their content. */
public final class CorrelatorSources {
  private CorrelatorSources() {}

  /** What a file is. */
  private enum Kind {
    RESULT,
    PYERRORS,
    GVAR_HDF5,
    GVAR_TEXT
  }

  /**
   * Reads files. Results of one definition are parts of one correlator; a correlator of another
   * program is in one file.
   *
   * @return one for each name: results first, then the others, each in the order of the files
   * @throws InputException when a file cannot be used, or two hold a correlator of one name
   */
  public static List<CorrelatorData> load(List<Path> files, Selection selection) {
    List<Path> results = new ArrayList<>();
    List<CorrelatorData> others = new ArrayList<>();
    Map<String, Path> origins = new HashMap<>();
    for (Path file : files) {
      Kind kind = kind(file);
      if (kind == Kind.RESULT) {
        results.add(file);
        continue;
      }
      List<Series> found =
          switch (kind) {
            case PYERRORS -> PyerrorsReader.read(file);
            case GVAR_HDF5 -> GvarReader.readHdf5(file);
            default -> GvarReader.readText(file);
          };
      for (Series series : found) {
        Path before = origins.putIfAbsent(series.name(), file);
        if (before != null) {
          throw new InputException(
              before + " and " + file + " both hold a correlator '" + series.name() + "'");
        }
        others.add(series.select(file.toString(), selection));
      }
    }
    List<CorrelatorData> all =
        new ArrayList<>(results.isEmpty() ? List.of() : CorrelatorLoader.load(results, selection));
    for (CorrelatorData data : all) {
      Path before = origins.get(data.name());
      if (before != null) {
        throw new InputException(
            before + " and a result both hold a correlator '" + data.name() + "'");
      }
    }
    all.addAll(others);
    return all;
  }

  private static Kind kind(Path file) {
    if (PlainFile.special(file) != null) {
      // The reader of results says what it is.
      return Kind.RESULT;
    }
    byte[] head = new byte[4];
    int read;
    try (InputStream in = Files.newInputStream(file)) {
      read = in.read(head);
    } catch (IOException e) {
      // The reader of results has the message for what is missing, unreadable or a folder.
      return Kind.RESULT;
    }
    if (read >= 2 && head[0] == (byte) 0x1f && head[1] == (byte) 0x8b) {
      return Kind.PYERRORS;
    }
    if (read == 4 && head[1] == 'H' && head[2] == 'D' && head[3] == 'F') {
      return hasFormat(file) ? Kind.RESULT : Kind.GVAR_HDF5;
    }
    if (read >= 1 && head[0] == '{') {
      return Kind.PYERRORS;
    }
    return isText(head, read) ? Kind.GVAR_TEXT : Kind.RESULT;
  }

  /** Files of this program have a format; {@link ResultReader} says what is wrong with others. */
  private static boolean hasFormat(Path file) {
    try (Hdf5File opened = Hdf5File.open(file)) {
      Hdf5Attributes root = opened.attributes("/");
      return root.has("format");
    } catch (Hdf5Exception e) {
      return true;
    }
  }

  private static boolean isText(byte[] head, int read) {
    for (int k = 0; k < read; k++) {
      if (head[k] < ' ' && head[k] != '\n' && head[k] != '\r' && head[k] != '\t') {
        return false;
      }
    }
    return read > 0;
  }
}
