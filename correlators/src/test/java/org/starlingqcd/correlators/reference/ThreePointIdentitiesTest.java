package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.reference.ThreePointRuns.TOLERANCE;
import static org.starlingqcd.correlators.reference.ThreePointRuns.largest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.RunSettings;

/** Identities that three-point functions obey on every configuration. */
class ThreePointIdentitiesTest {
  private static final int T = 8;
  private static final int SEPARATION = 4;

  @TempDir private Path folder;

  /** By the Ward identity, the charge between source and sink is that of the hadron. */
  @Test
  void conservedCurrent_countsCharge() {
    Path result = run("charge_pion", settings -> {});
    double[] current = read(result, "insertion/charge/connected");
    double[] twoPoint = read(result, "two_point");
    int elements = twoPoint.length / 2;
    double largest = largest(twoPoint);
    assertTrue(largest > 1e-6, "largest=" + largest);
    for (int t = 0; t < T; t++) {
      double inside = t < SEPARATION ? 1 : 0;
      for (int k = 0; k < 2 * elements; k++) {
        double difference = current[2 * elements * t + k] - current[2 * elements * (T - 1) + k];
        assertEquals(inside * twoPoint[k], difference, TOLERANCE * largest, "t=" + t);
      }
    }
  }

  /** Wigner and Eckart: only the Clebsch-Gordan coefficient depends on third components. */
  @Test
  void isospin_factorsOut() throws IOException {
    double root = Math.sqrt(0.5);
    // Sink, current and the coefficient that couples them to the source.
    double[][] couplings = {
      {1, 0, root},
      {0, 1, -root},
      {1, -1, root},
      {0, 0, 0},
      {-1, 1, -root},
      {0, -1, root},
      {-1, 0, -root}
    };
    double[] reduced = {};
    for (double[] coupling : couplings) {
      int sink = (int) coupling[0];
      int current = (int) coupling[1];
      String name = "isospin" + sink + "_" + current;
      Path file = folder.resolve(name + ".yaml");
      Files.writeString(
          file,
          """
          name: %s
          sink:
            isospin: [1, %d]
            irrep: T1-
            row: y
            operators:
              - name: rho
                hadrons: [{meson: rho, momentum: [0, 0, 0], polarization: y}]
          source:
            isospin: [1, %d]
            momentum: [0, 0, 1]
            irrep: A2
            operators:
              - name: pi_001
                hadrons: [{meson: pi, momentum: [0, 0, 1]}]
          insertions:
            - {name: vector, meson: rho, i3: %d, polarization: x, momentum: [0, 0, 1]}
          """
              .formatted(name, sink, sink + current, current));
      Path result = run(file.toString(), settings -> {});
      double[] values = read(result.resolveSibling(name + ".h5"), "insertion/vector/connected");
      if (coupling[2] == 0) {
        assertTrue(largest(values) <= TOLERANCE * largest(reduced), name);
        continue;
      }
      double[] divided = Arrays.stream(values).map(x -> x / coupling[2]).toArray();
      if (reduced.length == 0) {
        reduced = divided;
        assertTrue(largest(reduced) > 1e-9, name);
      }
      assertArrayEquals(reduced, divided, TOLERANCE * largest(reduced), name);
    }
  }

  @Test
  void smallMemory_changesNothing() {
    assertSame(settings -> {}, settings -> settings.device.memory = MemorySize.parse("40KiB"));
  }

  /** Insertion times are counted from each source, and blocks that two sources need are shared. */
  @Test
  void severalSourcesAtOnce_changeNothing() {
    NumberSelection sources = NumberSelection.parse("0,4");
    assertSame(
        settings -> settings.sources = sources,
        settings -> {
          settings.sources = sources;
          settings.sourcesAtOnce = 2;
        });
  }

  private void assertSame(Consumer<RunSettings> one, Consumer<RunSettings> other) {
    Path first = run("pipi_to_rho", one.andThen(s -> s.out = folder.resolve("one")));
    Path second = run("pipi_to_rho", other.andThen(s -> s.out = folder.resolve("other")));
    for (String dataset :
        List.of(
            "two_point",
            "insertion/charge/connected",
            "insertion/charge/disconnected",
            "insertion/conserved/connected")) {
      double[] expected = read(first, dataset);
      assertArrayEquals(expected, read(second, dataset), TOLERANCE * largest(expected), dataset);
    }
  }

  /** Two-point functions have all separations, three-point functions those of their data. */
  @Test
  void bothKinds_runTogether_eachWithItsOwnSeparations() {
    run(
        List.of("charge_pion", "pion", "pipi_to_rho"),
        settings -> settings.separations = NumberSelection.ALL);
    double[] ofPion = read(folder.resolve("pion.h5"), "correlator");
    double[] twoPoint = read(folder.resolve("charge_pion.h5"), "two_point");
    assertEquals(2 * T, ofPion.length);
    int elements = twoPoint.length / 4;
    for (int k = 0; k < 2; k++) {
      assertArrayEquals(
          Arrays.copyOfRange(ofPion, 2 * SEPARATION * k, 2 * SEPARATION * k + 2),
          Arrays.copyOfRange(twoPoint, 2 * elements * k, 2 * elements * k + 2),
          TOLERANCE * largest(ofPion));
    }
    for (String name : List.of("charge_pion", "pipi_to_rho", "pion")) {
      Path alone =
          run(
              name,
              one -> {
                one.out = folder.resolve("alone");
                one.separations = NumberSelection.ALL;
              });
      for (String dataset :
          name.equals("pion")
              ? List.of("correlator")
              : List.of("two_point", "insertion/charge/connected")) {
        double[] expected = read(alone, dataset);
        double[] together = read(folder.resolve(name + ".h5"), dataset);
        assertArrayEquals(expected, together, TOLERANCE * largest(expected), name + dataset);
      }
    }
  }

  private Path run(String definition, Consumer<RunSettings> change) {
    return run(List.of(definition), change).resolve(definition + ".h5");
  }

  private Path run(List<String> definitions, Consumer<RunSettings> change) {
    Consumer<RunSettings> separation =
        settings -> settings.separations = NumberSelection.of(List.of(SEPARATION));
    return ThreePointRuns.run(folder, definitions, ThreePointRuns.DATA, separation.andThen(change));
  }

  private static double[] read(Path file, String dataset) {
    return ThreePointRuns.read(file, 1, dataset);
  }
}
