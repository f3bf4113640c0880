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
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
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
   * Writes correlators to {@code NAME_…} in a folder, which is created. A file of that name is
   * replaced.
   *
   * @return the file
   * @throws InputException when the correlators cannot be expressed in the format
   * @throws ComputationException when the file cannot be written
   */
  public static Path write(Path folder, Format format, Export export) {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new InputException(folder + ": is a file; --out needs a folder");
    }
    Path file = folder.resolve(AnalysisOutput.fileName(export.name()) + format.suffix);
    Path partial = file.resolveSibling("." + file.getFileName() + ".partial");
    try {
      Files.createDirectories(folder);
      try {
        switch (format) {
          case PYERRORS -> PyerrorsFormat.write(partial, export);
          case GVAR -> GvarFormat.write(partial, export);
          case SIGMOND -> SigmondFormat.write(partial, export);
          case CSV -> writeCsv(partial, export);
        }
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
   * without separation and source. Elements of three-point functions have a name of their own.
   */
  private static void writeCsv(Path path, Export export) throws IOException {
    boolean named = export.currents() != null;
    try (BufferedWriter csv = Files.newBufferedWriter(path, StandardCharsets.UTF_8)) {
      csv.write(
          "configuration," + (named ? "element,time" : "separation,sink,source") + ",re,im\n");
      for (CorrelatorData data : export.correlators()) {
        List<String> names = data.operators().stream().map(AnalysisRecord::quoted).toList();
        int n = data.size();
        for (int c = 0; c < data.configurations().size(); c++) {
          int number = data.configurations().get(c).number();
          for (int k = 0; k < data.separations().size() * n * n; k++) {
            int i = k / n % n;
            int t = k / (n * n);
            int at = data.separations().get(t);
            String place =
                named
                    ? AnalysisRecord.quoted(data.name()) + "," + at
                    : at + "," + names.get(i) + "," + names.get(k % n);
            csv.write(number + "," + place + ",");
            csv.write(data.average(c, 0, t, i, k % n) + "," + data.average(c, 1, t, i, k % n));
            csv.write("\n");
          }
          for (int i = 0; i < n && data.hasOnePointFunctions(); i++) {
            csv.write(number + ",," + names.get(i) + ",,");
            csv.write(data.onePointAverage(c, 0, i) + "," + data.onePointAverage(c, 1, i) + "\n");
          }
        }
      }
    }
  }
}
