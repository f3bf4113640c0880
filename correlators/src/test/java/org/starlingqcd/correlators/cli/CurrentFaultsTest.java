package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Runs of three-point functions whose data do not suffice. */
final class CurrentFaultsTest {
  private static final Path DATA =
      Path.of("../examples/data-currents/quenched_4x8_currents_cfg0001.h5");

  @TempDir private Path folder;

  private String run(String insertion, List<Path> data, String... more) throws IOException {
    Path definition =
        Files.writeString(
            folder.resolve("x.yaml"),
            """
            name: x
            source:
              isospin: [1, 1]
              operators: [{name: pi, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}]
            insertions:
              - {name: charge, gamma: g4, flavours: {u: 2/3, d: -1/3}}
              - {name: j, gamma: %s, flavours: {u: 2/3, d: -1/3}}
            """
                .formatted(insertion));
    List<String> arguments = new ArrayList<>(List.of("run", definition.toString(), "--data"));
    data.forEach(file -> arguments.add(file.toString()));
    arguments.addAll(List.of("--backend", "cpu", "--out", folder.resolve("out").toString()));
    arguments.addAll(List.of(more));
    Cli run = Cli.run(arguments.toArray(String[]::new));
    assertEquals(2, run.status(), run.err());
    return run.err();
  }

  private static void assertEnds(String expected, String found) {
    assertEquals(expected, found.substring(Math.max(0, found.length() - expected.length())));
  }

  private static final String LACKS =
      "ensemble 'quenched_4x8_currents', configuration 1 ("
          + DATA
          + ") lacks what the run needs:\n  ";

  private static final String OTHERS =
      "; there are none of this current, of these labels there are 1/none/0_0_0, g1/none/0_0_-1,"
          + " g1/none/0_0_0, g1/none/0_0_1, g2/none/0_0_-1, g2/none/0_0_0, … (22 in all)\n";

  private static final String INSPECT = "`starling inspect` lists what each configuration has\n";

  @Test
  void unknownCurrent() throws IOException {
    String missing =
        "generalized perambulators 'light-light/g1g2/none/0_0_0' at (sink, source) = (4, 0), (0,"
            + " 4), insertion times 0, 1, 2, 3, 4, 5, 6, 7"
            + OTHERS;
    assertEnds(LACKS + missing, run("g1g2", List.of(DATA), "--separations", "4"));
    assertEnds(
        "no separation has all generalized perambulators for the sources [0]; for separation 0,"
            + " which comes closest, "
            + LACKS
            + missing.replace("(4, 0), (0, 4)", "(0, 0)")
            + INSPECT,
        run("g1g2", List.of(DATA)));
  }

  @Test
  void loopsThatAreMissing() throws IOException {
    assertEnds(
        LACKS
            + "loops (label/gamma/displacement/momentum): 'light/g2/none/0_0_0'; there are"
            + " light/1/none/0_0_0, light/g1/none/0_0_1, light/g4/D_t/0_0_0, light/g4/D_z/0_0_1,"
            + " light/g4/conserved/0_0_1, light/g4/none/0_0_0, … (13 in all); without"
            + " disconnected: true none is needed\n",
        run("g2, flavours: {u: 1}}\ndisconnected: true\n# {", List.of(DATA)));
  }

  @Test
  void blocksOfAnotherConfiguration() throws IOException {
    Path perambulators = Files.copy(DATA, folder.resolve("a.h5"));
    Path currents = Files.copy(DATA, folder.resolve("b.h5"));
    try (Hdf5File a = Hdf5File.openForUpdate(perambulators);
        Hdf5File b = Hdf5File.openForUpdate(currents)) {
      a.delete("generalized_perambulators");
      b.delete("perambulators");
      b.attributes("/").put("configuration", 2);
    }
    String times =
        " at (sink, source) = (0, 0), insertion times 0, 1, 2, 3, 4, 5, 6, 7; there are none of this"
            + " current and none of these labels\n";
    assertEnds(
        LACKS.replace(DATA.toString(), perambulators.toString())
            + "generalized perambulators 'light-light/g2/none/0_0_0'"
            + times
            + "  generalized perambulators 'light-light/g4/none/0_0_0'"
            + times
            + INSPECT,
        run("g2", List.of(perambulators, currents)));
  }
}
