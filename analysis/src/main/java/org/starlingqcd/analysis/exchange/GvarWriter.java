package org.starlingqcd.analysis.exchange;

import java.nio.file.Path;
import java.util.List;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Writes a correlation matrix as the HDF5 file of {@code gvar.dataset.Dataset} and corrfitter: a
 * data set [configuration, separation] for each tag {@code NAME.SINK.SOURCE.re} and {@code …im},
 * and [configuration] for {@code NAME.vev.OPERATOR.re}. The attributes of the root serve {@link
 * GvarReader}; gvar does not read them.
 */
final class GvarWriter {
  static final String OPERATORS = "operators";
  static final String CONJUGATION = "conjugation";
  static final String SEPARATIONS = "separations";
  static final String CONFIGURATIONS = "configurations";
  static final String NAME = "name";
  static final String ENSEMBLE = "ensemble";
  static final String EXTENT = "temporal_extent";
  static final List<String> PARTS = List.of("re", "im");

  /** A longer list would be a data set, which gvar would take for a tag. */
  private static final int MOST_NUMBERED = 5000;

  private GvarWriter() {}

  private static long[] numbers(List<ConfigurationMatrix> matrices) {
    return matrices.stream().mapToLong(ConfigurationMatrix::number).toArray();
  }

  static void write(Path path, CorrelatorData data) {
    List<ConfigurationMatrix> matrices = ConfigurationMatrix.of(data);
    int separations = data.separations().size();
    try (Hdf5File file = Hdf5File.create(path)) {
      Hdf5Attributes root = file.attributes("/");
      root.put(NAME, data.name());
      root.put(ENSEMBLE, data.ensemble());
      root.put(OPERATORS, data.operators());
      root.put(CONJUGATION, data.conjugation().stream().mapToLong(s -> s).toArray());
      root.put(SEPARATIONS, data.separations().stream().mapToLong(t -> t).toArray());
      if (matrices.size() <= MOST_NUMBERED) {
        root.put(CONFIGURATIONS, numbers(matrices));
      }
      if (data.temporalExtent().isPresent()) {
        root.put(EXTENT, data.temporalExtent().getAsInt());
      }
      for (int part = 0; part < PARTS.size(); part++) {
        for (int i = 0; i < data.size(); i++) {
          for (int j = 0; j < data.size(); j++) {
            double[] values = new double[matrices.size() * separations];
            for (int k = 0; k < values.length; k++) {
              values[k] = matrices.get(k / separations).value(part, k % separations, i, j);
            }
            write(
                file,
                tag(data.name(), data.operators().get(i), data.operators().get(j), part),
                new long[] {matrices.size(), separations},
                values);
          }
          if (data.hasOnePointFunctions()) {
            double[] values = new double[matrices.size()];
            for (int c = 0; c < values.length; c++) {
              values[c] = matrices.get(c).onePoint(part, i);
            }
            write(
                file,
                tag(data.name(), "vev", data.operators().get(i), part),
                new long[] {matrices.size()},
                values);
          }
        }
      }
    }
  }

  private static void write(Hdf5File file, String name, long[] extents, double[] values) {
    try (Hdf5Dataset dataset =
        file.createDataset(name, ElementType.REAL, extents, DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(values);
    }
  }

  /** A slash would begin a group. */
  static String tag(String name, String sink, String source, int part) {
    return String.join(".", name, sink, source, PARTS.get(part)).replace('/', '_');
  }
}
