package org.starlingqcd.analysis.exchange;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.Hdf5Text;

/**
 * Writes a correlation matrix as a bins file of sigmond, in its HDF5 form: one bin a configuration,
 * one data set for the real and one for the imaginary part of each element at each time. The names
 * of data sets are XML in which a bar stands for the slash.
 */
final class SigmondWriter {
  private static final String ROOT = "/data";
  private static final List<String> PARTS = List.of("Re", "Im");

  private SigmondWriter() {}

  static void write(Path path, CorrelatorData data, Definition definition) {
    List<String> operators = SigmondOperators.names(definition, data.operators());
    List<ConfigurationMatrix> matrices = ConfigurationMatrix.of(data);
    try (Hdf5File file = Hdf5File.create(path)) {
      Hdf5Text.write(file, "/Info/FIdentifier", "Sigmond--BinsFile");
      Hdf5Text.write(file, "/Info/Endianness", "L");
      Hdf5Text.write(file, ROOT + "/Header", header(data));
      Hdf5Text.write(file, ROOT + "/IncludeCKS", "N");
      for (int t = 0; t < data.separations().size(); t++) {
        for (int i = 0; i < data.size(); i++) {
          for (int j = 0; j < data.size(); j++) {
            for (int part = 0; part < PARTS.size(); part++) {
              double[] bins = new double[matrices.size()];
              for (int c = 0; c < bins.length; c++) {
                bins[c] = matrices.get(c).value(part, t, i, j);
              }
              String key =
                  String.format(
                      Locale.ROOT,
                      "<MCObservable><CorrT>GI{%s} GI{%s} time=%d HermMat<|CorrT><Arg>%s<|Arg>"
                          + "<|MCObservable>",
                      operators.get(i),
                      operators.get(j),
                      data.separations().get(t),
                      PARTS.get(part));
              try (Hdf5Dataset dataset =
                  file.createDataset(
                      ROOT + "/Values/" + key,
                      ElementType.REAL,
                      new long[] {bins.length},
                      DatasetOptions.CONTIGUOUS)) {
                dataset.writeAll(bins);
              }
            }
          }
        }
      }
    }
  }

  private static String header(CorrelatorData data) {
    int bins = data.configurations().size();
    return "<SigmondBinsFile><MCBinsInfo><MCEnsembleInfo>"
        + escaped(data.ensemble())
        + "</MCEnsembleInfo><NumberOfMeasurements>"
        + bins
        + "</NumberOfMeasurements><NumberOfBins>"
        + bins
        + "</NumberOfBins></MCBinsInfo></SigmondBinsFile>";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
