package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.result.ResultAssert;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** {@code starling run} on data with tetraquarks, against correlators computed by brute force. */
final class TetraquarkRunTest {
  private static final String DATA =
      "../examples/data-tetraquark/quenched_4x6_tetraquark_cfg0001.h5";
  private static final Path EXAMPLES = Path.of("../examples");

  @TempDir Path folder;

  private Path run(String definition, String... more) {
    return run(definition, Path.of(DATA), folder, "0-3", more);
  }

  private static Path run(
      String definition, Path data, Path out, String separations, String... more) {
    Cli.run(
            Cli.words(
                "run %s --separations %s --data %s --out %s", definition, separations, data, out),
            more)
        .ok();
    return out.resolve(Path.of(definition).getFileName().toString().replace(".yaml", "") + ".h5");
  }

  private static double[] correlator(Path result) {
    return ResultAssert.numbers(result, "cfg_0001/correlator");
  }

  /** The largest deviation of an element in terms of those on the diagonal. */
  private static double deviation(Path result, String reference) {
    double[] found = correlator(result);
    double[] expected = correlator(EXAMPLES.resolve(reference + ".h5"));
    assertEquals(expected.length, found.length);
    int n = (int) Math.round(Math.sqrt(found.length / 2.0 / 4));
    double worst = 0;
    for (int dt = 0; dt < 4; dt++) {
      double[] scale = new double[n];
      for (int i = 0; i < n; i++) {
        int at = 2 * ((dt * n + i) * n + i);
        scale[i] = Math.sqrt(Math.hypot(expected[at], expected[at + 1]));
      }
      for (int k = 0; k < n * n; k++) {
        int at = 2 * (dt * n * n + k);
        double error = Math.hypot(found[at] - expected[at], found[at + 1] - expected[at + 1]);
        worst = Math.max(worst, error / (scale[k / n] * scale[k % n]));
      }
    }
    return worst;
  }

  @ParameterizedTest
  @CsvSource({
    "tcc, '', reference/tcc, 1e-11",
    "tcc_flight, '', reference/tcc_flight, 1e-11",
    "zc, '', reference/zc, 1e-11",
    "tcc, '--device-memory 30KiB', reference/tcc, 1e-11",
    "zc, '--device-memory 32KiB', reference/zc, 1e-11",
    "tcc, '--precision single', reference/tcc, 1e-4",
    "zc, '--precision single', reference/zc, 1e-4",
    "tcc, '--tetraquarks sampled', reference-tetraquark/tcc_sampled, 1e-11",
    "tcc, '--tetraquarks sampled --device-memory 500KiB', reference-tetraquark/tcc_sampled, 1e-11",
    "tcc, '--tetraquarks sampled --precision single', reference-tetraquark/tcc_sampled, 1e-4"
  })
  void correlators_agreeWithTheReference(
      String definition, String options, String reference, double tolerance) {
    Path result = run(definition, options.isEmpty() ? new String[0] : options.split(" "));
    double deviation = deviation(result, reference);
    assertTrue(deviation < tolerance, "deviation=" + deviation);
  }

  /**
   * Sampled positions against elementals that are formed of the same sites by the definition; with
   * profiles of pairs and of single quarks, too.
   */
  @ParameterizedTest
  @CsvSource({
    "tcc, ''",
    "tcc_flight, ''",
    "zc, ''",
    "tcc, 'a, a, b, b'",
    "zc, 'a, a, b, b'",
    "zc, 'a, b, a, a'"
  })
  void sampledPositions_giveWhatTheirElementalsGive(String name, String profiles)
      throws IOException {
    String text = Files.readString(EXAMPLES.resolve("definitions/" + name + ".yaml"));
    String profile = profiles.isEmpty() ? "" : ", profile: [" + profiles + "]";
    String definition =
        Files.writeString(
                folder.resolve(name + ".yaml"),
                "profiles: {a: {weights: [1, 0.9, 0.6, 0.5, 0.2]}, b: {weights: [0.8, 0.7, 0.6, 0.3,"
                    + " 0.1]}}\n"
                    + text.replaceAll("(\\{tetraquark: [^}]*)", "$1" + profile))
            .toString();
    Path formed = folder.resolve("formed.h5");
    Files.copy(Path.of(DATA), formed);
    try (Hdf5File file = Hdf5File.openForUpdate(formed)) {
      for (String colour : file.children("elementals/tetraquark")) {
        for (String momentum : file.children("elementals/tetraquark/" + colour)) {
          String object = "elementals/tetraquark/" + colour + "/" + momentum;
          int[] n = Arrays.stream(momentum.split("_")).mapToInt(Integer::parseInt).toArray();
          try (Hdf5Dataset dataset = file.dataset(object)) {
            double[] numbers = dataset.readAll();
            for (int t = 0; t < 6; t++) {
              form(file, t, PairColour.named(colour).orElseThrow(), n, numbers);
            }
            dataset.writeAll(numbers);
          }
        }
      }
    }
    Path elementals = folder.resolve("elementals");
    Path exact = run(definition, formed, elementals, "1-3", "--tetraquarks", "elementals");
    Path sampled = run(definition, Path.of(DATA), folder, "1-3", "--tetraquarks", "sampled");
    double[] expected = correlator(exact);
    double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
    assertArrayEquals(expected, correlator(sampled), 1e-12 * largest);
  }

  /** Writes K̂ of a time, packed; only the source's time, 0, has its own grid. */
  private static void form(Hdf5File file, int t, PairColour colour, int[] n, double[] to) {
    String side = t == 0 ? "/source" : "/sink";
    try (Hdf5Dataset vectors = file.dataset("sampled_vectors" + side);
        Hdf5Dataset sites = file.dataset("sites" + side)) {
      double[] v = vectors.read(new long[] {t, 0, 0, 0}, new long[] {1, 5, 8, 3});
      long[] x = sites.readIntegers();
      int pairs = colour.pairs(5);
      for (int k = 0; k < 625; k++) {
        int[] i = {k / 125, k / 25 % 5, k / 5 % 5, k % 5};
        if (i[0] <= i[1]
            && i[2] <= i[3]
            && colour.sign(i[0], i[1]) * colour.sign(i[2], i[3]) != 0) {
          Complex sum = Complex.ZERO;
          for (int s = 0; s < 8; s++) {
            int at = 3 * (8 * t + s);
            double angle = -Math.PI / 2 * (n[0] * x[at] + n[1] * x[at + 1] + n[2] * x[at + 2]);
            Complex same = local(v, s, i[0], i[2]).times(local(v, s, i[1], i[3]));
            Complex crossed = local(v, s, i[0], i[3]).times(local(v, s, i[1], i[2]));
            Complex phase = new Complex(8 * Math.cos(angle), 8 * Math.sin(angle));
            sum = sum.plus(same.plus(crossed.times(colour.sign())).times(phase));
          }
          int at = 2 * ((t * pairs + colour.place(i[0], i[1])) * pairs + colour.place(i[2], i[3]));
          to[at] = sum.re();
          to[at + 1] = sum.im();
        }
      }
    }
  }

  /** {@code v_i† v_k} at a site. */
  private static Complex local(double[] v, int site, int i, int k) {
    Complex sum = Complex.ZERO;
    for (int c = 0; c < 3; c++) {
      int a = 2 * ((i * 8 + site) * 3 + c);
      int b = 2 * ((k * 8 + site) * 3 + c);
      sum = sum.plus(new Complex(v[a], -v[a + 1]).times(new Complex(v[b], v[b + 1])));
    }
    return sum;
  }

  @Test
  void conversion_keepsSampledPositions() {
    Path converted = folder.resolve("converted.h5");
    Cli.run("convert", DATA, "--out", converted.toString()).ok();
    Path out = folder.resolve("of-converted");
    assertArrayEquals(
        correlator(run("tcc", "--tetraquarks", "sampled")),
        correlator(run("tcc", converted, out, "0-3", "--tetraquarks", "sampled")));
  }

  @Test
  void result_ofSampledPositions_saysSo() {
    Path result = run("tcc", "--tetraquarks", "sampled");
    try (Hdf5File file = Hdf5File.open(result)) {
      assertEquals("sampled", file.attributes("/").string("tetraquarks"));
      assertEquals(8, file.attributes("/").integer("sampled_sites"));
    }
    Cli others = Cli.run("run", "tcc", "--data", DATA, "--out", folder.toString());
    assertNotEquals(0, others.status());
    others.notes("with sampled sites of tetraquarks 8 instead of 0 (0: elementals)");
  }

  @Test
  void resultsWithoutTetraquarks_sayNothingOfThem() {
    try (Hdf5File file = Hdf5File.open(run("pion", "--tetraquarks", "sampled"))) {
      assertFalse(file.attributes("/").has("tetraquarks"));
    }
  }

  /** Only mesons that exchange no quarks with a tetraquark can have a current. */
  @Test
  void currentBesideATetraquark_isComputed() throws IOException {
    Cli.line(
            "synth -N 3 -T 4 -L 4 --labels light,strange,charm --tetraquark 3bar3"
                + " --momentum-squared 0 --currents g4 --out %s",
            folder)
        .ok();
    String text =
        """
        name: x
        quarks: {c: charm}
        tetraquarks:
          T: {antiquarks: [l, l], antidiquark: 0+, quarks: [c, c], diquark: 1+, colour: 3bar3}
        source:
          isospin: [0, 0]
          irrep: T1-
          row: z
          operators:
            - name: Teta
              hadrons: [{tetraquark: T, momentum: [0, 0, 0], polarization: z}, {meson: eta_s, momentum: [0, 0, 0]}]
        insertions:
          - {name: V, gamma: g4, flavours: {s: 1}}
        """;
    Path data = folder.resolve("synthetic_cfg0001.h5");
    Path file = Files.writeString(folder.resolve("x.yaml"), text);
    Cli.line("check %s --three-point %s", data, file).ok();
    Files.writeString(file, text.replace("s: 1", "u: 1"));
    Cli light = Cli.line("run %s --data %s --out %s", file, data, folder);
    assertEquals(2, light.status(), light.err());
    assertTrue(
        light
            .err()
            .endsWith(
                "starling: definition 'x', operators 'Teta' and 'Teta': the current meets a quark"
                    + " line of a tetraquark, of flavour u, which is not computed: currents reach"
                    + " only mesons and baryons that exchange no quarks with it; leave this flavour"
                    + " out of the insertions, or the tetraquark out\n"),
        light.err());
  }

  @Test
  void tetraquarks_ofAnotherKind_areRefused() {
    Cli.run("run", "tcc", "--data", DATA, "--tetraquarks", "all", "--out", folder.toString())
        .notes("--tetraquarks: expected elementals or sampled, found 'all'");
  }

  @Test
  void memoryThatIsTooSmall_isNamed() {
    Cli result =
        Cli.run(
            "run", "tcc", "--data", DATA, "--out", folder.toString(), "--device-memory", "10KiB");
    assertNotEquals(0, result.status());
    result.notes("--device-memory");
  }
}
