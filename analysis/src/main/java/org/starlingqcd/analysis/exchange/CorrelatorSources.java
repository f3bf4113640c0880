package org.starlingqcd.analysis.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.SelectionSettings;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.PlainFile;

/** Reads correlators from results and from files of other programs, told apart by their content. */
public final class CorrelatorSources {
  private CorrelatorSources() {}

  /**
   * Reads files. Results of one definition are parts of one correlator; a correlator of another
   * program is in one file.
   *
   * @return one for each name: results first, then the others, each in the order of the files
   * @throws InputException when a file cannot be used, or two hold a correlator of one name
   */
  public static List<CorrelatorData> load(List<Path> files, SelectionSettings selection) {
    List<Path> results = new ArrayList<>();
    List<CorrelatorData> others = new ArrayList<>();
    Map<String, Path> origins = new HashMap<>();
    for (Path file : files) {
      Function<Path, List<CorrelatorData>> reader = reader(file);
      if (reader == null) {
        results.add(file);
        continue;
      }
      for (CorrelatorData data : reader.apply(file)) {
        Path before = origins.putIfAbsent(data.name(), file);
        if (before != null) {
          throw new InputException(
              before + " and " + file + " both hold a correlator '" + data.name() + "'");
        }
        others.add(data.select(file, selection));
      }
    }
    List<CorrelatorData> all =
        new ArrayList<>(results.isEmpty() ? List.of() : CorrelatorData.load(results, selection));
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

  /** What reads a file of another program; null for results and what nothing here recognizes. */
  private static @Nullable Function<Path, List<CorrelatorData>> reader(Path file) {
    // The reader of results has the messages for what is missing, unreadable or not a plain file.
    if (PlainFile.special(file) != null) {
      return null;
    }
    byte[] head;
    try (InputStream in = Files.newInputStream(file)) {
      head = in.readNBytes(4);
    } catch (IOException e) {
      return null;
    }
    boolean zipped = head.length >= 2 && head[0] == (byte) 0x1f && head[1] == (byte) 0x8b;
    if (zipped || (head.length > 0 && head[0] == '{')) {
      return PyerrorsFormat::read;
    }
    if (head.length == 4 && head[1] == 'H' && head[2] == 'D' && head[3] == 'F') {
      return hasFormat(file) ? null : GvarFormat::readHdf5;
    }
    for (byte one : head) {
      if (one < ' ' && one != '\n' && one != '\r' && one != '\t') {
        return null;
      }
    }
    return head.length > 0 ? GvarFormat::readText : null;
  }

  /** Files of this program have a format; {@link ResultReader} says what is wrong with others. */
  private static boolean hasFormat(Path file) {
    try (Hdf5File opened = Hdf5File.open(file)) {
      return opened.attributes("/").has("format");
    } catch (Hdf5Exception e) {
      return true;
    }
  }
}
