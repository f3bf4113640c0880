package org.starlingqcd.correlators.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Equality of results, value for value. */
public final class ResultAssert {
  private ResultAssert() {}

  static void assertSame(ResultFile.Configuration expected, ResultFile.Configuration actual) {
    assertEquals(expected.correlators.keySet(), actual.correlators.keySet());
    expected.correlators.forEach(
        (source, values) -> assertArrayEquals(values, actual.correlators.get(source)));
    assertEquals(expected.onePoint.keySet(), actual.onePoint.keySet());
    expected.onePoint.forEach(
        (time, row) -> {
          ResultFile.Configuration.Row other = actual.onePoint.get(time);
          assertEquals(row.source(), other == null ? -1 : other.source());
          assertArrayEquals(row.values(), other == null ? new double[0] : other.values());
        });
  }

  /** Two result files hold the same units with the same numbers, bit for bit. */
  public static void assertSame(Path expected, Path actual) {
    try (Hdf5File a = Hdf5File.open(expected);
        Hdf5File b = Hdf5File.open(actual)) {
      ResultFile.Contents first = ResultFile.contents(a);
      ResultFile.Contents second = ResultFile.contents(b);
      assertEquals(first.header(), second.header());
      assertEquals(first.finished(), second.finished());
      for (int configuration : first.finished().keySet()) {
        assertSame(
            ResultFile.read(a, configuration, first.header()),
            ResultFile.read(b, configuration, first.header()));
      }
    }
  }

  /** The numbers of a dataset. */
  public static double[] numbers(Path result, String dataset) {
    try (Hdf5File file = Hdf5File.open(result);
        Hdf5Dataset found = file.dataset(dataset)) {
      return found.readAll();
    }
  }

  /** All files and folders below a folder, with what is in them. */
  public static Map<String, String> everything(Path top) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(top)) {
      for (Path path : paths.toList()) {
        String contents =
            Files.isDirectory(path)
                ? ""
                : new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
        all.put(top.relativize(path).toString(), contents);
      }
    }
    return all;
  }
}
