package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Every fault of data, and what the user is told. */
class DistillationFaultsTest {
  private static final int T = 4;
  private static final int N = 2;

  @TempDir Path folder;

  private Path sound(String name) {
    return TestData.write(folder.resolve(name), T, N, 1);
  }

  /** A sound file after a change. */
  private Path changed(Consumer<Hdf5File> change) {
    Path path = sound("changed");
    TestData.change(path, file -> change.accept(file));
    return path;
  }

  /** Opening a changed file fails with a message that begins with its path. */
  private void assertOpenFails(String message, Consumer<Hdf5File> change) {
    Path path = changed(change);
    assertEquals(path + message, openFails(path));
    path.toFile().delete();
  }

  private static String openFails(Path... paths) {
    return TestData.refusal(() -> DistillationData.open(Arrays.asList(paths)).close());
  }

  @Test
  void open_notAFileOfDistillationData() throws IOException {
    Path text = Files.writeString(folder.resolve("text.h5"), "text");
    assertEquals(text + ": is not an HDF5 file", openFails(text));
    assertOpenFails(
        ": is not a distillation file: attribute 'format' is 'correlator', expected"
            + " 'distillation'",
        file -> file.attributes("/").put("format", "correlator"));
    Path empty = folder.resolve("empty.h5");
    Hdf5File.create(empty).close();
    assertEquals(
        empty
            + ": is not a distillation file: attribute 'format' is missing, expected"
            + " 'distillation'",
        openFails(empty));
  }

  @Test
  void open_versionAndBasis() {
    assertOpenFails(
        ": format_version 2 is not known, expected 1",
        file -> file.attributes("/").put("format_version", 2));
    assertOpenFails(
        ": gamma_basis 'chiral' is not known: expected 'DeGrand-Rossi', or 'explicit' with"
            + " the matrices in gamma/g1 … gamma/g4",
        file -> file.attributes("/").put("gamma_basis", "chiral"));
    assertOpenFails(
        ": '/': has no attribute 'ensemble'", file -> file.attributes("/").delete("ensemble"));
    assertOpenFails(
        ": attribute 'num_eigenvectors' must be >= 1 && <= 16384: num_eigenvectors=0",
        file -> file.attributes("/").put("num_eigenvectors", 0));
  }

  @Test
  void open_explicitBasisWithFaults() {
    assertOpenFails(
        ": gamma_basis is 'explicit', but there are no matrices gamma/g1 … gamma/g4",
        file -> file.attributes("/").put("gamma_basis", "explicit"));
    assertOpenFails(
        ": 'gamma/g4': no such dataset",
        file -> {
          file.attributes("/").put("gamma_basis", "explicit");
          for (int mu = 1; mu <= 3; mu++) {
            TestData.writeGamma(file, mu, SpinMatrix.deGrandRossi(mu));
          }
        });
    assertOpenFails(
        ": 'gamma': g3 and g4 do not anticommute: deviation 2.0 exceeds 1.0E-12",
        file -> {
          file.attributes("/").put("gamma_basis", "explicit");
          for (int mu = 1; mu <= 4; mu++) {
            TestData.writeGamma(file, mu, SpinMatrix.deGrandRossi(Math.min(mu, 3)));
          }
        });
  }

  @Test
  void open_shapesAgainstAttributes() {
    assertOpenFails(
        ": 'perambulators/light': shape [4, 4, 4, 4, 2, 2] contradicts the attributes of the"
            + " file, which ask for [4, 4, 4, 4, 3, 3]",
        file -> file.attributes("/").put("num_eigenvectors", 3));
    assertOpenFails(
        ": 'perambulators/light': shape [4, 2, 4, 4, 2, 2] contradicts the attributes of the"
            + " file, which ask for [4, 4, 4, 4, 2, 2]",
        file ->
            TestData.replace(
                file,
                "perambulators/light",
                new long[] {4, 2, 4, 4, 2, 2},
                new double[2 * 4 * 2 * 64]));
    assertOpenFails(
        ": 'elementals/meson/none/0_0_1': shape [3, 2, 2] contradicts the attributes of the"
            + " file, which ask for [4, 2, 2]",
        file ->
            TestData.replace(
                file, "elementals/meson/none/0_0_1", new long[] {3, 2, 2}, new double[24]));
    assertOpenFails(
        ": 'elementals/meson/none/0_0_1': numbers must be complex, the compound {r, i}; found"
            + " REAL",
        file -> {
          file.delete("elementals/meson/none/0_0_1");
          file.createDataset("elementals/meson/none/0_0_1", ElementType.REAL, 4, 2, 2).close();
        });
  }

  @Test
  void open_attributesOfPerambulators() {
    String object = "perambulators/light";
    assertOpenFails(
        ": 'perambulators/light': attribute 'source_times' lists 2 times, but the dataset has"
            + " 4 columns",
        file -> file.attributes(object).put("source_times", new int[] {0, 1}));
    assertOpenFails(
        ": 'perambulators/light': attribute 'source_times' must be >= 0 && <"
            + " temporal_extent=4, found 4",
        file -> file.attributes(object).put("source_times", new int[] {0, 1, 2, 4}));
    assertOpenFails(
        ": 'perambulators/light': attribute 'source_times' lists 2 twice",
        file -> file.attributes(object).put("source_times", new int[] {0, 1, 2, 2}));
    assertOpenFails(
        ": 'perambulators/light': attribute 'gamma5_hermitian' must be 0 or 1, found 2",
        file -> file.attributes(object).put("gamma5_hermitian", 2));
  }

  @Test
  void open_filesThatDoNotBelongTogether() {
    Path one = folder.resolve("one.h5");
    Path other = folder.resolve("other.h5");
    TestData.writeHeader(one, "a", 1, T, N);
    TestData.writeHeader(other, "b", 1, T, N);
    assertEquals(
        one + " and " + other + " are of two ensembles, 'a' and 'b'; run them separately",
        openFails(one, other));
    TestData.writeHeader(other, "a", 1, T, 5);
    assertEquals(
        one
            + " and "
            + other
            + " do not belong together: num_eigenvectors is 2 in one and 5 in the other",
        openFails(one, other));
    Path whole = sound("whole");
    Path again = sound("again");
    TestData.keepSources(again, "light", 2);
    assertEquals(
        whole
            + " and "
            + again
            + " both hold 'perambulators/light' at source time 2; leave one of them out",
        openFails(whole, again));
    TestData.change(again, file -> file.delete("perambulators"));
    assertEquals(
        whole
            + " and "
            + again
            + " both hold 'elementals/meson/nabla_z/0_0_-1'; leave one of them out",
        openFails(whole, again));
  }

  private static String loadFails(Path path, int sink, int source) {
    try (DistillationData data = DistillationData.open(List.of(path));
        HostMemory memory = HostMemory.allocate(16 * 16 * N * N)) {
      return TestData.refusal(
          () -> data.load(new Input.Perambulator("light", sink, source), memory, 0));
    }
  }

  private static void poke(Hdf5File file, double value) {
    try (Hdf5Dataset dataset = file.dataset("perambulators/light")) {
      dataset.write(
          new long[] {3, 1, 2, 0, 1, 0}, new long[] {1, 1, 1, 1, 1, 1}, new double[] {0, value});
    }
  }

  @Test
  void load_numbersThatAreNone() {
    Path nan = changed(file -> poke(file, Double.NaN));
    assertEquals(
        nan
            + ": 'perambulators/light': block [sink time, column of source time 1]=[3, 1] holds NaN"
            + " at complex number 34 of 64",
        loadFails(nan, 3, 1));
    Path infinite = changed(file -> poke(file, Double.NEGATIVE_INFINITY));
    assertTrue(loadFails(infinite, 3, 1).contains(" holds -Infinity at complex number 34"));
  }

  @Test
  void load_blockNeverWritten() {
    Path path =
        changed(
            file -> {
              file.delete("perambulators/light");
              file.createDataset(
                      "perambulators/light",
                      ElementType.COMPLEX,
                      new long[] {T, T, 4, 4, N, N},
                      DatasetOptions.chunked(0, false, 1, 1, 4, 4, N, N))
                  .close();
            });
    assertEquals(
        path
            + ": 'perambulators/light': block [sink time, column of source time 1]=[2, 1] holds"
            + " nothing but zeros, as if it had never been written; write it again",
        loadFails(path, 2, 1));
  }

  @Test
  void load_damagedChunk() throws IOException {
    Path path =
        changed(
            file -> {
              double[] numbers = new double[2 * T * N * N];
              Arrays.fill(numbers, 1);
              file.delete("perambulators");
              TestData.replace(
                  file,
                  "elementals/meson/none/0_0_1",
                  new long[] {T, N, N},
                  numbers,
                  DatasetOptions.chunked(9, false, 4, N, N));
            });
    long length = Files.size(path);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      byte[] bytes = new byte[(int) length];
      file.readFully(bytes);
      // A deflate stream of the best compression begins with 78 DA.
      for (int k = 0; k + 1 < bytes.length; k++) {
        if (bytes[k] == 0x78 && bytes[k + 1] == (byte) 0xDA) {
          file.seek(k);
          file.write(new byte[] {0, 0, 0, 0});
        }
      }
    }
    try (DistillationData data = DistillationData.open(List.of(path));
        HostMemory memory = HostMemory.allocate(16 * N * N)) {
      ElementalRef ref = ElementalRef.of("none", new Momentum(0, 0, 1), false);
      String message = TestData.refusal(() -> data.load(new Input.Elemental(ref, 0), memory, 0));
      assertTrue(
          message.startsWith(
              path
                  + ": 'elementals/meson/none/0_0_1': reading block [0, 0, 0] of extents [1, 2,"
                  + " 2]"),
          message);
      assertTrue(message.contains("is damaged: a chunk cannot be inflated"), message);
    }
  }

  private static String checkFails(Path path, List<Input> inputs) {
    try (DistillationData data = DistillationData.open(List.of(path))) {
      return TestData.refusal(() -> data.check(inputs));
    }
  }

  @Test
  void check_listsWhatIsMissing() {
    Path path = sound("sound");
    TestData.keepSources(path, "light", 0);
    List<Input> inputs = new ArrayList<>();
    for (int sink = 0; sink < T; sink++) {
      inputs.add(new Input.Perambulator("light", sink, 3));
      inputs.add(new Input.Perambulator("light", 3, sink));
      inputs.add(new Input.Perambulator("light", sink, sink));
    }
    inputs.add(new Input.Perambulator("charm", 1, 0));
    inputs.add(new Input.Elemental(ElementalRef.of("nabla_x", Momentum.ZERO, true), 1));
    inputs.add(new Input.Elemental(ElementalRef.of("none", new Momentum(0, 2, -1), false), 1));
    assertEquals(
        "ensemble 'test', configuration 1 ("
            + path
            + ") lacks what the run needs:\n"
            + "  perambulators 'charm' at (sink, source) = (1, 0); there are none of this label,"
            + " the labels are light, strange\n"
            + "  perambulators 'light' at (sink, source) = (1, 1), (3, 1), (2, 2), (3, 2), (1, 3),"
            + " (2, 3), … (7 in all); there are source times 0, further source times 1, 2, 3 would"
            + " do\n"
            + "  meson elementals (displacement/momentum): nabla_x/0_0_0, none/0_2_-1; in their"
            + " place D_x/0_0_0, none/0_-2_1 would do",
        checkFails(path, inputs));
  }

  @Test
  void check_fewestSourceTimesThatWouldDo() {
    Path path = sound("sound");
    TestData.keepSources(path, "light", 0);
    List<Input> inputs =
        List.of(
            new Input.Perambulator("light", 1, 3),
            new Input.Perambulator("light", 2, 3),
            new Input.Perambulator("light", 3, 1));
    assertTrue(
        checkFails(path, inputs)
            .contains("there are source times 0, further source times 3 would do"));
    TestData.change(
        path, file -> file.attributes("perambulators/light").put("gamma5_hermitian", 0));
    assertTrue(
        checkFails(path, inputs)
            .endsWith(
                "further source times 1, 3 would do (this label has gamma5_hermitian = 0, so (t,"
                    + " t') does not supply (t', t))"));
  }
}
