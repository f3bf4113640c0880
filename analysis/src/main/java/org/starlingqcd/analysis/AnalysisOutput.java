package org.starlingqcd.analysis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.PlainFile;

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
   * @param range of the vertical axes of plots that are not logarithmic; null: that of the points
   * @return the files written
   * @throws InputException when the folder is a file
   * @throws ComputationException when a file cannot be written or a plot cannot be drawn
   */
  public static List<Path> write(
      Path folder,
      Set<Format> formats,
      List<? extends Analysis> analyses,
      AnalysisPlot.@Nullable Range range) {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new InputException(folder + ": is a file; an analysis needs a folder");
    }
    List<Path> moved = new ArrayList<>();
    write(
        folder,
        () -> {
          Files.createDirectories(folder);
          Path partial = Files.createTempDirectory(folder, ".analysis");
          try {
            for (Path file : written(partial, formats, analyses, range)) {
              moved.add(folder.resolve(file.getFileName()));
              PlainFile.replace(file, moved.get(moved.size() - 1));
            }
          } finally {
            try (Stream<Path> files = Files.list(partial)) {
              for (Path file : files.toList()) {
                Files.delete(file);
              }
            }
            Files.delete(partial);
          }
        });
    return moved;
  }

  /** What writes files. */
  public interface Writing {
    /** Writes. */
    void run() throws IOException;
  }

  /**
   * Writes files.
   *
   * @param place the file or the folder, for the message
   * @throws ComputationException when they cannot be written
   */
  public static void write(Object place, Writing content) {
    try {
      content.run();
    } catch (IOException | Hdf5Exception e) {
      throw new ComputationException(place + ": cannot be written: " + PlainFile.reason(e), e);
    }
  }

  private static List<Path> written(
      Path folder,
      Set<Format> formats,
      List<? extends Analysis> analyses,
      AnalysisPlot.@Nullable Range range)
      throws IOException {
    List<Path> written = new ArrayList<>();
    Map<String, AnalysisPlot> plots = new LinkedHashMap<>();
    List<CorrelatorAnalysis> correlators = new ArrayList<>();
    for (Analysis analysis : analyses) {
      if (analysis instanceof CorrelatorAnalysis correlator) {
        correlators.add(correlator);
      }
      String name = fileName(analysis.name());
      if (formats.contains(Format.CSV)) {
        written.add(Files.writeString(folder.resolve(name + ".csv"), Table.csv(analysis.tables())));
      }
      if (formats.contains(Format.HDF5)) {
        written.add(folder.resolve(name + "_analysis.h5"));
        analysis.write(written.get(written.size() - 1));
      }
      analysis.plots().forEach((key, plot) -> plots.put(name + "_" + key, plot));
    }
    if (correlators.size() > 1) {
      plots.put("effective_masses", AnalysisPlots.together(correlators));
    }
    for (Map.Entry<String, AnalysisPlot> plot : plots.entrySet()) {
      for (Format format : List.of(Format.PNG, Format.SVG)) {
        if (formats.contains(format) && !plot.getValue().isEmpty()) {
          Path file = folder.resolve(plot.getKey() + "." + format);
          // Encoders do not report every failure to write to a file.
          written.add(Files.write(file, plot.getValue().encoded(file, format.toString(), range)));
        }
      }
    }
    return written;
  }

  /**
   * A file name without path separators: definitions allow letters, digits, _ and -, other programs
   * more.
   */
  public static String fileName(String name) {
    return name.replaceAll("[^A-Za-z0-9_-]", "_");
  }
}
