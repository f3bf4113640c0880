package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.result.ResultAssert;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.reference.NaiveCorrelator;

/** Distillation profiles against data whose elementals were weighted. */
final class ProfilesTest {
  private static final double ROUNDING = 1e-11;
  private static final int T = 3;
  private static final int N = 4;
  private static final double SIGMA = 0.7;

  private static final String MESONS =
      """
      name: a
      isospin: [1, 1]
      momentum: [0, 0, 1]
      irrep: A2
      operators:
        - {name: pi, hadrons: [{meson: pi, momentum: [0, 0, 1]%1$s}]}
        - {name: d, hadrons: [{meson: b1xD1_J0_A1, momentum: [0, 0, 1]%1$s}]}
        - {name: rhopi, hadrons: [{meson: rho, momentum: [0, 0, 0], polarization: z%1$s}, \
      {meson: pi, momentum: [0, 0, 1]%1$s}]}
      """;

  private static final String VACUUM =
      """
      name: a
      isospin: [0, 0]
      irrep: A1+
      operators:
        - {name: f0, hadrons: [{meson: f0, momentum: [0, 0, 0]%1$s}]}
        - {name: pipi, hadrons: [{meson: pi, momentum: [0, 0, 1]%1$s}, \
      {meson: pi, momentum: [0, 0, -1]%1$s}]}
      """;

  private static final String BARYONS =
      """
      name: a
      isospin: [1/2, 1/2]
      irrep: G1u
      row: 1
      operators:
        - {name: N, hadrons: [{baryon: N, momentum: [0, 0, 0], component: 1, parity: minus%1$s}]}
        - {name: Npi, hadrons: [{baryon: N, momentum: [0, 0, 1], component: 1%1$s}, \
      {meson: pi, momentum: [0, 0, -1]%1$s}]}
      """;

  private static final String MOVING =
      """
      name: a
      isospin: [1/2, 1/2]
      momentum: [0, 0, 1]
      irrep: G1
      row: 2
      operators:
        - {name: N, hadrons: [{baryon: N, momentum: [0, 0, 1], component: 1%1$s}], seed_row: 1}
      """;

  private static final String TWO =
      """
      name: a
      isospin: [%s]
      quarks: {c: charm}
      profiles:
        a: {weights: [1, 0.7, 0.4]}
        b: {weights: [[1.2, 0.8, 0.5], [1.1, 0.9, 0.6], [1, 0.5, 0.2]]}
      """;

  private static final String OPEN =
      TWO.formatted("0, 0")
          + """
          mesons: {D: {like: Kbar, strange: c}, V: [{meson: D, profile: a}, {meson: D, coefficient: 0.3}]}
          tetraquarks:
            A: {antiquarks: [l, l], antidiquark: 0+, quarks: [c, c], diquark: 1+, colour: 3bar3}
            B: {antiquarks: [l, l], antidiquark: 1+, quarks: [c, c], diquark: 0+, colour: 66bar, profile: [a, b, b, b]}
          operators:
            - {name: A, hadrons: [{tetraquark: A, momentum: [0, 0, 0], polarization: z, profile: b}]}
            - {name: AA, hadrons: [{tetraquark: A, momentum: [0, 0, 0], polarization: z, profile: [a, b, b, a]}]}
            - {name: B, hadrons: [{tetraquark: B, momentum: [0, 0, 0], polarization: z}]}
            - {name: DV, hadrons: [{meson: D, momentum: [0, 0, 0], quark_profile: b},           {meson: V, momentum: [0, 0, 0]}]}
            - name: W
              terms:
                - tetraquarks: [{antiquarks: [u, d], antidiquark: Cg5, quarks: [c, c], diquark: Cg5, colour: 3bar3,           momentum: [0, 0, 0], profile: [a, a, a, b]}]
          """;

  private static final String HIDDEN =
      TWO.formatted("1, 1")
          + """
          mesons: {psi: {like: phi, strange: c}}
          tetraquarks:
            Z: {isospin: 1, antiquarks: [c, l], antidiquark: 0+, quarks: [c, l], diquark: 1+, colour: 3bar3}
          operators:
            - {name: Z, hadrons: [{tetraquark: Z, momentum: [0, 0, 0], polarization: z, profile: [a, b, b, b]}]}
            - {name: ZZ, hadrons: [{tetraquark: Z, momentum: [0, 0, 0], polarization: z, profile: a}]}
            - {name: pipsi, hadrons: [{meson: pi, momentum: [0, 0, 0], profile: b},           {meson: psi, momentum: [0, 0, 0], polarization: z}]}
          """;

  /** The tetraquark exchanges quarks with mesons, and so does the nucleon. */
  private static final String WITH_BARYON =
      """
      name: a
      quarks: {c: charm, s: charm}
      profiles: {a: {weights: [1, 0.7, 0.4]}}
      operators:
        - name: T
          terms:
            - baryons: [{quarks: [u, d, u], momentum: [0, 0, 1], component: 1}]
              tetraquarks: [{antiquarks: [c, c], antidiquark: Cg1, quarks: [s, s], diquark: Cg2, colour: 3bar3, \
      momentum: [0, 0, -1], profile: a}]
        - name: M
          terms:
            - baryons: [{quarks: [u, d, u], momentum: [0, 0, 0], component: 1}]
              mesons: [{bar: c, gamma: g5, quark: s, momentum: [0, 0, 0]}, {bar: c, gamma: g1, quark: s, momentum: [0, 0, 0]}]
        - name: Tpi
          terms:
            - baryons: [{quarks: [u, d, d], momentum: [0, 0, 0], component: 1}]
              tetraquarks: [{antiquarks: [c, c], antidiquark: Cg5, quarks: [s, s], diquark: C, colour: 66bar, momentum: [0, 0, 0]}]
              mesons: [{bar: d, gamma: g5, quark: u, momentum: [0, 0, 0]}]
      """;

  @TempDir private Path folder;

  private static double eigenvalue(int time, int i) {
    return 0.2 + 0.25 * i + 0.01 * time;
  }

  private static double gaussian(int timeAndVector) {
    double lambda = eigenvalue(timeAndVector / N, timeAndVector % N);
    return Math.exp(-lambda * lambda / (2 * SIGMA * SIGMA));
  }

  private Path data(String name) throws IOException {
    Cli.line("synth -N 4 -T 3 -L 4 --labels light --baryons --derivatives 1 --out %s", folder).ok();
    Path file = Files.createDirectories(folder.resolve(name)).resolve("a.h5");
    return Files.move(folder.resolve("synthetic_cfg0001.h5"), file);
  }

  private static void addEigenvalues(Path path, double sign) {
    double[] values = new double[T * N];
    Arrays.setAll(values, k -> sign * eigenvalue(k / N, k % N));
    try (Hdf5File file = Hdf5File.openForUpdate(path);
        Hdf5Dataset dataset =
            file.createDataset(
                "laplacian_eigenvalues",
                ElementType.REAL,
                new long[] {T, N},
                DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(values);
    }
  }

  /** Multiplies all elementals by weights of time and eigenvector, index by index. */
  private static void weight(
      Path path, List<IntToDoubleFunction> meson, List<IntToDoubleFunction> baryon) {
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      for (String kind : List.of("meson", "baryon")) {
        List<IntToDoubleFunction> weights = kind.equals("meson") ? meson : baryon;
        for (String displacement : file.children("elementals/" + kind)) {
          String group = "elementals/" + kind + "/" + displacement;
          for (String momentum : file.children(group)) {
            weight(file, group + "/" + momentum, weights);
          }
        }
      }
    }
  }

  private static void weight(Hdf5File file, String name, List<IntToDoubleFunction> weights) {
    double[] values;
    long[] extents;
    try (Hdf5Dataset dataset = file.dataset(name)) {
      values = dataset.readAll();
      extents = dataset.extents();
    }
    int block = (int) Math.pow(N, weights.size());
    for (int k = 0; k < values.length; k++) {
      int time = k / 2 / block;
      int place = k / 2 % block;
      for (int axis = weights.size() - 1; axis >= 0; axis--) {
        values[k] *= weights.get(axis).applyAsDouble(time * N + place % N);
        place /= N;
      }
    }
    file.delete(name);
    try (Hdf5Dataset dataset =
        file.createDataset(name, ElementType.COMPLEX, extents, DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(values);
    }
  }

  private Cli cli(String definition, String data, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("a.yaml"), definition);
    String[] words = Cli.words("run %s --data %s --out %s", file, folder.resolve(data), folder);
    return Cli.run(words, more);
  }

  private JsonNode run(String definition, String data, String... more) throws IOException {
    Cli result = cli(definition, data, Cli.and(Cli.words("--json --overwrite"), more)).ok();
    return result.json();
  }

  private double[] numbers() {
    return ResultAssert.numbers(folder.resolve("a.h5"), "cfg_0001/correlator");
  }

  private static void assertClose(double[] expected, double[] actual, double accuracy) {
    double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
    assertTrue(largest > 0);
    assertArrayEquals(expected, actual, accuracy * largest);
  }

  @ParameterizedTest
  @ValueSource(strings = {"MESONS", "VACUUM", "BARYONS", "MOVING"})
  void profile_isThatOfWeightedData(String name) throws IOException {
    String definition =
        switch (name) {
          case "MESONS" -> MESONS;
          case "VACUUM" -> VACUUM;
          case "BARYONS" -> BARYONS;
          default -> MOVING;
        };
    addEigenvalues(data("plain"), 1);
    IntToDoubleFunction g = ProfilesTest::gaussian;
    weight(data("weighted"), List.of(g, g), List.of(g, g, g));
    run(definition.formatted(""), "weighted", "--sources", "0,2");
    double[] expected = numbers();
    String named = "profiles: {narrow: {gaussian: 0.7}}\n";
    run(named + definition.formatted(", profile: narrow"), "plain", "--sources", "0,2");
    assertClose(expected, numbers(), ROUNDING);
    run(
        named + definition.formatted(", profile: narrow"),
        "plain",
        "--sources",
        "0,2",
        "--precision",
        "single");
    assertClose(expected, numbers(), 1e-4);
  }

  /** Another profile for each quark, against the sum over all pairings of weighted data. */
  @Test
  void everyQuark_hasItsOwnProfile() throws IOException {
    IntToDoubleFunction a = k -> 1 + 0.3 * (k % N);
    IntToDoubleFunction b = k -> 1 - 0.2 * (k % N) + 0.1 * Math.floorDiv(k, N);
    IntToDoubleFunction one = k -> 1;
    data("plain");
    Path weighted = data("weighted");
    weight(weighted, List.of(one, b), List.of(a, b, one));
    String text =
        """
        name: a
        momentum: [0, 0, 1]
        quarks: {u: light, d: light}
        operators:
          - name: N
            terms:
              - baryons: [{quarks: [u, d, u], momentum: [0, 0, 0], component: 1%2$s}]
                mesons: [{bar: d, gamma: g5, quark: d, momentum: [0, 0, 1]%1$s}]
          - name: M
            terms:
              - baryons: [{quarks: [u, u, d], diquark: Cg3, momentum: [0, 0, 1], component: 2%2$s}]
        """;
    run(
        "profiles: {a: {weights: [1, 1.3, 1.6, 1.9]}, one: {weights: [1, 1, 1, 1]}, b: {weights: [[1,"
            + " 0.8, 0.6, 0.4], [1.1, 0.9, 0.7, 0.5], [1.2, 1, 0.8, 0.6]]}}\n"
            + text.formatted(", quark_profile: b", ", profile: [a, b, one]"),
        "plain");
    CorrelationMatrix matrix =
        DefinitionLoader.parse("a", text.formatted("", "")).toCorrelationMatrix();
    try (NaiveCorrelator naive = new NaiveCorrelator(weighted)) {
      double[] expected = naive.correlator(matrix, List.of(0), List.of(0, 1, 2));
      assertClose(expected, numbers(), ROUNDING);
    }
  }

  /**
   * Tetraquarks with one profile, one for each field, and none, alone and beside baryons, against
   * the sum over pairings.
   */
  @ParameterizedTest
  @ValueSource(strings = {"OPEN", "HIDDEN", "BARYONS"})
  void tetraquark_hasProfiles(String name) throws IOException {
    String definition =
        switch (name) {
          case "OPEN" -> OPEN;
          case "HIDDEN" -> HIDDEN;
          default -> WITH_BARYON;
        };
    Cli.line(
            "synth -N 3 -T 3 -L 4 --labels light,charm --baryons --tetraquark 3bar3,66bar"
                + " --out %s",
            folder)
        .ok();
    run(definition, "synthetic_cfg0001.h5", "--separations", "0,2");
    CorrelationMatrix matrix = DefinitionLoader.parse("a", definition).toCorrelationMatrix();
    try (NaiveCorrelator naive = new NaiveCorrelator(folder.resolve("synthetic_cfg0001.h5"))) {
      double[] expected = naive.correlator(matrix, List.of(0), List.of(0, 2));
      assertClose(expected, numbers(), ROUNDING);
    }
  }

  @Test
  void operatorsThatDifferInProfiles_shareBlocksAndProducts() throws IOException {
    data("plain");
    String pi = "  - {name: pi%s, hadrons: [{meson: pi, momentum: [0, 0, 1]%s}]}\n";
    String head = "name: a\nisospin: [1, 1]\nmomentum: [0, 0, 1]\nirrep: A2\noperators:\n";
    long read = run(head + pi.formatted(0, ""), "plain").get("bytes_read").asLong();
    String several =
        head
            + pi.formatted(0, "")
            + pi.formatted(1, ", profile: {weights: [1, 0.8, 0.6, 0.4]}")
            + pi.formatted(2, ", quark_profile: {weights: [1, 0.5, 0.2, 0.1]}");
    JsonNode all = run(several, "plain");
    assertEquals(read, all.get("bytes_read").asLong());
    // Named as displacements they are no less.
    String terms =
        "  - {name: o%s, terms: [{mesons: [{bar: d, gamma: g5, quark: u, momentum: [0, 0, 1]%s}]}]}\n";
    String own =
        "name: a\nallow_zero: true\nmomentum: [0, 0, 1]\noperators:\n"
            + terms.formatted(0, "")
            + terms.formatted(1, ", displacement: own_1")
            + terms.formatted(2, ", displacement: own_2");
    assertTrue(contractions(several) <= contractions(own));
  }

  /** Sinks and sources, not their pairs, need products: as if each operator had its own block. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "baryons: [{quarks: [u, d, u], momentum: [0, 0, 0], component: 1%s}]",
        "baryons: [{quarks: [u, u, d], diquark: Cg3, momentum: [0, 0, 0], component: 2%s}]",
        "tetraquarks: [{antiquarks: [u, d], antidiquark: Cg5, quarks: [c, c], diquark: Cg3,"
            + " colour: 3bar3, momentum: [0, 0, 0]%s}]",
        "tetraquarks: [{antiquarks: [c, u], antidiquark: Cg5, quarks: [c, d], diquark: Cg3,"
            + " colour: 66bar, momentum: [0, 0, 0]%s}]"
      })
  void baryonsAndTetraquarksThatDifferInProfiles_shareBlocksAndProducts(String factor)
      throws IOException {
    Cli.run(
            Cli.words(
                "synth -N 4 -T 3 -L 4 --labels light,charm --baryons --tetraquark 3bar3,66bar"
                    + " --out %s",
                folder.resolve("d")))
        .ok();
    String head = "name: a\nallow_zero: true\nquarks: {c: charm}\noperators:\n";
    String operator = "  - {name: o%s, terms: [{" + factor.replace("%s", "%2$s") + "}]}\n";
    operator = operator.replaceFirst("%s", "%1\\$s");
    String one = head + operator.formatted(0, "");
    String several =
        one
            + operator.formatted(1, ", profile: {weights: [1, 0.8, 0.6, 0.4]}")
            + operator.formatted(2, ", profile: {weights: [1, 0.5, 0.2, 0.1]}");
    JsonNode read = run(one, "d");
    JsonNode all = run(several, "d");
    assertEquals(read.get("bytes_read"), all.get("bytes_read"));
    assertTrue(contractions(several) - traces(several) <= 3 * (contractions(one) - traces(one)));
  }

  private long contractions(String definition) throws IOException {
    return planned(definition, "contractions");
  }

  private long traces(String definition) throws IOException {
    return planned(definition, "traces");
  }

  private long planned(String definition, String what) throws IOException {
    Path file = Files.writeString(folder.resolve("plan.yaml"), definition);
    Cli plan = Cli.run("plan", file.toString(), "--json").ok();
    return plan.json().findValue(what).asLong();
  }

  @Test
  void expand_writesProfilesOut() throws IOException {
    for (String definition : List.of(MESONS, BARYONS, OPEN)) {
      String text =
          definition.equals(OPEN)
              ? OPEN.replaceFirst("weights: .*", "gaussian: 0.7}")
              : "profiles: {n: {gaussian: 0.7}, w: {weights: [[1, 2], [3, 4.5]]}}\n"
                  + definition
                      .replaceFirst(
                          "%1\\$s",
                          definition.equals(MESONS) ? ", quark_profile: w" : ", profile: w")
                      .formatted(", profile: n");
      Path file = Files.writeString(folder.resolve("a.yaml"), text);
      Cli expand = Cli.run("expand", file.toString(), "--json").ok();
      assertEquals(
          DefinitionLoader.parse("a", text).toCorrelationMatrix().operators(),
          DefinitionLoader.parse("a", expand.out()).toCorrelationMatrix().operators());
      Cli lines = Cli.run("expand", file.toString());
      String shown =
          definition.equals(OPEN)
              ? "{gaussian 0.7, weights, weights, "
              : "{gaussian 0.7, gaussian 0.7";
      lines.prints(shown);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          profile: wide|unknown profile 'wide'; the definition's profiles are short, gauss
          profile: short|a profile lists 3 weights for 4 eigenvectors
          profile: gauss|needs 'laplacian_eigenvalues'
          profile: {gaussian: 0}|expected σ > 0
          profile: {gaussian: 1, weights: [1]}|found both
          profile: {weights: [0, 0, 0, 0]}|all are 0, with which operators vanish
          profile: {weights: [[1, 1, 1, 1], [1, 1]]}|every time has as many weights
          profile: {weights: [[1, 1, 1, 1], [1, 1, 1, 1]]}|weights of 2 times, the data have T = 3
          profile: gauss, quark_profile: gauss|quark_profile beside profile
          """)
  void badInput_isRefused(String key, String message) throws IOException {
    data("plain");
    String profiles = "profiles: {short: {weights: [1, 1, 1]}, gauss: {gaussian: 0.5}}\n";
    cli(profiles + VACUUM.formatted(", " + key), "plain").refused(message);
    assertTrue(Files.notExists(folder.resolve("a.h5")));
  }

  @Test
  void check_looksAtTheEigenvalues() throws IOException {
    Path file = data("plain");
    assertTrue(!finding(file).contains("eigenvalues"), finding(file));
    addEigenvalues(file, -1);
    assertTrue(finding(file).matches("(?s).*laplacian-eigenvalues *failed.*"), finding(file));
    Path copy = folder.resolve("copy.h5");
    Files.copy(Path.of("../examples/data-derivatives/quenched_4x8_derivatives_cfg0001.h5"), copy);
    assertTrue(finding(copy).matches("(?s).*laplacian-eigenvalues *passed.*"), finding(copy));
    try (Hdf5File open = Hdf5File.openForUpdate(copy);
        Hdf5Dataset dataset = open.dataset("laplacian_eigenvalues")) {
      dataset.writeAll(Arrays.stream(dataset.readAll()).map(x -> 0.9 * x).toArray());
    }
    String text = finding(copy);
    assertTrue(text.matches("(?s).*laplacian-eigenvalues *failed.*"), text);
    assertTrue(text.contains("smaller than the derivatives"), text);
    // 0.9 times 1.3 times the eigenvalues.
    try (Hdf5File open = Hdf5File.openForUpdate(copy);
        Hdf5Dataset dataset = open.dataset("laplacian_eigenvalues")) {
      dataset.writeAll(Arrays.stream(dataset.readAll()).map(x -> 1.3 * x).toArray());
    }
    text = finding(copy);
    assertTrue(text.matches("(?s).*laplacian-eigenvalues *failed.*"), text);
    assertTrue(text.contains("larger than the elementals"), text);
  }

  private static String finding(Path file) {
    return Cli.run("check", file.toString()).out();
  }
}
