package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.cli.Cli.words;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.analysis.Written;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultFixture;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Two states of known energies, mixed by a known angle in two operators, as a rho and two pions:
 * the operators have opposite signs under complex conjugation with parity, so the elements between
 * them are imaginary on average.
 */
final class RealMatrixTest {
  private static final double[] ENERGIES = {0.4, 0.7};
  private static final double ANGLE = 0.6;
  private static final int CONFIGURATIONS = 24;

  @TempDir private Path folder;
  private Path result = Path.of("");

  @BeforeEach
  void write() {
    result = folder.resolve("mixed.h5");
    Random random = new Random(7);
    ResultFixture fixture =
        ResultFixture.create(result, "mixed", "e", List.of("rho", "pipi"), 0, 1, 2, 3, 4, 5);
    fixture.file().attributes("/").put("conjugation", new long[] {-1, 1});
    for (int c = 1; c <= CONFIGURATIONS; c++) {
      fixture.configuration(c, new int[] {0, 4}, (source, dt, i, j) -> element(dt, i, j, random));
    }
    fixture.close();
  }

  /** i times the first operator is cos |0> + sin |1>; the second is -sin |0> + cos |1>. */
  private static Complex element(int dt, int i, int j, Random random) {
    double[][] overlaps = {
      {Math.cos(ANGLE), Math.sin(ANGLE)}, {-Math.sin(ANGLE), Math.cos(ANGLE)},
    };
    double noise = 0.01 * Math.exp(-ENERGIES[0] * dt);
    double value = 0;
    for (int k = 0; k < 2; k++) {
      value += overlaps[i][k] * overlaps[j][k] * Math.exp(-ENERGIES[k] * dt);
    }
    double re = value + noise * random.nextGaussian();
    double im = noise * random.nextGaussian();
    // Without the factor i of the first operator: times -i as sink, times i as source.
    return i == j ? new Complex(re, im) : i == 0 ? new Complex(im, -re) : new Complex(-im, re);
  }

  private static String run(String... arguments) {
    return Cli.run(arguments).ok().out();
  }

  private static JsonNode analyzed(Path file, String... options) throws Exception {
    return json("analyze %s --json --t0 1", file, options);
  }

  private static JsonNode json(String line, Path file, String... options) throws Exception {
    return Cli.run(words(line, file), options).ok().json().at("/correlators/0");
  }

  /** Effective mass of a state between the separations 2 and 3. */
  private static JsonNode mass(JsonNode analysis, int state) {
    int place = 2 * analysis.get("operators").size() + state;
    return analysis.at("/gevp/effective_mass/log/" + place);
  }

  private static double value(JsonNode analysis, int state) {
    return mass(analysis, state).get("value").asDouble();
  }

  private static double error(JsonNode analysis, int state) {
    return mass(analysis, state).get("error").asDouble();
  }

  private Path export(String format, String... options) {
    String[] start = words("export %s --format %s --out %s", result, format, folder.resolve("out"));
    String out = Cli.run(start, options).ok().out();
    return Path.of(out.lines().findFirst().orElseThrow().substring("wrote ".length()));
  }

  /** The first Corr alone, as another program keeps real numbers. */
  private Path realPartsAlone(Path exported) throws Exception {
    ObjectNode root = (ObjectNode) Written.json(exported);
    JsonNode real = root.get("obsdata").get(0);
    root.put("program", "pyerrors");
    root.putArray("obsdata").add(real);
    Path file = folder.resolve("real.json");
    Files.writeString(file, root.toString());
    return file;
  }

  @Test
  void realPartsOfAnExport_haveTheEnergiesOfAnalyze() throws Exception {
    JsonNode direct = analyzed(result);
    JsonNode alone = analyzed(realPartsAlone(export("pyerrors")));
    JsonNode real = analyzed(result, "--real");
    JsonNode wrong = analyzed(realPartsAlone(export("pyerrors", "--complex")));
    for (int state = 0; state < 2; state++) {
      double expected = value(direct, state);
      double error = error(direct, state);
      assertEquals(ENERGIES[state], expected, 4 * error);
      // Imaginary parts are noise, of which the first order cancels in the eigenvalues.
      assertEquals(expected, value(alone, state), 0.1 * error);
      assertEquals(value(alone, state), value(real, state), 1e-10);
      assertEquals(error, error(real, state), 0.1 * error);
    }
    // Without the mixing the upper state is the operator with most of it.
    double unmixed = value(wrong, 1);
    assertTrue(unmixed < ENERGIES[1] - 10 * error(wrong, 1), wrong.toString());
  }

  @Test
  void analyzeReal_showsNoImaginaryParts() throws Exception {
    JsonNode analysis = analyzed(result, "--real");
    JsonNode element = analysis.get("correlator").get(1);
    assertEquals("pipi", element.get("source").asText());
    double mixing = Math.cos(ANGLE) * Math.sin(ANGLE);
    assertEquals(0, element.get("im").asDouble());
    assertEquals(0, element.get("re").asDouble(), 0.01);
    JsonNode next = analysis.get("correlator").get(5);
    assertEquals(
        -mixing * (Math.exp(-ENERGIES[0]) - Math.exp(-ENERGIES[1])),
        next.get("re").asDouble(),
        0.01);
    assertEquals("[1,1]", analysis.get("conjugation").toString());
    assertEquals("[-1,1]", analyzed(result).get("conjugation").toString());
  }

  /** What is read back says by its signs whether it was multiplied. */
  @Test
  void exports_readAgain_areRealAsTheResultIs() throws Exception {
    double expected = value(analyzed(result, "--real"), 1);
    for (String format : new String[] {"pyerrors", "gvar"}) {
      JsonNode multiplied = analyzed(export(format), "--real");
      assertEquals(expected, value(multiplied, 1), 1e-10);
      JsonNode plain = analyzed(export(format, "--complex"));
      assertEquals("[-1,1]", plain.get("conjugation").toString());
      JsonNode later = analyzed(export(format, "--complex"), "--real");
      assertEquals(expected, value(later, 1), 1e-10);
    }
  }

  /** Exports of earlier versions do not say the signs: their numbers are those of the result. */
  @Test
  void exportsWithoutSigns_areNotTakenForReal() throws Exception {
    Path exported = export("gvar", "--complex");
    try (Hdf5File file = Hdf5File.openForUpdate(exported)) {
      file.attributes("/").delete("conjugation");
    }
    assertEquals("[0,0]", analyzed(exported).get("conjugation").toString());
    // And a result of an earlier version whose definition this version cannot read.
    try (Hdf5File file = Hdf5File.openForUpdate(result)) {
      file.attributes("/").delete("conjugation");
    }
    for (Path file : List.of(exported, result)) {
      Cli.line("analyze %s --real", file).refused("the sign of rho, pipi under");
    }
  }

  @Test
  void csv_hasRealMixing_andComplexNumbersOnRequest() throws Exception {
    List<String> real = Files.readAllLines(export("csv"));
    List<String> plain = Files.readAllLines(export("csv", "--complex"));
    String[] multiplied = real.get(2).split(",", -1);
    String[] before = plain.get(2).split(",", -1);
    assertEquals("rho", before[2]);
    assertEquals("pipi", before[3]);
    // Times i.
    assertEquals(Double.parseDouble(before[4]), Double.parseDouble(multiplied[5]));
    assertEquals(-Double.parseDouble(before[5]), Double.parseDouble(multiplied[4]));
    assertEquals(real.get(1), plain.get(1));
  }

  @Test
  void export_saysWhatItMultiplied() {
    String[] start = words("export %s --format csv --out %s", result, folder);
    assertTrue(run(start).endsWith("mixed: multiplied by i: rho\n"));
    assertFalse(Cli.run(start, "--complex").ok().out().contains("multiplied"));
  }

  @Test
  void selection_keepsTheSignsOfItsOperators() throws Exception {
    JsonNode exchanged = analyzed(result, "--real", "--operators", "pipi,rho");
    JsonNode direct = analyzed(result, "--real");
    for (int state = 0; state < 2; state++) {
      assertEquals(value(direct, state), value(exchanged, state), 1e-10);
    }
    Path exported = export("pyerrors", "--complex");
    JsonNode again = analyzed(exported, "--operators", "pipi,rho");
    assertEquals("[1,-1]", again.get("conjugation").toString());
  }

  @Test
  void undecided_isRefused_unlessItIsAloneOrComplex() throws Exception {
    signs(-1, 0);
    String out = folder.toString();
    Cli.run("export", result.toString(), "--format", "csv", "--out", out)
        .refused("the sign of pipi under")
        .notes("--operators rho");
    assertEquals(2, Cli.run("analyze", result.toString(), "--real").status());
    run("analyze", result.toString());
    run("analyze", result.toString(), "--real", "--operators", "pipi");
    export("csv", "--operators", "pipi");
    export("csv", "--complex");
  }

  /** The signs of the bundled reference follow from its definition. */
  @Test
  void earlierResult_hasTheSignsOfItsDefinition() throws Exception {
    Path reference = ResultFixture.reference("rho_pipi.h5");
    JsonNode analysis = analyzed(reference, "--real");
    assertEquals("[1,1,1]", analysis.get("conjugation").toString());
    assertEquals("[-1,1,1]", analyzed(reference).get("conjugation").toString());
    for (int state = 0; state < 3; state++) {
      JsonNode direct = mass(analyzed(reference), state);
      assertEquals(direct.get("value").asDouble(), value(analysis, state), 1e-8);
    }
  }

  @Test
  void contradiction_isRefused() throws Exception {
    signs(1, 1);
    Cli.run("analyze", result.toString(), "--real")
        .refused("the element of sink rho and source pipi at separation 1 has the");
    export("csv", "--complex");
  }

  private void signs(long... signs) throws Exception {
    try (Hdf5File file = Hdf5File.openForUpdate(result)) {
      file.attributes("/").delete("conjugation");
      file.attributes("/").put("conjugation", signs);
    }
  }

  /** A run of the optimized operators has a matrix that is 1 at t0 and diagonal at td. */
  @Test
  @Tag("slow")
  void optimizedOperators_areDiagonal_whenTheyAreRun() throws Exception {
    Path reference = ResultFixture.reference("rho_pipi.h5");
    Path definition = folder.resolve("optimized.yaml");
    run("analyze", reference.toString(), "--t0", "1", "--write-optimized", definition.toString());
    String data = Engine.examples().resolve("data").toString();
    String out = folder.resolve("out").toString();
    String sources = analyzedSources(reference);
    run(
        words(
            "run %s --data %s --out %s --sources %s --separations 1-2",
            definition, data, out, sources));
    Path optimized = Path.of(out, "optimized.h5");
    for (JsonNode element : json("analyze %s --json", optimized).get("correlator")) {
      boolean diagonal = element.get("sink").equals(element.get("source"));
      // The Hermitian part counts; with few measurements the other is not small.
      if (element.get("separation").asInt() == 1 && diagonal) {
        assertEquals(1, element.get("re").asDouble(), 1e-8, element.toString());
      }
    }
    JsonNode gevp = analyzed(optimized).get("gevp");
    JsonNode before = analyzed(reference).get("gevp");
    for (int state = 0; state < 3; state++) {
      for (int i = 0; i < 3; i++) {
        JsonNode component = gevp.get("eigenvectors").get(9 + 3 * state + i);
        assertEquals(i == state ? 1 : 0, component.get("re").asDouble(), 1e-6, gevp.toString());
        assertEquals(0, component.get("im").asDouble(), 1e-6, gevp.toString());
      }
      assertEquals(
          before.get("eigenvalues").get(6 + state).get("value").asDouble(),
          gevp.get("eigenvalues").get(3 + state).get("value").asDouble(),
          1e-8);
    }
  }

  private static String analyzedSources(Path result) throws Exception {
    JsonNode first = analyzed(result).get("sources").get(0);
    List<String> sources = new ArrayList<>();
    first.forEach(source -> sources.add(source.asText()));
    return String.join(",", sources);
  }
}
