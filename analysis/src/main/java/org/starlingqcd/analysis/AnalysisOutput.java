package org.starlingqcd.analysis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
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
  private final Path folder;
  private final Set<Format> formats;
  private final AnalysisPlot.@Nullable Range range;
  private final List<Path> written = new ArrayList<>();

  private AnalysisOutput(Path folder, Set<Format> formats, AnalysisPlot.@Nullable Range range) {
    this.folder = folder;
    this.formats = formats;
    this.range = range;
  }

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
    try {
      Files.createDirectories(folder);
      Path partial = Files.createTempDirectory(folder, ".analysis");
      try {
        AnalysisOutput output = new AnalysisOutput(partial, formats, range);
        output.write(analyses);
        List<Path> moved = new ArrayList<>();
        for (Path file : output.written) {
          moved.add(
              Files.move(
                  file,
                  folder.resolve(file.getFileName()),
                  StandardCopyOption.ATOMIC_MOVE,
                  StandardCopyOption.REPLACE_EXISTING));
        }
        return moved;
      } finally {
        try (Stream<Path> files = Files.list(partial)) {
          for (Path file : files.toList()) {
            Files.delete(file);
          }
        }
        Files.delete(partial);
      }
    } catch (IOException | Hdf5Exception e) {
      throw new ComputationException(folder + ": cannot be written: " + PlainFile.reason(e), e);
    }
  }

  private void write(List<? extends Analysis> analyses) throws IOException {
    List<CorrelatorAnalysis> correlators = new ArrayList<>();
    for (Analysis analysis : analyses) {
      if (analysis instanceof CorrelatorAnalysis correlator) {
        correlators.add(correlator);
      }
      String name = fileName(analysis.name());
      if (formats.contains(Format.CSV)) {
        Path file = file(name + ".csv");
        Files.writeString(file, Table.csv(analysis.tables()), StandardCharsets.UTF_8);
      }
      if (formats.contains(Format.HDF5)) {
        analysis.write(file(name + "_analysis.h5"));
      }
      for (Map.Entry<String, AnalysisPlot> plot : analysis.plots().entrySet()) {
        write(plot.getValue(), name + "_" + plot.getKey());
      }
    }
    if (correlators.size() > 1) {
      write(AnalysisPlots.together(correlators), "effective_masses");
    }
  }

  private void write(AnalysisPlot plot, String name) throws IOException {
    for (Format format : List.of(Format.PNG, Format.SVG)) {
      if (formats.contains(format) && !plot.isEmpty()) {
        Path file = file(name + "." + format);
        // Encoders do not report every failure to write to a file.
        Files.write(file, plot.encoded(file, format.toString(), range));
      }
    }
  }

  private Path file(String name) {
    Path file = folder.resolve(name);
    written.add(file);
    return file;
  }

  /**
   * A file name without path separators: definitions allow letters, digits, _ and -, other programs
   * more.
   */
  public static String fileName(String name) {
    return name.replaceAll("[^A-Za-z0-9_-]", "_");
  }
}
