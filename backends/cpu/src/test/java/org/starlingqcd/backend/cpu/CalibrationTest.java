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
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrationTest {
  private static final KernelChoice SMALL = new KernelChoice(0, false);
  private static final KernelChoice LARGE = new KernelChoice(96, true);

  @ParameterizedTest
  @CsvSource({"1,64", "64,64", "127,64", "129,256", "256,256", "4000,256"})
  void choice_isThatOfTheNearestExtent(int extent, int nearest) {
    Calibration calibration = new Calibration(Map.of(64, SMALL, 256, LARGE), "test");
    assertEquals(nearest == 64 ? SMALL : LARGE, calibration.choice(extent));
  }

  @Test
  void read_afterWrite_givesTheSameChoices(@TempDir Path folder) {
    Path file = folder.resolve("new").resolve("kernels.properties");
    assertTrue(new Calibration(Map.of(64, SMALL, 256, LARGE), "test").write(file, "machine A"));
    Calibration read = Calibration.read(file, "machine A");
    assertNotNull(read);
    assertEquals(SMALL, read.choice(64));
    assertEquals(LARGE, read.choice(256));
    assertNull(Calibration.read(file, "machine B"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"machine=A\nextent.64=tile=x,products=3\n", "machine=A\n", "\\u00"})
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

  @ParameterizedTest
  @ValueSource(strings = {"", "tile=5", "tile=-1,products=3", "tile=5,products=2", "products=3"})
  void parse_ofSomethingElse_namesIt(String text) {
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> KernelChoice.parse(text));
    assertTrue(String.valueOf(wrong.getMessage()).contains("tile=NUMBER,products=3|4: " + text));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 99, 100, 101, 128, 255, 384, 1000})
  void tiling_coversTheMatrixWithTilesOfAboutEqualSize(int extent) {
    Tiling tiling = new KernelChoice(100, true).tiling(extent);
    int covered = 0;
    for (int k = 0; k < tiling.tiles(); k++) {
      assertTrue(tiling.size(k) > 0 && tiling.size(k) <= 100);
      assertTrue(tiling.edge() - tiling.size(k) < tiling.tiles());
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
    assertEquals(6, run.table().size());
    assertTrue(run.table().get(0).contains("zgemm"));
    for (String line : run.table().subList(1, 6)) {
      assertTrue(line.matches(" *[0-9]+( +[0-9.]+)+  tile=[0-9]+,products=[34]"), line);
    }
    assertTrue(run.calibration().describe().contains("N=384 tile="));
  }
}
