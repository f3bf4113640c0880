package org.starlingqcd.correlators.result;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Reads one result file configuration by configuration; only the last one is in memory. The file
 * may come from any program that follows {@code docs/formats.md}; optional attributes may be
 * missing.
 */
public final class ResultReader implements AutoCloseable {
  /** Whether a value of the root attribute {@code format} is that of a result. */
  public static boolean reads(String format) {
    return format.equals(ResultFile.FORMAT) || format.equals(ResultFile.THREE_POINT);
  }

  private final Hdf5File file;
  private final ResultFile.Contents contents;

  private ResultReader(Hdf5File file, ResultFile.Contents contents) {
    this.file = file;
    this.contents = contents;
  }

  /**
   * The units of one configuration.
   *
   * @param correlators source time to C_ij(t0 + dt, t0), interleaved complex [separation][i][j]
   * @param onePoint time to ⟨O_i(t)⟩, interleaved complex [i]; empty where none were computed
   * @param data as in {@link ResultUnit}
   */
  public record Configuration(
      int number,
      SortedMap<Integer, double[]> correlators,
      SortedMap<Integer, double[]> onePoint,
      Collection<String> data) {
    /** The masses of quarks among the data. */
    public List<String> masses() {
      return ResultFile.masses(data);
    }

    /** How data differ from others: a block with both checksums; null when none is known to. */
    public static @Nullable String changed(Collection<String> before, Collection<String> now) {
      return ResultFile.changed(before, now);
    }
  }

  /**
   * Opens a result file and reads its attributes.
   *
   * @throws InputException when it is not a result file, is cut short, or contradicts itself
   */
  public static ResultReader open(Path path) {
    Hdf5File file = ResultFile.reading(() -> Hdf5File.open(path));
    try {
      return new ResultReader(file, ResultFile.reading(() -> ResultFile.contents(file)));
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** The path of the file. */
  public Path path() {
    return file.path();
  }

  /** The header of the file. */
  public ResultHeader header() {
    return contents.header();
  }

  /** The configurations of the file, with their sources. */
  public SortedMap<Integer, SortedSet<Integer>> finished() {
    return contents.finished();
  }

  /** The configurations that runs requested; empty if the file does not have them. */
  public SortedSet<Integer> requestedConfigurations() {
    return contents.requested().configurations();
  }

  /** The sources that runs requested; empty if the file does not have them. */
  public SortedSet<Integer> requestedSources() {
    return contents.requested().sources();
  }

  /** One JSON text for each run that contributed, if the file has them. */
  public List<String> runs() {
    return contents.runs();
  }

  /** Whether damage to what the file holds is told by checksums. */
  public boolean isChecksummed() {
    return file.isChecksummed();
  }

  /** Whether a journal beside the file has finished units that are not merged yet. */
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
    ResultFile.check(file, ResultFile.group(configuration), header());
    ResultFile.Configuration found = ResultFile.read(file, configuration, header());
    SortedMap<Integer, double[]> onePoint = new TreeMap<>();
    found.onePoint.forEach((time, row) -> onePoint.put(time, row.values()));
    return new Configuration(configuration, found.correlators, onePoint, found.data);
  }

  @Override
  public void close() {
    file.close();
  }
}
