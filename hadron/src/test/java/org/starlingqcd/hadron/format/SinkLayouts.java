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
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.ExampleArrays;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.DilutionScheme;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.GridHdf5;
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

  /** (TI4, SI2, LI4); five noises h0_… to h4_…. */
  public static SinkLayouts hadrons() {
    DilutionScheme scheme = scheme(DilutionScheme.interlaced(T, 4), 2, 4, true);
    List<String> names =
        List.of("h0_aaaa0000", "h1_aaaa0001", "h2_aaaa0002", "h3_aaaa0003", "h4_aaaa0004");
    double root = Math.sqrt(0.5);
    return new SinkLayouts(
        DistillationHeader.DEGRAND_ROSSI,
        scheme,
        names,
        k -> {
          double[] noise = new double[2 * T * 4 * N];
          Random random = new Random(k);
          Arrays.setAll(noise, at -> random.nextBoolean() ? root : -root);
          return noise;
        });
  }

  /** (TI4, SB2, LB3) of Z8; five noises, of the seeds 1 to 5. */
  public static SinkLayouts laph() {
    List<Integer> spins = DilutionScheme.blocks(4, 2);
    DilutionScheme scheme =
        new DilutionScheme(
            DilutionScheme.interlaced(T, 4), spins, DilutionScheme.blocks(N, 3), true);
    List<String> names = List.of("Z8_1", "Z8_2", "Z8_3", "Z8_4", "Z8_5");
    return new SinkLayouts(
        SpinBases.DIRAC_PAULI,
        scheme,
        names,
        k -> {
          LaphNoise noise = new LaphNoise(8, k + 1, 1, N);
          return ExampleArrays.joined(IntStream.range(0, T).mapToObj(noise::numbers).toList());
        });
  }

  private static DilutionScheme scheme(
      List<Integer> times, int spins, int vectors, boolean gamma5) {
    return new DilutionScheme(
        times, DilutionScheme.interlaced(4, spins), DilutionScheme.interlaced(N, vectors), gamma5);
  }

  /** Writes the layout of {@code slaph}, {@code hadrons} or {@code laph} to a folder. */
  public static SinkLayouts write(String format, Path folder) {
    SinkLayouts layouts;
    if (format.equals("slaph")) {
      layouts = slaph();
      layouts.slaph(folder);
    } else if (format.equals("hadrons")) {
      layouts = hadrons();
      layouts.hadrons(folder);
    } else {
      layouts = laph();
      layouts.laph(folder);
    }
    return layouts;
  }

  /** Writes a file of Starling with the set {@code light}. */
  public void own(Path path) {
    boolean explicit = !basis.isDeGrandRossi();
    String name = explicit ? DistillationHeader.EXPLICIT : DistillationHeader.DEGRAND_ROSSI;
    try (Hdf5File file = Hdf5File.create(path)) {
      new DistillationHeader("quenched_4x8", 1, 4, T, N, name, "antiperiodic").write(file);
      for (int mu = 1; explicit && mu <= 4; mu++) {
        TestData.writeGamma(file, mu, basis.matrix(Gamma.g(mu)));
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

  /** Writes files of Hadrons: perambulators {@code iDT_<p>.1.h5} and {@code noise.1.h5}. */
  public void hadrons(Path folder) {
    int noises = names.size();
    for (int p = 0; p < 4; p++) {
      double[] all = new double[0];
      for (double[] sinks : phi) {
        double[] ofClass = new double[sinks.length / 4];
        int block = ofClass.length / T;
        for (int t = 0; t < T; t++) {
          System.arraycopy(sinks, (4 * t + p) * block, ofClass, t * block, block);
        }
        all = ExampleArrays.joined(List.of(all, ofClass));
      }
      // [noise][t][s][v][alpha][i] to [t][i][v][noise][s][alpha]
      double[] ordered = permuted(all, new int[] {noises, T, 2, 4, 4, N}, 1, 5, 3, 0, 2, 4);
      long[] extents = {T, N, 4, noises, 2, 4};
      int timeClass = p;
      GridHdf5.write(
          folder.resolve("iDT_" + p + ".1.h5"),
          file -> {
            file.createGroup("MetaData/noiseHashes");
            file.attributes("MetaData").put("timeDilutionIndex", timeClass);
            for (int k = 0; k < noises; k++) {
              file.attributes("MetaData/noiseHashes").put("noiseHashes_" + k, "aaaa000" + k + "ff");
            }
          },
          "Perambulator",
          extents,
          ordered,
          false,
          extents);
    }
    double[] hits = permuted(ExampleArrays.joined(rho), new int[] {noises, T, 4, N}, 0, 1, 3, 2);
    long[] extents = {noises, T * N * 4};
    List<String> hashes = new ArrayList<>();
    for (int k = 0; k < noises; k++) {
      hashes.add("aaaa000" + k + "ff");
    }
    GridHdf5.write(
        folder.resolve("noise.1.h5"),
        file -> {
          file.createGroup("distil");
          file.attributes("distil").put("DilutionSizes", new int[] {4, 4, 2});
          try (Hdf5Dataset dataset =
              file.createDataset("distil/NoiseHitHashes", ElementType.STRING, noises)) {
            dataset.writeStrings(hashes);
          }
        },
        "distil/NoiseHits",
        extents,
        hits,
        false,
        extents);
  }

  /** The header of a file of quda_laph with the quark sinks of a seed and a time class. */
  static String laphHeader(int seed, int timeClass) {
    return """
        <QuarkHandlerDataFile><GaugeConfigurationInfo><EnsembleName>quenched_4x8</EnsembleName>
        <ConfigNumber>1</ConfigNumber><FermionTimeBC>antiperiodic</FermionTimeBC></GaugeConfigurationInfo>
        <LaphDilutionScheme><TimeDilution><NumberProjectors>4</NumberProjectors><DilutionType>interlace
        </DilutionType></TimeDilution><SpinDilution><DilutionType>block</DilutionType></SpinDilution>
        <EigvecDilution><NumberProjectors>3</NumberProjectors><DilutionType>block</DilutionType>
        </EigvecDilution></LaphDilutionScheme><QuarkActionInfo><Flavor>ud</Flavor></QuarkActionInfo>
        <FileKey><LaphNoiseInfo><ZNGroup>8</ZNGroup><Seed>%d</Seed></LaphNoiseInfo>
        <TimeProjectorIndex>%d</TimeProjectorIndex></FileKey></QuarkHandlerDataFile>"""
        .formatted(seed, timeClass);
  }

  /** Writes files of quda_laph, {@code sink.<seed>.<p>}. */
  public void laph(Path folder) {
    for (int k = 0; k < names.size(); k++) {
      for (int p = 0; p < 4; p++) {
        IoMapWriter writer =
            new IoMapWriter(
                k % 2 == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN,
                k % 2 == 0,
                "Laph--QuarkSink",
                laphHeader(k + 1, p));
        for (int t = 0; t < T; t++) {
          for (int row = 0; row < 2 * 3 * 4; row++) {
            int from = 2 * N * ((t * 4 + p) * 24 + row);
            // Projectors are v · S + s.
            int d = row / 4 % 3 * 2 + row / 12;
            double[] numbers = Arrays.copyOfRange(phi.get(k), from, from + 2 * N);
            writer.put(d << 17 | t << 2 | row % 4, numbers);
          }
        }
        writer.write(folder.resolve("sink." + (k + 1) + "." + p));
      }
    }
  }
}
