package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.result.ResultFixture;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

final class InspectCommandTest {
  private static final Path DATA = Path.of("../examples/data");

  @TempDir private Path folder;

  private static JsonNode json(int status, String... args) throws Exception {
    String[] all = new String[args.length + 2];
    all[0] = "inspect";
    all[1] = "--json";
    System.arraycopy(args, 0, all, 2, args.length);
    Cli result = Cli.run(all);
    assertEquals(status, result.status(), result.err());
    return result.json();
  }

  @Test
  void data_areListed() throws Exception {
    JsonNode data = json(0, DATA.toString()).get("files").get(0);
    assertEquals("data", data.get("kind").asText());
    assertEquals("quenched_4x8", data.get("ensemble").asText());
    assertEquals(8, data.get("temporal_extent").asInt());
    assertEquals(8, data.get("num_eigenvectors").asInt());
    assertEquals("[0,1,2,3,4,5,6,7]", data.get("perambulators").get("strange").toString());
    assertEquals("[[0,0,0]]", data.get("meson_elementals").get("nabla_x").toString());
    assertEquals(33, data.get("meson_elementals").get("none").size());
    assertEquals(19, data.get("baryon_elementals").get("none").size());
    assertEquals(2, data.get("configurations").size());
    assertFalse(data.has("faults"));
    String text = Cli.run("inspect", DATA.toString()).out();
    assertTrue(text.contains("  configurations       1, 2\n"), text);
    assertTrue(text.contains("none: [0, 0, 0], all 6 of [0, 0, 1], all 12 of [0, 1, 1]"), text);
  }

  @Test
  void tetraquarks_areListedAndVerified() throws Exception {
    Path original = Path.of("../examples/data-tetraquark/quenched_4x6_tetraquark_cfg0001.h5");
    JsonNode data = json(0, "--verify", original.toString()).get("files").get(0);
    assertEquals("[]", data.get("faults").toString());
    assertEquals(7, data.get("tetraquark_elementals").get("3bar3").size());
    assertEquals(7, data.get("tetraquark_elementals").get("66bar").size());
    assertEquals("[8]", data.get("sampled_sites").toString());
    Path file = Files.copy(original, folder.resolve("k.h5"));
    try (Hdf5File opened = Hdf5File.openForUpdate(file)) {
      overwrite(opened, "elementals/tetraquark/3bar3/0_0_0", 1, 2, 0, 3);
      overwrite(opened, "elementals/tetraquark/66bar/0_0_1", 1, 5, 4, 4);
    }
    Cli result = Cli.run("inspect", "--verify", file.toString());
    assertEquals(2, result.status());
    result.prints("3bar3/0_0_0 at time 2 is not the adjoint of itself: off by ");
    result.prints("66bar/0_0_1 at time 5 is not the adjoint of 66bar/0_0_-1: off by ");
    assertTrue(result.err().endsWith("starling: 2 faults found\n"), result.err());
  }

  @Test
  void namesInAFile_reachTheTerminalEscaped() throws Exception {
    Path file = Files.copy(DATA.resolve("quenched_4x8_cfg0001.h5"), folder.resolve("a.h5"));
    try (Hdf5File data = Hdf5File.openForUpdate(file)) {
      data.attributes("/").put("ensemble", "e\u001b]0;title\u0007\nstarling: ok\u009b2J");
    }
    String shown = "e\\u001b]0;title\\u0007\\u000astarling: ok\\u009b2J";
    Cli inspected = Cli.run("inspect", file.toString());
    inspected.prints(shown);
    assertTrue(inspected.out().lines().noneMatch(line -> line.equals("starling: ok")));
    Cli refused =
        Cli.run("run", "pion", "--data", folder.toString(), "--data", DATA.toString(), "--out", "x")
            .refused(shown);
    String name = "no\u001b[8m-such-file";
    for (Cli result :
        List.of(Cli.run("inspect", name), Cli.run(name), inspected, refused, json(name))) {
      assertTrue(
          (result.out() + result.err())
              .chars()
              .allMatch(c -> c == '\n' || !Character.isISOControl(c)),
          result.out() + result.err());
    }
  }

  private static Cli json(String name) {
    return Cli.run("inspect", "--json", name);
  }

  @Test
  void soundDataAndResults_areVerified() {
    Cli result =
        Cli.line(
                "inspect --verify %s %s %s",
                DATA, ResultFixture.reference("sigma.h5"), ResultFixture.reference("nucleon.h5"))
            .ok();
    assertEquals(3, result.out().split("verified +sound", -1).length - 1, result.out());
  }

  @Test
  void result_isListedWithWhatItLacks() throws Exception {
    Path file = folder.resolve("x.h5");
    ResultFixture fixture = ResultFixture.create(file, "x", "e", List.of("a", "b"), 0, 1, 2, 5);
    fixture.configuration(1, 1, 0, 4).configuration(2, 1, 0).configuration(7, 1, 4);
    fixture.close();
    JsonNode result = json(0, file.toString()).get("files").get(0);
    assertEquals("result", result.get("kind").asText());
    assertEquals("[\"a\",\"b\"]", result.get("operators").toString());
    assertEquals("[0,1,2,5]", result.get("separations").toString());
    assertFalse(result.get("one_point_functions").asBoolean());
    assertEquals(
        "[{\"configuration\":2,\"sources\":[4]},{\"configuration\":7,\"sources\":[0]}]",
        result.get("missing").toString());
    assertFalse(result.get("journal").asBoolean());
    String text = Cli.run("inspect", file.toString()).out();
    assertTrue(text.contains("  separations          0-2, 5\n"), text);
    assertTrue(text.contains("  missing              source 4 of configuration 2\n"), text);
  }

  @Test
  void requestedUnits_countAsMissing() throws Exception {
    Path file = folder.resolve("x.h5");
    ResultFixture fixture = ResultFixture.create(file, "x", "e", List.of("a"), 0, 1);
    fixture.configuration(1, 1, 0);
    fixture.file().attributes("/").put("requested_configurations", new int[] {1, 2, 3});
    fixture.file().attributes("/").put("requested_sources", new int[] {0, 2});
    fixture.file().attributes("/").put("runs", List.of("{\"host\": \"node1\"}"));
    fixture.close();
    Files.createDirectory(folder.resolve("x.journal"));
    JsonNode result = json(0, file.toString()).get("files").get(0);
    assertEquals(
        "[{\"configuration\":1,\"sources\":[2]},{\"configuration\":2,\"sources\":[0,2]},"
            + "{\"configuration\":3,\"sources\":[0,2]}]",
        result.get("missing").toString());
    assertTrue(result.get("journal").asBoolean());
    assertEquals("node1", result.get("runs").get(0).get("host").asText());
    String text = Cli.run("inspect", file.toString()).out();
    assertTrue(text.contains("  missing              sources 0, 2 of configurations 2, 3\n"), text);
    assertTrue(text.contains("  journal              finished units wait"), text);
  }

  @Test
  void unsoundResult_hasItsFaultsNamed() throws Exception {
    Path file = folder.resolve("x.h5");
    ResultFixture fixture = ResultFixture.create(file, "pion", "e", List.of("a"), 0, 1);
    fixture.configuration(1, Double.NaN, 0).onePoint(1, 1, 0, 1);
    fixture.configuration(2, 0, 0).onePoint(2, 1, 0, 1);
    fixture.configuration(3, 1, 6, 7).onePoint(3, 1, 0, 6);
    fixture.configuration(4, 1, 0).onePoint(4, Double.POSITIVE_INFINITY, 0, 1);
    fixture.configuration(5, 1, 0);
    fixture.file().attributes("cfg_0005").put("source_times", new int[] {0, 1});
    fixture
        .file()
        .attributes("/")
        .put(
            "definition",
            """
            name: pion
            isospin: [1, 1]
            irrep: A1-
            operators:
              - name: pi
                hadrons: [{meson: pi, momentum: [0, 0, 0]}]
            """);
    fixture.file().attributes("/").put("one_point", 1);
    fixture.file().attributes("/").put("separations", new int[] {0, 1});
    fixture.file().attributes("/").put("temporal_extent", 8);
    fixture.close();
    Cli result = Cli.run("inspect", "--verify", file.toString());
    assertEquals(2, result.status());
    for (String fault :
        List.of(
            "the definition is of 'pion' with the operators [pi], the file of 'pion' with [a]",
            "configuration 1, source 0: 2 of 4 numbers are not finite, the first at separation 0, sink operator"
                + " 'a', source operator 'a'",
            "configuration 2, source 0: all numbers are zero: they were never written",
            "configuration 3: one-point functions are missing at the times 7",
            "configuration 4: one-point functions at time 0 are not finite",
            "'cfg_0005/correlator' has extents [1, 2, 1, 1], expected [2, 2, 1, 1]")) {
      assertTrue(result.out().contains(fault), fault + " in " + result.out());
    }
    result.notes("faults found");
  }

  @Test
  void unreadableDefinition_isAFault() throws Exception {
    Path file = folder.resolve("x.h5");
    ResultFixture.create(file, "x", "e", List.of("a"), 0, 1).configuration(1, 1, 0).close();
    JsonNode faults = json(2, file.toString(), "--verify").get("files").get(0).get("faults");
    assertEquals(1, faults.size());
    assertTrue(faults.get(0).asText().startsWith("the definition cannot be read"));
  }

  /** The example's second configuration with something changed. */
  private Path changed(Consumer<Hdf5File> change) throws Exception {
    Path file = folder.resolve("changed.h5");
    Files.copy(DATA.resolve("quenched_4x8_cfg0002.h5"), file);
    try (Hdf5File opened = Hdf5File.openForUpdate(file)) {
      change.accept(opened);
    }
    return file;
  }

  /** Overwrites the first number of the block with these leading indices. */
  private static void overwrite(Hdf5File file, String object, double value, long... leading) {
    try (Hdf5Dataset dataset = file.dataset(object)) {
      long[] start = Arrays.copyOf(leading, dataset.extents().length);
      long[] count = new long[start.length];
      Arrays.fill(count, 1);
      dataset.write(start, count, new double[] {value, 0});
    }
  }

  @Test
  void configurationThatLacksSomething_isNamed() throws Exception {
    Path file =
        changed(
            opened -> {
              opened.delete("perambulators/strange");
              opened.delete("elementals/meson/none/0_0_2");
              opened.delete("elementals/baryon/none/0_1_1");
            });
    Path whole = DATA.resolve("quenched_4x8_cfg0001.h5");
    JsonNode configurations =
        json(0, whole.toString(), file.toString()).get("files").get(0).get("configurations");
    assertEquals("[]", configurations.get(0).get("missing").toString());
    assertEquals(
        "[\"perambulators/strange at source times 0-7\",\"elementals/meson/none at [[0, 0, 2]]\","
            + "\"elementals/baryon/none at [[0, 1, 1]]\"]",
        configurations.get(1).get("missing").toString());
  }

  @Test
  void dataWithoutElementals_areSaidToHaveNone() throws Exception {
    Path file =
        changed(
            opened -> {
              opened.delete("elementals/meson");
              opened.delete("elementals/baryon");
            });
    Cli.run("inspect", file.toString(), "--verify")
        .ok()
        .prints("elementals           none; a run needs files that hold them too")
        .prints("4^3 x 8, quarks antiperiodic in time");
  }

  @Test
  void unsoundData_haveTheirFaultsNamed() throws Exception {
    Path file =
        changed(
            opened -> {
              overwrite(opened, "perambulators/light", Double.NaN, 3, 1);
              overwrite(opened, "perambulators/strange", 100, 2, 5);
              overwrite(opened, "elementals/meson/none/0_0_0", 1.5, 4);
              overwrite(opened, "elementals/meson/none/0_1_0", 0.5, 6);
              overwrite(opened, "elementals/baryon/none/0_1_0", Double.NEGATIVE_INFINITY, 7);
              overwrite(opened, "elementals/baryon/none/0_0_1", 0.25, 3, 2, 1);
            });
    Cli.run("inspect", file.toString()).ok();
    Cli result = Cli.run("inspect", "--verify", file.toString());
    assertEquals(2, result.status());
    for (String fault :
        List.of(
            "'perambulators/light': block [sink time, column of source time 1]=[3, 1]",
            "perambulators/strange are not gamma5-hermitian at 1 pair of times, worst at (sink, source)"
                + " = (5, 2): off by ",
            "elementals/meson/none/0_0_0 at time 4 is not the unit matrix: off by 0.5",
            "elementals/meson/none/0_1_0 at time 6 is not the adjoint of none/0_-1_0",
            "'elementals/baryon/none/0_1_0'",
            "elementals/baryon/none/0_0_1 at time 3 is not antisymmetric: off by ")) {
      assertTrue(result.out().contains(fault), fault + " in " + result.out());
    }
    assertTrue(result.err().endsWith("starling: 6 faults found\n"), result.err());
  }

  @Test
  void notGamma5HermitianLabel_isNotHeldAgainstIt() throws Exception {
    Path file =
        changed(
            opened -> {
              overwrite(opened, "perambulators/strange", 100, 2, 5);
              opened.attributes("perambulators/strange").put("gamma5_hermitian", 0);
            });
    JsonNode data = json(0, "--verify", file.toString()).get("files").get(0);
    assertEquals("[\"strange\"]", data.get("not_gamma5_hermitian").toString());
    assertEquals("[]", data.get("faults").toString());
  }

  @Test
  void otherFiles_areRefusedWhenNamedAndPassedOverInFolders() throws Exception {
    Path results = Files.createDirectory(folder.resolve("results"));
    ResultFixture.create(results.resolve("x.h5"), "x", "e", List.of("a"), 0, 1)
        .configuration(1, 1, 0)
        .close();
    Path other = results.resolve("other.h5");
    Hdf5File.create(other).close();
    assertEquals(1, json(0, results.toString()).get("files").size());
    Path text = folder.resolve("text.h5");
    Files.writeString(text, "text");
    Cli.run("inspect", other.toString(), text.toString(), results.resolve("x.h5").toString())
        .refusedAs(
            other
                + ": is neither distillation data nor a result: attribute 'format' is missing\n"
                + "starling: "
                + text
                + ": is not an HDF5 file")
        .prints("result 'x'");
  }

  @Test
  void unfinishedFiles_areNamedAndNotRead() throws Exception {
    Path data = DATA.resolve("quenched_4x8_cfg0001.h5");
    Path part = Files.copy(data, folder.resolve("a.h5.part"));
    for (String path : List.of(folder.toString(), part.toString(), folder + "/*.part")) {
      JsonNode alone = json(0, path);
      assertEquals(0, alone.get("files").size(), path);
      assertEquals("[\"" + part + "\"]", alone.get("unfinished").toString());
    }
    Files.copy(data, folder.resolve("b.h5"));
    Files.write(part, Arrays.copyOf(Files.readAllBytes(data), 5000));
    Cli both = Cli.run("inspect", "--verify", folder.toString()).ok();
    assertEquals("", both.err());
    both.prints("  configurations       1\n");
    both.prints(part + ": unfinished; the command that writes it");
  }

  @Test
  void truncatedAndMissingFiles_areRefused() throws Exception {
    Path cut = folder.resolve("cut.h5");
    byte[] bytes = Files.readAllBytes(DATA.resolve("quenched_4x8_cfg0001.h5"));
    Files.write(cut, Arrays.copyOf(bytes, bytes.length / 2));
    Cli.run("inspect", cut.toString()).refused(cut + ": is truncated");
    Path missing = folder.resolve("missing.h5");
    assertEquals(
        "starling: " + missing + ": no such file\n", Cli.run("inspect", missing.toString()).err());
    assertEquals(
        "starling: no file matches '" + folder + "/*.h6'\n",
        Cli.run("inspect", folder + "/*.h6").err());
  }
}
