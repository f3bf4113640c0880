package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

final class SynthCommandTest {
  @TempDir Path folder;

  @Test
  void synth_writesWhatIsAskedFor() throws IOException {
    Cli result =
        Cli.line(
                "synth --out %s --ensemble=e -N3 -T4 -L8 --configurations=2,7-8 "
                    + "--labels=light,charm --sources=0,2 --momentum-squared=1 --momentum=0,0,-3 "
                    + "--displacements=nabla_x --baryons --eigenvalues --deflate=1 --json",
                folder.resolve("new"))
            .ok();
    JsonNode json = result.json();
    assertEquals("[2,7,8]", json.get("configurations").toString());
    assertEquals(3, json.get("files").size());
    List<DistillationFiles.Configuration> found =
        DistillationFiles.discover(List.of(folder.resolve("new").toString()));
    assertEquals(3, found.size());
    assertEquals(json.get("files").get(1).asText(), found.get(1).files().get(0).toString());
    try (DistillationData data = found.get(1).open()) {
      assertEquals("e", data.header().ensemble());
      assertEquals(7, data.header().configuration());
      assertEquals(8, data.header().spatialExtent());
      assertEquals(4, data.header().temporalExtent());
      assertEquals(3, data.header().eigenvectors());
      assertEquals(Set.of("light", "charm"), data.labels());
      assertEquals(Set.of(0, 2), data.sourceTimes("charm"));
      assertEquals(16, data.mesonElementals().size());
      assertEquals(8, data.baryonElementals().size());
      double[] eigenvalues = Objects.requireNonNull(data.laplacianEigenvalues());
      for (int k = 0; k < 12; k++) {
        assertEquals(k % 3, (int) (3 * eigenvalues[k]));
      }
    }
  }

  @Test
  void synth_tetraquarksPassVerification() {
    Path data = folder.resolve("data");
    Cli.line("synth --out %s -N4 -T2 --momentum-squared=1 --tetraquark=3bar3,66bar", data).ok();
    Cli.run("inspect", "--verify", data.toString())
        .ok()
        .prints("  tetraquarks          66bar: [0, 0, 0], all 6 of [0, 0, 1]\n");
    Cli one = Cli.line("synth --out %s -N1 -T2 --tetraquark=3bar3", data);
    assertEquals("starling: synth: 3bar3 needs two eigenvectors: eigenvectors=1\n", one.err());
  }

  @Test
  void synth_derivativesPassVerification() {
    Path data = folder.resolve("data");
    String[] options = {"synth", "-N3", "-T2", "-L4", "--momentum-squared=4", "--derivatives=2"};
    Cli.run(Cli.and(options, "--displacements=nabla_x,shift_x", "--out=" + data)).ok();
    Cli verified = Cli.run("inspect", "--verify", data.toString()).ok();
    assertTrue(verified.out().contains("  meson elementals     D_zD_y: [0, 0, 0], all 6"), "names");
    try (Hdf5File file = Hdf5File.openForUpdate(data.resolve("synthetic_cfg0001.h5"))) {
      for (String name :
          List.of("D_x/0_0_0", "D_y/0_0_1", "D_xD_y/0_1_1", "D_zD_z/0_0_0", "shift_x/0_0_0")) {
        try (Hdf5Dataset dataset = file.dataset("elementals/meson/" + name)) {
          double[] number = dataset.read(new long[] {1, 0, 0}, new long[] {1, 1, 1});
          number[0] += 0.5;
          number[1] += 0.5;
          dataset.write(new long[] {1, 0, 0}, new long[] {1, 1, 1}, number);
        }
      }
      try (Hdf5Dataset dataset =
          file.createDataset(
              "elementals/meson/D_xD_z/2_0_0",
              ElementType.COMPLEX,
              new long[] {2, 3, 3},
              DatasetOptions.CONTIGUOUS)) {
        dataset.writeAll(new double[36]);
      }
    }
    Cli damaged = Cli.run("inspect", "--verify", data.toString());
    assertEquals(2, damaged.status());
    for (String fault :
        List.of(
            "meson/D_x/0_0_0 at time 1 is not minus the adjoint of itself: off by 1",
            "meson/nabla_x/0_0_0 at time 1 is not equal to D_x/0_0_0: off by 0.71",
            "meson/D_y/0_0_1 at time 1 is not minus the adjoint of D_y/0_0_-1: off by 0.71",
            "meson/D_yD_x/0_-1_-1 at time 1 is not the adjoint of D_xD_y/0_1_1: off by 0.71",
            "meson/D_zD_z/0_0_0 at time 1 is not the adjoint of itself: off by 1",
            "meson/D_xD_z/2_0_0 is stored, but vanishes identically at this momentum")) {
      assertTrue(damaged.out().contains(fault), fault + " in " + damaged.out());
    }
    assertTrue(damaged.err().endsWith("starling: 6 faults found\n"), damaged.err());
  }

  @Test
  void synth_theSameNumbersAgain() throws IOException {
    String[] options = {"synth", "-N2", "-T2", "--momentum=0,0,0", "--seed=5", "--out"};
    Path one = folder.resolve("one");
    Path other = folder.resolve("other");
    assertEquals(0, Cli.run(Cli.and(options, one.toString())).status());
    assertEquals(0, Cli.run(Cli.and(options, other.toString())).status());
    byte[] first = Files.readAllBytes(one.resolve("synthetic_cfg0001.h5"));
    assertArrayEquals(first, Files.readAllBytes(other.resolve("synthetic_cfg0001.h5")));
    Cli.run(Cli.and(options, one.toString()))
        .refusedAs(one.resolve("synthetic_cfg0001.h5") + " exists; --overwrite replaces it");
    assertEquals(0, Cli.run(Cli.and(options, one.toString(), "--overwrite")).status());
    assertArrayEquals(first, Files.readAllBytes(one.resolve("synthetic_cfg0001.h5")));
  }

  @Test
  void synth_wrongUsage() throws IOException {
    String out = folder.resolve("data").toString();
    assertFails("--tensor-size=N is missing: number of eigenvectors", "-T4");
    assertFails("--temporal-extent must be at least 1, not 0", "-N2", "-T0");
    assertFails("--sources 0-4: 4 is out of range", "-N2", "-T4", "--sources=0-4");
    assertFails("'x' is not a momentum; write it as 0,0,-1", "-N2", "-T4", "--momentum=x");
    assertFails("synth needs numbers, such as 1-10", "-N2", "-T4", "--configurations=all");
    assertFails("--deflate must be between 0 and 9, not 10", "-N2", "-T4", "--deflate=10");
    assertFails("--derivatives must be between 0 and 2, not 3", "-N2", "-T4", "--derivatives=3");
    assertFails(
        "given twice: displacement=D_x", "-N2", "-T4", "--derivatives=1", "--displacements=D_x");
    assertFails("label='a/b'", "-N2", "-T4", "--labels=a/b");
    assertFails(" to write, but only ", "-N4096", "-T1024", "--out=" + out);
    Path file = Files.writeString(folder.resolve("file"), "in the way");
    assertFails(file + ": cannot be written: ", "-N2", "-T4", "--out=" + file);
    assertFalse(Files.exists(folder.resolve("data/synthetic_cfg0001.h5")));
  }

  private static void assertFails(String part, String... options) {
    String[] all = Cli.and(new String[] {"synth"}, options);
    Cli result = Cli.run(all).refused(part);
    assertEquals(1, result.err().lines().count(), result.err());
  }
}
