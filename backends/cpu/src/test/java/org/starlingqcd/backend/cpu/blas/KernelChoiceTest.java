package org.starlingqcd.backend.cpu.blas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.BackendSettingException;

class KernelChoiceTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "1 COOPERLAKE true packed,products=3",
        "79 HASWELL true packed,products=3",
        "80 HASWELL true strassen,products=3",
        "384 COOPERLAKE true strassen,products=3",
        "64 COOPERLAKE false tile=100,products=3",
        "384 HASWELL false tile=0,products=3"
      })
  void byRule_dependsOnTheExtentAndTheInstructions(
      int extent, String core, boolean loops, String kernel) {
    assertEquals(kernel, KernelChoice.byRule(extent, core, loops).format());
  }

  @Test
  void variable_asksForAKernelUnlessItIsBlankOrStandard() {
    assertNull(KernelChoice.asked(null));
    assertNull(KernelChoice.asked(" "));
    assertNull(KernelChoice.asked("standard "));
    assertEquals(KernelChoice.packed(true), KernelChoice.asked(" packed,products=3"));
  }

  @Test
  void variable_thatIsWrong_isNamedWithWhatToDo() {
    assertEquals(
        "STARLING_CPU_KERNEL=fastest: expected standard, packed,products=3|4, strassen,products=3,"
            + " tile=NUMBER,products=3|4 or zgemm; unset it to let the program choose the fastest kernel",
        assertThrows(BackendSettingException.class, () -> KernelChoice.asked("fastest"))
            .getMessage());
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
  @CsvSource(
      delimiter = ' ',
      value = {
        "tile=100,products=3 tile=100,products=4",
        "tile=0,products=4 tile=0,products=4",
        "packed,products=3 packed,products=4",
        "packed,products=4 packed,products=4",
        "strassen,products=3 packed,products=4",
        "zgemm zgemm"
      })
  void conventional_takesFourProductsAndNoScheme(String text, String conventional) {
    assertEquals(text, KernelChoice.parse(text).format());
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
}
