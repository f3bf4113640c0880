package org.starlingqcd.analysis.exchange;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.starlingqcd.analysis.CorrelatorData;

/**
 * Writes a correlation matrix as CSV (RFC 4180), a row for each configuration, separation and
 * element. One-point functions stand in rows without separation and source.
 */
final class CsvWriter {
  private CsvWriter() {}

  static void write(Path path, CorrelatorData data) throws IOException {
    List<String> names = data.operators().stream().map(CsvWriter::quoted).toList();
    try (BufferedWriter csv = Files.newBufferedWriter(path, StandardCharsets.UTF_8)) {
      csv.write("configuration,separation,sink,source,re,im\n");
      for (ConfigurationMatrix matrix : ConfigurationMatrix.of(data)) {
        for (int t = 0; t < data.separations().size(); t++) {
          for (int i = 0; i < data.size(); i++) {
            for (int j = 0; j < data.size(); j++) {
              csv.write(matrix.number() + "," + data.separations().get(t) + ",");
              csv.write(names.get(i) + "," + names.get(j) + ",");
              csv.write(matrix.value(0, t, i, j) + "," + matrix.value(1, t, i, j) + "\n");
            }
          }
        }
        for (int i = 0; i < data.size() && data.hasOnePointFunctions(); i++) {
          csv.write(matrix.number() + ",," + names.get(i) + ",,");
          csv.write(matrix.onePoint(0, i) + "," + matrix.onePoint(1, i) + "\n");
        }
      }
    }
  }

  private static String quoted(String text) {
    return text.matches("[^,\"\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
