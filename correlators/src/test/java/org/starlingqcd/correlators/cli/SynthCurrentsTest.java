package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SynthCurrentsTest {
  @TempDir private Path folder;

  private Cli synth(String... more) {
    return Cli.run(Cli.words("synth -N 3 -T 4 --out %s --overwrite", folder), more);
  }

  @Test
  void currents_areSoundAndConverted() {
    synth(
            "--currents",
            "g4,g1g5",
            "--current-displacements",
            "none,D_t,conserved",
            "--current-momentum-squared",
            "1",
            "--current-times",
            "0,2",
            "--sources",
            "0,2")
        .ok();
    String file = folder.resolve("synthetic_cfg0001.h5").toString();
    Cli seen = Cli.run("inspect", "--verify", file).ok();
    String line =
        "light-strange g4 D_t, sink times 0, 2, insertion times 0-3, source times 0, 2: q = [0,"
            + " 0, 0], all 6 of [0, 0, 1]";
    seen.prints(line);
    String copy = folder.resolve("copy.h5").toString();
    assertEquals(0, Cli.run("convert", file, "--out", copy, "--no-check").status());
    Cli.run("inspect", "--verify", copy).ok().prints(line);
    Cli npy = Cli.run("convert", file, "--out", folder + "/x", "--to", "npy", "--no-check").ok();
    assertFalse(npy.err().contains("WARN"), npy.err());
    Cli.run("inspect", "--verify", folder + "/x.yaml").ok().prints(line);
  }

  @Test
  void complete_isSound() {
    assertEquals(0, synth("-L", "1", "--currents", "1,g4", "--complete").status());
    Cli.run("inspect", "--verify", folder.toString()).ok();
  }

  @Test
  void wrongUse() {
    assertEquals(
        "starling: synth: a complete distillation space has N = 3 L^3 = 12288: eigenvectors=3\n",
        synth("--currents", "g4", "--complete").err());
    assertEquals(
        "starling: --complete and --current-times need gammas: --currents g4\n",
        synth("--complete").err());
    assertEquals(2, synth("--currents", "g6").status());
    assertEquals(
        "starling: synth: a conserved current has g1, g2, g3 or g4: gammas=[g5]\n",
        synth("--currents", "g5", "--current-displacements", "conserved").err());
  }
}
