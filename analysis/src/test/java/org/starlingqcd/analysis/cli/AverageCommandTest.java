package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.cli.Cli.words;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultFixture;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Averages of results whose members are known. */
final class AverageCommandTest {
  private static final int T = 8;
  private static final int CONFIGURATIONS = 40;

  @TempDir private Path folder;

  /** A value of a configuration, a source and a separation. */
  interface Values {
    double of(int configuration, int source, int dt);
  }

  private String result(String name, String definition, Values values) {
    return result(name, definition, List.of("o"), values, 0, 3);
  }

  /** A result whose elements are all equal. */
  private String result(
      String name, String definition, List<String> operators, Values values, int... sources) {
    return result(folder, name, definition, operators, values, sources);
  }

  static String result(
      Path folder,
      String name,
      String definition,
      List<String> operators,
      Values values,
      int... sources) {
    Path path = folder.resolve(name + ".h5");
    ResultFixture fixture =
        ResultFixture.create(path, name, "e", operators, IntStream.range(0, T).toArray());
    Hdf5Attributes root = fixture.file().attributes("/");
    root.delete("definition");
    root.put("definition", "name: " + name + "\n" + definition);
    root.put("names_version", 2);
    root.put("temporal_extent", T);
    for (int c = 1; c <= CONFIGURATIONS; c++) {
      int number = c;
      fixture.configuration(
          c, sources, (source, dt, i, j) -> new Complex(values.of(number, source, dt), 0));
    }
    fixture.close();
    return path.toString();
  }

  private static String rho(String row) {
    return "isospin: [1, 1]\nirrep: T1-\nrow: "
        + row
        + "\noperators:\n  - name: o\n    hadrons: [{meson: rho, momentum: [0, 0, 0], polarization: "
        + row
        + "}]\n";
  }

  private static String nucleon(String irrep, String parity) {
    return "isospin: [1/2, 1/2]\nirrep: "
        + irrep
        + "\nrow: 1\noperators:\n  - name: o\n    hadrons: [{baryon: N, momentum: [0, 0, 0], component: 1,"
        + " parity: "
        + parity
        + "}]\n";
  }

  private static Values noisy(double mass, long seed) {
    Random random = new Random(seed);
    return (c, source, dt) -> Math.exp(-mass * dt) * (1 + 0.1 * random.nextGaussian());
  }

  private Cli average(String... args) {
    return Cli.run(words("average --out %s", folder.resolve("mean.h5")), args);
  }

  private double[] mean(int configuration, int source) throws IOException {
    try (ResultReader reader = ResultReader.open(folder.resolve("mean.h5"))) {
      double[] unit = reader.read(configuration).correlators().get(source);
      if (unit == null) {
        throw new IOException("no source " + source);
      }
      return unit;
    }
  }

  @Test
  void rows_areAveraged_andAnalyzed() throws IOException {
    String x = result("x", rho("x"), (c, s, dt) -> c + 10 * s + 100 * dt);
    String y = result("y", rho("y"), (c, s, dt) -> 3 * c + 10 * s + 100 * dt);
    String z = result("z", rho("z"), (c, s, dt) -> 5 * c + 10 * s + 100 * dt);
    average(x, y, z).ok().prints("80 units, average of x, y, z");
    double[] unit = mean(7, 3);
    for (int dt = 0; dt < T; dt++) {
      assertEquals(3 * 7 + 30 + 100 * dt, unit[2 * dt], 1e-9);
    }
    Cli.run("analyze", folder.resolve("mean.h5").toString()).ok();
    average(x, y).refused("mean.h5: exists; --overwrite replaces it");
    assertEquals(0, average(x, y, "--overwrite").status());
    assertEquals(2 * 7 + 30, mean(7, 3)[0], 1e-9);
  }

  @Test
  void membersThatDiffer_areReported() {
    String x = result("x", rho("x"), noisy(0.5, 1));
    String y = result("y", rho("y"), noisy(0.5, 2));
    Cli same = average(x, y).ok();
    assertEquals("", same.err());
    same.prints("differences of members from the mean");
    String z = result("z", rho("z"), noisy(0.55, 3));
    average(x, y, z, "--overwrite")
        .ok()
        .notes("z, operator o: differs from the others by more than its");
  }

  @Test
  void mesons_areFolded_withTheirSigns() throws IOException {
    String definition =
        """
        isospin: [1, 1]
        irrep: A1-
        operators:
          - {name: p, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}
          - {name: a, terms: [{mesons: [{bar: d, gamma: g4g5, quark: u, momentum: [0, 0, 0]}]}]}
        """;
    String pion = result("pion", definition, List.of("p", "a"), (c, s, dt) -> dt, 0);
    average(pion, "--fold").ok();
    double[] unit = mean(1, 0);
    assertEquals(0, unit[0]);
    for (int dt = 1; dt < T; dt++) {
      assertEquals(0.5 * T, unit[8 * dt], "pp");
      assertEquals(0.5 * (dt - (T - dt)), unit[8 * dt + 2], "pa");
      assertEquals(0.5 * T, unit[8 * dt + 6], "aa");
    }
    average(pion, "--overwrite").refused("there is nothing to average with");
  }

  @Test
  void parityPartners_areReflected() throws IOException {
    String g = result("g", nucleon("G1g", "plus"), (c, s, dt) -> (s + dt >= T ? -1 : 1) * dt);
    String u =
        result("u", nucleon("G1u", "minus"), (c, s, dt) -> (s + dt >= T ? -1 : 1) * (T - dt));
    average(g, u).ok();
    for (int source : new int[] {0, 3}) {
      double[] unit = mean(1, source);
      for (int dt = 0; dt < T; dt++) {
        assertEquals(dt, unit[2 * dt], "source " + source + ", dt " + dt);
      }
    }
    average(g, "--fold", "--overwrite").refused("operator 'o' cannot be folded: baryons run back");
  }

  /** Reflection of time changes the sign of a pion, as the bundled ensemble shows. */
  @Test
  void parityPartners_haveTheSignsOfTheirOperators() throws IOException {
    String pion =
        "  - {name: p, hadrons: [{baryon: N, momentum: [0, 0, 1], component: 1, parity: %s}, {meson:"
            + " pi, momentum: [0, 0, -1]}]}\n";
    List<String> both = List.of("o", "p");
    Values values = (c, s, dt) -> dt;
    String plus = nucleon("G1g", "plus") + pion.formatted("plus");
    String minus = nucleon("G1u", "minus");
    String g = result("g", plus, both, values, 0);
    String u = result("u", minus + pion.formatted("minus"), both, values, 0);
    average(g, u).ok();
    double[] unit = mean(1, 0);
    for (int dt = 1; dt < T; dt++) {
      assertEquals(0.5 * T, unit[8 * dt], 1e-12, "oo");
      assertEquals(0.5 * (dt - (T - dt)), unit[8 * dt + 2], 1e-12, "op");
      assertEquals(0.5 * (dt - (T - dt)), unit[8 * dt + 4], 1e-12, "po");
      assertEquals(0.5 * T, unit[8 * dt + 6], 1e-12, "pp");
    }
    String other = result("v", minus + pion.formatted("plus"), both, values, 0);
    average(g, other, "--overwrite").refused("operator 'p' is not the reflection");
  }

  @Test
  void analyze_averagesWithTheSameOptions() throws Exception {
    String x = result("x", rho("x"), noisy(0.5, 1));
    String z = result("z", rho("z"), noisy(0.55, 3));
    Path table = folder.resolve("table.h5");
    assertEquals(0, average(x, z, "--fold", "--comparisons", table.toString()).status());
    Path out = folder.resolve("out");
    Cli cli =
        Cli.run(
                words(
                    "analyze %s %s --average mean --fold --json --out %s --formats hdf5",
                    x, z, out))
            .ok();
    JsonNode node = cli.json().get("correlators").get(0);
    assertTrue(node.get("warnings").toString().contains("z, operator o: differs"), cli.out());
    String once = Cli.run("analyze", folder.resolve("mean.h5").toString(), "--json").out();
    JsonNode same = new ObjectMapper().readTree(once).get("correlators").get(0);
    assertEquals(same.get("correlator"), node.get("correlator"));
    double p = node.get("comparisons").get(1).get("p").asDouble();
    for (Path file : List.of(table, out.resolve("mean_analysis.h5"))) {
      try (Hdf5File hdf5 = Hdf5File.open(file)) {
        assertEquals(List.of("x", "z"), hdf5.attributes("comparisons").strings("members"));
        assertEquals(p, hdf5.dataset("comparisons/p").readAll()[1]);
      }
    }
    Cli.run("analyze", x, "--fold").refused("--fold and --periodic need --average");
    Cli.run("analyze", x, z, "--average", "a b").refused("--average must be a name");
  }

  @Test
  void membersOfOtherData_areRefused() {
    Values one = (c, s, dt) -> 1;
    String x = result("x", rho("x"), one);
    String y = result("y", rho("y"), one);
    for (String file : List.of(x, y)) {
      try (Hdf5File hdf5 = Hdf5File.openForUpdate(Path.of(file))) {
        hdf5.attributes("/").put("num_eigenvectors", file.equals(x) ? 4 : 8);
        hdf5.attributes("/").put("gamma_basis", "DeGrand-Rossi");
        hdf5.attributes("cfg_0003").put("data", List.of("perambulator: " + file.equals(x)));
      }
    }
    average(x, y).refused("its N is 8 and not 4");
    try (Hdf5File hdf5 = Hdf5File.openForUpdate(Path.of(y))) {
      hdf5.attributes("/").put("num_eigenvectors", 4);
    }
    average(x, y).refused("configuration 3 was computed from other data: perambulator: false");
  }

  @Test
  void resultsThatDoNotBelongTogether_areRefused() {
    Values one = (c, s, dt) -> 1;
    String x = result("x", rho("x"), one);
    average(x, result("x2", rho("x"), one)).refused("its row and its direction are the same");
    String b1 = rho("y").replace("meson: rho", "meson: rho_2");
    average(x, result("b", b1, one))
        .refused("operator 'o' is [rho_2 with n^2 = 0] and not [rho with");
    String pion =
        "isospin: [1, 1]\nirrep: A1-\noperators:\n  - {name: o, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}\n";
    average(x, result("pi", pion, one)).refused("its irrep is A1- and not T1-");
    average(x, result("y", rho("y"), List.of("o"), one, 0))
        .refused("configuration 1 has the sources [0] and not [0, 3]; --sources selects");
    Cli.run("average", x, "--out", "a b.h5").refused("--out must end with a name");
  }
}
