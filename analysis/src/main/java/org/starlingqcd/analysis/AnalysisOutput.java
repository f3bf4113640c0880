package org.starlingqcd.analysis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;

/** The files of an analysis in one folder. */
public final class AnalysisOutput {
  private AnalysisOutput() {}

  /** A kind of file. */
  public enum Format {
    /** {@code NAME.csv}. */
    CSV,
    /** Plots as bitmaps. */
    PNG,
    /** Plots as vector graphics. */
    SVG,
    /** {@code NAME_analysis.h5} with all samples. */
    HDF5;

    /** As users write it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Writes the files, replacing those that exist; the folder is created. When one cannot be
   * written, those that exist stay as they are.
   *
   * @return the files written
   * @throws InputException when the folder is a file
   * @throws ComputationException when a file cannot be written or a plot cannot be drawn
   */
  public static List<Path> write(
      Path folder, Set<Format> formats, List<CorrelatorAnalysis> analyses) {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new InputException(folder + ": is a file; an analysis needs a folder");
    }
    try {
      Files.createDirectories(folder);
      Path partial = Files.createTempDirectory(folder, ".analysis");
      try {
        return moved(written(partial, formats, analyses), folder);
      } finally {
        remove(partial);
      }
    } catch (IOException e) {
      throw new ComputationException(folder + ": cannot be written: " + reason(e), e);
    } catch (Hdf5Exception e) {
      throw new ComputationException(
          folder + ": cannot be written: " + String.valueOf(e.getMessage()), e);
    }
  }

  /** The operating system's message, without the name of a file that is gone. */
  private static String reason(IOException e) {
    return e instanceof FileSystemException file && file.getReason() != null
        ? file.getReason()
        : String.valueOf(e.getMessage());
  }

  /** Moves complete files to their folder. */
  private static List<Path> moved(List<Path> files, Path folder) throws IOException {
    List<Path> moved = new ArrayList<>();
    for (Path file : files) {
      Path target = folder.resolve(file.getFileName());
      Files.move(file, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      moved.add(target);
    }
    return moved;
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  private static List<Path> written(
      Path folder, Set<Format> formats, List<CorrelatorAnalysis> analyses) throws IOException {
    AnalysisPlots plots = new AnalysisPlots(folder, formats);
    List<Path> written = new ArrayList<>();
    for (CorrelatorAnalysis analysis : analyses) {
      String name = fileName(analysis.data().name());
      if (formats.contains(Format.CSV)) {
        Path file = folder.resolve(name + ".csv");
        Files.writeString(file, AnalysisTable.csv(analysis), StandardCharsets.UTF_8);
        written.add(file);
      }
      if (formats.contains(Format.HDF5)) {
        Path file = folder.resolve(name + "_analysis.h5");
        AnalysisFile.write(file, analysis);
        written.add(file);
      }
      written.addAll(plots.write(analysis));
    }
    if (analyses.size() > 1) {
      written.addAll(plots.writeTogether(analyses));
    }
    return written;
  }

  /**
   * A file name without path separators: definitions allow letters, digits, _ and -, other programs
   * more.
   */
  static String fileName(String name) {
    return name.replaceAll("[^A-Za-z0-9_-]", "_");
  }
}
