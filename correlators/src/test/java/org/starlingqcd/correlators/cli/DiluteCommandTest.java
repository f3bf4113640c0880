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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

final class DiluteCommandTest {
  private static final Path DATA = Path.of("../examples/data");
  private static final Path ONE = DATA.resolve("quenched_4x8_cfg0001.h5");

  @TempDir Path folder;

  /** The arguments of a command line, in which a + is a blank within an argument. */
  private static Cli run(String line, Object... values) {
    return Cli.run(
        Stream.of(Cli.words(line, values)).map(w -> w.replace("+", " ")).toArray(String[]::new));
  }

  private static double[] read(Path file, String object) {
    try (Hdf5File hdf5 = Hdf5File.open(file);
        Hdf5Dataset dataset = hdf5.dataset(object)) {
      return dataset.readAll();
    }
  }

  @Test
  void wholeEnsemble_isDilutedAndListed() throws IOException {
    String line =
        "dilute %s --label light --set relative --time interlace+4 --eigenvectors block+3 --noises 2"
            + " --names x --sources 1,6 --out %s --json";
    JsonNode made = run(line, DATA, folder.resolve("s_{cfg}.h5")).ok().json().get("files");
    assertEquals(2, made.size());
    assertEquals("(TI4, SF, LB3)", made.get(1).get("dilution").asText());
    assertEquals("[1,2]", made.get(1).get("time_classes").toString());
    assertEquals("[\"x0\",\"x1\"]", made.get(1).get("noises").toString());
    try (Hdf5File file = Hdf5File.open(folder.resolve("s_0002.h5"));
        Hdf5Dataset sinks = file.dataset("quark_sinks/relative/x1")) {
      assertArrayEquals(new long[] {8, 2, 4, 3, 4, 8}, sinks.extents());
      assertArrayEquals(new long[] {1, 1, 4, 3, 4, 8}, sinks.chunks());
      assertEquals("Z4", file.attributes("noises/x1").string("group"));
      assertEquals(1, file.attributes("noises/x1").integer("seed"));
      assertTrue(file.isChecksummed());
    }
    Cli.run("inspect", "--verify", folder.toString())
        .ok()
        .prints(
            "  quark sinks          relative: (TI4, SF, LB3), D = 12, time classes 1, 2 of 4,"
                + " noises x0, x1\n");
    JsonNode json = Cli.run("inspect", "--json", folder.toString()).json();
    JsonNode set = json.at("/files/0/quark_sinks/relative");
    assertEquals("(TI4, SF, LB3)", set.get("dilution").asText());
    assertEquals("[1,2]", set.get("time_classes").toString());
    assertEquals("[]", json.at("/files/0/configurations/0/missing").toString());
    TestData.change(folder.resolve("s_0002.h5"), file -> file.delete("quark_sinks/relative/x1"));
    TestData.change(folder.resolve("s_0001.h5"), file -> file.delete("noises/x0"));
    String gaps = Cli.run("inspect", folder.toString()).ok().out();
    assertTrue(gaps.contains("configuration 1: noises/x0, for sinks of time classes 1, 2\n"), gaps);
    assertTrue(
        gaps.contains(
            "configuration 2: quark_sinks/relative/x1 (TI4, SF, LB3) of time classes 1, 2"),
        gaps);
  }

  /** The numbers of a noise are the same in every set, and those of sinks follow from τ. */
  @Test
  void sums_ofOneSet_areSinksOfAnother() {
    Path fine = folder.resolve("fine.h5");
    Path coarse = folder.resolve("coarse.h5");
    run("dilute %s --label light --noises 1 --out %s --sources 0,4", ONE, fine).ok();
    run(
            "dilute %s --label light --noises 1 --time interlace+4 --spin none --eigenvectors none"
                + " --sources 0 --out %s",
            ONE, coarse)
        .ok();
    assertArrayEquals(read(fine, "noises/r0"), read(coarse, "noises/r0"));
    double[] parts = read(fine, "quark_sinks/light/r0");
    double[] sums = new double[8 * 4 * 8 * 2];
    for (int k = 0; k < parts.length; k++) {
      sums[k / (2 * 32 * 64) * 64 + k % 64] += parts[k];
    }
    assertArrayEquals(sums, read(coarse, "quark_sinks/light/r0"), 1e-14);
  }

  /** Noise is drawn in the basis of the data; rotated data have rotated perambulators. */
  @Test
  void dataInAnotherBasis_areExactWithFullDilution() throws IOException {
    Path data = Files.copy(ONE, folder.resolve("data.h5"));
    TestData.changeBasis(data, 5);
    run("dilute %s --label light --noises 2 --sources 0 --out %s", data, folder.resolve("s.h5"))
        .ok();
    Path definition = folder.resolve("d.yaml");
    String pion = Files.readString(Path.of("../examples/definitions/pion.yaml"));
    Files.writeString(definition, pion + "\nstochastic: {light: {noise_at: source}}\n");
    double[][] results = new double[2][];
    for (int k = 0; k < 2; k++) {
      String name = k == 0 ? "pion" : definition.toString();
      run("run %s --data %s --out %s --overwrite", name, folder, folder.resolve("out")).ok();
      results[k] = read(folder.resolve("out/pion.h5"), "cfg_0001/correlator");
    }
    assertArrayEquals(results[0], results[1], 1e-12 * Math.abs(results[0][0]));
  }

  @Test
  void wrongUse_isOneMessage_andNothingIsWritten() throws IOException {
    Path out = folder.resolve("out.h5");
    for (List<String> one :
        List.of(
            List.of(
                "", "--label: expected a label of the perambulators in the data, one of [light,"),
            List.of("--label up", "--label: expected a label of the perambulators in the data"),
            List.of("--label light --noises 0", "--noises must be at least 1, not 0"),
            List.of(
                "--label light --spin block+5", "dilution: spin 'block 5': expected full, none"),
            List.of(
                "--label light --names a/b", "names are letters, digits, _ and -: 'light', [a/"),
            List.of(
                "--label light --group Z5", "--group: expected z2, z4, z4-rotated, u1, not 'Z5'"),
            List.of("--label light --sources 8", "--sources 8: 8 is out of range"),
            List.of("--label light --configurations 7", "0 configurations are selected"))) {
      run("dilute %s --out %s " + one.get(0), ONE, out).refused(one.get(1));
    }
    run("dilute %s --out %s --label light", DATA, out).refused("2 configurations are selected");
    Path copy = Files.copy(ONE, folder.resolve("copy.h5"));
    run("dilute %s --out %s --label light --overwrite", copy, copy).refused("is one of the data");
    TestData.keepSources(copy, "strange", 0, 3);
    run("dilute %s --out %s --label strange", copy, out).refused("'strange'");
    run("dilute %s --out %s --label strange --sources 0,3", copy, out).ok();
    run("dilute %s --out %s --label light", copy, out).refused("exists; --overwrite replaces it");
    run("dilute %s %s --out %s --label light", copy, out, folder.resolve("other.h5"))
        .refused("the data have a noise 'r0' already; --names begins other names");
    TestData.change(
        copy,
        file -> {
          try (Hdf5Dataset dataset = file.dataset("perambulators/light")) {
            double[] tau = dataset.readAll();
            tau[tau.length - 1] = Double.NaN;
            dataset.writeAll(tau);
          }
        });
    run("dilute %s --out %s --label light", copy, folder.resolve("x.h5")).refused("NaN");
    try (Stream<Path> files = Files.list(folder)) {
      assertFalse(files.anyMatch(file -> file.toString().contains("x.h5")));
    }
  }

  @Test
  void synth_writesSetsThatAreThoseOfItsPerambulators() {
    Path made = folder.resolve("synthetic_cfg0001.h5");
    Path diluted = folder.resolve("diluted.h5");
    String set = "--label light --time interlace+2 --noises 2 --group U1";
    run("synth -N3 -T4 -L4 --momentum=0,0,0 --out %s " + set, folder).ok();
    Path plain = folder.resolve("plain");
    run("synth -N3 -T4 -L4 --momentum=0,0,0 --out %s", plain).ok();
    run("dilute %s --out %s " + set, plain.resolve("synthetic_cfg0001.h5"), diluted).ok();
    for (String object : List.of("noises/r1", "quark_sinks/light/r1")) {
      assertArrayEquals(read(diluted, object), read(made, object));
    }
    run("synth -N3 -T4 -L4 --out %s --overwrite --label light --time interlace+5", folder)
        .refused("dilution: time 'interlace 5': expected full");
  }
}
