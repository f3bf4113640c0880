package org.starlingqcd.hadron.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.hadron.ExampleArrays.N;
import static org.starlingqcd.hadron.ExampleArrays.T;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.hadron.ExampleArrays;
import org.starlingqcd.hadron.SameBlocks;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;

final class LaphFormatTest {
  private static final String IDENTIFIER = "Laph--QuarkPeramb";

  @TempDir Path folder;

  private static String header(String flavor, int sourceTime, int sourceSpin, String more) {
    return "<PerambulatorHandlerDataFile><GaugeConfigurationInfo><EnsembleName>quenched_4x8"
        + "</EnsembleName><ConfigNumber>1</ConfigNumber><FermionTimeBC>antiperiodic</FermionTimeBC>"
        + "</GaugeConfigurationInfo><QuarkActionInfo><Flavor>"
        + flavor
        + "</Flavor></QuarkActionInfo><FileKey><SourceTime>"
        + sourceTime
        + "</SourceTime><SourceSpin>"
        + sourceSpin
        + "</SourceSpin></FileKey>"
        + more
        + "</PerambulatorHandlerDataFile>";
  }

  private static IoMapWriter writer(ByteOrder order, boolean checksums, String header) {
    return new IoMapWriter(order, checksums, IDENTIFIER, header);
  }

  /** Adds the records of a source time and spin from τ·g4 in the Dirac-Pauli basis. */
  private static void fill(IoMapWriter writer, double[] tau, int source, int beta, int vectors) {
    for (int j = 0; j < vectors; j++) {
      for (int t = 0; t < T; t++) {
        for (int alpha = 0; alpha < 4; alpha++) {
          double[] numbers = new double[2 * N];
          for (int i = 0; i < N; i++) {
            int from = 2 * (((((t * T + source) * 4 + alpha) * 4 + beta) * N + i) * N + j);
            numbers[2 * i] = tau[from];
            numbers[2 * i + 1] = tau[from + 1];
          }
          writer.put(j << 17 | t << 2 | alpha, numbers);
        }
      }
    }
  }

  private void facts() throws IOException {
    Files.writeString(folder.resolve("facts.yaml"), "spatial_extent: 4\n");
  }

  private List<DistillationFiles.Configuration> discover() {
    return DistillationFiles.discover(DataRequest.of(List.of(folder.toString())));
  }

  @ParameterizedTest
  @CsvSource({"true,true", "false,false"})
  void read_example_hasTheSameBlocks(boolean big, boolean checksums) throws IOException {
    facts();
    ByteOrder order = big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    try (ExampleArrays example = ExampleArrays.open()) {
      for (String[] label : new String[][] {{"ud", "light"}, {"s", "strange"}}) {
        double[] tau = example.tau(label[1], SpinBases.known("Dirac-Pauli"), true);
        int suffix = 0;
        for (int source = 0; source < T; source += 3) {
          for (int beta = 0; beta < 4; beta++) {
            IoMapWriter writer = writer(order, checksums, header(label[0], source, beta + 1, ""));
            // One eigenvector of one source is not finished.
            fill(writer, tau, source, beta, source == 6 && beta == 2 ? N - 1 : N);
            writer.write(folder.resolve(label[0] + "_peramb." + suffix++));
          }
        }
      }
    }
    try (DistillationData expected = DistillationData.open(List.of(ExampleArrays.path()));
        DistillationData data = discover().get(0).open()) {
      assertEquals(Set.of("light", "strange"), data.labels());
      assertEquals(Set.of(0, 3), data.sourceTimes("light"));
      assertEquals(1, data.header().configuration());
      assertEquals("quenched_4x8", data.header().ensemble());
      assertEquals("antiperiodic", data.header().temporalBoundary());
      assertFalse(data.gammaBasis().isDeGrandRossi());
      assertEquals(2 * 2 * T, SameBlocks.assertSame(expected, data, 1e-14));
    }
  }

  /** T follows from the records, unless a mapping file says it. */
  @ParameterizedTest
  @CsvSource({"'',4", "'temporal_extent: 8\n',8", "'temporal_extent: 3\n',0"})
  void temporalExtent_ofMappingFile_counts(String told, int expected) throws IOException {
    Files.writeString(folder.resolve("facts.yaml"), "spatial_extent: 4\n" + told);
    IoMapWriter writer = little(header("ud", 0, 1, "")).put(3 << 2, new double[] {1, 2, 3, 4});
    writer.write(folder.resolve("p.0"));
    if (expected > 0) {
      assertEquals(expected, discover().get(0).header().temporalExtent());
      return;
    }
    String message = TestData.refusal(this::discover);
    assertTrue(message.endsWith("sink time 3, but temporal_extent is 3"), message);
  }

  private String message(IoMapWriter writer) throws IOException {
    return message(writer.bytes());
  }

  private String message(byte[] bytes) throws IOException {
    facts();
    Path file = Files.write(folder.resolve("p.0"), bytes);
    String message =
        TestData.refusal(
            () -> {
              try (DistillationData data = discover().get(0).open()) {
                SameBlocks.assertSame(data, data, 0);
              }
            });
    assertTrue(message.contains(file.toString()), message);
    assertFalse(message.contains("\n"), message);
    return message;
  }

  private static IoMapWriter little(String header) {
    return writer(ByteOrder.LITTLE_ENDIAN, true, header).put(0, new double[] {1, 2, 3, 4});
  }

  @Test
  void discover_headersThatCannotBeUsed_areOneMessage() throws IOException {
    assertTrue(
        message(little(header("ud", 0, 1, "<NumSpinComponents>2</NumSpinComponents>")))
            .contains("upper two spin components"));
    assertTrue(message(little(header("ud", 0, 5, ""))).contains("<SourceSpin>"));
    assertTrue(message(little(header("ud", -1, 1, ""))).contains("<SourceTime>"));
    assertTrue(message(little("<a><Flavor>ud</Flavor></a>")).contains("no <SourceTime>"));
    assertTrue(message(little("<a>")).contains("not XML"));
    assertTrue(message(little("")).contains("XML"));
    assertTrue(message(little("<a>".repeat(100_000))).contains("nest too deeply"));
  }

  /** An entity that names a file of the reader is refused, and so are entities that grow. */
  @Test
  void discover_entitiesInHeader_areRefused() throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "ud");
    String[] types = {
      "<!DOCTYPE a [<!ENTITY x SYSTEM \"" + secret.toUri() + "\">]>",
      "<!DOCTYPE a [<!ENTITY y \"ud\"><!ENTITY x \"&y;&y;&y;&y;\">]>",
      "<!DOCTYPE a SYSTEM \"" + secret.toUri() + "\">"
    };
    for (String type : types) {
      String header = type + header("&x;", 0, 1, "");
      String message = message(little(header));
      assertTrue(message.contains("document type") || message.contains("not XML"), message);
    }
  }

  @Test
  void open_oneSpinTwice_isOneMessage() throws IOException {
    facts();
    little(header("ud", 0, 1, "")).write(folder.resolve("a.0"));
    little(header("ud", 0, 1, "")).write(folder.resolve("a.1"));
    List<DistillationFiles.Configuration> found = discover();
    String message = TestData.refusal(() -> found.get(0).open().close());
    assertTrue(message.contains("both hold source time 0"), message);
  }

  @Test
  void labels_ofOtherFlavors_areKept() throws IOException {
    facts();
    IoMapWriter[] writers = new IoMapWriter[4];
    for (int beta = 0; beta < 4; beta++) {
      writers[beta] =
          writer(
              ByteOrder.LITTLE_ENDIAN, false, header("c", 0, beta + 1, "<Kappa> 0.1300 </Kappa>"));
      for (int alpha = 0; alpha < 4; alpha++) {
        writers[beta].put(alpha, new double[] {1, beta});
      }
      writers[beta].write(folder.resolve("c." + beta));
    }
    DataRequest request =
        new DataRequest(List.of(folder.toString()), Map.of("charm", "heavy"), null);
    try (DistillationData data = DistillationFiles.discover(request).get(0).open()) {
      assertEquals(Set.of("heavy"), data.labels());
      assertEquals("0.13", data.blocks().mass("heavy"));
      assertEquals(1, data.header().eigenvectors());
    }
  }
}
