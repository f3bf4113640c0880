package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Elementals of tetraquarks from vectors on some sites against sums over colours. */
class SampledTetraquarksTest {
  private static final int T = 2;
  private static final int N = 4;
  private static final int EXTENT = 4;
  private static final int VOLUME = EXTENT * EXTENT * EXTENT;
  private static final int COLOURS = 3;

  @TempDir Path folder;

  /** Vectors of a time slice, [i][site][colour], the same on all files of a seed. */
  private static double[] vectors(int seed) {
    return new Random(seed).doubles(2L * N * VOLUME * COLOURS, -1, 1).toArray();
  }

  private static List<Integer> sites(int n, int seed) {
    List<Integer> all = new ArrayList<>();
    for (int x = 0; x < VOLUME; x++) {
      all.add(x);
    }
    Collections.shuffle(all, new Random(seed));
    return all.subList(0, n);
  }

  private static long[] coordinates(int site) {
    return new long[] {site / (EXTENT * EXTENT), site / EXTENT % EXTENT, site % EXTENT};
  }

  private static void write(Path path, String side, int n, long... wrong) {
    long[] sites = new long[T * n * 3];
    double[] numbers = new double[2 * T * N * n * COLOURS];
    for (int t = 0; t < T; t++) {
      double[] all = vectors(t);
      List<Integer> chosen = sites(n, side.hashCode() + t);
      for (int x = 0; x < n; x++) {
        System.arraycopy(coordinates(chosen.get(x)), 0, sites, 3 * (t * n + x), 3);
        for (int i = 0; i < N; i++) {
          System.arraycopy(
              all,
              2 * COLOURS * (i * VOLUME + chosen.get(x)),
              numbers,
              2 * COLOURS * ((t * N + i) * n + x),
              2 * COLOURS);
        }
      }
    }
    System.arraycopy(wrong, 0, sites, 0, wrong.length);
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      TestData.replace(
          file,
          "sampled_vectors/" + side,
          new long[] {T, N, n, COLOURS},
          numbers,
          DatasetOptions.CONTIGUOUS);
      try (Hdf5Dataset dataset =
          file.createDataset(
              "sites/" + side,
              ElementType.INTEGER,
              new long[] {T, n, 3},
              DatasetOptions.CONTIGUOUS)) {
        dataset.writeIntegers(sites);
      }
    }
  }

  private static Complex at(double[] vectors, int i, int site, int colour) {
    int place = 2 * (COLOURS * (i * VOLUME + site) + colour);
    return new Complex(vectors[place], vectors[place + 1]);
  }

  /** K[i,j,k,l] of some sites from the vectors, by the definition. */
  private static Complex elemental(
      PairColour colour, Momentum momentum, List<Integer> sites, double[] v, int... index) {
    Complex sum = Complex.ZERO;
    for (int site : sites) {
      long[] x = coordinates(site);
      double angle =
          -2 * Math.PI * (momentum.x() * x[0] + momentum.y() * x[1] + momentum.z() * x[2]) / EXTENT;
      Complex local = Complex.ZERO;
      for (int a = 0; a < COLOURS; a++) {
        for (int b = 0; b < COLOURS; b++) {
          Complex bars =
              at(v, index[0], site, a).conjugate().times(at(v, index[1], site, b).conjugate());
          Complex same = at(v, index[2], site, a).times(at(v, index[3], site, b));
          Complex crossed = at(v, index[2], site, b).times(at(v, index[3], site, a));
          local = local.plus(bars.times(same.plus(crossed.times(colour.sign()))));
        }
      }
      sum = sum.plus(local.times(new Complex(Math.cos(angle), Math.sin(angle))));
    }
    return sum.times((double) VOLUME / sites.size());
  }

  private static double[] expected(Input.Tetraquark input, int n) {
    PairColour colour = input.colour();
    int pairs = colour.pairs(N);
    double[] packed = new double[2 * pairs * pairs];
    List<Integer> sites = sites(n, (input.adjoint() ? "source" : "sink").hashCode() + input.time());
    for (int j = 0; j < N; j++) {
      for (int i = 0; i <= j; i++) {
        for (int l = 0; l < N; l++) {
          for (int k = 0; k <= l; k++) {
            if (colour.sign(i, j) != 0 && colour.sign(k, l) != 0) {
              Complex value =
                  elemental(colour, input.momentum(), sites, vectors(input.time()), i, j, k, l);
              int row = input.adjoint() ? colour.place(k, l) : colour.place(i, j);
              int column = input.adjoint() ? colour.place(i, j) : colour.place(k, l);
              packed[2 * (row * pairs + column)] = value.re();
              packed[2 * (row * pairs + column) + 1] = input.adjoint() ? -value.im() : value.im();
            }
          }
        }
      }
    }
    return packed;
  }

  private static double[] load(DistillationData data, Input.Tetraquark input) {
    double[] numbers = new double[(int) (input.bytes(N) / Double.BYTES)];
    try (HostMemory memory = HostMemory.allocate(input.bytes(N) + 64)) {
      data.load(input, memory, 64);
      memory.get(8, numbers, 0, numbers.length);
    }
    return numbers;
  }

  /** With all sites, n = L³, this is the elemental itself. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, VOLUME})
  void load_isTheSumOverTheSitesOfItsSide(int n) {
    Path path = TestData.write(folder, T, N, 1);
    write(path, "sink", n);
    write(path, "source", n);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      assertFalse(data.samplesTetraquarks());
      data.sampleTetraquarks(null);
      assertTrue(data.samplesTetraquarks());
      assertEquals(n, data.sampledSites(true));
      for (PairColour colour : PairColour.values()) {
        for (Momentum momentum : List.of(Momentum.ZERO, new Momentum(1, -2, 3))) {
          for (int time = 0; time < T; time++) {
            for (boolean adjoint : new boolean[] {false, true}) {
              Input.Tetraquark input = new Input.Tetraquark(colour, momentum, time, adjoint);
              data.check(List.of(input));
              double[] expected = expected(input, n);
              assertArrayEquals(expected, load(data, input), 1e-10, input.toString());
            }
          }
        }
      }
    }
  }

  @Test
  void check_withoutSites_saysWhatWouldDo() {
    Path path = TestData.write(folder, T, N, 1);
    Input input = new Input.Tetraquark(PairColour.TRIPLET, Momentum.ZERO, 0, false);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      data.sampleTetraquarks(true);
      String message =
          assertThrows(DistillationException.class, () -> data.check(List.of(input))).getMessage();
      assertTrue(message.contains("sites/sink"), message);
      assertTrue(message.contains("--tetraquarks elementals does without them"), message);
    }
    write(path, "sink", 3);
    write(path, "source", 3);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      data.sampleTetraquarks(false);
      String message =
          assertThrows(DistillationException.class, () -> data.check(List.of(input))).getMessage();
      assertTrue(message.contains("3bar3/0_0_0"), message);
      assertTrue(message.contains("--tetraquarks sampled estimates them"), message);
    }
  }

  @ParameterizedTest
  @CsvSource({"4", "-1"})
  void sites_outsideTheLattice_areRefusedWithTheirPlace(long coordinate) {
    Path path = TestData.write(folder, T, N, 1);
    write(path, "sink", 3, 0, 0, 0, 1, coordinate, 0);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      String message =
          assertThrows(DistillationException.class, () -> data.sampledSites(false)).getMessage();
      assertEquals(
          path
              + ": 'sites/sink': [time, site, direction]=[0, 1, 1] is "
              + coordinate
              + "; coordinates are 0 to 3",
          message);
    }
  }

  @Test
  void vectorsWithoutSites_areRefused() {
    Path path = TestData.write(folder, T, N, 1);
    write(path, "sink", 3);
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      file.delete("sites/sink");
    }
    try (DistillationData data = DistillationData.open(List.of(path))) {
      assertEquals(
          path + ": 'sites/sink': is missing; it says where the sampled vectors are",
          assertThrows(DistillationException.class, () -> data.sampledSites(false)).getMessage());
    }
  }
}
