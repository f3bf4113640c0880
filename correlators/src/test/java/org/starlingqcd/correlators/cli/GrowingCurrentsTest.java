package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.result.ResultAssert;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** What is added to three-point functions whose result exists. */
final class GrowingCurrentsTest {
  private static final String DATA = "../examples/data-currents";

  /** Of the largest number: other sums of the same few hundred products. */
  private static final double ROUNDING = 1e-11;

  private static final String PI = "pi_001";
  private static final String LOCAL =
      "  - {name: local, gamma: g1, momentum: [0, 0, 1], flavours: {u: 2/3, d: -1/3, s: -1/3}}\n";
  private static final String OMEGA =
      "  - {name: omega, meson: omega, i3: 0, polarization: x, momentum: [0, 0, 1]}\n";

  @TempDir private Path folder;

  private Path definition(List<String> operators, String insertions) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            name: grow
            sink:
              isospin: [1, 0]
              irrep: T1-
              row: y
              operators:
                - name: rho
                  hadrons: [{meson: rho, momentum: [0, 0, 0], polarization: y}]
            source:
              isospin: [1, 0]
              momentum: [0, 0, 1]
              irrep: A2
              operators:
            """);
    for (String name : operators) {
      String meson = name.equals(PI) ? "pi" : "a1";
      text.append("    - name: ").append(name).append("\n      hadrons: [{meson: ").append(meson);
      text.append(", momentum: [0, 0, 1]").append(meson.equals("pi") ? "" : ", polarization: z");
      text.append("}]\n");
    }
    text.append("insertions:\n").append(insertions).append("disconnected: true\n");
    return Files.writeString(folder.resolve("grow.yaml"), text);
  }

  private JsonNode run(String out, List<String> operators, String insertions, String options)
      throws IOException {
    List<String> all =
        new ArrayList<>(List.of("run", definition(operators, insertions).toString()));
    all.addAll(List.of("--json", "--out", folder.resolve(out).toString()));
    all.addAll(List.of(options.split(" ")));
    if (!options.contains("--data")) {
      all.addAll(List.of("--data", DATA));
    }
    Cli result = Cli.run(all.toArray(new String[0])).ok();
    return result.json();
  }

  private double[] numbers(String out, String object) {
    return ResultAssert.numbers(folder.resolve(out).resolve("grow.h5"), "cfg_0001/" + object);
  }

  private void assertSame(String expected, String actual) {
    for (String insertion : List.of("local", "omega")) {
      for (String part : List.of("connected", "disconnected")) {
        assertClose(expected, actual, "insertion/" + insertion + "/" + part);
      }
      assertClose(expected, actual, "current/" + insertion);
    }
    assertClose(expected, actual, "two_point");
  }

  private void assertClose(String expected, String actual, String object) {
    double[] numbers = numbers(expected, object);
    double largest = Arrays.stream(numbers).map(Math::abs).max().orElse(0);
    assertTrue(largest > 0, object);
    assertArrayEquals(numbers, numbers(actual, object), ROUNDING * largest, object);
  }

  @Test
  void whateverIsAdded_theResultIsThatOfOneRun() throws IOException {
    String few = "--sources 0 --separations 4 --insertion-separations 1,3";
    String many = "--sources 0,4 --separations 0,4 --insertion-separations 0-3";
    List<String> large = List.of("a1_001", PI);
    long whole = run("whole", large, LOCAL + OMEGA, many).get("contractions").asLong() / 2;
    run("old", List.of(PI), OMEGA, few);
    // One after the other, each of which is less than the whole.
    run("grown", List.of(PI), OMEGA, few);
    run("grown", List.of(PI), OMEGA, few.replace("1,3", "0-3"));
    long separations =
        run("grown", List.of(PI), OMEGA, many.replace("0,4 --sep", "0 --sep"))
            .get("contractions")
            .asLong();
    long operators =
        run("grown", large, OMEGA, many.replace("0,4 --sep", "0 --sep"))
            .get("contractions")
            .asLong();
    JsonNode insertions = run("grown", large, LOCAL + OMEGA, many.replace("0,4 --sep", "0 --sep"));
    assertEquals(1, insertions.get("units").get("computed").asInt());
    assertTrue(separations > 0 && separations < whole, separations + " < " + whole);
    assertTrue(operators > 0 && operators < whole, operators + " < " + whole);
    run("grown", large, LOCAL + OMEGA, many);
    assertSame("whole", "grown");
    assertEquals(0, run("grown", large, LOCAL + OMEGA, many).get("contractions").asLong());
    // All at once.
    run("once", List.of(PI), OMEGA, few);
    run("once", large, LOCAL + OMEGA, many);
    assertSame("whole", "once");
    // What was there stays, bit for bit.
    double[] old = numbers("old", "insertion/omega/connected");
    double[] grown = numbers("grown", "insertion/omega/connected");
    for (int t = 0; t < 2; t++) {
      int place = 2 * (((1 * 4) + 2 * t + 1) * 2 + 1);
      assertArrayEquals(
          Arrays.copyOfRange(old, 2 * t, 2 * t + 2),
          Arrays.copyOfRange(grown, place, place + 2),
          0.0);
    }
    Cli.run("inspect", "--verify", folder.resolve("grown").resolve("grow.h5").toString()).ok();
    Cli.run("check", "--three-point", folder.resolve("once/grow.h5").toString(), "--data", DATA)
        .ok();
  }

  /** Only blocks of new times and currents are read: the others may be gone. */
  @Test
  void addedTimesAndCurrents_readNothingElse() throws IOException {
    Path file = folder.resolve("currents.h5");
    Files.copy(Path.of(DATA).resolve("quenched_4x8_currents_cfg0001.h5"), file);
    String times = "--separations 4 --insertion-separations 1,3 --data " + file;
    long whole = run("grown", List.of(PI), OMEGA, times).get("contractions").asLong();
    long more =
        run("grown", List.of(PI), OMEGA, times.replace("1,3", "1-3")).get("contractions").asLong();
    assertTrue(more < whole, more + " < " + whole);
    try (Hdf5File data = Hdf5File.openForUpdate(file)) {
      data.delete("generalized_perambulators/light-light/g1");
    }
    String conserved =
        "  - {name: conserved, gamma: g4, displacement: conserved, momentum: [0, 0, 1],"
            + " flavours: {u: 2/3, d: -1/3}}\n";
    run("grown", List.of(PI), OMEGA + conserved, times.replace("1,3", "1-3"));
    run(
        "whole",
        List.of(PI),
        OMEGA + conserved,
        times.replace("1,3", "1-3").replace(file.toString(), DATA));
    assertClose("whole", "grown", "insertion/omega/connected");
    assertClose("whole", "grown", "insertion/conserved/connected");
    assertClose("whole", "grown", "insertion/conserved/disconnected");
  }

  @Test
  void less_isRefused() throws IOException {
    run("grown", List.of(PI), LOCAL, "--separations 4 --insertion-separations 1,3");
    for (List<String> change :
        List.of(
            List.of(OMEGA, "--insertion-separations=0-3", "of another definition"),
            List.of(LOCAL, "--insertion-separations=0,1", "[1, 3] instead of [0, 1]"),
            List.of(LOCAL + OMEGA, "--insertion-separations=1", "[1, 3] instead of [1]"))) {
      Cli.line(
              "run %s --data %s --separations 4 %s --out %s",
              definition(List.of(PI), change.get(0)), DATA, change.get(1), folder.resolve("grown"))
          .refused(change.get(2));
    }
  }
}
