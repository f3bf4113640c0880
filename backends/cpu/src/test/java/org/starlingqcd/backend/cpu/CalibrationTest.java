package org.starlingqcd.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.BackendSettingException;
import org.starlingqcd.backend.MeasuredRates;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.cpu.blas.KernelChoice;
import org.starlingqcd.backend.cpu.blas.OpenBlas;
import org.starlingqcd.backend.cpu.blas.Tiling;

class CalibrationTest {
  private static final KernelChoice SMALL = new KernelChoice(0, false);
  private static final KernelChoice LARGE = KernelChoice.packed(true);

  @ParameterizedTest
  @CsvSource({"1,64", "64,64", "127,64", "129,256", "256,256", "4000,256"})
  void choice_isThatOfTheNearestExtent(int extent, int nearest) {
    Calibration calibration = new Calibration(Map.of(64, SMALL, 256, LARGE), Map.of(), "test");
    assertEquals(nearest == 64 ? SMALL : LARGE, calibration.choice(extent));
  }

  @Test
  void read_afterWrite_givesTheSameChoices(@TempDir Path folder) {
    Path file = folder.resolve("new").resolve("kernels.properties");
    assertTrue(
        new Calibration(Map.of(64, SMALL, 256, LARGE), Map.of(), "test").write(file, "machine A"));
    Calibration read = Calibration.read(file, "machine A");
    assertNotNull(read);
    assertEquals(SMALL, read.choice(64));
    assertEquals(LARGE, read.choice(256));
    assertNull(Calibration.read(file, "machine B"));
  }

  @Test
  void rates_areThoseOfTheNearestExtent_onAllThreads(@TempDir Path folder) {
    Map<Precision, NavigableMap<Integer, MeasuredRates.Rates>> measured =
        new EnumMap<>(Precision.class);
    for (Precision precision : Precision.values()) {
      double unit = 1e9 / precision.realBytes();
      measured.put(
          precision,
          new TreeMap<>(
              Map.of(
                  64, new MeasuredRates.Rates(3 * unit, unit),
                  256, new MeasuredRates.Rates(5 * unit, 2 * unit))));
    }
    Path file = folder.resolve("kernels.properties");
    assertTrue(new Calibration(Map.of(64, SMALL), measured, "test").write(file, "A"));
    Calibration read = Calibration.read(file, "A");
    assertNotNull(read);
    MeasuredRates rates = read.rates().orElseThrow();
    int threads = rates.threads();
    assertEquals(Runtime.getRuntime().availableProcessors(), threads);
    assertEquals(
        new MeasuredRates.Rates(threads * 3e9 / 8, threads * 1e9 / 8),
        rates.of(Precision.DOUBLE, 127));
    assertEquals(
        new MeasuredRates.Rates(threads * 5e9 / 4, threads * 2e9 / 4),
        rates.of(Precision.SINGLE, 129));
  }

  /** Files of versions that stored no rates keep their choices: results keep their last bits. */
  @Test
  void read_withoutRates_keepsTheChoices(@TempDir Path folder) {
    Path file = folder.resolve("kernels.properties");
    assertTrue(new Calibration(Map.of(64, LARGE), Map.of(), "test").write(file, "A"));
    Calibration read = Calibration.read(file, "A");
    assertNotNull(read);
    assertEquals(LARGE, read.choice(64));
    assertTrue(read.rates().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "machine=A\nextent.64=tile=x,products=3\n",
        "machine=A\n",
        "\\u00",
        "machine=A\nextent.64=zgemm\nrates.half.64=1,1\n",
        "machine=A\nextent.64=zgemm\nrates.single.64=1,-1\n",
        "machine=A\nextent.64=zgemm\nrates.single.64=1\n"
      })
  void read_ofSomethingElse_isNoCalibration(String content, @TempDir Path folder)
      throws IOException {
    Path file = Files.writeString(folder.resolve("kernels.properties"), content);
    assertNull(Calibration.read(file, "A"));
  }

  @Test
  void write_whereNothingCanBeWritten_saysSo(@TempDir Path folder) throws IOException {
    Path notAFolder = Files.createFile(folder.resolve("file"));
    Path file = notAFolder.resolve("kernels.properties");
    assertFalse(Calibration.always(SMALL, "test").write(file, "A"));
    assertNull(Calibration.read(file, "A"));
  }

  @Test
  void variable_overridesTheCalibrationUnlessItIsBlank() {
    assertNull(Calibration.overriding(null, "HASWELL"));
    assertNull(Calibration.overriding(" ", "HASWELL"));
    Calibration packed = Calibration.overriding(" packed,products=3", "HASWELL");
    assertNotNull(packed);
    assertEquals(LARGE, packed.choice(100));
    Calibration standard = Calibration.overriding("standard ", "COOPERLAKE");
    assertNotNull(standard);
    assertEquals(Calibration.standard("COOPERLAKE"), standard.choice(100));
  }

  @Test
  void variable_thatIsWrong_isNamedWithWhatToDo() {
    BackendSettingException wrong =
        assertThrows(
            BackendSettingException.class, () -> Calibration.overriding("fastest", "HASWELL"));
    assertEquals(
        "STARLING_CPU_KERNEL=fastest: expected standard, packed,products=3|4, strassen,products=3,"
            + " tile=NUMBER,products=3|4 or zgemm; unset it to let the program choose the fastest kernel",
        wrong.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tile=5",
        "tile=-1,products=3",
        "tile=5,products=2",
        "products=3",
        "zgemm,products=3",
        "packed",
        "packed,products=5",
        "strassen",
        "strassen,products=4",
        "tile=5,packed,products=3"
      })
  void parse_ofSomethingElse_namesIt(String text) {
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> KernelChoice.parse(text));
    assertTrue(
        String.valueOf(wrong.getMessage()).endsWith("tile=NUMBER,products=3|4 or zgemm: " + text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tile=100,products=3",
        "tile=0,products=4",
        "zgemm",
        "packed,products=3",
        "packed,products=4",
        "strassen,products=3"
      })
  void parse_readsWhatFormatWrites(String text) {
    assertEquals(text, KernelChoice.parse(text).format());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "tile=100,products=3 tile=100,products=4",
        "packed,products=3 packed,products=4",
        "packed,products=4 packed,products=4",
        "strassen,products=3 packed,products=4",
        "zgemm zgemm"
      })
  void conventional_takesFourProductsAndNoScheme(String text, String conventional) {
    assertEquals(conventional, KernelChoice.parse(text).conventional().format());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 99, 100, 101, 128, 255, 256, 384, 1000})
  void tiling_coversTheMatrixWithTilesOfAboutEqualSize(int extent) {
    Tiling tiling = new KernelChoice(100, true).tiling(extent);
    assertTrue(tiling.tiles() == 1 || tiling.edge() % 8 == 0);
    int covered = 0;
    for (int k = 0; k < tiling.tiles(); k++) {
      assertTrue(tiling.size(k) > 0 && tiling.size(k) <= 100);
      assertTrue(k == tiling.tiles() - 1 || tiling.size(k) == tiling.edge());
      covered += tiling.size(k);
    }
    assertEquals(extent, covered);
    assertEquals(
        (long) extent * extent,
        tiling.offset(tiling.tiles() - 1, tiling.tiles() - 1)
            + (long) tiling.size(tiling.tiles() - 1) * tiling.size(tiling.tiles() - 1));
  }

  @Test
  @Tag("slow")
  void measure_choosesForEveryExtentAndTellsWhatItSaw() {
    CalibrationRun run = CalibrationRun.measure(OpenBlas.load());
    List<String> table = run.table();
    assertTrue(table.get(0).matches("GFLOP/s, one thread +N=32 +N=64 +N=128 +N=256"), table.get(0));
    List<String> alone =
        table.stream().skip(1).takeWhile(line -> !line.contains("share an input")).toList();
    Set<String> kernels = new HashSet<>();
    int chosen = 0;
    for (String line : alone) {
      assertTrue(line.matches("\\S+( +([0-9.]+\\*?|-)){4}"), line);
      kernels.add(line.substring(0, line.indexOf(' ')));
      chosen += (int) line.chars().filter(c -> c == '*').count();
    }
    assertEquals(4, chosen);
    assertTrue(
        kernels.containsAll(Set.of("tile=0,products=3", "tile=64,products=4", "zgemm")),
        () -> "measured: " + kernels);
    assertTrue(kernels.contains(run.calibration().choice(256).format()));
    MeasuredRates rates = run.calibration().rates().orElseThrow();
    double most =
        alone.stream()
            .map(line -> line.split(" +")[4].replace("*", ""))
            .filter(number -> !number.equals("-"))
            .mapToDouble(Double::parseDouble)
            .max()
            .orElseThrow();
    double rate = rates.of(Precision.DOUBLE, 256).contractions() / rates.threads();
    // Measured twice, possibly under other load: a wrong unit or count of flops is far away.
    assertTrue(rate > 1e8 * most && rate < 1e10 * most, rate + " for " + most);
    assertTrue(rates.of(Precision.SINGLE, 256).traces() > 1e7);
  }
}
