package org.starlingqcd.correlators.result;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * One result file, read configuration by configuration: in memory is what was asked for last. Reads
 * what this program or another wrote in the layout of {@code docs/formats.md}; optional attributes
 * may be missing.
 */
public final class ResultReader implements AutoCloseable {
  /** Value of the root attribute {@code format}. */
  public static final String FORMAT = ResultFile.FORMAT;

  private final Hdf5File file;
  private final ResultFile.Contents contents;

  private ResultReader(Hdf5File file, ResultFile.Contents contents) {
    this.file = file;
    this.contents = contents;
  }

  /**
   * The units of one configuration.
   *
   * @param number the configuration's number
   * @param correlators source time to C_ij(t0 + dt, t0), interleaved complex [separation][i][j]
   * @param onePoint time to ⟨O_i(t)⟩, interleaved complex [i]; empty where none were computed
   */
  public record Configuration(
      int number,
      SortedMap<Integer, double[]> correlators,
      SortedMap<Integer, double[]> onePoint) {}

  /**
   * Opens a result file and reads what it says of itself.
   *
   * @throws InputException when it is not a result file, is cut short, or contradicts itself
   */
  public static ResultReader open(Path path) {
    try {
      Hdf5File file = Hdf5File.open(path);
      try {
        return new ResultReader(file, ResultFile.contents(file));
      } catch (RuntimeException e) {
        file.close();
        throw e;
      }
    } catch (Hdf5Exception e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Where the file lies. */
  public Path path() {
    return file.path();
  }

  /** What the file is about. */
  public ResultHeader header() {
    return contents.header();
  }

  /** Every configuration there is, with its sources. */
  public SortedMap<Integer, SortedSet<Integer>> finished() {
    return contents.finished();
  }

  /** The configurations that runs were asked for; empty where the file does not say. */
  public SortedSet<Integer> requestedConfigurations() {
    return contents.requested().configurations();
  }

  /** The sources that runs were asked for; empty where the file does not say. */
  public SortedSet<Integer> requestedSources() {
    return contents.requested().sources();
  }

  /** One JSON text for each run that contributed; none where the file does not say. */
  public List<String> runs() {
    return contents.runs();
  }

  /** Whether finished units wait in a journal beside the file to be merged into it. */
  public boolean hasJournal() {
    String name = String.valueOf(path().toAbsolutePath().getFileName());
    int end = name.endsWith(".h5") ? name.length() - 3 : name.length();
    return Files.isDirectory(
        path().toAbsolutePath().resolveSibling(name.substring(0, end) + ".journal"));
  }

  /**
   * Reads a configuration.
   *
   * @throws InputException when its shapes contradict its attributes or the other configurations
   */
  public Configuration read(int configuration) {
    try {
      ResultSoundness.check(file, configuration, header());
      ResultFile.Configuration found = ResultFile.read(file, configuration, header());
      SortedMap<Integer, double[]> onePoint = new TreeMap<>();
      found.onePoint.forEach((time, row) -> onePoint.put(time, row.values()));
      return new Configuration(configuration, found.correlators, onePoint);
    } catch (Hdf5Exception e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
