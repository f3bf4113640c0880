package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.cli.Cli.words;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.analysis.Written;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultFixture;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Numbers of the reference results are checked against numpy; see the comments for what it
 * computed.
 */
final class AnalyzeCommandTest {
  @TempDir private Path folder;

  private static JsonNode json(String... args) throws Exception {
    return Cli.run(new String[] {"analyze", "--json"}, args).ok().json();
  }

  /** The first correlator. */
  private static JsonNode first(String... args) throws Exception {
    return json(args).at("/correlators/0");
  }

  private static String reference(String name) {
    return ResultFixture.reference(name).toString();
  }

  @Test
  void vacuumChannel_isConnectedAsByNumpy() throws Exception {
    // c, v = mean over configurations; connected[s, d] = c[s, d] - outer(v[(s + d) % 8],
    // conj(v[s]));
    // then the mean over sources s in (0, 3); errors by leaving out one configuration.
    JsonNode node = first(reference("sigma.h5"));
    assertTrue(node.get("vacuum_subtracted").asBoolean());
    JsonNode element = node.get("correlator").get(2 * 9);
    assertEquals(12.401867727709032, element.get("re").asDouble(), 1e-9);
    assertEquals(0.4751177405491944, element.get("re_error").asDouble(), 1e-9);
    JsonNode mixed = node.get("correlator").get(7 * 9 + 1);
    assertEquals("pipi_000", mixed.get("source").asText());
    assertEquals(-106.13150183384641, mixed.get("re").asDouble(), 1e-9);
    JsonNode mass = node.get("effective_mass").get("log").get(3);
    assertEquals(0.8645085278744906, mass.get("value").asDouble(), 1e-10);
    assertEquals(0.02392173183558982, mass.get("error").asDouble(), 1e-10);
    // The temporal extent follows from the times of the one-point functions.
    assertEquals(8, node.get("temporal_extent").asInt());
  }

  @Test
  void eigenvalues_areAsByNumpy() throws Exception {
    // numpy.linalg.eigh(inv(L) C(2) inv(L)†), L = cholesky(C(1)), of the Hermitian parts.
    JsonNode node = first(reference("rho_pipi.h5"), "--t0", "1");
    double[] values = {0.5050831008245729, 0.23165832726748967, 0.08426332367513438};
    double[] errors = {0.0058224385725435535, 0.03389567853359379, 0.02439374155424518};
    for (int k = 0; k < 3; k++) {
      JsonNode eigenvalue = node.get("gevp").get("eigenvalues").get(2 * 3 + k);
      assertEquals(k, eigenvalue.get("state").asInt());
      assertEquals(values[k], eigenvalue.get("value").asDouble(), 1e-10);
      assertEquals(errors[k], eigenvalue.get("error").asDouble(), 1e-10);
    }
    JsonNode mass = node.get("gevp").get("effective_mass").get("log").get(3);
    assertEquals(0.6830323071563821, mass.get("value").asDouble(), 1e-10);
    assertEquals(0.011502150067145667, mass.get("error").asDouble(), 1e-10);
  }

  /** With the vectors at td everywhere, eigenvalues are those of each separation at t0 and td. */
  @Test
  void vectorsAtTd_haveTheEigenvaluesOfTd() throws Exception {
    String[] arguments = {reference("rho_pipi.h5"), "--t0", "1"};
    JsonNode each = first(arguments).at("/gevp/eigenvalues");
    JsonNode fixed =
        first(Cli.and(arguments, "--vectors", "td", "--range", "0:1.5")).at("/gevp/eigenvalues");
    for (int k = 0; k < 3; k++) {
      assertEquals(1, fixed.at("/" + (3 + k) + "/value").asDouble(), 1e-12);
      for (String number : List.of("value", "error")) {
        String atTd = "/" + (6 + k) + "/" + number;
        assertEquals(each.at(atTd).asDouble(), fixed.at(atTd).asDouble(), 1e-12);
      }
    }
    refused("--range must be LOW:HIGH, such as 0:1.5, not 1:0", arguments[0], "--range", "1:0");
    refused("--range must be LOW:HIGH", arguments[0], "--range", "low");
  }

  @Test
  void coshMass_isAsByBisection() throws Exception {
    // cosh(m (2 - 4)) / cosh(m (3 - 4)) = C(2)/C(3), bisected with numpy.
    JsonNode node =
        first(reference("pion.h5"), "--effective-mass", "cosh", "--temporal-extent", "8");
    JsonNode mass = node.at("/effective_mass/cosh/2");
    assertEquals(0.5210864012323129, mass.get("value").asDouble(), 1e-10);
    assertEquals(0.008602770647692604, mass.get("error").asDouble(), 1e-10);
  }

  /** The references of the bundled ensemble carry T, so that the option is not needed. */
  @Test
  void coshMass_ofEveryReference_needsNoExtent() throws Exception {
    try (Stream<Path> references = Files.list(ResultFixture.reference(""))) {
      for (Path file : references.toList()) {
        try (Hdf5File opened = Hdf5File.open(file)) {
          Hdf5Attributes root = opened.attributes("/");
          if (root.string("ensemble").equals("quenched_4x8")) {
            assertEquals(8, root.integer("temporal_extent"), file.toString());
          }
        }
      }
    }
    assertEquals(
        json(reference("pion.h5"), "--effective-mass", "cosh", "--temporal-extent", "8"),
        json(reference("pion.h5"), "--effective-mass", "cosh"));
  }

  @Test
  void selection_takesPartOfTheResult() throws Exception {
    JsonNode node =
        first(
            words(
                "%s --operators pipi_011,rho --configurations 2 --sources 3",
                reference("rho_pipi.h5")));
    assertEquals("pipi_011", node.get("operators").get(0).asText());
    assertEquals(2, node.get("operators").size());
    assertEquals(1, node.get("configurations").size());
    assertEquals("[3]", node.get("sources").get(0).toString());
    assertEquals(0, node.get("samples").asInt());
    assertTrue(node.get("correlator").get(0).get("re_error").isNull());
    JsonNode whole = first(reference("rho_pipi.h5"));
    assertEquals(3, whole.get("operators").size());
  }

  @Test
  void partsOfOneDefinition_areOneCorrelator() throws Exception {
    Path a = folder.resolve("a.h5");
    Path b = folder.resolve("b.h5");
    Path whole = folder.resolve("whole.h5");
    List<String> operators = List.of("x");
    ResultFixture.create(a, "part", "e", operators, 0, 1, 3).configuration(1, 1, 0).close();
    ResultFixture.create(b, "part", "e", operators, 0, 1, 3)
        .configuration(1, 5, 2)
        .configuration(7, 3, 0, 2)
        .close();
    JsonNode together = json(a.toString(), b.toString()).get("correlators");
    assertEquals(1, together.size());
    assertEquals(3, together.get(0).get("correlator").get(0).get("re").asDouble(), 1e-14);
    assertEquals("[0,2]", together.get(0).get("sources").get(0).toString());
    ResultFixture.create(whole, "other", "e", operators, 0, 1, 3).configuration(1, 1, 0).close();
    assertEquals(2, json(a.toString(), whole.toString()).get("correlators").size());
  }

  @Test
  @Tag("slow")
  void out_holdsEveryFormat() throws Exception {
    Path out = folder.resolve("analysis");
    Cli result =
        Cli.run(
                words(
                    "analyze %s %s --out %s --t0 1 --bin 1 --resampling bootstrap --samples 10",
                    reference("pion.h5"), reference("rho_pipi.h5"), out))
            .ok();
    List<String> expected =
        new ArrayList<>(List.of("effective_masses.png", "effective_masses.svg"));
    for (String name : List.of("pion", "rho_pipi")) {
      expected.addAll(List.of(name + ".csv", name + "_analysis.h5"));
      Stream.of("correlator", "effective_mass", "eigenvalue_mass", "eigenvalues")
          .map(plot -> name + "_" + plot)
          .forEach(plot -> expected.addAll(List.of(plot + ".png", plot + ".svg")));
    }
    assertEquals(expected.stream().sorted().toList(), Written.names(out));
    result.prints("bootstrap with 10 samples of 2 bins, seed 1");
    result.prints("wrote " + out.resolve("pion.csv"));
    Path tables = folder.resolve("tables");
    Cli.run("analyze", reference("pion.h5"), "--out", tables.toString(), "--formats", "csv").ok();
    assertEquals(List.of("pion.csv"), Written.names(tables));
  }

  @Test
  void oneConfiguration_givesValuesAndAWarning() {
    Cli result = Cli.run("analyze", reference("f0d2.h5")).ok();
    assertEquals(
        "starling: warning: f0d2: only one configuration: no errors can be estimated\n",
        result.err());
    assertTrue(
        result.out().startsWith("f0d2 on quenched_4x8: 1 configuration, 1 source in all, no"));
  }

  @Test
  void undefinedMasses_areExplained() throws Exception {
    Path file = folder.resolve("negative.h5");
    ResultFixture.create(file, "negative", "e", List.of("x"), 0, 1)
        .configuration(1, 1, 0)
        .configuration(2, -0.5, 0)
        .close();
    Cli result = Cli.run("analyze", file.toString(), "--t0", "0", "--effective-mass", "log").ok();
    // The eigenvalue problem has no positive metric on one of two samples.
    result.prints("    state 0, dt 1: no error: undefined on 1 of 2 jackknife samples\n");
  }

  @Test
  void pipe_isRefusedAtOnce() throws Exception {
    Path pipe = folder.resolve("pipe.h5");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> refused(pipe + ": is a named pipe, expected an HDF5 file", pipe.toString()));
  }

  @Test
  void filesThatAreNoResults_areRefused() throws Exception {
    Path text = folder.resolve("text.h5");
    Files.writeString(text, "not HDF5 at all");
    refused(text + ": is not an HDF5 file", text.toString());
    refused(folder + ": is a directory, expected an HDF5 file", folder.toString());
    Path missing = folder.resolve("missing.h5");
    refused(missing + ": no such file", missing.toString());
    Path cut = folder.resolve("cut.h5");
    byte[] bytes = Files.readAllBytes(ResultFixture.reference("pion.h5"));
    Files.write(cut, Arrays.copyOf(bytes, bytes.length / 2));
    refused(cut + ": is truncated", cut.toString());
    Path analysis = folder.resolve("out");
    Cli.run("analyze", reference("pion.h5"), "--out", analysis.toString(), "--formats", "hdf5");
    Path wrong = analysis.resolve("pion_analysis.h5");
    refused(wrong + ": is not a result file", wrong.toString());
    refusedResult(
        ": format_version 2", fixture -> fixture.file().attributes("/").put("format_version", 2));
  }

  @Test
  void resultsThatContradictThemselves_areRefused() {
    refusedResult(": holds no configuration; has the run finished one?", fixture -> {});
    refusedResult(
        ": 'cfg_0003/correlator' has extents [1, 2, 1, 1], expected [2, 2, 1, 1]",
        fixture -> {
          fixture.configuration(3, 1, 0);
          fixture.file().attributes("cfg_0003").put("source_times", new int[] {0, 1});
        });
    refusedResult(
        ": 'cfg_0004' has the separations [0, 2], expected [0, 1] as for the other configurations",
        fixture -> {
          fixture.configuration(3, 1, 0).configuration(4, 1, 0);
          fixture.file().attributes("cfg_0004").put("separations", new int[] {0, 2});
        });
    refusedResult(
        ": 'cfg_0003/correlator', source 5, separation 0, sink 'a', source 'a': found 1.0E308, expected a"
            + " number below 1e150",
        fixture -> fixture.configuration(3, 1e308, 5));
    refusedResult(
        ": 'cfg_0003/correlator', source 5, separation 0, sink 'a', source 'a': found NaN",
        fixture -> fixture.configuration(3, Double.NaN, 5));
    refusedResult(
        ": 'cfg_0003' attribute 'source_times': expected different source times",
        fixture -> fixture.configuration(3, 1, 2, 2));
    refusedResult(
        ": 'cfg_0003/vev' has extents [2, 1], expected [3, 1]",
        fixture -> {
          fixture.configuration(3, 1, 2).onePoint(3, 1, 2, 3);
          fixture.file().attributes("cfg_0003/vev").put("times", new int[] {2, 3, 4});
        });
  }

  /** Writes a result with the operator a at the separations 0 and 1, which is refused. */
  private void refusedResult(String message, Consumer<ResultFixture> content) {
    Path file = folder.resolve("result.h5");
    ResultFixture fixture = ResultFixture.create(file, "x", "e", List.of("a"), 0, 1);
    content.accept(fixture);
    fixture.close();
    refused(file + message, words("%s --out %s", file, folder.resolve("out")));
  }

  /** A result of one configuration; the content may change it. */
  private String one(
      String file, String ensemble, int number, Consumer<ResultFixture> content, int... dts) {
    Path path = folder.resolve(file + ".h5");
    String operator = file.equals("operators") ? "b" : "a";
    String name = file.equals("ensemble") ? "y" : "x";
    ResultFixture fixture = ResultFixture.create(path, name, ensemble, List.of(operator), dts);
    fixture.configuration(number, 1, 0);
    content.accept(fixture);
    fixture.close();
    return path.toString();
  }

  @Test
  void filesThatDoNotBelongTogether_areRefused() {
    String a = one("a", "e", 1, x -> {}, 0, 1);
    String ensemble = one("ensemble", "f", 1, x -> {}, 0, 1);
    refused(
        a + " is of ensemble 'e', " + ensemble + " of ensemble 'f'; analyse one ensemble at a time",
        a,
        ensemble);
    refused(
        "configuration 1, source 0 is in " + a + " and in " + a + "; it would count twice", a, a);
    String belongs = "%s does not belong to %s: it has results ";
    String another = belongs + "of another definition of the name 'x'";
    String operators = one("operators", "e", 2, x -> {}, 0, 1);
    refused(another.formatted(operators, a), a, operators);
    String definition =
        one("definition", "e", 2, x -> x.file().attributes("/").put("definition", "other"), 0, 1);
    refused(another.formatted(definition, a), a, definition);
    String separations = one("separations", "e", 2, x -> {}, 0, 2);
    refused(
        (belongs + "with separations [0, 2] instead of [0, 1]").formatted(separations, a),
        a,
        separations);
    String[] masses = new String[2];
    for (int k = 0; k < 2; k++) {
      String object = "cfg_000" + (k + 1);
      List<String> data = List.of("mass of u: " + (k + 1));
      masses[k] =
          one("m" + k, "e", k + 1, x -> x.file().attributes(object).put("data", data), 0, 1);
    }
    refused(
        masses[1]
            + " does not belong to "
            + masses[0]
            + ": its data have another mass of u: 2, not 1",
        masses);
  }

  @Test
  void logarithmicMassesOfMesons_endAtHalfTheExtent() {
    Cli mesons = Cli.run("analyze", reference("pion.h5"));
    String masses = mesons.out().substring(mesons.out().indexOf("effective mass"));
    assertEquals(4, masses.lines().filter(line -> line.matches("  +[0-9] .*")).count(), masses);
    Cli baryons = Cli.run("analyze", reference("nucleon.h5"), "--operators", "N_up");
    masses = baryons.out().substring(baryons.out().indexOf("effective mass"));
    assertTrue(masses.lines().filter(line -> line.matches("  +[0-9] .*")).count() > 4, masses);
  }

  @Test
  void optionsThatDoNotFit_areRefused() throws Exception {
    // Noisy single-configuration matrices of 16 operators are not positive definite.
    refused(
        "f0d2: the correlation matrix at t0 = 1 is not positive definite",
        words("%s --t0 1", reference("f0d2.h5")));
    Path file = Files.writeString(folder.resolve("file"), "");
    Cli.run("analyze", reference("pion.h5"), "--out", file.toString())
        .refusedAs(file + ": is a file; an analysis needs a folder");
    String pion = reference("pion.h5");
    String[] options = {
      "pion: t0 must be one of the separations [0, 1, 2, 3, 4, 5, 6, 7] but the last: t0=7",
          "--t0 7",
      "pion: td must be one of", "--t0 2 --td 8",
      "--td needs --t0", "--td 2",
      "--formats needs --out", "--formats csv",
      "--samples must be between 2 and 100000, not 1", "--samples 1",
      "between 2 and 100000, not 2147483647", "--samples 2147483647",
      "none of 2147483647 to 2147483647", "--configurations 2147483647",
      "--bin must be at least 1, not 0", "--bin 0",
      "--temporal-extent must be between 1 and 65536, not 0", "--temporal-extent 0",
      "has no operator 'rho', only [pi]", "--operators rho",
      "operator 'pi' is given twice", "--operators pi,pi",
      "none of 3 to 9 is there, only 1, 2", "--configurations 1,3-9",
      "no configuration has one of the sources 1", "--sources 1",
      "--configurations: 'x' is not a number or a range", "--configurations x",
    };
    for (int k = 0; k < options.length; k += 2) {
      refused(options[k], words("%s " + options[k + 1], pion));
    }
  }

  private static void refused(String message, String... args) {
    Cli result = Cli.run(new String[] {"analyze"}, args).refused(message);
    assertEquals(1, result.err().lines().count(), result.err());
    assertEquals("", result.out());
  }
}
