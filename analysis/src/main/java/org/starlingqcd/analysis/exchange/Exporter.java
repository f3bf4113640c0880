package org.starlingqcd.analysis.exchange;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.analysis.AnalysisOutput;
import org.starlingqcd.analysis.AnalysisRecord;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.CurrentData;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;

/** Writes correlators in the formats of other programs. */
public final class Exporter {

  /** The formats. */
  public enum Format {
    /** Gzipped JSON of pyerrors. */
    PYERRORS("_pyerrors.json.gz"),
    /** HDF5 of gvar and corrfitter. */
    GVAR("_gvar.h5"),
    /** Bins in HDF5 of sigmond. */
    SIGMOND("_sigmond.h5"),
    /** Comma-separated values. */
    CSV("_configurations.csv");

    private final String suffix;

    Format(String suffix) {
      this.suffix = suffix;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private Exporter() {}

  /**
   * Writes a correlator to {@code NAME_…} in a folder, which is created. A file of that name is
   * replaced.
   *
   * @param definition text of the definition; read only for sigmond
   * @return the file
   * @throws InputException when the correlator cannot be expressed in the format
   * @throws ComputationException when the file cannot be written
   */
  public static Path write(Path folder, Format format, CorrelatorData data, String definition) {
    return write(
        folder,
        format,
        data.name(),
        partial -> {
          switch (format) {
            case PYERRORS -> PyerrorsFormat.write(partial, data);
            case GVAR -> GvarFormat.write(partial, data);
            case SIGMOND ->
                SigmondFormat.write(partial, data, DefinitionLoader.parse(data.name(), definition));
            case CSV -> writeCsv(partial, data);
          }
        });
  }

  /**
   * Writes three-point functions likewise, the numbers as they are.
   *
   * @return the file
   * @throws InputException when they cannot be expressed in the format
   * @throws ComputationException when the file cannot be written
   */
  public static Path write(Path folder, Format format, CurrentData data) {
    return write(
        folder,
        format,
        data.name(),
        partial -> {
          switch (format) {
            case PYERRORS -> PyerrorsFormat.write(partial, data);
            case GVAR -> GvarFormat.write(partial, data);
            case SIGMOND -> SigmondFormat.write(partial, data);
            case CSV -> writeCsv(partial, data);
          }
        });
  }

  /** Writes a file. */
  private interface Writer {
    void write(Path partial) throws IOException;
  }

  private static Path write(Path folder, Format format, String name, Writer writer) {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new InputException(folder + ": is a file; --out needs a folder");
    }
    Path file = folder.resolve(AnalysisOutput.fileName(name) + format.suffix);
    Path partial = file.resolveSibling("." + file.getFileName() + ".partial");
    try {
      Files.createDirectories(folder);
      try {
        writer.write(partial);
        Files.move(
            partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(partial);
      }
    } catch (IOException | Hdf5Exception e) {
      throw new ComputationException(file + ": cannot be written: " + e.getMessage(), e);
    }
    return file;
  }

  /**
   * Writes a row for each configuration, separation and element. One-point functions stand in rows
   * without separation and source.
   */
  private static void writeCsv(Path path, CorrelatorData data) throws IOException {
    List<String> names = data.operators().stream().map(AnalysisRecord::quoted).toList();
    try (BufferedWriter csv = Files.newBufferedWriter(path, StandardCharsets.UTF_8)) {
      csv.write("configuration,separation,sink,source,re,im\n");
      for (int c = 0; c < data.configurations().size(); c++) {
        int number = data.configurations().get(c).number();
        for (int t = 0; t < data.separations().size(); t++) {
          for (int i = 0; i < data.size(); i++) {
            for (int j = 0; j < data.size(); j++) {
              csv.write(number + "," + data.separations().get(t) + ",");
              csv.write(names.get(i) + "," + names.get(j) + ",");
              csv.write(data.average(c, 0, t, i, j) + "," + data.average(c, 1, t, i, j) + "\n");
            }
          }
        }
        for (int i = 0; i < data.size() && data.hasOnePointFunctions(); i++) {
          csv.write(number + ",," + names.get(i) + ",,");
          csv.write(data.onePointAverage(c, 0, i) + "," + data.onePointAverage(c, 1, i) + "\n");
        }
      }
    }
  }

  /** Writes a row for each element of three-point functions, configuration and time. */
  private static void writeCsv(Path path, CurrentData data) throws IOException {
    try (BufferedWriter csv = Files.newBufferedWriter(path, StandardCharsets.UTF_8)) {
      csv.write("configuration,element,time,re,im\n");
      for (CorrelatorData element : data.elements()) {
        for (int c = 0; c < element.configurations().size(); c++) {
          for (int t = 0; t < element.separations().size(); t++) {
            csv.write(element.configurations().get(c).number() + ",");
            csv.write(AnalysisRecord.quoted(element.name()) + ",");
            csv.write(element.separations().get(t) + "," + element.average(c, 0, t, 0, 0) + ",");
            csv.write(element.average(c, 1, t, 0, 0) + "\n");
          }
        }
      }
    }
  }
}
