package org.starlingqcd.hadron.format;

import static org.starlingqcd.hadron.ExampleArrays.N;
import static org.starlingqcd.hadron.ExampleArrays.T;
import static org.starlingqcd.hadron.ExampleArrays.permuted;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.ExampleArrays;
import org.starlingqcd.hadron.data.DilutionScheme;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * A set of quark sinks of the bundled data, φ = τ P ρ for the light quark in some basis of gamma
 * matrices, as Starling and other programs would write it.
 */
public final class SinkLayouts {
  private final GammaBasis basis;
  private final DilutionScheme scheme;
  private final List<String> names = new ArrayList<>();

  /** By noise: ρ [T][4][N] and φ [T][P][S][V][4][N]. */
  private final List<double[]> rho = new ArrayList<>();

  private final List<double[]> phi = new ArrayList<>();

  /** Makes sinks of some noises; each is Z4 without {@code noise}. */
  private SinkLayouts(
      String basis, DilutionScheme scheme, List<String> names, IntFunction<double[]> noise) {
    this.basis = SpinBases.known(basis);
    this.scheme = scheme;
    try (ExampleArrays example = ExampleArrays.open()) {
      double[] tau = example.tau("light", this.basis, false);
      for (int k = 0; k < names.size(); k++) {
        this.names.add(names.get(k));
        rho.add(noise.apply(k));
        phi.add(sinks(tau, rho.get(k)));
      }
    }
  }

  private static double[] z4(long seed) {
    Random random = new Random(seed);
    double[] noise = new double[2 * T * 4 * N];
    for (int k = 0; k < noise.length; k += 2) {
      noise[k + random.nextInt(2)] = random.nextBoolean() ? 1 : -1;
    }
    return noise;
  }

  private double[] sinks(double[] tau, double[] noise) {
    int p = scheme.timeClasses();
    int d = scheme.size();
    double[] sinks = new double[2 * T * p * d * 4 * N];
    for (int k = 0; k < tau.length / 2; k++) {
      int j = k % N;
      int i = k / N % N;
      int beta = k / (N * N) % 4;
      int alpha = k / (N * N) / 4 % 4;
      int source = k / (N * N * 16) % T;
      int sink = k / (N * N * 16) / T;
      int column = (sink * p + scheme.times().get(source)) * d + scheme.projector(beta, j);
      int to = 2 * ((column * 4 + alpha) * N + i);
      int at = 2 * ((source * 4 + beta) * N + j);
      sinks[to] += tau[2 * k] * noise[at] - tau[2 * k + 1] * noise[at + 1];
      sinks[to + 1] += tau[2 * k] * noise[at + 1] + tau[2 * k + 1] * noise[at];
    }
    return sinks;
  }

  /** (TB4, SF, LI4) without γ5-hermiticity in the basis of sLapH; noises u_00 … u_04. */
  public static SinkLayouts slaph() {
    DilutionScheme scheme = scheme(DilutionScheme.blocks(T, 4), 4, 4, false);
    List<String> names = List.of("u_00", "u_01", "u_02", "u_03", "u_04");
    return new SinkLayouts("sLapH", scheme, names, k -> z4(k));
  }

  private static DilutionScheme scheme(
      List<Integer> times, int spins, int vectors, boolean gamma5) {
    return new DilutionScheme(
        times, DilutionScheme.interlaced(4, spins), DilutionScheme.interlaced(N, vectors), gamma5);
  }

  /** Writes a file of Starling with the set {@code light}. */
  public void own(Path path) {
    boolean explicit = !basis.isDeGrandRossi();
    String name = explicit ? DistillationHeader.EXPLICIT : DistillationHeader.DEGRAND_ROSSI;
    try (Hdf5File file = Hdf5File.create(path)) {
      new DistillationHeader("quenched_4x8", 1, 4, T, N, name, "antiperiodic").write(file);
      for (int mu = 1; explicit && mu <= 4; mu++) {
        SpinMatrix gamma = basis.matrix(Gamma.g(mu));
        double[] numbers = new double[32];
        for (int k = 0; k < 16; k++) {
          numbers[2 * k] = gamma.re(k / 4, k % 4);
          numbers[2 * k + 1] = gamma.im(k / 4, k % 4);
        }
        write(file, "gamma/g" + mu, numbers, 4, 4);
      }
      file.createGroup("quark_sinks/light");
      scheme.write(file.attributes("quark_sinks/light"));
      for (int k = 0; k < names.size(); k++) {
        write(file, "noises/" + names.get(k), rho.get(k), T, 4, N);
        int p = scheme.timeClasses();
        int s = scheme.spinClasses();
        int v = scheme.vectorClasses();
        write(file, "quark_sinks/light/" + names.get(k), phi.get(k), T, p, s, v, 4, N);
      }
    }
  }

  private static void write(Hdf5File file, String object, double[] numbers, long... extents) {
    try (Hdf5Dataset dataset = file.createDataset(object, ElementType.COMPLEX, extents)) {
      dataset.writeAll(numbers);
    }
  }

  /** Writes files of sLapH-contractions. */
  public void slaph(Path folder) {
    int[] extents = {T, 4, 4, 4, 4, N};
    for (int k = 0; k < names.size(); k++) {
      double[] sinks = permuted(phi.get(k), extents, 0, 5, 4, 1, 3, 2);
      String name = "rndvecnb0" + k + ".u";
      raw(
          folder.resolve(
              "perambulator."
                  + name
                  + ".TsoB0004.VsoI0004.DsoF4.TsiF0008.SsiF0064.DsiF4.CsiF3.smeared0.00001"),
          sinks);
      double[] noise = permuted(rho.get(k), new int[] {T, 4, N}, 0, 2, 1);
      raw(folder.resolve("randomvector." + name + ".nbev0008.0001"), noise);
    }
  }

  private static void raw(Path path, double[] numbers) {
    ByteBuffer bytes =
        ByteBuffer.allocate(numbers.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asDoubleBuffer().put(numbers);
    try {
      Files.write(path, bytes.array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
