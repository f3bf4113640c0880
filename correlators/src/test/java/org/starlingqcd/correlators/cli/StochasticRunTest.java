package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.result.ResultAssert.numbers;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Definitions with stochastic lines on the bundled data. */
final class StochasticRunTest {
  private static final Path EXAMPLES = Path.of("../examples");
  private static final String EXACT = EXAMPLES.resolve("data/quenched_4x8_cfg0001.h5").toString();
  private static final String SINKS =
      EXAMPLES.resolve("data-stochastic/quenched_4x8_stochastic_cfg0001.h5").toString();

  @TempDir Path folder;

  private static String definition(String name) {
    return EXAMPLES.resolve("stochastic/" + name + ".yaml").toString();
  }

  private Cli run(String definition, String more) {
    List<String> all = new ArrayList<>(List.of("run", definition, "--out", folder.toString()));
    if (!more.contains("--sources ")) {
      all.addAll(List.of("--sources", "0,3"));
    }
    if (!more.isEmpty()) {
      all.addAll(List.of(more.split(" ")));
    }
    all.addAll(List.of("--data", EXACT, SINKS));
    return Cli.run(all.toArray(String[]::new));
  }

  private void assertReference(String name, double tolerance) {
    double[] expected =
        numbers(EXAMPLES.resolve("reference-stochastic/" + name + ".h5"), "cfg_0001/correlator");
    double[] actual = numbers(folder.resolve(name + ".h5"), "cfg_0001/correlator");
    double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
    assertArrayEquals(expected, actual, tolerance * largest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "diluted_pion",
        "diluted_rho_pipi",
        "diluted_rho_relative",
        "diluted_kpi",
        "diluted_kpi_mixed",
        "diluted_nucleon",
        "diluted_conjugate"
      })
  void run_isTheReference(String name) {
    run(definition(name), "").ok();
    assertReference(name, 1e-12);
  }

  @ParameterizedTest
  @CsvSource({
    "diluted_kpi_mixed, --threads 1 --exact, 1e-12",
    "diluted_kpi_mixed, --precision single, 1e-6",
    "diluted_rho_pipi, --device-memory 300KiB, 1e-12",
    "diluted_rho_pipi, --host-memory 1MiB, 1e-12",
    "diluted_pion, --sources-at-once 2, 1e-12",
    "diluted_conjugate, --keep-noises, 1e-12"
  })
  void run_isTheReference_whateverTheSettings(String name, String settings, double tolerance) {
    run(definition(name), settings).ok();
    assertReference(name, tolerance);
  }

  /** Four elements with 12 pairs of noises, at eight sink times and two sources. */
  @Test
  void summary_countsNodesTracesAndBytes() throws IOException {
    JsonNode summary = run(definition("diluted_pion"), "--json").json();
    assertEquals(4 * 16 * 12, summary.get("traces").asInt());
    assertEquals(0, summary.get("products").asInt());
    assertTrue(summary.get("flops").asDouble() > 4 * 16 * 12 * 8 * 16 * 16, summary.toString());
    assertTrue(summary.get("bytes_read").asLong() > 16 * 4 * 16 * 16, summary.toString());
  }

  @Test
  void exactDefinition_besideAStochasticOne_hasTheSameBits() {
    run("pion", "");
    double[] alone = numbers(folder.resolve("pion.h5"), "cfg_0001/correlator");
    run(definition("diluted_nucleon"), "--overwrite pion rho_pipi").ok();
    assertArrayEquals(alone, numbers(folder.resolve("pion.h5"), "cfg_0001/correlator"));
    assertReference("diluted_nucleon", 1e-12);
  }

  @Test
  void shardsAndRestarts_giveTheReference() {
    String definition = definition("diluted_conjugate");
    for (String shard : List.of("1/2", "2/2")) {
      run(definition, "--keep-noises --shard " + shard).ok();
    }
    Cli.run("merge", folder.toString(), "--out", folder.resolve("all").toString()).ok();
    Path file = folder.resolve("all/diluted_conjugate.h5");
    double[] mean = numbers(file, "cfg_0001/correlator");
    assertEquals(0, run(definition, "--keep-noises --sources 3").status());
    assertEquals(0, run(definition, "--keep-noises").status());
    assertArrayEquals(mean, numbers(folder.resolve("diluted_conjugate.h5"), "cfg_0001/correlator"));
    assertReference("diluted_conjugate", 1e-12);
    double[] windows = numbers(file, "cfg_0001/by_subset");
    double[] ofWindows = new double[mean.length];
    Arrays.setAll(ofWindows, k -> (windows[k] + windows[k + mean.length]) / 2);
    assertEquals(2 * mean.length, windows.length);
    assertArrayEquals(mean, ofWindows, 1e-14 * Arrays.stream(mean).max().orElseThrow());
    try (Hdf5File hdf5 = Hdf5File.open(file)) {
      assertEquals(2, hdf5.attributes("/").integer("noise_subsets"));
      assertEquals(48, hdf5.attributes("/").integer("noise_assignments"));
      assertEquals(
          List.of("r0", "r1", "r2", "r3", "r4"), hdf5.attributes("cfg_0001").strings("noises"));
    }
    run(definition, "").notes("with --keep-noises) instead of");
  }

  @Test
  void onePointFunctions_haveWindowsToo() throws IOException {
    Path file = folder.resolve("sigma.yaml");
    Files.writeString(
        file,
        Files.readString(EXAMPLES.resolve("definitions/sigma.yaml"))
            + "\nnoise_subsets: 3\nstochastic:\n  light: {sinks: light_relative}\n");
    run(file.toString(), "--keep-noises --separations 0,2").ok();
    double[] mean = numbers(folder.resolve("sigma.h5"), "cfg_0001/vev");
    double[] windows = numbers(folder.resolve("sigma.h5"), "cfg_0001/vev_by_subset");
    double[] ofWindows = new double[mean.length];
    Arrays.setAll(
        ofWindows, k -> (windows[k] + windows[k + mean.length] + windows[k + 2 * mean.length]) / 3);
    assertArrayEquals(mean, ofWindows, 1e-12 * Math.abs(mean[0]));
  }

  @Test
  void plan_showsNoisesBesideExactLines() throws IOException {
    Cli.run("plan", definition("diluted_rho_pipi"), "--data", EXACT, SINKS)
        .ok()
        .prints("those of exact lines instead");
    Cli cli = Cli.run("plan", definition("diluted_rho_pipi"), "--data", EXACT, SINKS, "--json");
    JsonNode noises = cli.json().at("/stochastic/diluted_rho_pipi");
    assertEquals(4, noises.get("lines").asInt());
    assertEquals(240, noises.get("assignments").asInt());
    assertEquals(16, noises.at("/sets/light_fixed/D").asInt());
    Cli without = Cli.run("plan", definition("diluted_rho_pipi"), "--json");
    assertEquals(4, without.json().at("/stochastic/diluted_rho_pipi/noises_needed").asInt());
  }

  /** Changes of the definition of the pion, and what is said of them. */
  static Stream<Arguments> faults() {
    String pion = "light: {sinks: light_fixed, noise_at: source}";
    return Stream.of(
        Arguments.of(
            pion,
            "light: {sinks: lihgt}",
            "have no quark sinks 'lihgt'; there are: light_fixed, light_relative, strange_fixed"),
        Arguments.of(pion, "light: {sink: light_fixed}", "unknown key 'sink' in the label 'light'"),
        Arguments.of(
            pion,
            "lihgt: {sinks: light_fixed}",
            "no quark has the label 'lihgt': expected one of light, strange"),
        Arguments.of(
            pion,
            "light: {sinks: light_fixed, noises: [f0]}",
            "2 lines of a diagram draw on 1 noises of quark_sinks/light_fixed; 2 would do"),
        Arguments.of(
            pion,
            "light: {sinks: light_fixed, noises: [f0, r7]}",
            "noise 'r7' of 'light' is in neither of its sets; there are: f0, f1, f2, f3"),
        Arguments.of(pion, "light: {sinks: light_fixed, noises: []}", "noises is an empty list"),
        Arguments.of(
            pion, "light: {sinks: light_fixed, noises: [f0, f0]}", "noises lists 'f0' twice"),
        Arguments.of(
            pion,
            "light: {sinks: light_fixed, noise_at: sink}",
            "noise_at: expected antiquark or quark or source, found 'sink'"),
        Arguments.of(pion, "light: {sinks: light_fixed}", "for noise at times [1, 2, 4, 5, 6, 7]"),
        Arguments.of(
            pion,
            "light: {conjugate_of: light}",
            "'light' is the conjugate of 'light', which has no lines of its own"),
        Arguments.of(
            pion,
            pion + "\n  strange: {conjugate_of: light}",
            "the noise of 'light' must be at the antiquark"),
        Arguments.of(
            pion,
            pion + "\n  strange: {conjugate_of: light, sinks: x}",
            "a label with conjugate_of has no other keys: leave sinks out"),
        Arguments.of("stochastic:", "noise_subsets: 0\nstochastic:", "expected an integer from 1"),
        Arguments.of(
            "stochastic:",
            "noise_subsets: 5\nstochastic:",
            "noise_subsets is 5, and 4 noises of quark_sinks/light_fixed are used"),
        Arguments.of(
            "stochastic:\n  " + pion,
            "noise_subsets: 2",
            "noise_subsets: there are no stochastic lines"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void fault_isSaid(String what, String instead, String message) throws IOException {
    String text = Files.readString(Path.of(definition("diluted_pion")));
    assertTrue(text.contains(what), text);
    Path file = folder.resolve("x.yaml");
    Files.writeString(file, text.replace(what, instead));
    run(file.toString(), "").refused(message);
    assertFalse(Files.exists(folder.resolve("diluted_pion.h5")));
  }

  @Test
  void sourceThatIsNotStored_namesThoseThatAre() {
    Cli cli = run(definition("diluted_pion"), "--sources 0,1");
    assertEquals(2, cli.status());
    String message =
        "quark_sinks/light_fixed has no sinks of f0, f1, f2, f3 for noise at times [1], where lines"
            + " between operators that end at the source would have it; --sources that would do: [0, 3]";
    cli.notes(message);
  }

  /** Two labels may draw from parts of one set; then all lines of one have the same noise. */
  @Test
  void labelsWithPartsOfOneSet_haveTheirOwnNoises() throws IOException {
    Path file = folder.resolve("x.yaml");
    Files.writeString(
        file,
        """
        name: x
        quarks: {u: light, s: strange}
        stochastic:
          light: {sinks: light_relative, noises: [r0]}
          strange: {sinks: light_relative, noises: [r2]}
        operators:
          - name: K
            terms: [{mesons: [{bar: s, gamma: g5, quark: u, momentum: [0, 0, 0]}]}]
        """);
    assertEquals(0, run(file.toString(), "").status());
    try (Hdf5File hdf5 = Hdf5File.open(folder.resolve("x.h5"))) {
      assertEquals(List.of("r0", "r2"), hdf5.attributes("cfg_0001").strings("noises"));
      assertEquals(1, hdf5.attributes("/").integer("noise_assignments"));
    }
  }

  @Test
  void keepNoises_needsWindows() {
    run(definition("diluted_pion"), "--keep-noises")
        .refused("no definition of this run has noise_subsets");
  }

  @Test
  void threePointFunctions_andTetraquarks_areRefused() throws IOException {
    for (String name : List.of("ff_pion", "tcc")) {
      Path file = folder.resolve("x.yaml");
      String text = Files.readString(EXAMPLES.resolve("definitions/" + name + ".yaml"));
      Files.writeString(file, text + "\nstochastic: {light: {}}\n");
      run(file.toString(), "").refused("stochastic lines are not possible");
    }
  }

  private interface Damage {
    void to(Hdf5File file);
  }

  private void assertDamage(String message, Damage damage) throws IOException {
    Path copy = folder.resolve("damaged.h5");
    Files.copy(Path.of(SINKS), copy, StandardCopyOption.REPLACE_EXISTING);
    try (Hdf5File file = Hdf5File.openForUpdate(copy)) {
      damage.to(file);
    }
    Cli.line("run %s --data %s %s --out %s", definition("diluted_pion"), EXACT, copy, folder)
        .refused(message);
  }

  private static void change(Hdf5File file, String object, UnaryOperator<double[]> change) {
    try (Hdf5Dataset dataset = file.dataset(object)) {
      dataset.writeAll(change.apply(dataset.readAll()));
    }
  }

  private static void attribute(Hdf5File file, String group, String name, long... values) {
    if (file.attributes(group).has(name)) {
      file.attributes(group).delete(name);
    }
    file.attributes(group).put(name, values);
  }

  @Test
  void damagedSets_areRefused() throws IOException {
    String set = "quark_sinks/light_fixed";
    assertDamage(
        "'noises/f1': |ρ| differs from 1 by 0.5 at time 0",
        file ->
            change(
                file,
                "noises/f1",
                rho -> {
                  rho[0] = 1.5;
                  rho[1] = 0;
                  return rho;
                }));
    assertDamage(
        "noises 'f0' and 'f1' have the same numbers",
        file -> change(file, "noises/f1", rho -> numbers(Path.of(SINKS), "noises/f0")));
    assertDamage(
        "there are sinks of noise 'f2' in light_fixed, but no 'noises/f2'",
        file -> file.delete("noises/f2"));
    assertDamage(
        "attribute 'spin_dilution' has no class 1",
        file -> attribute(file, set, "spin_dilution", 0, 2, 3, 4));
    assertDamage(
        "contradicts the attributes of the file",
        file -> attribute(file, set, "spin_dilution", 0, 0, 1, 1));
    assertDamage(
        "attribute 'time_dilution' lists 3 classes, expected 8",
        file -> attribute(file, set, "time_dilution", 0, 1, 2));
    assertDamage(
        "attribute 'time_projectors' lists 0 twice",
        file -> attribute(file, set, "time_projectors", 0, 0));
    assertDamage(
        "noise_at of 'light' needs γ5-hermiticity, and quark_sinks/light_fixed has gamma5_hermitian 0",
        file -> attribute(file, set, "gamma5_hermitian", 0));
    assertDamage(
        "block [time, column of time class 0]=[0, 0] holds nothing but zeros",
        file -> change(file, set + "/f0", phi -> new double[phi.length]));
  }

  @Test
  void setsInSeveralFiles_areJoined_andTheSameBlockTwiceIsRefused() throws IOException {
    Path copy = folder.resolve("copy.h5");
    Files.copy(Path.of(SINKS), copy);
    Cli.line(
            "run %s --data %s %s %s --out %s",
            definition("diluted_pion"), EXACT, SINKS, copy, folder)
        .refused("both hold 'noises/f0'");
  }

  /** A phase for each noise, and names in another order, change nothing. */
  @Test
  void phasesAndNames_doNotMatter() throws IOException {
    Path copy = folder.resolve("copy.h5");
    Files.copy(Path.of(SINKS), copy);
    Complex phase = new Complex(0.6, 0.8);
    UnaryOperator<double[]> turn =
        numbers -> {
          for (int k = 0; k < numbers.length; k += 2) {
            Complex z = new Complex(numbers[k], numbers[k + 1]).times(phase);
            numbers[k] = z.re();
            numbers[k + 1] = z.im();
          }
          return numbers;
        };
    try (Hdf5File file = Hdf5File.openForUpdate(copy)) {
      for (String object : List.of("noises/", "quark_sinks/light_relative/")) {
        double[] first = file.dataset(object + "r0").readAll();
        double[] last = file.dataset(object + "r4").readAll();
        change(file, object + "r0", numbers -> turn.apply(last));
        change(file, object + "r4", numbers -> first);
      }
    }
    Cli.line(
            "run %s --data %s %s --sources 0,3 --out %s",
            definition("diluted_nucleon"), EXACT, copy, folder)
        .ok();
    assertReference("diluted_nucleon", 1e-12);
  }
}
