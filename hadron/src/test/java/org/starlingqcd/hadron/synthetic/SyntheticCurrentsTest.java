package org.starlingqcd.hadron.synthetic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.conversion.Hdf5Conversion;
import org.starlingqcd.hadron.conversion.NpyConversion;
import org.starlingqcd.hadron.data.BlockOrder;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.format.SdbExport;

class SyntheticCurrentsTest {
  private static final int T = 4;
  private static final int N = 3;
  private static final List<Gamma> GAMMAS =
      List.of(Gamma.ONE, Gamma.G4, Gamma.parse("g3g5"), Gamma.parse("g2g1"));

  @TempDir Path folder;

  private static SyntheticEnsemble ensemble(
      int extent, int n, List<String> displacements, boolean complete) {
    return ensemble(GAMMAS, extent, n, displacements, complete);
  }

  private static SyntheticEnsemble ensemble(
      List<Gamma> gammas, int extent, int n, List<String> displacements, boolean complete) {
    return new SyntheticEnsemble(
        "syn",
        extent,
        T,
        n,
        List.of("light", "strange"),
        List.of(),
        TestData.MOMENTA,
        List.of(),
        false,
        0,
        7,
        List.of(),
        new SyntheticCurrents(gammas, displacements, TestData.MOMENTA, List.of(0, 1, 3), complete),
        List.of(),
        false,
        List.of());
  }

  private static double[] stored(DistillationData data, DataBlock block) {
    try (HostMemory memory = HostMemory.allocate(block.shape(N).bytes())) {
      data.loadStored(block, memory, 0);
      double[] numbers = new double[(int) memory.bytes() / Double.BYTES];
      memory.get(0, numbers, 0, numbers.length);
      return numbers;
    }
  }

  @Test
  void write_exactGamma5Hermiticity() {
    AtomicLong bytes = new AtomicLong();
    SyntheticEnsemble ensemble = ensemble(8, N, List.of("none", "D_z", "D_t", "conserved"), false);
    Path path = SyntheticData.write(ensemble, 12, folder, bytes::addAndGet);
    assertEquals(ensemble.bytes(), bytes.get());
    try (DistillationData data = DistillationData.open(List.of(path));
        HostMemory memory = HostMemory.allocate(16L * 16 * N * N)) {
      // Of the four gammas, g4 alone has a conserved current.
      assertEquals((4 * 3 + 1) * 3 * 4, data.generalizedPerambulators().size());
      assertEquals((4 * 3 + 1) * 3 * 2, data.loops().size());
      for (CurrentName name : data.generalizedPerambulators()) {
        data.blocks()
            .generalized(name)
            .forEach(
                (ends, times) -> {
                  assertEquals(T, times.cardinality());
                  double[] block = stored(data, new DataBlock.Generalized(name, ends, 2));
                  double[] other =
                      stored(data, new DataBlock.Generalized(name.reversed(), ends.exchanged(), 2));
                  memory.put(0, other, 0, other.length);
                  BlockOrder.gamma5Adjoint(memory, 0, N);
                  memory.get(0, other, 0, other.length);
                  for (int k = 0; k < block.length; k++) {
                    assertEquals(name.eta() * other[k] + 0.0, block[k] + 0.0, name + " " + ends);
                  }
                });
      }
      for (CurrentName name : data.loops()) {
        Complex loop = data.number(new DataBlock.Loop(name.bar(), name.vertex(), 1));
        Complex other = data.number(new DataBlock.Loop(name.bar(), name.reversed().vertex(), 1));
        assertEquals(loop.re() + 0.0, name.eta() * other.re() + 0.0, name.toString());
        assertEquals(loop.im() + 0.0, -name.eta() * other.im() + 0.0, name.toString());
      }
    }
  }

  /** Entry by entry: τ_Γ = Σ τ(t_f, t) (Γ ⊗ Φ) τ(t, t_i), and its trace. */
  @Test
  void complete_productsOfPerambulators() {
    Path path = SyntheticData.write(ensemble(1, N, List.of("none"), true), 12, folder, b -> {});
    try (DistillationData data = DistillationData.open(List.of(path))) {
      for (CurrentName name : data.generalizedPerambulators()) {
        int t = 2;
        SpinMatrix gamma = SpinMatrix.deGrandRossi(name.vertex().gamma());
        double[] left = stored(data, new DataBlock.Perambulator(name.bar(), 3, t));
        double[] right = stored(data, new DataBlock.Perambulator(name.quark(), t, 1));
        double[] block =
            stored(data, new DataBlock.Generalized(name, new CurrentName.Ends(3, 1), t));
        double[] phi =
            TestData.load(
                data,
                new Input.Elemental(new ElementalRef("none", name.vertex().momentum(), false), t),
                N);
        for (int a = 0; a < 4; a++) {
          for (int j = 0; j < N; j++) {
            Complex sum = Complex.ZERO;
            for (int c = 0; c < 4; c++) {
              for (int d = 0; d < 4; d++) {
                Complex g = new Complex(gamma.re(c, d), gamma.im(c, d));
                for (int k = 0; k < N; k++) {
                  for (int l = 0; l < N; l++) {
                    sum =
                        sum.plus(
                            at(left, a, c, 1, k)
                                .times(g)
                                .times(new Complex(phi[2 * (k * N + l)], phi[2 * (k * N + l) + 1]))
                                .times(at(right, d, 2, l, j)));
                  }
                }
              }
            }
            assertEquals(sum.re(), at(block, a, 2, 1, j).re(), 1e-14, name.toString());
            assertEquals(sum.im(), at(block, a, 2, 1, j).im(), 1e-14, name.toString());
          }
        }
      }
      for (CurrentName name : data.loops()) {
        SpinMatrix gamma = SpinMatrix.deGrandRossi(name.vertex().gamma());
        double[] tau = stored(data, new DataBlock.Perambulator(name.bar(), 0, 0));
        double[] phi =
            TestData.load(
                data,
                new Input.Elemental(new ElementalRef("none", name.vertex().momentum(), false), 0),
                N);
        Complex sum = Complex.ZERO;
        for (int c = 0; c < 16; c++) {
          for (int k = 0; k < N * N; k++) {
            sum =
                sum.plus(
                    new Complex(gamma.re(c / 4, c % 4), gamma.im(c / 4, c % 4))
                        .times(new Complex(phi[2 * k], phi[2 * k + 1]))
                        .times(at(tau, c % 4, c / 4, k % N, k / N)));
          }
        }
        Complex loop = data.number(new DataBlock.Loop(name.bar(), name.vertex(), 0));
        assertEquals(sum.re(), loop.re(), 1e-14, name.toString());
        assertEquals(sum.im(), loop.im(), 1e-14, name.toString());
      }
    }
  }

  private static Complex at(double[] block, int a, int b, int i, int j) {
    int k = 2 * (((4 * a + b) * N + i) * N + j);
    return new Complex(block[k], block[k + 1]);
  }

  @Test
  void complete_needsAllSites() {
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> ensemble(2, N, List.of("none"), true))
            .getMessage()
            .contains("N = 3 L^3 = 24: eigenvectors=3"));
    assertThrows(IllegalArgumentException.class, () -> ensemble(1, N, List.of("D_t"), true));
    assertThrows(IllegalArgumentException.class, () -> ensemble(1, N, List.of("conserved"), true));
    List<Gamma> axial = List.of(Gamma.parse("g3g5"));
    assertThrows(
        IllegalArgumentException.class, () -> ensemble(axial, 8, N, List.of("conserved"), false));
  }

  /** Gaps stay gaps or become zero, and insertion times and all numbers are as before. */
  @ParameterizedTest
  @ValueSource(strings = {"x.h5", "x.yaml", "x_cfg_12.*.sdb"})
  void conversion_keepsCurrents(String copy) throws IOException {
    boolean sdb = copy.endsWith("sdb");
    // A block of an SDB file is a vertex of all 16.
    List<Gamma> gammas =
        sdb ? IntStream.range(0, 16).mapToObj(mask -> new Gamma(mask, 1)).toList() : GAMMAS;
    SyntheticEnsemble ensemble = ensemble(gammas, 8, N, List.of("none", "D_t"), false);
    Path path = SyntheticData.write(ensemble, 12, folder, b -> {});
    String object = "generalized_perambulators/light-strange/g4/none/0_0_1";
    TestData.writeMask(path, object, new long[] {3, T, 3}, k -> k % 5 == 0 || k >= 30 ? 0 : 1);
    TestData.writeMask(path, "loops/light/g4/D_t/0_0_0", new long[] {T}, k -> k % 2);
    Path target = folder.resolve("to/" + copy);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      AtomicLong bytes = new AtomicLong();
      Files.createDirectories(target.getParent());
      if (copy.endsWith("h5")) {
        Hdf5Conversion.write(data, target, "x", name -> true, bytes::addAndGet);
      } else if (sdb) {
        assertEquals(
            List.of(
                "generalized_perambulators/light-light/*/D_t",
                "generalized_perambulators/light-strange/*/D_t",
                "generalized_perambulators/light-strange/*/none",
                "generalized_perambulators/strange-light/*/D_t",
                "generalized_perambulators/strange-light/*/none",
                "generalized_perambulators/strange-strange/*/D_t",
                "loops/light/*/D_t",
                "loops/strange/*/D_t"),
            SdbExport.write(data, target.getParent(), "x_cfg_12", name -> true, bytes::addAndGet));
      } else {
        assertEquals(
            List.of("x.current.light-strange.g4.none.0.0.npy", "x.loop.light.g4.D_t.npy"),
            NpyConversion.write(data, target.getParent(), "x", name -> true, bytes::addAndGet)
                .stream()
                .filter(name -> !name.contains("none.") || name.contains(".0.0."))
                .toList());
      }
      assertTrue(sdb || Hdf5Conversion.bytes(data, name -> true) == bytes.get());
      try (DistillationData copied =
          DistillationFiles.discover(List.of(target.toString())).get(0).open()) {
        for (CurrentName name : data.generalizedPerambulators()) {
          Map<CurrentName.Ends, BitSet> there = copied.blocks().generalized(name);
          data.blocks()
              .generalized(name)
              .forEach(
                  (ends, times) -> {
                    for (int t : times.stream().toArray()) {
                      DataBlock block = new DataBlock.Generalized(name, ends, t);
                      if (sdb && !isInSdb(name)) {
                        assertEquals(Map.of(), there);
                      } else {
                        assertArrayEquals(stored(data, block), stored(copied, block));
                      }
                    }
                  });
        }
        for (CurrentName name : data.loops()) {
          DataBlock loop = new DataBlock.Loop(name.bar(), name.vertex(), 0);
          for (int t : data.times(loop).stream().toArray()) {
            assertEquals(!sdb || isInSdb(name), copied.stores(loop.at(t)));
            if (!sdb || isInSdb(name)) {
              assertEquals(
                  data.number(new DataBlock.Loop(name.bar(), name.vertex(), t)),
                  copied.number(new DataBlock.Loop(name.bar(), name.vertex(), t)));
            }
          }
        }
        if (copy.endsWith("h5")) {
          CurrentName name =
              CurrentName.of(
                  "light-strange", new CurrentVertex(Gamma.G4, "none", new Momentum(0, 0, 1)));
          assertEquals(data.blocks().generalized(name), copied.blocks().generalized(name));
        } else if (!sdb) {
          assertThrows(
              DistillationException.class,
              () ->
                  copied.number(
                      new DataBlock.Loop(
                          "light", new CurrentVertex(Gamma.G4, "D_t", Momentum.ZERO), 0)));
        }
      }
    }
  }

  private static boolean isInSdb(CurrentName name) {
    return name.bar().equals(name.quark()) && name.vertex().displacement().equals("none");
  }
}
