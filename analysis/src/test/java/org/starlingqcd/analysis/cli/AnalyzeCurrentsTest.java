package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.cli.Cli.words;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.analysis.CurrentFixture;
import org.starlingqcd.analysis.CurrentFixture.Place;
import org.starlingqcd.analysis.Written;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Toy ensembles with known energies and matrix elements. Two states at the sink and two at the
 * source are seen by two operators each; every number of a configuration has the same relative
 * fluctuation plus some of its own.
 */
final class AnalyzeCurrentsTest {
  private static final int CONFIGURATIONS = 20;
  private static final double[] SINK_ENERGIES = {0.5, 1.1};
  private static final double[] SOURCE_ENERGIES = {0.3, 0.8};
  private static final double[][] SINK_OVERLAPS = {{1, 0.6}, {0.4, 1.5}};
  private static final double[][] SOURCE_OVERLAPS = {{2, 0.5}, {-0.7, 1}};
  private static final Complex[][] ELEMENTS = {
    {new Complex(1.2, 0), new Complex(0.4, 0.3)},
    {new Complex(-0.2, 0.1), new Complex(0.9, 0)},
  };
  private static final int[] TWO_POINT = IntStream.range(0, 13).toArray();

  @TempDir private Path folder;

  private Path result;
  private Path sink;
  private Path source;

  private static double fluctuation(int c, int... more) {
    int[] all = Arrays.copyOf(more, more.length + 1);
    all[more.length] = c;
    return 1 + 0.02 * CurrentFixture.noise(c) + 1e-6 * CurrentFixture.noise(all);
  }

  private static Complex twoPoint(double[] energies, double[][] overlaps, Place at) {
    double sum = 0;
    for (int k = 0; k < 2; k++) {
      sum += overlaps[k][at.sink()] * overlaps[k][at.from()] * Math.exp(-energies[k] * at.dt());
    }
    return new Complex(sum * fluctuation(at.configuration(), at.dt(), at.sink(), at.from()), 0);
  }

  private static Complex current(Place at) {
    Complex sum = Complex.ZERO;
    for (int f = 0; f < 2; f++) {
      for (int i = 0; i < 2; i++) {
        double decay =
            Math.exp(-SINK_ENERGIES[f] * (at.dt() - at.t()) - SOURCE_ENERGIES[i] * at.t());
        double norm = 2 * Math.sqrt(SINK_ENERGIES[f] * SOURCE_ENERGIES[i]);
        double overlaps = SINK_OVERLAPS[f][at.sink()] * SOURCE_OVERLAPS[i][at.from()];
        sum = sum.plus(ELEMENTS[f][i].times(overlaps * decay / norm));
      }
    }
    return sum.times(
        fluctuation(at.configuration(), at.source(), at.dt(), at.t(), at.sink(), at.from()));
  }

  private void writeTransition() {
    result = folder.resolve("toy.h5");
    sink = folder.resolve("sink.h5");
    source = folder.resolve("source.h5");
    CurrentFixture fixture =
        CurrentFixture.create(
            result,
            "{sink: {}, source: {}}",
            "vector f1,f2 i1,i2",
            new int[] {0, 7},
            new int[] {8, 10, 12},
            TWO_POINT);
    for (int c = 1; c <= CONFIGURATIONS; c++) {
      fixture
          .configuration(c, at -> Complex.ZERO)
          .part(c, "vector", "connected", AnalyzeCurrentsTest::current);
    }
    fixture.close();
    CurrentFixture.twoPoint(
        sink,
        "f",
        "f1,f2",
        CONFIGURATIONS,
        TWO_POINT,
        at -> twoPoint(SINK_ENERGIES, SINK_OVERLAPS, at));
    CurrentFixture.twoPoint(
        source,
        "i",
        "i2,i1",
        CONFIGURATIONS,
        TWO_POINT,
        at ->
            twoPoint(
                SOURCE_ENERGIES,
                SOURCE_OVERLAPS,
                // The file has the operators in another order.
                new Place(at.configuration(), 0, at.dt(), 0, 1 - at.sink(), 1 - at.from())));
  }

  private String[] transition(String... more) {
    return Cli.and(
        words("analyze %s --sink-two-point %s --source-two-point %s", result, sink, source), more);
  }

  private static JsonNode json(String... args) throws Exception {
    return Cli.run(args, "--json").ok().json().at("/three_point/0");
  }

  private static JsonNode ratio(JsonNode json, String kind, String sink, String source) {
    ArrayNode points = JsonNodeFactory.instance.arrayNode();
    for (JsonNode one : json.get(kind)) {
      if (one.get("sink").asText().equals(sink) && one.get("source").asText().equals(source)) {
        points.add(one);
      }
    }
    return points;
  }

  private static JsonNode point(JsonNode points, int dt, int t) {
    for (JsonNode one : points) {
      if (one.get("separation").asInt() == dt
          && (t < 0 || one.get("insertion_separation").asInt() == t)) {
        return one;
      }
    }
    throw new AssertionError("no point at " + dt + ", " + t);
  }

  private static void assertNear(Complex expected, JsonNode point, double tolerance) {
    assertEquals(expected.re(), point.get("re").asDouble(), tolerance, point.toString());
    assertEquals(expected.im(), point.get("im").asDouble(), tolerance, point.toString());
    assertTrue(point.get("re_error").asDouble() < tolerance, point.toString());
  }

  @Test
  void statesOfBothSides_haveTheirMatrixElements() throws Exception {
    writeTransition();
    for (int f = 0; f < 2; f++) {
      for (int i = 0; i < 2; i++) {
        JsonNode json =
            json(
                transition(
                    words("--t0 1 --sink-state %s --source-state %s --fit-window 2-9,1-7", f, i)));
        String states = "state " + f;
        Complex expected =
            ELEMENTS[f][i].times(1 / (2 * Math.sqrt(SINK_ENERGIES[f] * SOURCE_ENERGIES[i])));
        double sign = sign(SINK_OVERLAPS, f) * sign(SOURCE_OVERLAPS, i);
        JsonNode plateau = ratio(json, "plateau", states, "state " + i);
        for (int t = 0; t <= 10; t++) {
          assertNear(expected.times(sign), point(plateau, 10, t), 2e-4);
        }
        JsonNode slope = ratio(json, "slope", states, "state " + i);
        assertNear(expected.times(sign), point(slope, 8, -1), 1e-3);
        JsonNode optimized = ratio(json, "optimized", states, "state " + i);
        assertNear(ELEMENTS[f][i].times(sign), point(optimized, 12, 5), 0.01);
        JsonNode fit = json.get("fits").get(0);
        assertEquals(SINK_ENERGIES[f], fit.get("energy").asDouble(), 1e-4);
        assertEquals(SOURCE_ENERGIES[i], json.get("fits").get(1).get("energy").asDouble(), 1e-4);
      }
    }
  }

  /**
   * The sign of the overlap of a state with its operator: the vector is orthogonal to the overlaps
   * of the other state, and its largest component is positive.
   */
  private static double sign(double[][] overlaps, int state) {
    double[] other = overlaps[1 - state];
    double[] vector = {other[1], -other[0]};
    double largest = Math.abs(vector[0]) > Math.abs(vector[1]) ? vector[0] : vector[1];
    return Math.signum(largest * (vector[0] * overlaps[state][0] + vector[1] * overlaps[state][1]));
  }

  @Test
  void diagonalRatios_tendToTheLowestElement() throws Exception {
    writeTransition();
    JsonNode json = json(transition("--operators", "f1,i1"));
    Complex expected =
        ELEMENTS[0][0].times(1 / (2 * Math.sqrt(SINK_ENERGIES[0] * SOURCE_ENERGIES[0])));
    JsonNode plateau = ratio(json, "plateau", "f1", "i1");
    assertEquals(9 + 11 + 13, plateau.size());
    double at8 = point(plateau, 8, 4).get("re").asDouble() - expected.re();
    double at12 = point(plateau, 12, 6).get("re").asDouble() - expected.re();
    assertTrue(Math.abs(at12) < 0.03 && Math.abs(at12) < 0.5 * Math.abs(at8), at8 + " " + at12);
    double slope =
        point(ratio(json, "slope", "f1", "i1"), 10, -1).get("re").asDouble() - expected.re();
    assertTrue(Math.abs(slope) < 0.01, "summation is nearer: " + slope);
  }

  /** A ring of T = 12 with one state, a charge Q between source and sink and q elsewhere. */
  @Test
  void forwardRatio_takesTheTwoPointFunctionsOfTheResult() throws Exception {
    int extent = 12;
    Path file = folder.resolve("charge.h5");
    CurrentFixture fixture =
        CurrentFixture.create(
            file,
            "{source: {}}",
            "charge p p",
            new int[] {3},
            new int[] {4, 6},
            IntStream.range(0, extent).toArray());
    for (int c = 1; c <= CONFIGURATIONS; c++) {
      fixture
          .configuration(c, at -> Complex.ONE.times(two(at)))
          .part(
              c,
              "charge",
              "connected",
              at -> new Complex(at.t() < at.dt() ? 0.75 : -0.25, 0.5).times(two(at)))
          .file()
          .attributes("/")
          .put("temporal_extent", extent);
    }
    fixture.close();
    JsonNode json = json("analyze", file.toString());
    JsonNode forward = ratio(json, "forward", "p", "p");
    assertEquals(2 * extent, forward.size());
    assertNear(new Complex(0.75, 0.5), point(forward, 4, 3), 1e-12);
    assertNear(new Complex(-0.25, 0.5), point(forward, 4, 4), 1e-12);
    assertNear(new Complex(0.75, 0.5), point(ratio(json, "slope", "p", "p"), 4, -1), 1e-12);
    JsonNode all = ratio(json, "feynman_hellmann", "p", "p");
    assertNear(new Complex(4 * 0.75 - 8 * 0.25, 6), point(all, 4, -1), 1e-12);
    JsonNode difference = ratio(json, "feynman_hellmann_slope", "p", "p");
    assertNear(new Complex(1, 0), point(difference, 4, -1), 1e-12);
  }

  /** Operators of one name are others where the definition gives them another momentum. */
  @Test
  void sidesOfTheDefinition_decideWhatServes() {
    String source =
        """
        name: toy
        source:
          isospin: [1, 0]
          momentum: [0, 0, 1]
          irrep: A2
          operators: [{name: p, hadrons: [{meson: pi, momentum: [0, 0, 1]}]}]
        """;
    String sink =
        """
        sink:
          isospin: [1, 0]
          momentum: [0, 0, %d]
          irrep: A2
          operators: [{name: p, hadrons: [{meson: pi, momentum: [0, 0, %1$d]}]}]
        """;
    String insertion = "insertions: [{name: v, gamma: g4, momentum: [0, 0, %d], flavours: {u: 1}}]";
    String[] texts = {
      source + insertion.formatted(0),
      source + sink.formatted(1) + insertion.formatted(0),
      source + sink.formatted(-1) + insertion.formatted(2),
    };
    for (int k = 0; k < 3; k++) {
      Path file = folder.resolve("sides" + k + ".h5");
      CurrentFixture fixture =
          CurrentFixture.create(
              file, texts[k], "v p p", new int[] {0}, new int[] {4}, new int[] {2});
      fixture
          .configuration(1, at -> Complex.ONE)
          .part(1, "v", "connected", at -> Complex.ONE)
          .close();
      if (k < 2) {
        Cli.run("analyze", file.toString()).ok().prints("v, p <- p: forward ratio");
      } else {
        refused("--sink-two-point FILE is missing", "analyze", file.toString());
      }
    }
  }

  /**
   * The Ward identity: between source and sink the conserved charge is by 1 more than elsewhere.
   */
  @Test
  void charge_ofThePionOfTheReference_isOne() throws Exception {
    Path references = Engine.examples().resolve("reference-currents");
    JsonNode json =
        json("analyze", references.resolve("charge_pion.h5").toString(), "--insertions", "charge");
    JsonNode forward = ratio(json, "forward", "pi", "pi");
    for (int t = 0; t < 4; t++) {
      JsonNode inside = point(forward, 4, t);
      JsonNode outside = point(forward, 4, t + 4);
      assertEquals(1, inside.get("re").asDouble() - outside.get("re").asDouble(), 1e-10);
      assertEquals(0, inside.get("im").asDouble() - outside.get("im").asDouble(), 1e-10);
    }
    refused(
        "sink [rho, rho_2] and source [pi_001] have operators of their own",
        "analyze",
        references.resolve("rho_to_pi.h5").toString());
  }

  private static double two(Place at) {
    return Math.exp(-0.4 * at.dt()) * (1 + 0.3 * CurrentFixture.noise(at.configuration(), at.dt()));
  }

  @Test
  void loops_areTakenWithTheCovariance() throws Exception {
    Path file = folder.resolve("sigma.h5");
    writeLoops(file);
    JsonNode total = json("analyze", file.toString());
    JsonNode connected = json("analyze", file.toString(), "--part", "connected");
    JsonNode loops = json("analyze", file.toString(), "--part", "disconnected");
    JsonNode raw = json("analyze", file.toString(), "--part", "disconnected", "--no-subtraction");
    assertTrue(total.get("vacuum_subtracted").asBoolean());
    double[] parts = new double[4];
    JsonNode[] all = {total, connected, loops, raw};
    for (int k = 0; k < 4; k++) {
      parts[k] = point(ratio(all[k], "forward", "p", "p"), 4, 2).get("re").asDouble();
    }
    assertEquals(parts[0], parts[1] + parts[2], 1e-13);
    // J₁ is 5 on average, and its fluctuation 2 ε that of C₂, which is ε.
    double mean = 0;
    double square = 0;
    for (int c = 1; c <= CONFIGURATIONS; c++) {
      mean += CurrentFixture.noise(c) / CONFIGURATIONS;
      square += Math.pow(CurrentFixture.noise(c), 2) / CONFIGURATIONS;
    }
    double covariance = 0.2 * (square - mean * mean) / (1 + 0.1 * mean);
    assertEquals(covariance, parts[2], 1e-12);
    assertEquals(covariance + 5 + 2 * mean, parts[3], 1e-12);
  }

  static void writeLoops(Path file) {
    CurrentFixture fixture =
        CurrentFixture.create(
            file,
            "{source: {}}",
            "scalar p p",
            new int[] {0, 3},
            new int[] {4},
            new int[] {1, 2, 3});
    for (int c = 1; c <= CONFIGURATIONS; c++) {
      double epsilon = CurrentFixture.noise(c);
      fixture
          .configuration(c, at -> new Complex(1 + 0.1 * epsilon, 0))
          .part(c, "scalar", "connected", at -> new Complex(0.3, 0))
          .part(
              c,
              "scalar",
              "disconnected",
              at -> new Complex((5 + 2 * epsilon) * (1 + 0.1 * epsilon), 0))
          .current(c, "scalar", 8, t -> new Complex(5 + 2 * epsilon, 0));
    }
    fixture.close();
  }

  @Test
  void oneConfiguration_givesValuesAndAWarning() throws Exception {
    writeTransition();
    Cli cli = Cli.run(transition("--configurations", "3", "--operators", "f1,i1")).ok();
    assertEquals(
        "starling: warning: toy: only one configuration: no errors can be estimated\n", cli.err());
    assertTrue(cli.out().startsWith("toy on e: 1 configuration, 2 sources in all, no errors\n"));
    JsonNode json = json(transition("--configurations", "3", "--operators", "f1,i1"));
    JsonNode point = ratio(json, "plateau", "f1", "i1").get(0);
    assertTrue(point.get("re_error").isNull());
    assertTrue(point.get("re").isNumber());
    Cli.run(transition("--configurations", "3", "--fit-window", "2-9"))
        .notes("with fewer than three samples");
  }

  @Test
  void out_andReport_showEverything() throws Exception {
    writeTransition();
    Path out = folder.resolve("out");
    Path page = folder.resolve("page.html");
    Cli.run(
            transition(
                words(
                    "--operators f1,i1 --fit-window 6-12 --out %s --formats csv,svg,hdf5"
                        + " --report %s",
                    out, page)))
        .ok();
    assertEquals(
        List.of(
            "toy.csv",
            "toy_analysis.h5",
            "toy_vector_f1_i1_optimized.svg",
            "toy_vector_f1_i1_plateau.svg",
            "toy_vector_f1_i1_slopes.svg"),
        Written.names(out));
    JsonNode plateau = ratio(json(transition("--operators", "f1,i1")), "plateau", "f1", "i1");
    List<String> csv = Files.readAllLines(out.resolve("toy.csv"));
    assertEquals(
        "plateau/re,vector,f1,i1,0,8,,,"
            + plateau.get(0).get("re").asText()
            + ","
            + plateau.get(0).get("re_error").asText()
            + ",",
        csv.get(1));
    try (Hdf5File file = Hdf5File.open(out.resolve("toy_analysis.h5"))) {
      double[] mean = file.dataset("plateau/mean").readAll();
      // By t and dt; t = 10 is not between the ends at dt = 8.
      assertEquals(plateau.get(5).get("im").asDouble(), mean[2 * 3 * 5 + 1]);
      assertTrue(Double.isNaN(mean[2 * 3 * 10]));
      Written.numbers(file, "plateau/samples", 20, 1, 1, 1, 13, 3);
      assertEquals(13, file.attributes("plateau").ints("insertion_separations").length);
      assertEquals(4, file.dataset("fits/energy/mean").readAll().length);
    }
    String html = Files.readString(page);
    assertEquals(3, html.split("<svg", -1).length - 1);
    assertTrue(html.contains("vector, f1 &lt;- i1: plateau ratio"), html);
    assertTrue(html.contains("configurations: 20, from 1 to 20"), html);
  }

  /** The command lines of {@code docs/analysis.md}, on toys in place of the results. */
  @Test
  void documentedCommands_work() throws Exception {
    writeTransition();
    for (String name : new String[] {"ff_pion.h5", "pipi_to_rho.h5"}) {
      Files.copy(result, folder.resolve(name));
    }
    for (String name : new String[] {"pion.h5", "rho_pipi.h5"}) {
      Files.copy(sink, folder.resolve(name));
      Files.copy(source, folder.resolve(name.replace(".h5", "_001.h5")));
    }
    writeLoops(folder.resolve("sigma_terms.h5"));
    String page = Files.readString(Path.of("../docs/analysis.md"));
    String section = page.substring(page.indexOf("## Three-point"), page.indexOf("## Files"));
    List<String> commands =
        section.lines().filter(line -> line.startsWith("    ./starling ")).toList();
    assertEquals(3, commands.size());
    for (String command : commands) {
      String[] words = command.strip().replace("results/", folder + "/").split(" ");
      Cli.run(Arrays.copyOfRange(words, 1, words.length)).ok().prints(" ratio\n");
    }
  }

  private void refused(String message, String... args) {
    Cli cli = Cli.run(args).refused(message);
    assertEquals(1, cli.err().lines().count(), cli.err());
  }

  @Test
  void wrongUse() {
    writeTransition();
    String[] sides = {
      "--sink-two-point FILE is missing",
      "analyze " + result,
      "--source-two-point FILE is missing",
      "analyze %s --sink-two-point %s",
      "source.h5: has no operator 'f1', only [i2, i1]",
      "analyze %s --sink-two-point " + source + " --source-two-point " + source,
      "toy.h5: holds three-point functions, " + sink + " does not",
      "analyze %s %s",
      "need a result of three-point functions",
      "analyze " + sink + " --part connected",
      "source 0 is in " + result + " and in " + result,
      "analyze %s " + result,
    };
    for (int k = 0; k < sides.length; k += 2) {
      refused(sides[k], words(sides[k + 1], result, sink));
    }
    String[] options = {
      "are for two-point functions", "--fit",
      "needs --t0", "--td 4",
      "need --t0", "--sink-state 1",
      "i: has the states 0 to 1 of 2 operators, not 2", "--t0 1 --source-state 2",
      "f: --fit-window 20-30 holds 0 of the separations", "--fit-window 20-30",
      "takes one range of separations", "--fit-window 1-3,2-4,5-6",
      "toy.h5: has no insertion 'axial', only [vector]", "--insertions axial",
      "has no operator 'x', only [f1, f2] at the sink", "--operators x",
      "selects none of the source's operators [i1, i2]", "--operators f1",
      "the insertion 'vector' has no disconnected part", "--part disconnected",
      "of the configurations 50 none of 50 to 50 is there, only 1-20", "--configurations 50",
    };
    for (int k = 0; k < options.length; k += 2) {
      refused(options[k], transition(words(options[k + 1])));
    }
    Path few = folder.resolve("few.h5");
    CurrentFixture.twoPoint(few, "f", "f1,f2", 18, TWO_POINT, at -> Complex.ONE);
    refused(
        "the two-point functions of f lack the configurations 19, 20 of toy",
        words("analyze %s --sink-two-point %s --source-two-point %s", result, few, source));
  }

  @Test
  void damagedResults_areRefused() {
    writeTransition();
    edited(
        "'cfg_0001/two_point' has extents [2, 3, 2, 2], expected [2, 3, 2, 3]",
        root -> root.attributes("/").put("source_operators", List.of("i1", "i2", "i3")));
    edited(
        ": 'cfg_0002' has the separations [8, 10, 14], expected [8, 10, 12]",
        root -> root.attributes("cfg_0002").put("separations", new int[] {8, 10, 14}));
    edited(
        ": 'cfg_0001' attribute 'insertion_separations': expected ascending numbers",
        root -> root.attributes("cfg_0001").put("insertion_separations", new int[] {3, 2}));
    edited(": format_version 2", root -> root.attributes("/").put("format_version", 2));
    edited(
        "'cfg_0001/insertion/vector/connected', source 0, separation",
        root -> {
          try (Hdf5Dataset dataset = root.dataset("cfg_0001/insertion/vector/connected")) {
            double[] all = dataset.readAll();
            all[5] = Double.NaN;
            dataset.writeAll(all);
          }
        });
    edited("connected", root -> root.delete("cfg_0003/insertion/vector/connected"));
  }

  private void edited(String message, Consumer<Hdf5File> edit) {
    writeTransition();
    try (Hdf5File file = Hdf5File.openForUpdate(result)) {
      edit.accept(file);
    }
    refused(message, transition());
    refused(result.toString(), transition());
  }
}
