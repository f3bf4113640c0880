package org.starlingqcd.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.MeasuredRates;
import org.starlingqcd.backend.MeasuredRates.Rates;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.cpu.blas.OpenBlas;

class RateMeasurementTest {
  private static Map<Precision, Map<Integer, Rates>> rates() {
    Map<Precision, Map<Integer, Rates>> rates = new EnumMap<>(Precision.class);
    for (Precision precision : Precision.values()) {
      double unit = 1e9 / precision.realBytes();
      rates.put(
          precision, Map.of(64, new Rates(3 * unit, unit), 256, new Rates(5 * unit, 2 * unit)));
    }
    return rates;
  }

  @Test
  void rates_areThoseOfTheNearestExtent_onAllThreads(@TempDir Path folder) {
    Path file = folder.resolve("new").resolve("kernels.properties");
    assertTrue(RateMeasurement.write(file, "A", rates()));
    MeasuredRates read = RateMeasurement.read(file, "A");
    assertNotNull(read);
    int threads = read.threads();
    assertEquals(Runtime.getRuntime().availableProcessors(), threads);
    assertEquals(new Rates(threads * 3e9 / 8, threads * 1e9 / 8), read.of(Precision.DOUBLE, 127));
    assertEquals(new Rates(threads * 5e9 / 4, threads * 2e9 / 4), read.of(Precision.SINGLE, 129));
    assertEquals(read.of(Precision.DOUBLE, 1), read.of(Precision.DOUBLE, 64));
    assertEquals(read.of(Precision.DOUBLE, 4000), read.of(Precision.DOUBLE, 256));
    assertNull(RateMeasurement.read(file, "another machine"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "machine=A\n",
        "\\u00",
        "machine=A\nrates.double.64=1,1\n",
        "machine=A\nrates.half.64=1,1\n",
        "machine=A\nrates.double.64=1,1\nrates.single.64=1,-1\n",
        "machine=A\nrates.double.64=1,1\nrates.single.64=1\n"
      })
  void read_ofSomethingElse_isNoMeasurement(String content, @TempDir Path folder)
      throws IOException {
    Path file = Files.writeString(folder.resolve("kernels.properties"), content);
    assertNull(RateMeasurement.read(file, "A"));
  }

  @Test
  void write_whereNothingCanBeWritten_saysSo(@TempDir Path folder) throws IOException {
    Path notAFolder = Files.createFile(folder.resolve("file"));
    Path file = notAFolder.resolve("kernels.properties");
    assertFalse(RateMeasurement.write(file, "A", rates()));
    assertNull(RateMeasurement.read(file, "A"));
  }

  @Test
  void measured_areRatesOfThisMachine() {
    Map<Precision, Map<Integer, Rates>> measured = RateMeasurement.measured(OpenBlas.load());
    assertEquals(List.of(Precision.values()), List.copyOf(measured.keySet()));
    assertTrue(
        measured.values().stream()
            .flatMap(byExtent -> byExtent.values().stream())
            .flatMap(each -> Stream.of(each.contractions(), each.traces()))
            // A wrong unit or count of flops is far away from these.
            .allMatch(rate -> rate > 1e7 && rate < 1e12),
        measured::toString);
  }
}
