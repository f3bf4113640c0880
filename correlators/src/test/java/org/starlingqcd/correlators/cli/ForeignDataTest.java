package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.correlators.result.ResultAssert;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.format.MappedFormat;
import org.starlingqcd.hadron.format.S3tWriter;

/** The bundled data in other formats give the correlators of the bundled data. */
@Tag("slow")
class ForeignDataTest {
  private static final String OWN = Path.of("../examples/data/quenched_4x8_cfg0001.h5").toString();
  private static final List<String> DEFINITIONS = List.of("nucleon", "sigma", "pipi_i2");

  @TempDir Path folder;

  private Path results(String name, String... data) {
    Path out = folder.resolve(name);
    List<String> args = new ArrayList<>(List.of("run"));
    args.addAll(DEFINITIONS);
    args.addAll(List.of("--data"));
    args.addAll(List.of(data));
    args.addAll(List.of("--sources", "0,3", "--separations", "0-3", "--out", out.toString()));
    Cli.run(args.toArray(String[]::new)).ok();
    return out;
  }

  private static double[] correlator(Path result) {
    return ResultAssert.numbers(result, "cfg_0001/correlator");
  }

  private void assertAgree(Path expected, Path actual, double tolerance) {
    for (String name : DEFINITIONS) {
      double[] one = correlator(expected.resolve(name + ".h5"));
      double[] other = correlator(actual.resolve(name + ".h5"));
      assertEquals(one.length, other.length, name);
      for (int k = 0; k < one.length; k += 2) {
        double size = Math.hypot(one[k], one[k + 1]);
        double off = Math.hypot(one[k] - other[k], one[k + 1] - other[k + 1]);
        assertTrue(off <= tolerance * size, name + ": " + off + " of " + size);
      }
    }
  }

  private static void convert(String... args) {
    Cli.run(Cli.words("convert"), args).ok();
  }

  @Test
  void mappings_arePrintedWithoutData() {
    Cli printed = Cli.run("convert", "--mappings").ok();
    MappedFormat.shipped()
        .forEach(
            (name, text) -> assertTrue(printed.out().contains("# like: " + name + "\n" + text)));
  }

  @Test
  void sdbNumpyAndBack_giveTheSameCorrelators() throws IOException {
    Path own = results("own", OWN);
    String sdb = folder.resolve("sdb").toString();
    convert(OWN, "--to", "sdb", "--out", sdb + "/x_cfg_1", "--no-check");
    assertAgree(own, results("from-sdb", sdb), 1e-12);
    // Renamed there and back.
    Path settings = folder.resolve("run.yaml");
    Files.writeString(
        settings, "definitions: nucleon\ndata: sdb\nlabels: light=U,strange=S\nout: refused\n");
    Cli.run("run", "--settings", settings.toString()).refused("the labels are S, U");

    Path npy = folder.resolve("npy");
    convert(sdb, "--to", "npy", "--out", npy + "/x", "--no-check");
    assertAgree(own, results("from-npy", npy + "/x.yaml"), 1e-12);

    Path back = folder.resolve("back_0001.h5");
    convert(sdb, "--out", folder + "/back_{cfg}.h5", "--momentum-squared", "2");
    assertAgree(own, results("from-back", back.toString()), 1e-12);
    Cli.run("convert", sdb, "--out", back.toString()).ok().notes("exists already");

    JsonNode files =
        new ObjectMapper()
            .readTree(Cli.run("inspect", "--json", sdb, back.toString()).out())
            .get("files");
    assertEquals(4, files.size());
    assertEquals("data", files.get(0).get("kind").asText());
    JsonNode perambulators = files.get(3);
    assertEquals("source", perambulators.get("kind").asText());
    assertEquals("Chroma SDB", perambulators.get("format").asText());
    assertEquals(
        "[0,1,2,3,4,5,6,7]", perambulators.get("perambulators").get("light").get("5").toString());
    assertEquals("[]", perambulators.get("missing").toString());
  }

  @Test
  void missingBlocks_areNamedByInspectAndByARun() throws IOException {
    Path s3t = folder.resolve("light_cfg_1.s3t");
    Path facts = folder.resolve("facts.yaml");
    Files.writeString(facts, "ensemble: e\ntemporal_extent: 8\n");
    try (DistillationData data = DistillationData.open(List.of(Path.of(OWN)))) {
      Files.write(s3t, perambulators(data, "light", false, 5));
    }
    Path copy = folder.resolve("copy.h5");
    convert(s3t.toString(), "--mapping", facts.toString(), "--out", copy.toString(), "--no-check");
    JsonNode file =
        new ObjectMapper()
            .readTree(Cli.run("inspect", "--json", copy.toString()).out())
            .get("files")
            .get(0);
    assertEquals("e", file.get("ensemble").asText());
    assertEquals(
        "perambulators/light of source time 0 at times 5-7",
        file.get("configurations").get(0).get("missing").get(0).asText());
    String sdb = folder.resolve("sdb").toString();
    convert(OWN, "--to", "sdb", "--out", sdb + "/x_cfg_1", "--no-check");
    Cli.line(
            "run pion --data %s %s --sources 5 --separations 0-1 --out %s",
            s3t, sdb + "/x_cfg_1.meson.sdb", folder.resolve("refused"))
        .refused("perambulators 'light' at (sink, source) = (5, 5)");
  }

  @Test
  void s3t_givesTheSameCorrelatorsInBothPrecisions() throws IOException {
    Path own = results("own", OWN);
    String sdb = folder.resolve("sdb").toString();
    convert(OWN, "--to", "sdb", "--out", sdb + "/x_cfg_1", "--no-check");
    for (boolean single : new boolean[] {false, true}) {
      Path s3t = Files.createDirectories(folder.resolve("s3t" + single));
      try (DistillationData data = DistillationData.open(List.of(Path.of(OWN)))) {
        for (String label : data.labels()) {
          Files.write(s3t.resolve(label + "_cfg_1.s3t"), perambulators(data, label, single, 8));
        }
        Files.write(s3t.resolve("baryons_cfg_1.s3t"), baryons(data, single));
      }
      String name = "from-" + s3t.getFileName();
      Path found = results(name, s3t.toString(), sdb + "/x_cfg_1.meson.sdb");
      assertAgree(own, found, single ? 1e-5 : 1e-12);
    }
  }

  private static double[] block(DistillationData data, DataBlock block) {
    long bytes = block.shape(data.header().eigenvectors()).bytes();
    try (HostMemory memory = HostMemory.allocate(bytes)) {
      data.loadStored(block, memory, 0);
      double[] numbers = new double[(int) (bytes / Double.BYTES)];
      memory.get(0, numbers, 0, numbers.length);
      return numbers;
    }
  }

  private static byte[] perambulators(
      DistillationData data, String label, boolean single, int sinks) {
    int t = data.header().temporalExtent();
    int n = data.header().eigenvectors();
    S3tWriter writer =
        new S3tWriter(
            ByteOrder.BIG_ENDIAN,
            single,
            1 << 12,
            "<a><id>propElemOp</id><lattSize>4 4 4 8</lattSize><mass_label>"
                + label
                + "</mass_label><tensorOrder>sqnNpP</tensorOrder></a>",
            t,
            t,
            n,
            n,
            4,
            4);
    for (int source : data.sourceTimes(label)) {
      for (int sink = 0; sink < sinks; sink++) {
        double[] tau = block(data, new DataBlock.Perambulator(label, sink, source));
        double[] numbers = new double[tau.length];
        for (int spin = 0; spin < 16; spin++) {
          for (int ij = 0; ij < n * n; ij++) {
            numbers[2 * (16 * ij + spin)] = tau[2 * (spin * n * n + ij)];
            numbers[2 * (16 * ij + spin) + 1] = tau[2 * (spin * n * n + ij) + 1];
          }
        }
        writer.block(new int[] {sink, source, 0, 0, 0, 0}, new int[] {1, 1, n, n, 4, 4}, numbers);
      }
    }
    return writer.bytes();
  }

  private static byte[] baryons(DistillationData data, boolean single) {
    int t = data.header().temporalExtent();
    int n = data.header().eigenvectors();
    List<ElementalName> names = List.copyOf(data.baryonElementals());
    StringBuilder moms = new StringBuilder();
    for (ElementalName name : names) {
      var p = name.momentum().negate();
      moms.append("<elem>%d %d %d</elem>".formatted(p.x(), p.y(), p.z()));
    }
    S3tWriter writer =
        new S3tWriter(
            ByteOrder.LITTLE_ENDIAN,
            single,
            1 << 12,
            "<a><id>baryonElemOpSuperb</id><lattSize>4 4 4 8</lattSize><moms>"
                + moms
                + "</moms><displacements_left_middle_right><elem><elem/><elem/><elem/></elem>"
                + "</displacements_left_middle_right><tensorOrder>ijktdm</tensorOrder></a>",
            names.size(),
            1,
            t,
            n,
            n,
            n);
    for (int m = 0; m < names.size(); m++) {
      for (int time = 0; time < t; time++) {
        double[] b = block(data, DataBlock.baryon(names.get(m), time));
        double[] numbers = new double[b.length];
        for (int ijk = 0; ijk < n * n * n; ijk++) {
          int i = ijk / (n * n);
          int j = ijk / n % n;
          int k = ijk % n;
          int to = 2 * ((k * n + j) * n + i);
          numbers[to] = b[2 * ijk];
          numbers[to + 1] = b[2 * ijk + 1];
        }
        writer.block(new int[] {m, 0, time, 0, 0, 0}, new int[] {1, 1, 1, n, n, n}, numbers);
      }
    }
    return writer.bytes();
  }
}
