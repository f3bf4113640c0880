package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Generalized perambulators and loops of an example with propagators of a gauge field. */
class CurrentDataTest {
  private static final Path EXAMPLE =
      Path.of("../examples/data-currents/quenched_4x8_currents_cfg0001.h5");
  private static final String LIGHT = "generalized_perambulators/light-light";
  private static final int N = 4;
  private static final int T = 8;
  private static final int BLOCK = 2 * 16 * N * N;
  private static final Momentum UP = new Momentum(0, 0, 1);

  @TempDir Path folder;

  private Path changed(Consumer<Hdf5File> change) {
    Path copy = folder.resolve("changed.h5");
    try {
      Files.copy(EXAMPLE, copy);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    TestData.change(copy, file -> change.accept(file));
    return copy;
  }

  private static CurrentVertex vertex(String gamma, String displacement, Momentum q) {
    return new CurrentVertex(Gamma.parse(gamma), displacement, q);
  }

  private static Input.Generalized block(CurrentVertex vertex, int sink, int t, int source) {
    return new Input.Generalized("light", "light", vertex, sink, t, source);
  }

  private static String openFails(Path... paths) {
    return TestData.refusal(() -> DistillationData.open(List.of(paths)).close());
  }

  /** Says that a dataset of the example holds only some of its blocks. */
  private static void mask(Hdf5File file, String object, BlockChoice present) {
    long[] values = new long[2 * T * 2];
    for (int k = 0; k < values.length; k++) {
      values[k] = present.has(4 * (k / (2 * T)), k / 2 % T, 4 * (k % 2)) ? 1 : 0;
    }
    TestData.writeIntegers(file, "present/" + object, new long[] {2, T, 2}, values);
  }

  private interface BlockChoice {
    boolean has(int sink, int t, int source);
  }

  @Test
  void load_blockOfTheFile() {
    try (DistillationData data = DistillationData.open(List.of(EXAMPLE))) {
      CurrentVertex vertex = vertex("g4", "D_z", UP);
      assertArrayEquals(
          TestData.part(EXAMPLE, LIGHT + "/g4/D_z/0_0_1", 1, 6, 0),
          TestData.load(data, block(vertex, 4, 6, 0), N));
      assertEquals(1, data.blocksRead());
      assertEquals(8L * BLOCK, data.bytesRead());
      assertEquals(8L * BLOCK, block(vertex, 4, 6, 0).bytes(N));
      assertEquals(block(vertex, 6, 0, 2), block(vertex, 4, 6, 0).shifted(2, T));
    }
  }

  @Test
  void loadRun_followingInsertionTimesAtOnce() {
    try (DistillationData data = DistillationData.open(List.of(EXAMPLE));
        HostMemory memory = HostMemory.allocate(3 * 8L * BLOCK)) {
      CurrentVertex vertex = vertex("g1", "none", UP);
      List<Input> run = new ArrayList<>(List.of(block(vertex, 0, 5, 4)));
      for (Input next = run.get(0); next != null; next = data.next(next)) {
        if (next != run.get(0)) {
          run.add(next);
        }
      }
      assertEquals(
          List.of(block(vertex, 0, 5, 4), block(vertex, 0, 6, 4), block(vertex, 0, 7, 4)), run);
      data.loadRun(run, 8L * BLOCK, memory, 0);
      double[] numbers = new double[BLOCK];
      for (int k = 0; k < 3; k++) {
        memory.get((long) k * BLOCK, numbers, 0, BLOCK);
        assertArrayEquals(TestData.load(data, run.get(k), N), numbers);
      }
    }
  }

  /** The removed half is stored in the example, too, so the formula is tested on propagators. */
  @Test
  void load_missingBlockByGamma5Hermiticity() {
    Path half =
        changed(
            file -> {
              for (String labels : file.children("generalized_perambulators")) {
                String group = "generalized_perambulators/" + labels;
                for (String gamma : file.children(group)) {
                  for (String displacement : file.children(group + "/" + gamma)) {
                    String name = group + "/" + gamma + "/" + displacement;
                    for (String q : file.children(name)) {
                      mask(file, name + "/" + q, (sink, t, source) -> sink <= source);
                    }
                  }
                }
              }
            });
    try (DistillationData all = DistillationData.open(List.of(EXAMPLE));
        DistillationData some = DistillationData.open(List.of(half))) {
      int compared = 0;
      for (CurrentName name : all.generalizedPerambulators()) {
        boolean supplied = all.generalizedPerambulators().contains(name.reversed());
        Map<CurrentName.Ends, BitSet> times =
            some.generalizedTimes(name.bar(), name.quark(), name.vertex());
        assertEquals(supplied ? 4 : 3, times.size(), name.toString());
        for (int t = 0; t < T && supplied; t++) {
          Input.Generalized input =
              new Input.Generalized(name.bar(), name.quark(), name.vertex(), 4, t, 0);
          double[] expected = TestData.load(all, input, N);
          double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
          assertArrayEquals(
              expected, TestData.load(some, input, N), 1e-12 * largest, input.toString());
          compared++;
        }
      }
      assertTrue(compared >= T * 20, "compared " + compared);
    }
  }

  @Test
  void load_gamma5HermiticityIsNotUsedForALabelWithoutIt() {
    Path path =
        changed(
            file -> {
              file.attributes("perambulators/strange").put("gamma5_hermitian", 0);
              mask(
                  file,
                  "generalized_perambulators/light-strange/g4/none/0_0_0",
                  (sink, t, source) -> sink == 0);
              file.attributes("perambulators/light").put("gamma5_hermitian", 1);
            });
    try (DistillationData data = DistillationData.open(List.of(path))) {
      CurrentVertex vertex = vertex("g4", "none", Momentum.ZERO);
      assertEquals(
          Set.of(new CurrentName.Ends(0, 0), new CurrentName.Ends(0, 4)),
          data.generalizedTimes("light", "strange", vertex).keySet());
      assertNull(data.origin(new Input.Generalized("light", "strange", vertex, 4, 0, 0)));
    }
  }

  @Test
  void load_unlistedDisplacementHasNoSubstitute() {
    Path path =
        changed(
            file -> {
              file.move(LIGHT + "/g4/D_t", LIGHT + "/g4/covariant");
              mask(file, LIGHT + "/g4/covariant/0_0_0", (sink, t, source) -> sink == 0);
            });
    try (DistillationData data = DistillationData.open(List.of(path))) {
      CurrentVertex vertex = vertex("g4", "covariant", Momentum.ZERO);
      assertEquals(2, data.generalizedTimes("light", "light", vertex).size());
    }
  }

  @Test
  void load_nameOfGammaUpToASign() {
    Path path = changed(file -> file.move(LIGHT + "/g3g5", LIGHT + "/g2g1g4"));
    try (DistillationData data = DistillationData.open(List.of(path))) {
      // g3 g5 = g1 g2 g4, the opposite of g2 g1 g4.
      assertEquals(new Gamma(11, 1), Gamma.parse("g3g5"));
      double[] opposite =
          TestData.load(data, block(vertex("g1g2g4", "none", Momentum.ZERO), 4, 2, 0), N);
      double[] there = TestData.part(EXAMPLE, LIGHT + "/g3g5/none/0_0_0", 1, 2, 0);
      assertArrayEquals(Arrays.stream(there).map(x -> -x).toArray(), opposite);
    }
  }

  @Test
  void load_twoNamesOfOneGammaAreTwoCopies() {
    Path path =
        changed(
            file -> {
              double[] numbers = TestData.part(EXAMPLE, LIGHT + "/g4/none/0_0_0");
              String object = LIGHT + "/g1g2g3g5/none/0_0_0";
              TestData.replace(file, object, new long[] {2, T, 2, 4, 4, N, N}, numbers);
              file.attributes(object).put("sink_times", new int[] {0, 4});
              file.attributes(object).put("source_times", new int[] {0, 4});
            });
    assertEquals(
        path
            + ": '"
            + LIGHT
            + "/g4/none/0_0_0': holds blocks of '"
            + LIGHT
            + "/g1g2g3g5/none/0_0_0', whose Γ is the same up to a sign; keep one of them",
        openFails(path));
  }

  @Test
  void load_otherSpinBasis() {
    Path path = changed(file -> {});
    TestData.changeBasis(path, 5);
    try (DistillationData data = DistillationData.open(List.of(path));
        DistillationData plain = DistillationData.open(List.of(EXAMPLE))) {
      for (Input input :
          List.of(
              block(vertex("g4", "none", UP), 4, 3, 0),
              new Input.Generalized("strange", "light", vertex("g4", "none", UP), 4, 3, 4))) {
        TestData.assertSame(plain, data, input, 1e-13);
      }
    }
  }

  @Test
  void insertionTimes_nameTheSecondAxis() {
    Path path =
        changed(
            file -> {
              double[] some = new double[2 * 3 * 2 * BLOCK];
              double[] all = TestData.part(EXAMPLE, LIGHT + "/g5/none/0_0_0");
              for (int s = 0; s < 2; s++) {
                for (int k = 0; k < 3; k++) {
                  int t = 7 - 2 * k;
                  System.arraycopy(
                      all, (s * T + t) * 2 * BLOCK, some, (s * 3 + k) * 2 * BLOCK, 2 * BLOCK);
                }
              }
              String object = LIGHT + "/g5/none/0_0_0";
              TestData.replace(file, object, new long[] {2, 3, 2, 4, 4, N, N}, some);
              file.attributes(object).put("sink_times", new int[] {0, 4});
              file.attributes(object).put("source_times", new int[] {0, 4});
              file.attributes(object).put("insertion_times", new int[] {7, 5, 3});
            });
    try (DistillationData data = DistillationData.open(List.of(path))) {
      CurrentVertex vertex = vertex("g5", "none", Momentum.ZERO);
      BitSet times = BitSet.valueOf(new long[] {0b10101000});
      assertEquals(
          times, data.generalizedTimes("light", "light", vertex).get(new CurrentName.Ends(4, 0)));
      assertArrayEquals(
          TestData.part(EXAMPLE, LIGHT + "/g5/none/0_0_0", 1, 5, 0),
          TestData.load(data, block(vertex, 4, 5, 0), N));
      assertNull(data.next(block(vertex, 4, 5, 0)));
    }
  }

  @Test
  void labels_separatorIsTheOneBetweenTwoLabels() {
    Path path =
        changed(
            file -> {
              file.move("perambulators/light", "perambulators/U-0.2");
              file.move("perambulators/strange", "perambulators/U");
              file.move(LIGHT, "generalized_perambulators/U-0.2-U-0.2");
              file.move(
                  "generalized_perambulators/light-strange", "generalized_perambulators/U-0.2-U");
            });
    try (DistillationData data = DistillationData.open(List.of(path))) {
      CurrentVertex vertex = vertex("g4", "none", UP);
      assertEquals(4, data.generalizedTimes("U-0.2", "U-0.2", vertex).size());
      assertArrayEquals(
          TestData.part(EXAMPLE, "generalized_perambulators/light-strange/g4/none/0_0_1", 1, 2, 0),
          TestData.load(data, new Input.Generalized("U-0.2", "U", vertex, 4, 2, 0), N));
    }
  }

  @Test
  void labels_separatorBetweenUnknownLabels() {
    Path path =
        changed(
            file ->
                file.move(
                    "generalized_perambulators/light-strange", "generalized_perambulators/a-b-c"));
    assertEquals(
        path
            + ": 'generalized_perambulators/a-b-c': no '-' in it separates two labels of"
            + " perambulators; the labels are light, light_minus, light_plus, strange",
        openFails(path));
    Path without = folder.resolve("without.h5");
    assertTrue(path.toFile().renameTo(without.toFile()));
    TestData.change(
        without,
        file -> file.move("generalized_perambulators/a-b-c", "generalized_perambulators/light"));
    assertEquals(
        without
            + ": 'generalized_perambulators/light': the name of the group must be two labels of"
            + " perambulators, joined by '-'",
        openFails(without));
  }

  @Test
  void loop_storedOrFromTheOppositeMomentum() {
    try (DistillationData data = DistillationData.open(List.of(EXAMPLE))) {
      CurrentVertex vertex = vertex("g4", "D_z", UP);
      double[] numbers = TestData.part(EXAMPLE, "loops/light/g4/D_z/0_0_1");
      assertEquals(
          new Complex(numbers[6], numbers[7]), data.number(new DataBlock.Loop("light", vertex, 3)));
      // η is -1 for g4 and once more for D_z.
      assertEquals(
          new Complex(numbers[6], -numbers[7]),
          data.number(new DataBlock.Loop("light", vertex("g4", "D_z", UP.negate()), 3)));
      double[] conserved = TestData.part(EXAMPLE, "loops/light/g4/conserved/0_0_1");
      assertEquals(
          new Complex(-conserved[0], conserved[1]),
          data.number(new DataBlock.Loop("light", vertex("g4", "conserved", UP.negate()), 0)));
      assertFalse(data.has(new DataBlock.Loop("light", vertex("g5", "none", UP), 0)));
      assertTrue(
          TestData.refusal(
                  () -> data.number(new DataBlock.Loop("strange", vertex("g5", "none", UP), 2)))
              .endsWith(": loop 'loops/strange/g5/none/0_0_1' is missing at time 2"));
    }
  }

  /** At q = 0 the relation of a loop to itself holds for propagators. */
  @Test
  void loop_realOrImaginaryAtRest() {
    try (DistillationData data = DistillationData.open(List.of(EXAMPLE))) {
      int seen = 0;
      for (CurrentName name : data.loops()) {
        if (name.vertex().momentum().equals(Momentum.ZERO)) {
          for (int t = 0; t < T; t++) {
            Complex loop = data.number(new DataBlock.Loop(name.bar(), name.vertex(), t));
            assertEquals(
                0, name.eta() > 0 ? loop.im() : loop.re(), 1e-12 * loop.abs(), name + " " + t);
            seen++;
          }
        }
      }
      assertEquals(7 * T, seen);
    }
  }

  @Test
  void check_listsWhatIsMissing() {
    Path path =
        changed(file -> mask(file, LIGHT + "/g4/D_z/0_0_1", (sink, t, source) -> sink > source));
    try (DistillationData data = DistillationData.open(List.of(path))) {
      CurrentVertex there = vertex("g4", "D_z", UP);
      CurrentVertex absent = vertex("g2g3", "none", UP);
      List<Input> inputs = new ArrayList<>();
      IntStream.range(0, 3)
          .forEach(
              t -> {
                inputs.add(block(there, 4, t, 0));
                inputs.add(block(there, 0, t, 4));
                inputs.add(block(absent, 0, t, 4));
              });
      inputs.add(new Input.Generalized("strange", "charm", absent, 0, 1, 4));
      List<DataBlock.Loop> loops =
          List.of(
              new DataBlock.Loop("light", there, 0),
              new DataBlock.Loop("light", absent, 0),
              new DataBlock.Loop("light", absent, 5));
      String message = TestData.refusal(() -> data.check(inputs, loops));
      assertEquals(
          List.of(
              "  generalized perambulators 'light-light/g2g3/none/0_0_1' at (sink, source) = (0,"
                  + " 4), insertion times 0, 1, 2; there are none of this current, of these labels"
                  + " there are 1/none/0_0_0, g1/none/0_0_-1, g1/none/0_0_0, g1/none/0_0_1,"
                  + " g2/none/0_0_-1, g2/none/0_0_0, … (22 in all)",
              "  generalized perambulators 'light-light/g4/D_z/0_0_1' at (sink, source) = (0, 4),"
                  + " insertion times 0, 1, 2; there are (sink, source) = (4, 0)",
              "  generalized perambulators 'strange-charm/g2g3/none/0_0_1' at (sink, source) ="
                  + " (0, 4), insertion times 1; there are none of this current and none of these"
                  + " labels",
              "  loops (label/gamma/displacement/momentum): 'light/g2g3/none/0_0_1'; there are"
                  + " light/1/none/0_0_0, light/g1/none/0_0_1, light/g4/D_t/0_0_0,"
                  + " light/g4/D_z/0_0_1, light/g4/conserved/0_0_1, light/g4/none/0_0_0, … (13 in"
                  + " all); without disconnected: true none is needed"),
          message.lines().skip(1).toList());
    }
  }

  @Test
  void open_sameBlockInTwoFiles() {
    Path path =
        changed(
            file -> {
              file.delete("perambulators");
              file.delete("loops");
              file.delete("elementals");
            });
    assertEquals(
        EXAMPLE
            + " and "
            + path
            + " both hold 'generalized_perambulators/light-light/1/none/0_0_0' at (sink, source) ="
            + " (0, 0); leave one of them out",
        openFails(EXAMPLE, path));
  }

  @Test
  void open_attributesAndShapes() {
    String object = LIGHT + "/g5/none/0_0_0";
    Path path = changed(file -> file.attributes(object).delete("sink_times"));
    assertEquals(
        path
            + ": '"
            + object
            + "': attribute 'sink_times' is missing; generalized perambulators need sink_times and"
            + " source_times",
        openFails(path));
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      file.attributes(object).put("sink_times", new int[] {0, 4, 5});
    }
    assertTrue(
        openFails(path)
            .endsWith(
                "shape [2, 8, 2, 4, 4, 4, 4] contradicts the attributes of the file, which ask for"
                    + " [3, 8, 2, 4, 4, 4, 4]"));
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      file.attributes(object).put("sink_times", new int[] {0, 8});
    }
    assertTrue(
        openFails(path)
            .endsWith("attribute 'sink_times' must be >= 0 && < temporal_extent=8, found 8"));
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      file.attributes(object).put("sink_times", new int[] {4, 4});
    }
    assertTrue(openFails(path).endsWith("attribute 'sink_times' lists 4 twice"));
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      file.attributes(object).put("sink_times", new int[] {0, 4});
      file.move(LIGHT + "/g5", LIGHT + "/gamma5");
    }
    assertTrue(openFails(path).contains("'" + LIGHT + "/gamma5': unknown gamma structure"));
  }

  @Test
  void load_notANumberAndZeros() {
    Path path =
        changed(
            file -> {
              try (Hdf5Dataset dataset = file.dataset(LIGHT + "/g5/none/0_0_0")) {
                long[] start = {1, 2, 0, 0, 0, 0, 0};
                long[] count = {1, 1, 1, 4, 4, N, N};
                double[] numbers = dataset.read(start, count);
                numbers[7] = Double.NaN;
                dataset.write(start, count, numbers);
                start[1] = 3;
                dataset.write(start, count, new double[BLOCK]);
              }
              try (Hdf5Dataset dataset = file.dataset("loops/light/g5/none/0_0_0")) {
                dataset.write(new long[] {0}, new long[] {2}, new double[] {0, 0, Double.NaN, 0});
              }
            });
    CurrentVertex vertex = vertex("g5", "none", Momentum.ZERO);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      assertEquals(
          path
              + ": '"
              + LIGHT
              + "/g5/none/0_0_0': block [sink, insertion, source]=[1, 2, 0] holds NaN at complex"
              + " number 3 of 256",
          TestData.refusal(() -> TestData.load(data, block(vertex, 4, 2, 0), N)));
      assertTrue(
          TestData.refusal(() -> TestData.load(data, block(vertex, 4, 3, 0), N))
              .contains("holds nothing but zeros"));
      assertEquals(Complex.ZERO, data.number(new DataBlock.Loop("light", vertex, 0)));
      assertEquals(
          path
              + ": 'loops/light/g5/none/0_0_0': block [time]=[1] holds NaN at complex number 0 of 1",
          TestData.refusal(() -> data.number(new DataBlock.Loop("light", vertex, 1))));
    }
  }

  @Test
  void origin_tellsSubstitutesApart() {
    try (DistillationData data = DistillationData.open(List.of(EXAMPLE))) {
      CurrentVertex vertex = vertex("g1", "none", UP);
      long one = data.key(block(vertex, 4, 3, 0), Rows.ALL);
      assertFalse(one == data.key(block(vertex, 4, 4, 0), Rows.ALL));
      assertFalse(one == data.key(block(vertex("g1", "none", UP.negate()), 4, 3, 0), Rows.ALL));
      assertEquals(TensorShape.mesonNode(N), data.origin(block(vertex, 4, 3, 0)).block().shape(N));
    }
  }
}
