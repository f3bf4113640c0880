package org.starlingqcd.hadron.synthetic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.DistillationData;

class SyntheticDataTest {
  private static final int T = 4;
  private static final int N = 3;

  @TempDir Path folder;

  private static SyntheticEnsemble ensemble(
      List<String> labels, List<Integer> sources, List<Momentum> momenta, int deflate) {
    return new SyntheticEnsemble(
        "syn", 8, T, N, labels, sources, momenta, List.of("nabla_x"), true, deflate, 7);
  }

  private Path write(String place, SyntheticEnsemble ensemble) {
    return SyntheticData.write(ensemble, 12, folder.resolve(place), bytes -> {});
  }

  @Test
  void write_exactGamma5Hermiticity() {
    Path path = write("a", ensemble(List.of("light"), List.of(), TestData.MOMENTA, 0));
    double[] tau = TestData.part(path, "perambulators/light");
    int[] g5 = {1, 1, -1, -1};
    for (int k = 0; k < T * T * 16 * N * N; k++) {
      int j = k % N;
      int i = k / N % N;
      int b = k / (N * N) % 4;
      int a = k / (4 * N * N) % 4;
      int source = k / (16 * N * N) % T;
      int sink = k / (16 * N * N * T);
      int mirror = ((((source * T + sink) * 4 + b) * 4 + a) * N + j) * N + i;
      assertEquals(g5[a] * g5[b] * tau[2 * mirror], tau[2 * k]);
      assertEquals(-g5[a] * g5[b] * tau[2 * mirror + 1], tau[2 * k + 1], 0.0);
      assertTrue(Math.abs(tau[2 * k]) < 1);
    }
    assertTrue(Arrays.stream(tau).anyMatch(value -> value > 0.01));
  }

  @Test
  void write_elementalsOfARealLattice() {
    Path path = write("a", ensemble(List.of(), List.of(), TestData.MOMENTA, 0));
    double[] up = TestData.part(path, "elementals/meson/none/0_0_1");
    double[] down = TestData.part(path, "elementals/meson/none/0_0_-1");
    double[] rest = TestData.part(path, "elementals/meson/none/0_0_0");
    double[] nabla = TestData.part(path, "elementals/meson/nabla_x/0_0_0");
    for (int k = 0; k < T * N * N; k++) {
      int j = k % N;
      int i = k / N % N;
      int mirror = (k / (N * N) * N + j) * N + i;
      assertEquals(up[2 * mirror], down[2 * k]);
      assertEquals(-up[2 * mirror + 1], down[2 * k + 1]);
      assertEquals(i == j ? 1 : 0, rest[2 * k]);
      assertEquals(0, rest[2 * k + 1]);
      assertEquals(-nabla[2 * mirror], nabla[2 * k], 0.0);
      assertEquals(nabla[2 * mirror + 1], nabla[2 * k + 1]);
    }
    assertNotEquals(up[0], nabla[1]);
  }

  @Test
  void write_antisymmetricBaryons() {
    Path path = write("a", ensemble(List.of(), List.of(), TestData.MOMENTA, 0));
    double[] b = TestData.part(path, "elementals/baryon/none/0_0_1");
    for (int t = 0; t < T; t++) {
      for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
          for (int k = 0; k < N; k++) {
            double value = b[2 * (((t * N + i) * N + j) * N + k)];
            assertEquals(-value, b[2 * (((t * N + j) * N + i) * N + k)], 0.0);
            assertEquals(-value, b[2 * (((t * N + i) * N + k) * N + j)], 0.0);
          }
        }
      }
    }
    assertNotEquals(0, b[2 * 5]);
  }

  /** Numbers belong to blocks: what else is written, in which order and how, does not matter. */
  @Test
  void write_numbersDependOnTheBlockAlone() {
    List<Momentum> reversed =
        List.of(TestData.MOMENTA.get(2), TestData.MOMENTA.get(1), TestData.MOMENTA.get(0));
    Path one = write("a", ensemble(List.of("light", "strange"), List.of(), TestData.MOMENTA, 0));
    Path other = write("b", ensemble(List.of("strange", "light"), List.of(3, 1), reversed, 5));
    for (String object :
        List.of(
            "elementals/meson/none/0_0_1",
            "elementals/meson/nabla_x/0_0_-1",
            "elementals/baryon/none/0_0_0")) {
      assertArrayEquals(TestData.part(one, object), TestData.part(other, object), object);
    }
    TestData.keepSources(one, "light", 3, 1);
    assertArrayEquals(
        TestData.part(one, "perambulators/light"), TestData.part(other, "perambulators/light"));
    assertFalse(
        Arrays.equals(
            TestData.part(other, "perambulators/strange"),
            TestData.part(other, "perambulators/light")));
    try (DistillationData data = DistillationData.open(List.of(other))) {
      assertEquals(List.of(1, 3), List.copyOf(data.sourceTimes("light")));
    }
  }

  @Test
  void write_seedsAndConfigurationsDiffer() {
    SyntheticEnsemble ensemble = ensemble(List.of("light"), List.of(0), TestData.MOMENTA, 0);
    Path one = SyntheticData.write(ensemble, 1, folder, bytes -> {});
    AtomicLong written = new AtomicLong();
    Path two = SyntheticData.write(ensemble, 2, folder, written::addAndGet);
    assertEquals(folder.resolve("syn_cfg0002.h5"), two);
    assertEquals(ensemble.bytes(), written.get());
    assertFalse(
        Arrays.equals(
            TestData.part(one, "perambulators/light"), TestData.part(two, "perambulators/light")));
    assertFalse(Files.exists(folder.resolve("syn_cfg0002.h5.part")));
  }

  @Test
  void write_whereNothingCanBeWritten() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "in the way");
    SyntheticEnsemble ensemble = ensemble(List.of(), List.of(), TestData.MOMENTA, 0);
    String message = TestData.refusal(() -> SyntheticData.write(ensemble, 1, file, bytes -> {}));
    assertTrue(message.startsWith(file + "/syn_cfg0001.h5: cannot be written: "), message);
  }

  @Test
  void ensemble_refusesWhatMakesNoSense() {
    assertEquals(
        "must be >= 0 && < 4: source time=4",
        assertThrows(
                IllegalArgumentException.class,
                () -> ensemble(List.of("light"), List.of(4), TestData.MOMENTA, 0))
            .getMessage());
    assertEquals(
        "given twice: label=light",
        assertThrows(
                IllegalArgumentException.class,
                () -> ensemble(List.of("light", "light"), List.of(), TestData.MOMENTA, 0))
            .getMessage());
    assertEquals(
        "must not be empty, contain '/' or be a dot: label='a/b'",
        assertThrows(
                IllegalArgumentException.class,
                () -> ensemble(List.of("a/b"), List.of(), TestData.MOMENTA, 0))
            .getMessage());
  }
}
