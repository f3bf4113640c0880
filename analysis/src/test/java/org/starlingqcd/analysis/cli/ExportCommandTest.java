package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.cli.Cli.words;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.analysis.CurrentFixture;
import org.starlingqcd.analysis.CurrentFixture.Place;
import org.starlingqcd.analysis.Written;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultFixture;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Every format has every number of a result of three-point functions; two-point functions come back
 * the same from the formats that are read.
 */
final class ExportCommandTest {
  private static final int[] SOURCES = {2, 5};

  @TempDir private Path folder;

  private Path result;

  private static Complex number(int salt, Place at) {
    return new Complex(
        CurrentFixture.noise(
            salt, at.configuration(), at.source(), at.dt(), at.t(), at.sink(), at.from()),
        CurrentFixture.noise(
            salt + 1, at.configuration(), at.source(), at.dt(), at.t(), at.sink(), at.from()));
  }

  /** Averaged over sources: the real part for 0, the imaginary part for 1. */
  private static double average(int salt, int part, int c, int dt, int t, int sink, int from) {
    return Arrays.stream(SOURCES)
        .mapToObj(source -> number(salt, new Place(c, source, dt, t, sink, from)))
        .mapToDouble(value -> part == 0 ? value.re() : value.im())
        .average()
        .orElseThrow();
  }

  private static String averages(int salt, int c, int dt, int t, int sink) {
    return average(salt, 0, c, dt, t, sink, 0) + "," + average(salt, 1, c, dt, t, sink, 0);
  }

  @BeforeEach
  void write() {
    result = folder.resolve("toy.h5");
    CurrentFixture fixture =
        CurrentFixture.create(
            result, "{sink: {}}", "v,s a,b c", SOURCES, new int[] {3, 6}, new int[] {1, 2, 5});
    for (int c : new int[] {4, 7}) {
      fixture
          .configuration(c, at -> number(10, at))
          .part(c, "v", "connected", at -> number(20, at))
          .part(c, "s", "connected", at -> number(30, at))
          .part(c, "s", "disconnected", at -> number(40, at))
          .current(c, "s", 8, t -> new Complex(c + t, 1));
    }
    fixture.close();
  }

  private Path export(String format) {
    Cli cli = Cli.line("export %s --out %s --format " + format, result, folder).ok();
    assertEquals(format.equals("pyerrors"), cli.err().contains("refuses chains of fewer than 5"));
    return Path.of(cli.out().strip().substring("wrote ".length()));
  }

  @Test
  void csv() throws Exception {
    List<String> lines = Files.readAllLines(export("csv"));
    // Two-point functions and three parts of three times for each separation and pair, and J₁.
    assertEquals(1 + 2 * (2 * 2 * (1 + 3 * 3) + 1), lines.size());
    assertTrue(lines.contains("7,toy.s.disconnected.b.c.dt6,5," + averages(40, 7, 6, 5, 1)));
    assertTrue(lines.contains("4,toy.two_point.a.c,3," + averages(10, 4, 3, 0, 0)));
    assertTrue(lines.contains("4,toy.s.current,0,7.5,1.0"), lines.toString());
  }

  @Test
  void gvar() {
    try (Hdf5File file = Hdf5File.open(export("gvar"))) {
      assertEquals(2 * (2 + 2 * 3 * 2 + 1), file.children("/").size());
      double[] values = Written.numbers(file, "toy.v.connected.b.c.dt6.im", 2, 3);
      assertEquals(average(20, 1, 7, 6, 2, 1, 0), values[4], 1e-15);
      values = Written.numbers(file, "toy.two_point.a.c.re", 2, 2);
      assertEquals(average(10, 0, 4, 6, 0, 0, 0), values[1], 1e-15);
      assertEquals(10.5, Written.numbers(file, "toy.s.current.re", 2, 1)[1], 1e-13);
      assertEquals(List.of("v", "s"), file.attributes("/").strings("insertions"));
    }
  }

  @Test
  void sigmond() {
    try (Hdf5File file = Hdf5File.open(export("sigmond"))) {
      List<String> keys = file.children("/data/Values");
      assertEquals(2 * (2 * 2 + 2 * 3 * 2 * 3 + 1), keys.size());
      String key = "<MCObservable><Info>toy.s.disconnected.a.c.dt3 2 s re<|Info><|MCObservable>";
      assertEquals(
          average(40, 0, 7, 3, 2, 0, 0), Written.numbers(file, "/data/Values/" + key, 2)[1], 1e-15);
    }
    try (Hdf5File file = Hdf5File.openForUpdate(result)) {
      file.attributes("/").put("name", "a_name_that_is_far_too_long_for_a_program_like_that");
    }
    Cli.run("export", result.toString(), "--format", "sigmond", "--out", "" + folder)
        .refused("observables of at most 64 characters");
  }

  @Test
  void pyerrors() throws Exception {
    Path file = export("pyerrors");
    JsonNode root = Written.json(file);
    assertEquals("three-point", root.get("description").get("format").asText());
    int found = 0;
    for (JsonNode one : root.get("obsdata")) {
      assertEquals("Corr", one.get("type").asText());
      if (one.get("tag").get("tag").get(0).asText().equals("toy.v.connected.b.c.dt6 im")) {
        assertEquals("6, 1", one.get("layout").asText());
        JsonNode deltas = one.get("data").get(0).get("replica").get(0).get("deltas").get(1);
        assertEquals(7, deltas.get(0).asInt());
        assertEquals(
            average(20, 1, 7, 6, 5, 1, 0),
            one.get("value").get(5).asDouble() + deltas.get(6).asDouble(),
            1e-15);
        found++;
      }
    }
    assertEquals(1, found);
    assertEquals(2 * (2 + 2 * 3 * 2 + 1), root.get("obsdata").size());
    Cli.run("analyze", file.toString()).refused("holds exported three-point functions");
  }

  @Test
  void selection_takesPart() throws Exception {
    String options = " --operators b,c --configurations 7 --sources 5";
    List<String> lines = Files.readAllLines(export("csv" + options));
    assertEquals(1 + 2 * (1 + 3 * 3) + 1, lines.size());
    Complex expected = number(20, new Place(7, 5, 3, 1, 1, 0));
    assertTrue(
        lines.contains("7,toy.v.connected.b.c.dt3,1," + expected.re() + "," + expected.im()),
        lines.toString());
  }

  private Cli exportOf(String result, String format) {
    return Cli.run(
        words("export %s --format %s --out %s", ResultFixture.reference(result), format, folder));
  }

  private static JsonNode correlator(Path file) throws Exception {
    return Cli.run("analyze", file.toString(), "--json").ok().json().get("correlators").get(0);
  }

  /** Errors and effective masses come out the same whichever format they went through. */
  @Test
  void exported_analyzedAgain() throws Exception {
    JsonNode direct = correlator(ResultFixture.reference("a1_rhopi.h5"));
    for (String format : new String[] {"pyerrors", "gvar"}) {
      Cli exported = exportOf("a1_rhopi.h5", format).ok();
      Path file = Path.of(exported.out().strip().substring("wrote ".length()));
      JsonNode again = correlator(file);
      for (int k = 0; k < direct.get("correlator").size(); k++) {
        JsonNode expected = direct.get("correlator").get(k);
        JsonNode found = again.get("correlator").get(k);
        assertEquals(expected.get("sink"), found.get("sink"));
        double scale = 1e-12 * (1 + Math.abs(expected.get("re").asDouble()));
        assertEquals(expected.get("re").asDouble(), found.get("re").asDouble(), scale);
        assertEquals(expected.get("im").asDouble(), found.get("im").asDouble(), scale);
        assertEquals(expected.get("re_error").asDouble(), found.get("re_error").asDouble(), scale);
      }
    }
  }

  @Test
  void everyFormat_isWritten() {
    for (String format : new String[] {"pyerrors", "gvar", "sigmond", "csv"}) {
      Cli result = exportOf("sigma.h5", format).ok();
      assertTrue(Files.exists(Path.of(result.out().strip().substring("wrote ".length()))));
      assertEquals(
          format.equals("pyerrors"), result.err().contains("refuses chains of fewer than 5"));
      assertEquals(format.equals("sigmond"), result.err().contains("one-point functions are not"));
    }
  }

  @Test
  void wrongUse() throws Exception {
    assertEquals(2, exportOf("pion.h5", "word").status());
    assertEquals(2, Cli.run("export", ResultFixture.reference("pion.h5").toString()).status());
    Path file = Files.createFile(folder.resolve("file"));
    Cli.run(words("export %s --format csv --out %s", ResultFixture.reference("pion.h5"), file))
        .refusedAs(file + ": is a file; --out needs a folder");
  }
}
