package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.result.ResultAssert;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.reference.NaiveCorrelator;

/** Gluonic factors alone and in products. */
final class GluonicFactorsTest {
  private static final double ROUNDING = 1e-11;
  private static final int T = 4;
  private static final List<Integer> SOURCES = List.of(0, 3);
  private static final String PRODUCT = "{gluonic: G, momentum: %s}, {meson: %s, momentum: %s%s}";

  /** At rest with one-point functions, in flight, in two rows of an irrep, with a baryon. */
  private static final String VACUUM =
      """
      isospin: [0, 0]
      irrep: A1+
      operators:
        - {name: f0, hadrons: [{meson: f0, momentum: [0, 0, 0]}]}
        - {name: glueball, hadrons: [{gluonic: G, momentum: [0, 0, 0]}]}
        - name: pipi
          hadrons: [{meson: pi, momentum: [0, 0, 1]}, {meson: pi, momentum: [0, 0, -1]}]
        - {name: product, hadrons: [%s]}
        - name: written
          terms:
            - {coefficient: [0.5, 2], gluonic: [{name: G, momentum: [0, 0, 0]}]}
            - mesons: [{bar: u, gamma: 1, quark: u, momentum: [0, 0, 0]}]
              gluonic: [{name: H, momentum: [0, 0, 0]}, {name: G, momentum: [0, 0, 0]}]
      """
          .formatted(PRODUCT.formatted("[0, 0, 1]", "f0", "[0, 0, -1]", ""));

  private static final String FLIGHT =
      """
      isospin: [1, 1]
      momentum: [0, 0, 1]
      irrep: A2
      operators:
        - {name: pi, hadrons: [{meson: pi, momentum: [0, 0, 1]}]}
        - {name: product, hadrons: [%s]}
      """
          .formatted(PRODUCT.formatted("[0, 1, 0]", "pi", "[0, -1, 1]", ""));

  private static final String TENSOR =
      """
      isospin: [0, 0]
      irrep: E+
      row: %s
      operators:
        - {name: glueball, hadrons: [{gluonic: E, momentum: [0, 0, 0], transforms: E+, row: 1}], \
      seed_row: 1}
        - {name: product, hadrons: [{gluonic: E, momentum: [0, 0, 1], transforms: E+, row: 1}, \
      {meson: f0, momentum: [0, 0, -1]}], seed_row: 1}
      """;

  private static final String NUCLEON =
      """
      isospin: [1/2, 1/2]
      irrep: G1g
      row: 1
      operators:
        - {name: N, hadrons: [{baryon: N, momentum: [0, 0, 0], component: 1}]}
        - name: product
          hadrons: [{baryon: N, momentum: [0, 0, 0], component: 1}, \
      {gluonic: G, momentum: [0, 0, 0]}]
      """;

  @TempDir private Path folder;

  private Cli run(String... more) {
    String[] words = Cli.words("run %s/a.yaml --data %s/data --out %s/out", folder, folder, folder);
    return Cli.run(words, more);
  }

  private Path data(String options) {
    Cli.line("synth -N 3 -T 4 -L 4 --labels light --baryons --out %s/data " + options, folder).ok();
    return folder.resolve("data/synthetic_cfg0001.h5");
  }

  private double[] numbers(String object) {
    return ResultAssert.numbers(folder.resolve("out/a.h5"), "cfg_0001/" + object);
  }

  @ParameterizedTest
  @ValueSource(strings = {"VACUUM", "FLIGHT", "TENSOR 1", "TENSOR 2", "NUCLEON"})
  void correlators_areThoseOfTheNaiveEvaluation(String name) throws IOException {
    String text =
        "name: a\n"
            + switch (name) {
              case "VACUUM" -> VACUUM;
              case "FLIGHT" -> FLIGHT;
              case "NUCLEON" -> NUCLEON;
              default -> TENSOR.formatted(name.substring(7));
            };
    Files.writeString(folder.resolve("a.yaml"), text);
    Path file = data("--gluonic G,H,E:1,E:2");
    run("--sources", "0,3").ok();
    CorrelationMatrix matrix = DefinitionLoader.parse("a", text).toCorrelationMatrix();
    int n = matrix.operators().size();
    try (NaiveCorrelator naive = new NaiveCorrelator(file)) {
      List<Integer> separations = IntStream.range(0, T).boxed().toList();
      assertClose(naive.correlator(matrix, SOURCES, separations), numbers("correlator"));
      if (matrix.onePoint()) {
        double[] onePoint = new double[2 * T * n];
        for (int k = 0; k < T * n; k++) {
          Complex c = naive.onePoint(matrix, k % n, k / n);
          onePoint[2 * k] = c.re();
          onePoint[2 * k + 1] = c.im();
        }
        assertClose(onePoint, numbers("vev"));
      }
    }
    assertEquals(name.equals("VACUUM"), matrix.onePoint());
  }

  private static void assertClose(double[] expected, double[] actual) {
    double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
    assertTrue(largest > 0);
    assertArrayEquals(expected, actual, ROUNDING * largest);
  }

  /** No contraction is needed for a glueball alone, nor data of quarks. */
  @Test
  void glueballAlone_isAProductOfNumbers() throws IOException {
    Files.writeString(
        folder.resolve("a.yaml"),
        "name: a\nisospin: [0, 0]\nirrep: T1-\nrow: z\noperators:\n  - name: g\n    hadrons:"
            + " [{gluonic: V, momentum: [0, 0, 0], transforms: T1-, row: z}]\n");
    Path file = data("--gluonic V:x,V:y,V:z");
    run("--sources", "1").ok();
    double[] g;
    try (Hdf5File open = Hdf5File.open(file);
        Hdf5Dataset dataset = open.dataset("gluonic/V/0_0_0/z")) {
      g = dataset.readAll();
    }
    double[] expected = new double[2 * T];
    for (int dt = 0; dt < T; dt++) {
      // Real at rest.
      expected[2 * dt] = g[2 * ((1 + dt) % T)] * g[2];
    }
    assertClose(expected, numbers("correlator"));
    Cli.run("plan", folder.resolve("a.yaml").toString()).ok();
  }

  @Test
  void threePointFunctions_haveTheFactorsToo() throws IOException {
    String side = "\n  isospin: [1, 0]\n  irrep: A1-\n  operators:\n";
    String pi = "    - {name: pi, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}\n";
    String glue =
        "    - {name: glue, hadrons: [{gluonic: G, momentum: [0, 0, 0]}, {meson: pi, momentum: [0,"
            + " 0, 0]}]}\n";
    String insertions =
        "insertions:\n  - {name: s, gamma: 1, momentum: [0, 0, 0], flavours: {u: 1}}\n";
    Files.writeString(
        folder.resolve("a.yaml"),
        "name: a\nsink:" + side + pi + glue + "source:" + side + pi + insertions);
    Path file = data("--gluonic G --currents 1");
    run("--sources", "2", "--separations", "3").ok();
    double[] g;
    try (Hdf5File open = Hdf5File.open(file);
        Hdf5Dataset dataset = open.dataset("gluonic/G/0_0_0")) {
      g = dataset.readAll();
    }
    double[] all = numbers("insertion/s/connected");
    for (int k = 0; k < all.length; k += 4) {
      assertEquals(all[k] * g[2], all[k + 2], ROUNDING * Math.abs(all[k]));
    }
    Cli.line("check %s/data --three-point %s/out/a.h5", folder, folder).ok();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {gluonic: G, momentum: [0, 0, 0], transforms: A3+}|expected an irrep at rest, one of A1+
          {gluonic: G, momentum: [0, 0, 0], transforms: T1-}|missing row: T1- needs x, y, z
          {gluonic: G, momentum: [0, 0, 0], row: x}|irrep A1+ has one dimension: leave row out
          {gluonic: G, meson: pi, momentum: [0, 0, 0]}|meson and gluonic
          {gluonic: a/b, momentum: [0, 0, 0]}|expected a name of the data without /
          {gluonic: G, momentum: [0, 0, 1]}|the momenta add up to [0, 0, 1]
          {gluonic: G, momentum: [0, 0, 0], transforms: A1-}|the projection vanishes
          {gluonic: K, momentum: [0, 0, 0]}|gluonic factors (name/momentum/row): K/0_0_0; there are
          """)
  void badInput_isRefused(String hadron, String message) throws IOException {
    Files.writeString(
        folder.resolve("a.yaml"),
        "name: a\nisospin: [0, 0]\nirrep: A1+\noperators:\n  - {name: g, hadrons: ["
            + hadron
            + "]}\n");
    data("--gluonic G");
    run().refused(message);
    assertTrue(Files.notExists(folder.resolve("out/a.h5")));
  }

  @Test
  void inspectExpandAndConvert_knowThem() throws IOException {
    Path file = data("--gluonic G,E:1,E:2");
    Cli.run("inspect", file.toString(), "--verify")
        .ok()
        .prints("E 2: [0, 0, 0], all 6 of [0, 0, 1]");
    Path copy = folder.resolve("copy.h5");
    Cli.run("convert", file.toString(), "--no-check", "--out", copy.toString()).ok();
    for (String object : List.of("gluonic/G/0_0_-1", "gluonic/E/0_1_1/2")) {
      try (Hdf5File one = Hdf5File.open(file);
          Hdf5File other = Hdf5File.open(copy);
          Hdf5Dataset a = one.dataset(object);
          Hdf5Dataset b = other.dataset(object)) {
        assertArrayEquals(a.readAll(), b.readAll());
      }
    }
    Path arrays = folder.resolve("arrays");
    Cli.run("convert", file.toString(), "--no-check", "--to", "npy", "--out", arrays.toString())
        .notes("gluonic/E/0_1_1/2 has a form in HDF5 alone");
    // What is written out means the same.
    Path original = Files.writeString(folder.resolve("v.yaml"), "name: a\n" + VACUUM);
    Cli expand = Cli.run("expand", original.toString(), "--json");
    assertEquals(unordered(Files.readString(original)), unordered(expand.out()));
  }

  /** Terms with their factors in any order. */
  private static List<List<Object>> unordered(String definition) {
    return DefinitionLoader.parse("a", definition).toCorrelationMatrix().operators().stream()
        .flatMap(operator -> operator.terms().stream())
        .map(term -> List.<Object>of(term.coefficient(), Set.copyOf(term.factors())))
        .toList();
  }
}
