package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** What holds between stochastic and exact lines on the bundled data, T = 8 and N = 8. */
final class DilutionEqualitiesTest {
  private static final Path EXAMPLES = Path.of("../examples");
  private static final Path EXACT = EXAMPLES.resolve("data/quenched_4x8_cfg0001.h5");
  private static final Path SINKS =
      EXAMPLES.resolve("data-stochastic/quenched_4x8_stochastic_cfg0001.h5");
  private static final int T = 8;
  private static final int N = 8;

  @TempDir Path folder;

  private static double[] read(Path file, String object) {
    try (Hdf5File hdf5 = Hdf5File.open(file);
        Hdf5Dataset dataset = hdf5.dataset(object)) {
      return dataset.readAll();
    }
  }

  private double[] run(String definition, String more, Path... data) throws IOException {
    Path file = folder.resolve("d.yaml");
    Files.writeString(file, "name: d\n" + definition);
    Cli.run(
            Cli.and(
                Cli.words("run %s --overwrite --out %s " + more + " --data", file, folder),
                Arrays.stream(data).map(Path::toString).toArray(String[]::new)))
        .ok();
    return read(folder.resolve("d.h5"), "cfg_0001/correlator");
  }

  private static void assertSame(double[] expected, double[] actual) {
    double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
    assertArrayEquals(expected, actual, 1e-12 * largest);
  }

  private static Path dilute(Path out, String label, String more) {
    Cli.line("dilute %s --label %s --out %s " + more, EXACT, label, out).ok();
    return out;
  }

  private static String meson(String bar, String quark) {
    return "{bar: %s, gamma: g5, quark: %s, momentum: [0, 0, 0]}".formatted(bar, quark);
  }

  /**
   * Two noises that differ by the sign on half of the eigenvectors, each of which shares a class
   * with one of the other half: the mean of their estimates is exact.
   */
  @Test
  void completeNoises_areExact() throws IOException {
    List<Path> data = new ArrayList<>(List.of(EXACT));
    for (String label : List.of("light", "strange")) {
      Path file = folder.resolve(label + ".h5");
      data.add(dilute(file, label, "--noises 1 --sources 0,3 --group U1 --names " + label));
      String sinks = "quark_sinks/" + label + "/" + label;
      double[] rho = read(file, "noises/" + label + 0);
      double[] phi = read(file, sinks + 0);
      // [T, P', S, V, 4, N] with V = N; class v of the new set has the eigenvectors v and v + N/2.
      int vector = 2 * 4 * N;
      double[][] made = new double[2][phi.length / 2];
      double[] second = rho.clone();
      for (int k = 0; k < rho.length; k++) {
        second[k] *= k / 2 % N < N / 2 ? 1 : -1;
      }
      for (int k = 0; k < phi.length; k++) {
        int v = k / vector % N;
        int to = (k / vector / N * (N / 2) + v % (N / 2)) * vector + k % vector;
        made[0][to] += phi[k];
        made[1][to] += v < N / 2 ? phi[k] : -phi[k];
      }
      TestData.change(
          file,
          hdf5 -> {
            hdf5.attributes("quark_sinks/" + label).delete("eigenvector_dilution");
            hdf5.attributes("quark_sinks/" + label)
                .put("eigenvector_dilution", new int[] {0, 1, 2, 3, 0, 1, 2, 3});
            TestData.replace(hdf5, "noises/" + label + 1, new long[] {T, 4, N}, second);
            for (int r = 0; r < 2; r++) {
              TestData.replace(hdf5, sinks + r, new long[] {T, 2, 4, N / 2, 4, N}, made[r]);
            }
          });
    }
    String kaon = "operators: [{name: K, terms: [{mesons: [%s]}]}]\n".formatted(meson("s", "u"));
    Path[] files = data.toArray(Path[]::new);
    double[] exact = run(kaon, "--sources 0,3", files);
    String ends = "stochastic: {light: {noise_at: source}, strange: {noise_at: source}}\n";
    assertSame(exact, run(kaon + ends, "--sources 0,3", files));
  }

  /** A phase for each noise and projector, in ρ and φ. */
  @Test
  void phases_doNotMatter() throws IOException {
    Path copy = Files.copy(SINKS, folder.resolve("copy.h5"));
    TestData.change(
        copy,
        file -> {
          for (int r = 0; r < 5; r++) {
            int noise = r;
            int vector = 4 * N;
            turn(
                file,
                "noises/r" + r,
                k -> noise + 5 * ((k / vector % 4 * 4 + k / N % 4) * 4 + k % N % 4));
            turn(file, "quark_sinks/light_relative/r" + r, k -> noise + 5 * (k / vector % 64));
          }
        });
    String definition =
        Files.readString(EXAMPLES.resolve("stochastic/diluted_nucleon.yaml"))
            .replaceFirst("(?m)^name:.*$", "");
    double[] before = run(definition, "--sources 0,3", EXACT, SINKS);
    assertSame(before, run(definition, "--sources 0,3", EXACT, copy));
  }

  private static void turn(Hdf5File file, String object, IntUnaryOperator steps) {
    try (Hdf5Dataset dataset = file.dataset(object)) {
      double[] numbers = dataset.readAll();
      for (int k = 0; k < numbers.length / 2; k++) {
        double angle = 0.7 * steps.applyAsInt(k);
        Complex z =
            new Complex(numbers[2 * k], numbers[2 * k + 1])
                .times(new Complex(Math.cos(angle), Math.sin(angle)));
        numbers[2 * k] = z.re();
        numbers[2 * k + 1] = z.im();
      }
      dataset.writeAll(numbers);
    }
  }

  /** 32 windows of two noises without a common one. */
  @Test
  void mean_isExactWithinItsErrors() throws IOException {
    int pairs = 32;
    Path sinks =
        dilute(
            folder.resolve("many.h5"),
            "light",
            "--set many --noises " + 2 * pairs + " --sources 0 --names n");
    String pion = "operators: [{name: pi, terms: [{mesons: [%s]}]}]\n".formatted(meson("d", "u"));
    double[] exact = run(pion, "--separations 1-3", EXACT, sinks);
    StringBuilder names = new StringBuilder();
    // As text n10 comes before n2; windows begin at every noise.
    for (int k = 0; k < 2 * pairs; k++) {
      names.append(k == 0 ? "n" : ", n").append(k);
    }
    run(
        pion
            + "noise_subsets: %d\nstochastic: {light: {sinks: many, noise_at: source, noises: [%s]}}\n"
                .formatted(2 * pairs, names),
        "--separations 1-3 --keep-noises",
        EXACT,
        sinks);
    double[] windows = read(folder.resolve("d.h5"), "cfg_0001/by_subset");
    for (int dt = 0; dt < 3; dt++) {
      double sum = 0;
      double squares = 0;
      for (int k = 0; k < pairs; k++) {
        double value = windows[2 * (3 * 2 * k + dt)];
        sum += value / pairs;
        squares += value * value / pairs;
      }
      double error = Math.sqrt((squares - sum * sum) / (pairs - 1));
      assertTrue(error > 0 && error < 0.2 * exact[2 * dt], dt + ": " + error);
      assertEquals(exact[2 * dt], sum, 4 * error);
    }
  }

  /**
   * Each noise as a perambulator Σ_d φ ρ* of its own, each assignment as a term with flavours of
   * its own: the exact engine gives the same.
   */
  @Test
  void noisesAsPerambulators_giveTheSame() throws IOException {
    Path perambulators = folder.resolve("lines.h5");
    int noises = 5;
    try (Hdf5File file = Hdf5File.create(perambulators)) {
      new DistillationHeader("quenched_4x8", 1, 4, T, N, "DeGrand-Rossi", "antiperiodic")
          .write(file);
      for (int r = 0; r < noises; r++) {
        double[] tau =
            line(read(SINKS, "noises/r" + r), read(SINKS, "quark_sinks/light_relative/r" + r));
        TestData.replace(file, "perambulators/r" + r, new long[] {T, T, 4, 4, N, N}, tau);
        file.attributes("perambulators/r" + r).put("gamma5_hermitian", 0);
      }
    }
    String stochastic = "stochastic: {light: {sinks: light_relative}}\n";
    for (int mesons = 1; mesons <= 2; mesons++) {
      StringBuilder terms = new StringBuilder();
      int count = assignments(new ArrayList<>(), noises, 2 * mesons, terms);
      String flavours = "quarks: {a0: r0, a1: r1, a2: r2, a3: r3, a4: r4}\n";
      String one = meson("d", "u") + (mesons == 2 ? ", " + meson("d", "u") : "");
      double[] expected =
          run(
              flavours + "operators:\n  - name: o\n    terms:\n" + terms,
              "--separations 0-3 --sources 2",
              EXACT,
              perambulators);
      Arrays.setAll(expected, k -> expected[k] / count);
      String operator = "operators: [{name: o, terms: [{mesons: [%s]}]}]\n".formatted(one);
      assertSame(
          expected, run(operator + stochastic, "--separations 0-3 --sources 2", EXACT, SINKS));
    }
  }

  /** Writes a term for every choice of different noises, and returns their number. */
  private static int assignments(List<Integer> chosen, int noises, int lines, StringBuilder terms) {
    if (chosen.size() == lines) {
      List<String> mesons = new ArrayList<>();
      for (int k = 0; k < lines; k += 2) {
        mesons.add(meson("a" + chosen.get(k), "a" + chosen.get(k + 1)));
      }
      terms.append("      - mesons: [").append(String.join(", ", mesons)).append("]\n");
      return 1;
    }
    int count = 0;
    for (int r = 0; r < noises; r++) {
      if (!chosen.contains(r)) {
        chosen.add(r);
        count += assignments(chosen, noises, lines, terms);
        chosen.remove(chosen.size() - 1);
      }
    }
    return count;
  }

  /** Σ_d φ(t)[α,i] ρ(t')[β,j]* of (TI4, SF, LI4), [T][T][4][4][N][N]. */
  private static double[] line(double[] rho, double[] phi) {
    double[] tau = new double[2 * T * T * 16 * N * N];
    for (int k = 0; k < tau.length / 2; k++) {
      int j = k % N;
      int i = k / N % N;
      int b = k / N / N % 4;
      int a = k / N / N / 4 % 4;
      int source = k / N / N / 16 % T;
      int sink = k / N / N / 16 / T;
      int from = 2 * (((((sink * 4 + source % 4) * 4 + b) * 4 + j % 4) * 4 + a) * N + i);
      int at = 2 * ((source * 4 + b) * N + j);
      Complex number =
          new Complex(phi[from], phi[from + 1]).times(new Complex(rho[at], -rho[at + 1]));
      tau[2 * k] = number.re();
      tau[2 * k + 1] = number.im();
    }
    return tau;
  }
}
