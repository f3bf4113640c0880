package org.starlingqcd.hadron.synthetic;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.LongIntTable;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DatasetLayout;
import org.starlingqcd.hadron.data.DilutionScheme;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.NoiseGroup;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * A set of quark sinks that is made of exact perambulators, φ = τ P ρ, with noises of its own.
 *
 * <p>ρ(t)[β,j] of a noise is chosen by 64 random bits ({@link NoiseGroup#number}) that depend on
 * the seed, the configuration, the name of the noise and t, β, j alone. They are those of
 * SplitMix64, x ^= x >>> 30; x *= 0xbf58476d1ce4e5b9; x ^= x >>> 27; x *= 0x94d049bb133111eb; x ^=
 * x >>> 31, of x = h + (2³² (4 t + β) + j + 1) · 0x9e3779b97f4a7c15, where h is the 64-bit hash
 * FNV-1a of the text {@code SEED/CONFIGURATION/noises/NAME}. So N and T do not matter: fewer
 * eigenvectors have the first of the same numbers.
 *
 * @param label of the perambulators
 * @param set name of the set
 * @param scheme its dilution
 * @param timeClasses the time classes that are stored, in this order
 * @param noises names of the noises
 * @param group what the numbers of the noises are
 * @param seed of the noises
 */
public record SinkSet(
    String label,
    String set,
    DilutionScheme scheme,
    List<Integer> timeClasses,
    List<String> noises,
    NoiseGroup group,
    long seed) {
  private static final int SPINS = SpinMatrix.SPINS;

  /** Perambulators of the label. */
  public interface Lines {
    /** Writes τ(sink, source), [4][4][N][N], to the first half of memory for two. */
    void load(int sinkTime, int sourceTime, HostMemory memory);
  }

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException when a name has other characters than letters, digits, _ and -
   */
  public SinkSet {
    timeClasses = List.copyOf(timeClasses);
    noises = List.copyOf(noises);
    if (!(set + String.join("", noises)).matches("[A-Za-z0-9_-]+")) {
      throw new IllegalArgumentException(
          "names are letters, digits, _ and -: '%s', %s".formatted(set, noises));
    }
  }

  /** Bytes of all numbers. */
  public long bytes() {
    long vectors = (long) noises.size() * scheme.times().size();
    vectors *= 1 + timeClasses.size() * scheme.size();
    return 16L * SPINS * scheme.vectors().size() * vectors;
  }

  /** ρ(t)[β,j] of a noise of a configuration, [T][4][N], interleaved complex. */
  public double[] numbers(String noise, DistillationHeader header) {
    int n = header.eigenvectors();
    long hash = SyntheticData.hash(seed + "/" + header.configuration() + "/noises/" + noise);
    double[] numbers = new double[2 * header.temporalExtent() * SPINS * n];
    for (int k = 0; k < numbers.length / 2; k++) {
      long index = ((long) (k / n) << 32) + k % n;
      long bits = LongIntTable.mixed(hash + index * 0x9e3779b97f4a7c15L);
      System.arraycopy(group.number(bits), 0, numbers, 2 * k, 2);
    }
    return numbers;
  }

  /**
   * Writes noises and sinks of a configuration. Each τ is loaded once; in memory are one of them
   * and, for each noise, the sinks of one time and time class.
   *
   * @param lines in the basis of the file
   */
  public void write(Hdf5File file, DistillationHeader header, Lines lines) {
    int extent = header.temporalExtent();
    int n = header.eigenvectors();
    List<double[]> rho = new ArrayList<>();
    List<DatasetLayout> layouts = new ArrayList<>();
    for (String noise : noises) {
      double[] numbers = numbers(noise, header);
      rho.add(numbers);
      try (Hdf5Dataset dataset =
          file.createDataset("noises/" + noise, ElementType.COMPLEX, extent, SPINS, n)) {
        dataset.writeAll(numbers);
        dataset.attributes().put("group", group.toString());
        dataset.attributes().put("seed", seed);
      }
      DatasetLayout layout =
          new DatasetLayout(timeClasses.stream().map(p -> sink(noise, p, 0)).toList(), header);
      layout.create(file, DatasetOptions.chunked(0, false, layout.block())).close();
      layouts.add(layout);
    }
    try (HostMemory tau = HostMemory.allocate(2 * TensorShape.mesonNode(n).bytes())) {
      for (int sink = 0; sink < extent; sink++) {
        for (int p : timeClasses) {
          double[][] phi = new double[noises.size()][2 * scheme.size() * SPINS * n];
          for (int source = 0; source < extent; source++) {
            if (scheme.times().get(source) == p) {
              lines.load(sink, source, tau);
              for (int r = 0; r < phi.length; r++) {
                scheme.add(tau, rho.get(r), source, phi[r]);
              }
            }
          }
          for (int r = 0; r < phi.length; r++) {
            DatasetLayout layout = layouts.get(r);
            try (Hdf5Dataset dataset = file.dataset(layout.object())) {
              dataset.write(layout.start(sink(noises.get(r), p, sink)), layout.block(), phi[r]);
            }
          }
        }
      }
    }
  }

  private DataBlock sink(String noise, int timeClass, int time) {
    return new DataBlock.Sink(set, noise, scheme, timeClass, time);
  }
}
