package org.starlingqcd.analysis.exchange;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.Analysis;
import org.starlingqcd.analysis.AnalysisOutput;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.CurrentData;
import org.starlingqcd.analysis.Estimate;
import org.starlingqcd.analysis.Table;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.PlainFile;

/** Writes correlators in the formats of other programs. */
public final class Exporter {
  /**
   * What is written in the format of another program.
   *
   * @param name the name of the result
   * @param correlators one matrix; or every element of three-point functions as one of its own
   * @param currents the three-point functions; null for two-point functions
   * @param definition text of the definition; read only for sigmond
   */
  public record Export(
      String name,
      List<CorrelatorData> correlators,
      @Nullable CurrentData currents,
      String definition) {
    /** Two-point functions. */
    public static Export of(CorrelatorData data, String definition) {
      return new Export(data.name(), List.of(data), null, definition);
    }

    /** Three-point functions, the numbers as they are. */
    public static Export of(CurrentData data) {
      return new Export(data.name(), data.elements(), data, data.definition());
    }

    /** Name and axes. */
    Map<String, Object> description() {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("name", name);
      if (currents == null) {
        CorrelatorData data = correlators.get(0);
        map.put("operators", data.operators());
        // With equal signs the matrix of the real parts is the whole.
        map.put("conjugation", data.conjugation());
        map.put("separations", data.separations());
      } else {
        map.put("sink_operators", currents.sinkOperators());
        map.put("source_operators", currents.sourceOperators());
        map.put("insertions", currents.insertions());
        map.put("separations", currents.separations());
        map.put("insertion_separations", currents.insertionSeparations());
      }
      return map;
    }
  }

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
    AnalysisOutput.write(
        file,
        () -> {
          Files.createDirectories(folder);
          try {
            switch (format) {
              case PYERRORS -> PyerrorsFormat.write(partial, export);
              case GVAR -> GvarFormat.write(partial, export);
              case SIGMOND -> SigmondFormat.write(partial, export);
              case CSV -> writeCsv(partial, export);
            }
            PlainFile.replace(partial, file);
          } finally {
            Files.deleteIfExists(partial);
          }
        });
    return file;
  }

  /**
   * Writes quantities as a measurement on each bin, value + (B - 1) (mean of samples - sample of
   * the jackknife): their mean is the value, and the error of the mean that of the jackknife.
   * Undefined ones are left out.
   *
   * @param format {@link Format#PYERRORS}, a list of Obs with the names as tags, or {@link
   *     Format#GVAR}, a data set for each name with points in place of slashes
   * @param head of the analysis, with a jackknife
   * @throws ComputationException when the file cannot be written
   */
  public static void writeSamples(
      Path file, Format format, Analysis.Head head, Map<String, Estimate> quantities) {
    Map<String, double[]> measured = new LinkedHashMap<>();
    int bins = head.resampling().bins();
    quantities.forEach(
        (name, estimate) -> {
          double[] samples = estimate.samples();
          if (estimate.hasError() && samples.length == bins) {
            double mean = Arrays.stream(samples).average().orElse(0);
            measured.put(
                name,
                Arrays.stream(samples)
                    .map(x -> estimate.value() + (bins - 1) * (mean - x))
                    .toArray());
          }
        });
    int count = head.configurations().size();
    // The first configuration of each bin stands for it.
    List<Integer> numbers =
        IntStream.range(0, bins)
            .mapToObj(b -> head.configurations().get((int) (((long) b * count + bins - 1) / bins)))
            .toList();
    try {
      if (format == Format.PYERRORS) {
        PyerrorsFormat.write(file, head.ensemble(), numbers, measured);
      } else {
        GvarFormat.write(file, head.ensemble(), numbers, measured);
      }
    } catch (IOException | Hdf5Exception e) {
      throw new ComputationException(file + ": cannot be written: " + e.getMessage(), e);
    }
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
        List<String> names = data.operators().stream().map(Table::quoted).toList();
        int n = data.size();
        for (int c = 0; c < data.configurations().size(); c++) {
          int number = data.configurations().get(c).number();
          for (int k = 0; k < data.separations().size() * n * n; k++) {
            int i = k / n % n;
            int t = k / (n * n);
            int at = data.separations().get(t);
            String place =
                named
                    ? Table.quoted(data.name()) + "," + at
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
