package org.starlingqcd.hadron.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.hadron.SameBlocks;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Mapping files and arrays that cannot be used give one message that names file and place. */
final class MappingFaultsTest {
  private static final int T = 2;
  private static final int N = 3;

  private static final String SOUND =
      """
      spatial_extent: 4
      perambulators:
        light:
          file: tau.npy
          axes: [t_src, t_snk, alpha_snk, beta_src, i_snk, j_src]
      elementals:
        meson:
          none:
            file: phi.npy
            axes: [momentum, t, i, j]
            momenta: [[0, 0, 0], [0, 0, 1]]
            phase: plus
      """;

  @TempDir Path folder;

  @BeforeEach
  void write() {
    NpyWriter.write(
        folder.resolve("tau.npy"), "<c16", new long[] {T, T, 4, 4, N, N}, numbers(T * T * 16));
    NpyWriter.write(folder.resolve("phi.npy"), "<c16", new long[] {2, T, N, N}, numbers(2 * T));
  }

  private static double[] numbers(int matrices) {
    double[] numbers = new double[2 * N * N * matrices];
    Arrays.setAll(numbers, k -> k + 1);
    return numbers;
  }

  /** Opens data and reads everything. */
  private static void use(Path mapping) {
    for (DistillationFiles.Configuration found :
        DistillationFiles.discover(DataRequest.of(List.of(mapping.toString())))) {
      try (DistillationData data = found.open()) {
        SameBlocks.assertSame(data, data, 0);
      }
    }
  }

  private String message(String yaml) throws IOException {
    Path mapping = Files.writeString(folder.resolve("mapping.yaml"), yaml);
    String message = TestData.refusal(() -> use(mapping));
    assertTrue(message.contains(folder.toString()), message);
    assertFalse(message.contains("\n"), message);
    return message;
  }

  @Test
  void soundMapping_isRead() throws IOException {
    use(Files.writeString(folder.resolve("mapping.yaml"), SOUND));
  }

  /** What the message proposes is a mapping that reads the array. */
  @ParameterizedTest
  @ValueSource(strings = {"tau.npy", "phi.npy"})
  void arraysWithoutMapping_areToldOneThatCouldDo(String array) throws IOException {
    Files.writeString(folder.resolve("momenta.txt"), "0 0 0\n0 0 1\n");
    Files.delete(folder.resolve(array.equals("tau.npy") ? "phi.npy" : "tau.npy"));
    for (Path named : List.of(folder, folder.resolve(array))) {
      String message = TestData.refusal(() -> use(named));
      assertTrue(message.contains("; " + array + " is an array [2, 2, "), message);
      Path mapping = Files.writeString(folder.resolve("m.yaml"), message.split("`")[1]);
      use(mapping);
      Files.delete(mapping);
    }
  }

  @Test
  void pipeWithMomenta_isRefusedAtOnce() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    String yaml = SOUND.replace("[[0, 0, 0], [0, 0, 1]]", "pipe");
    String message = assertTimeoutPreemptively(Duration.ofMinutes(1), () -> message(yaml));
    assertTrue(
        message.contains(pipe + ": the list of momenta cannot be read: is a named pipe"), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "phase: plus | phase: left | line 12 | expected plus or minus, found 'left'",
        "phase: plus | factor: 2 | line 9 | expected a key 'phase'",
        "phase: plus | phase: plus, | line 12 | expected plus or minus",
        "momenta: | moment: | line 11 | unknown key 'moment'",
        "t_src, t_snk | t_src, tsnk | line 5 | the axis 'tsnk' is not known",
        "t_src, t_snk | t_src, t_src | line 5 | the axis 't_src' occurs twice",
        "t_src, t_snk | t_src, noise=0 | line 4 | the sink time is missing",
        "t_src, t_snk | t_src*t_snk | has 6 axes | names 5",
        "alpha_snk, beta_src | 'alpha_snk*t_src, beta_src' | line 5 | occurs twice",
        "t_src, t_snk | 't_src*x=0, t_snk' | tau.npy | do not follow from",
        "'[t_src, t_snk, ' | '[t_snk, ' | line 4 | the source time is missing",
        "tau.npy | 'tau{t0}.npy' | line 4 | the source time stands twice: t_src and {t0}",
        "tau.npy | 'tau{time}.npy' | line 4 | the placeholder {time} is not known",
        "tau.npy | '\"tau{t0.npy\"' | line 4 | expected a placeholder",
        "file: tau.npy | dataset: x | line 4 | expected a key 'file'",
        "tau.npy | nothing.npy | phi.npy | ",
        "spatial_extent: 4 | spatial_extent: four | line 1 | expected an integer",
        "spatial_extent: 4 | temporal_extent: 2 | spatial_extent | ",
        "spatial_extent: 4 | 'spatial_extent: 4\n"
            + "spatial_extent: 4' | line 2 | first given in line 1",
        "spatial_extent: 4 | '{' | line | not YAML",
        "spatial_extent: 4 | 'gamma_basis: Weyl' | line 1 | DeGrand-Rossi or Dirac-Pauli",
        "spatial_extent: 4 | 'like: Chroma' | line 1 | expected one of EasyDistillation",
        "spatial_extent: 4 | 'spatial_extent: 4\ntemporal_extent: 1' | temporal_extent is 1 | ",
        "i_snk, j_src] | 'i_snk, j_src]\n    source_times: [0]' | 1 times are listed | ",
        "i_snk, j_src] | 'i_snk, j_src]\n    source_times: [0, 7]' | has time 7 | temporal_extent",
        "i_snk, j_src] | 'i_snk, j_src, noise=0]' | has 6 axes | names 7",
        "i_snk, j_src] | 'i_snk, j_src]\n    complex: last axis 2' | real numbers | last axis",
        "i_snk, j_src] | 'i_snk, j_src]\n    complex: polar' | line 6 | expected c16",
        "i_snk, j_src] | 'i_snk, j_src]\n    complex: split(re, im)' | {part} | ",
        "'[0, 0, 0], ' | '' | has 2 momenta | (line 9) 1",
        "'[0, 0, 0], ' | '[0, 0, 1], ' | has [0, 0, 1] twice | ",
        "'[[0, 0, 0], [0, 0, 1]]' | nowhere.txt | nowhere.txt | cannot be read",
        "'[[0, 0, 0], [0, 0, 1]]' | '\"mo\\0m.txt\"' | momenta | U+0000 cannot stand in a name",
        "'[momentum, t, i, j]' | '[i, t, momentum, j]' | phi.npy | ",
        "'alpha_snk, beta_src' | 'alpha_snk=0, beta_src' | line 4 | the sink spin is missing",
        "'alpha_snk, beta_src, i_snk' | 'i_snk, beta_src, alpha_snk' | tau.npy | extent",
      })
  void faultyMapping_isOneMessage(String from, String to, String part, String other)
      throws IOException {
    if (to.equals("nothing.npy")) {
      Files.delete(folder.resolve("phi.npy"));
    }
    assertTrue(SOUND.contains(from.strip()), from);
    String text = SOUND.replace(from, to == null ? "" : to.replace("\\n", "\n"));
    String message = message(text);
    assertTrue(message.contains(part.strip()), message);
    assertTrue(other == null || message.contains(other.strip()), message);
  }

  @Test
  void nestedTooDeeply_isOneMessage() throws IOException {
    assertTrue(message("perambulators:\n  a: " + "[".repeat(1000)).contains("levels deep"));
    assertTrue(
        message(
                """
                like: &a [x, x]
                perambulators: &b [*a, *a, *a, *a]
                elementals: [*b, *b, *b, *b]
                labels: *b
                """)
            .contains("mapping.yaml"));
  }

  /** A dataset may claim any extents without holding a number. */
  @Test
  void hugeClaimsOfHdf5_takeNoMemory() throws IOException {
    long huge = 1L << 40;
    for (long[] extents : new long[][] {{huge, T, 4, 4, N, N}, {T, T, 4, 4, huge, huge}}) {
      try (Hdf5File file = Hdf5File.create(folder.resolve("tau.h5"))) {
        DatasetOptions chunks = DatasetOptions.chunked(0, false, 1, 1, 4, 4, 1, 1);
        file.createDataset("tau", ElementType.COMPLEX, extents, chunks).close();
      }
      String message = message(SOUND.replace("file: tau.npy", "file: tau.h5\n    dataset: tau"));
      assertTrue(message.contains("tau.h5"), message);
    }
  }

  @Test
  void hdf5WithoutDataset_isOneMessage() throws IOException {
    try (Hdf5File file = Hdf5File.create(folder.resolve("tau.h5"))) {
      file.createGroup("x");
    }
    assertTrue(message(SOUND.replace("tau.npy", "tau.h5")).contains("needs a key 'dataset'"));
    assertTrue(
        message(SOUND.replace("file: tau.npy", "file: tau.h5\n    dataset: x/{t}/y"))
            .contains("stands twice"));
    assertTrue(
        message(SOUND.replace("file: tau.npy", "file: tau.h5\n    dataset: x/y"))
            .contains("has no dataset 'x/y'"));
    assertTrue(
        message(SOUND.replace("file: tau.npy", "file: tau.npy\n    dataset: x/y"))
            .contains("is not an HDF5 file"));
  }

  @Test
  void twoFilesOfOneName_areOneMessage() throws IOException {
    Files.copy(folder.resolve("tau.npy"), folder.resolve("tau2.npy"));
    assertTrue(message(SOUND.replace("tau.npy", "'tau*.npy'")).contains("both hold"));
  }

  @Test
  void otherShapeInAnotherFile_isOneMessage() throws IOException {
    String text = SOUND.replace("tau.npy", "'tau_{t0}.npy'").replace("[t_src, t_snk,", "[t_snk,");
    for (int t0 = 0; t0 < 2; t0++) {
      NpyWriter.write(
          folder.resolve("tau_" + t0 + ".npy"),
          "<c16",
          new long[] {T + t0, 4, 4, N, N},
          numbers((T + t0) * 16));
    }
    assertTrue(message(text).contains("others of the same entry have"));
  }

  @Test
  void nameTemplate_matchesWhatItSays() {
    NameTemplate template = new NameTemplate("a{t0:03}_{nx}_{alpha+1}*.npy");
    assertEquals(
        Optional.of(Map.of("t0", "7", "nx", "-2", "alpha", "0")),
        template.match(0, "a007_-2_1x.npy", Map.of()));
    assertEquals(Optional.empty(), template.match(0, "a07_-2_1x.npy", Map.of()));
    assertEquals(Optional.empty(), template.match(0, "a0007_-2_1x.npy", Map.of()));
    assertEquals(Optional.empty(), template.match(0, "a007_-2_1x.npy", Map.of("t0", "8")));
    NameTemplate twice = new NameTemplate("{t}/{t}-{t}");
    assertEquals(Optional.empty(), twice.match(1, "3-4", Map.of()));
    assertEquals(Optional.of(Map.of("t", "3")), twice.match(1, "3-3", Map.of("t", "3")));
  }

  @Test
  void open_notUtf8_isOneMessage() throws IOException {
    byte[] text = SOUND.getBytes(StandardCharsets.UTF_8);
    text[text.length - 3] = (byte) 0xff;
    Path file = Files.write(folder.resolve("m.yaml"), text);
    String message = TestData.refusal(() -> use(file));
    assertEquals(file + ": is no mapping file: it is not text in UTF-8", message);
  }

  @Test
  void starsInANameThatDoesNotFit_areComparedInNoTime() {
    NameTemplate stars = new NameTemplate("*a*a*a*a*a*a*a*a*a*a*a*a{cfg}*b");
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> assertTrue(stars.match(0, "a".repeat(250) + "1", Map.of()).isEmpty()));
    assertEquals(
        Map.of("cfg", "12", "label", "x"),
        new NameTemplate("*{label}_{cfg}.*").match(0, "x_12.npy", Map.of()).orElseThrow());
    assertThrows(IllegalArgumentException.class, () -> new NameTemplate("a\0b"));
  }

  @Test
  void yamlWithoutLineBreaks_isNoMappingAndReadUpToABound() throws IOException {
    Path big = folder.resolve("big.yaml");
    try (RandomAccessFile file = new RandomAccessFile(big.toFile(), "rw")) {
      file.setLength(3L << 30);
    }
    assertNull(DataFormat.of(big));
  }
}
