package org.starlingqcd.analysis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
    HDF5
  }

  /**
   * Writes the files, replacing those that exist; the folder is created.
   *
   * @return the files written
   * @throws InputException when the folder is a file
   * @throws ComputationException when a file cannot be written or a plot cannot be drawn
   */
  public static List<Path> write(
      Path folder, Set<Format> formats, List<CorrelatorAnalysis> analyses) {
    AnalysisPlots plots = new AnalysisPlots(folder, formats);
    List<Path> written = new ArrayList<>();
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new InputException(folder + ": is a file; an analysis needs a folder");
    }
    try {
      Files.createDirectories(folder);
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
    } catch (IOException e) {
      throw new ComputationException(folder + ": cannot be written: " + e.getMessage(), e);
    } catch (Hdf5Exception e) {
      throw new ComputationException(String.valueOf(e.getMessage()), e);
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
