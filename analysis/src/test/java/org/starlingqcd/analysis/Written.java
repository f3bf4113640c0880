package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Reads what commands have written. */
public final class Written {
  private Written() {}

  /** Packed JSON, which may have numbers that are none. */
  public static JsonNode json(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build()
          .readTree(in);
    }
  }

  /** The names of files in a folder, sorted. */
  public static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(p -> String.valueOf(p.getFileName())).sorted().toList();
    }
  }

  /** The numbers of a data set of these extents. */
  public static double[] numbers(Hdf5File file, String name, long... extents) {
    try (Hdf5Dataset dataset = file.dataset(name)) {
      assertArrayEquals(extents, dataset.extents(), name);
      return dataset.readAll();
    }
  }
}
