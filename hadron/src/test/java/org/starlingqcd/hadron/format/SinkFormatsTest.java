package org.starlingqcd.hadron.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.hadron.ExampleArrays.T;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.hadron.ExampleArrays;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.conversion.Hdf5Conversion;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.QuarkSinks;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Quark sinks and noises of other programs. */
final class SinkFormatsTest {
  @TempDir Path folder;
  private Path foreign;

  @BeforeEach
  void facts() throws IOException {
    foreign = Files.createDirectory(folder.resolve("foreign"));
    Files.writeString(foreign.resolve("facts.yaml"), "spatial_extent: 4\nensemble: quenched_4x8\n");
  }

  private static DistillationData data(String... paths) {
    DataRequest request = new DataRequest(List.of(paths), Map.of("u", "light"), null);
    return DistillationFiles.discover(request).get(0).open();
  }

  private static void assertSame(DistillationData expected, DistillationData data) {
    QuarkSinks one = expected.quarkSinks();
    QuarkSinks other = data.quarkSinks();
    assertEquals(Set.of("light"), other.sets());
    assertEquals(one.scheme("light"), other.scheme("light"));
    assertEquals(one.noises("light"), other.noises("light"));
    List<String> names = List.copyOf(one.noises("light"));
    other.checkNoises(names);
    for (String noise : names) {
      for (int t = 0; t < T; t++) {
        assertArrayEquals(one.sources("light", noise, t), other.sources("light", noise, t), 1e-14);
        for (int source = 0; source < T; source++) {
          double[] sinks = one.sinks("light", noise, t, source);
          double largest = Arrays.stream(sinks).map(Math::abs).max().orElseThrow();
          assertArrayEquals(sinks, other.sinks("light", noise, t, source), 1e-14 * largest);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"slaph, ''", "hadrons, light=", "laph, ''"})
  void read_example_hasTheSameNumbers_andSoHasACopy(String format, String label) {
    Path own = folder.resolve("own.h5");
    SinkLayouts.write(format, foreign).own(own);
    Path copy = folder.resolve("copy.h5");
    try (DistillationData expected = DistillationData.open(List.of(own))) {
      try (DistillationData data = data(label + foreign)) {
        assertEquals(1, data.header().configuration());
        assertEquals(4, data.header().spatialExtent());
        assertSame(expected, data);
        Hdf5Conversion.write(data, copy, "x", name -> true, bytes -> {});
      }
      try (DistillationData data = DistillationData.open(List.of(copy))) {
        assertSame(expected, data);
      }
    }
  }

  /** By numpy's MT19937 with a legacy seed. */
  @ParameterizedTest
  @CsvSource({
    "4, 0x1500, 113, 1 2 0 2 1 2 2 2 1 1 0 0 3 0 2 0 1 0 3 0 2 2 2 3",
    "8, 0xff81, 70, 6 3 7 2 7 5 1 7 0 5 4 2 5 7 7 6 5 4 7 1 6 7 1 2",
    "32, 255, 65535, 9 0 22 0 5 16 15 31 9 0 13 24 21 16 24 25 10 26 14 8 3 13 31 2"
  })
  void laphNoise_isThatOfTheTwister(String group, String seed, int configuration, String powers) {
    int z = Integer.parseInt(group);
    double[] noise =
        ExampleArrays.joined(
            List.of(
                new LaphNoise(z, Integer.decode(seed), configuration, 3).numbers(0),
                new LaphNoise(z, Integer.decode(seed), configuration, 3).numbers(1)));
    int[] expected = Arrays.stream(powers.split(" ")).mapToInt(Integer::parseInt).toArray();
    for (int k = 0; k < expected.length; k++) {
      // Sources are multiplied with γ4.
      int sign = k % 12 < 6 ? 1 : -1;
      double angle = 2 * Math.PI * expected[k] / z;
      assertEquals(sign * Math.cos(angle), noise[2 * k], 1e-15);
      assertEquals(sign * Math.sin(angle), noise[2 * k + 1], 1e-15);
    }
  }

  @Test
  void twoQuarks_mayShareNoise() throws IOException {
    SinkLayouts layouts = SinkLayouts.write("hadrons", foreign);
    Path strange = Files.createDirectory(folder.resolve("strange"));
    layouts.hadrons(strange);
    Files.move(foreign.resolve("noise.1.h5"), folder.resolve("noise.1.h5"));
    Files.delete(strange.resolve("noise.1.h5"));
    String noise = folder.resolve("noise.1.h5").toString();
    try (DistillationData data =
        data("light=" + foreign, "light=" + noise, "strange=" + strange, "strange=" + noise)) {
      assertEquals(Set.of("light", "strange"), data.quarkSinks().sets());
      data.quarkSinks().checkNoises(List.copyOf(data.quarkSinks().noises("light")));
    }
  }

  private void assertMessage(String path, String... parts) {
    String message =
        TestData.refusal(
            () -> {
              try (DistillationData data = data(path)) {
                QuarkSinks sinks = data.quarkSinks();
                for (String noise : sinks.noises("light")) {
                  sinks.sources("light", noise, 0);
                  sinks.sinks("light", noise, 0, 0);
                }
              }
            });
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
    assertTrue(!message.contains("\n"), message);
  }

  private Path only(String... names) throws IOException {
    try (var files = Files.list(foreign)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (!name.equals("facts.yaml") && !List.of(names).contains(name)) {
          Files.delete(file);
        }
      }
    }
    return foreign.resolve(names[0]);
  }

  @Test
  void slaph_wrongSizesAndNames_areOneMessage() throws IOException {
    SinkLayouts.write("slaph", foreign);
    String sinks =
        "perambulator.rndvecnb00.u.TsoB0004.VsoI0004.DsoF4.TsiF0008.SsiF0064.DsiF4.CsiF3.smeared0.00001";
    String noise = "randomvector.rndvecnb00.u.nbev0008.0001";
    Path file = only(sinks, noise);
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 16));
    assertMessage(foreign.toString(), sinks, "expected a multiple of", "cut short");
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    assertMessage(foreign.toString(), "num_eigenvectors is");
    Files.write(file, new byte[bytes.length]);
    assertMessage(foreign.toString(), sinks, "nothing but zeros");
    Files.move(file, foreign.resolve(sinks.replace("DsoF4", "DsoF2")));
    assertMessage(foreign.toString(), "DsoF2", "expected a name such as");
    Files.move(foreign.resolve(sinks.replace("DsoF4", "DsoF2")), file);
    Files.delete(foreign.resolve(noise));
    assertMessage(foreign.toString(), sinks, "but no 'noises/u_00'");
    Files.move(file, foreign.resolve(sinks.replace("TsoB0004", "TsoB0003")));
    assertMessage(foreign.toString(), "TsoB0003");
    only("facts.yaml", sinks.replace("TsoB0004", "TsoB0003"));
    Path huge =
        foreign.resolve(sinks.replace("VsoI0004", "VsoI99999").replace("TsiF0008", "TsiF99999"));
    Files.move(foreign.resolve(sinks.replace("TsoB0004", "TsoB0003")), huge);
    assertMessage(foreign.toString(), "expected a multiple of");
  }

  @Test
  void hadrons_withoutItsNoise_orWithAnother_isOneMessage() throws IOException {
    SinkLayouts.write("hadrons", foreign);
    assertMessage(foreign.toString(), "does not say of which quark", "--data light=");
    Path file = only("iDT_0.1.h5", "noise.1.h5");
    Hdf5 noise = new Hdf5(foreign.resolve("noise.1.h5"));
    noise.change(h -> h.attributes("distil").put("DilutionSizes", new int[] {4, 2, 2}));
    assertMessage("light=" + foreign, "iDT_0.1.h5", "expected [times, eigenvectors, 2, 5, 2, 4]");
    noise.change(h -> h.attributes("distil").put("DilutionSizes", new int[] {0, 4, 2}));
    assertMessage("light=" + foreign, "iDT_0.1.h5", "one of 0 time classes");
    noise.change(h -> h.attributes("distil").put("DilutionSizes", new int[] {4, 4, 2}));
    new Hdf5(file).change(h -> h.attributes("MetaData").put("timeDilutionIndex", 3));
    assertMessage("light=" + foreign, "its name says source time 0");
    new Hdf5(file).change(h -> h.attributes("MetaData").put("timeDilutionIndex", 0));
    Files.delete(foreign.resolve("noise.1.h5"));
    assertMessage("light=" + foreign, "iDT_0.1.h5", "name the file of its noise too");
  }

  private record Hdf5(Path path) {
    void change(java.util.function.Consumer<Hdf5File> change) {
      TestData.change(path, change);
    }
  }

  @Test
  void laph_headersAndRecordsThatAreWrong_areOneMessage() throws IOException {
    String[][] wrong = {
      {"<ZNGroup>8", "<ZNGroup>5", "expected Z4, Z8 or Z32"},
      {"<Seed>1<", "<Seed>70000<", "<Seed> of its header"},
      {"<Seed>1</Seed>", "", "no <Seed>"},
      {"<ConfigNumber>1</ConfigNumber>", "", "no <ConfigNumber>"},
      {"<NumberProjectors>3<", "<NumberProjectors>9<", "in <EigvecDilution> of its header"},
      {
        "block</DilutionType></SpinDilution>", "odd</DilutionType></SpinDilution>", "<SpinDilution>"
      },
      {"<TimeProjectorIndex>0", "<TimeProjectorIndex>4", "of time class 4"},
      {"x", "x", "has 1 records of time class 0, expected 24 at each"}
    };
    for (String[] one : wrong) {
      String header = SinkLayouts.laphHeader(1, 0).replace(one[0], one[1]);
      new IoMapWriter(ByteOrder.LITTLE_ENDIAN, true, "Laph--QuarkSink", header)
          .put(7 << 2, new double[16])
          .write(foreign.resolve("sink"));
      assertMessage(foreign.toString(), foreign.resolve("sink").toString(), one[2]);
    }
    SinkLayouts.write("laph", foreign);
    Files.copy(foreign.resolve("sink.1.0"), foreign.resolve("sink.copy"));
    Files.delete(foreign.resolve("sink"));
    assertMessage(foreign.toString(), "both hold 'quark_sinks/light/Z8_1' of time class 0");
  }
}
