package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.TestData;
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
      TestData.replace(file, "sampled_vectors/" + side, new long[] {T, N, n, COLOURS}, numbers);
      TestData.writeIntegers(file, "sites/" + side, new long[] {T, n, 3}, sites);
    }
  }

  /** The vectors of the sites of a side, their adjoint, and the phases with the factor L³/n. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, VOLUME})
  void load_isWhatTheSitesOfTheSideHave(int n) {
    Path path = TestData.write(folder, T, N, 1);
    write(path, "sink", n);
    write(path, "source", n);
    Momentum momentum = new Momentum(1, -2, 3);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      assertFalse(data.samplesTetraquarks());
      data.sampleTetraquarks(null);
      assertTrue(data.samplesTetraquarks());
      assertEquals(n, data.sampledSites(true));
      for (int time = 0; time < T; time++) {
        for (boolean atSource : new boolean[] {false, true}) {
          double[] v = TestData.load(data, new Input.Sites(atSource, null, time, false, n), N);
          double[] adjoint = TestData.load(data, new Input.Sites(atSource, null, time, true, n), N);
          double[] phases =
              TestData.load(data, new Input.Sites(atSource, momentum, time, atSource, n), N);
          List<Integer> sites = sites(n, (atSource ? "source" : "sink").hashCode() + time);
          for (int x = 0; x < n; x++) {
            long[] at = coordinates(sites.get(x));
            double angle = -2 * Math.PI * (at[0] - 2 * at[1] + 3 * at[2]) / EXTENT;
            double factor = (double) VOLUME / n;
            assertEquals(factor * Math.cos(angle), phases[2 * x], 1e-10);
            double im = factor * Math.sin(angle);
            assertEquals(atSource ? -im : im, phases[2 * x + 1], 1e-10);
            for (int k = 0; k < COLOURS * N; k++) {
              int i = k / COLOURS;
              int c = k % COLOURS;
              int from = 2 * (COLOURS * (i * VOLUME + sites.get(x)) + c);
              int row = 2 * ((COLOURS * x + c) * N + i);
              int column = 2 * ((i * n + x) * COLOURS + c);
              assertEquals(vectors(time)[from], v[row]);
              assertEquals(vectors(time)[from + 1], v[row + 1]);
              assertEquals(vectors(time)[from], adjoint[column]);
              assertEquals(-vectors(time)[from + 1], adjoint[column + 1]);
            }
          }
        }
      }
    }
  }

  /** One grid for both sides, or two of the same size. */
  @Test
  void check_ofSitesThatDifferInNumber_saysSo() {
    Path path = TestData.write(folder, T, N, 1);
    write(path, "sink", 3);
    write(path, "source", 4);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      List<Input> input = List.of(new Input.Sites(true, null, 0, false, 3));
      String message = TestData.refusal(() -> data.check(input));
      assertTrue(message.contains("as many at the sink as at the source"), message);
    }
  }

  @Test
  void check_withoutSites_saysWhatWouldDo() {
    Path path = TestData.write(folder, T, N, 1);
    Input input = new Input.Tetraquark(PairColour.TRIPLET, Momentum.ZERO, 0, false);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      data.sampleTetraquarks(true);
      String message = TestData.refusal(() -> data.check(List.of(input)));
      assertTrue(message.contains("sites/sink"), message);
      assertTrue(message.contains("--tetraquarks elementals does without them"), message);
    }
    write(path, "sink", 3);
    write(path, "source", 3);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      data.sampleTetraquarks(false);
      String message = TestData.refusal(() -> data.check(List.of(input)));
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
      String message = TestData.refusal(() -> data.sites(false));
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
    TestData.change(path, file -> file.delete("sites/sink"));
    try (DistillationData data = DistillationData.open(List.of(path))) {
      assertEquals(
          path + ": 'sites/sink': is missing; it says where the sampled vectors are",
          TestData.refusal(() -> data.sites(false)));
    }
  }
}
