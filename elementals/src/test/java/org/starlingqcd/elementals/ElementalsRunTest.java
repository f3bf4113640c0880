package org.starlingqcd.elementals;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.arrays.CoherenceProtocol;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.gpu.HostGpu;
import org.starlingqcd.backend.gpu.HostGpuProvider;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.elementals.vectors.EigenvectorFile;
import org.starlingqcd.elementals.vectors.Eigenvectors;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.memhc.MemHCOptions;

class ElementalsRunTest {
  static final List<String> ALL =
      List.of(
          "none", "nabla_x", "nabla_y", "nabla_z", "D_x", "D_y", "D_z", "D_xD_x", "D_xD_y",
          "D_xD_z", "D_yD_x", "D_yD_y", "D_yD_z", "D_zD_x", "D_zD_y", "D_zD_z");

  @TempDir Path folder;

  static ElementalsRun.Outcome run(
      Path vectors,
      Path target,
      ElementalsRequest request,
      CoherenceProtocol protocol,
      long budget) {
    return run(Backends.select("cpu", 0), vectors, target, request, protocol, budget);
  }

  private static ElementalsRun.Outcome run(
      BackendProvider backend,
      Path vectors,
      Path target,
      ElementalsRequest request,
      CoherenceProtocol protocol,
      long budget) {
    try (Device device = backend.open(new DeviceOptions(0, 2, budget, false));
        Eigenvectors source = EigenvectorFile.open(vectors, "random", 7L)) {
      return new ElementalsRun(
              device, MemHCOptions.ofBudget(budget).withPolicy("lfu"), protocol, true)
          .run(source, request, target, "test", 1 << 16, (done, all) -> {});
    }
  }

  /** Every elemental equals its definition; the tolerance is that of sums of 200 numbers. */
  @ParameterizedTest
  @EnumSource(CoherenceProtocol.class)
  void elementals_ofAllDisplacements_equalTheirSums(CoherenceProtocol protocol) {
    RandomVectors random = new RandomVectors(4, 2, 5, 11);
    Path vectors = random.writeHdf5(folder.resolve("v.h5"), true);
    Path target = folder.resolve("phi.h5");
    ElementalsRequest request =
        new ElementalsRequest(
            List.of(new Momentum(0, 0, 0), new Momentum(1, 0, -1), new Momentum(0, 2, 1)),
            ALL,
            true);
    run(vectors, target, request, protocol, 64L << 20);
    try (Hdf5File file = Hdf5File.open(target)) {
      for (int time = 0; time < random.t; time++) {
        for (Momentum p : request.momenta()) {
          for (String displacement : ALL) {
            ElementalName name = new ElementalName(displacement, p);
            String object = "elementals/meson/" + name;
            if (name.vanishes(random.l)) {
              assertTrue(!file.exists(object), object);
              continue;
            }
            double[] found =
                file.dataset(object).read(new long[] {time, 0, 0}, new long[] {1, 5, 5});
            assertArrayEquals(random.meson(displacement, time, p), found, 1e-13, object);
          }
          double[] baryon =
              file.dataset("elementals/baryon/none/" + p.fileName())
                  .read(new long[] {time, 0, 0, 0}, new long[] {1, 5, 5, 5});
          assertArrayEquals(random.baryon(time, p), baryon, 1e-13);
        }
      }
    }
  }

  /** Records are evicted, and a device without sums of determinants has more than one block. */
  @ParameterizedTest
  @ValueSource(strings = {"processor", "processor with little memory", "GPU"})
  void elementals_onASmallDevice_equalTheirSums(String device) {
    RandomVectors random = new RandomVectors(2, 1, 19, 12);
    Path vectors = random.writeHdf5(folder.resolve("v.h5"), true);
    Path target = folder.resolve("phi.h5");
    ElementalsRequest request =
        new ElementalsRequest(Momentum.ball(1), List.of("none", "D_x", "D_yD_x"), true);
    // A whole elemental of baryons has 110 kB, the vectors moved in all directions 51 kB.
    ElementalsRun.Outcome outcome =
        run(
            device.equals("GPU")
                ? new HostGpuProvider(() -> new HostGpu(1L << 28, true))
                : Backends.select("cpu", 0),
            vectors,
            target,
            request,
            CoherenceProtocol.WRITE_BACK,
            device.endsWith("little memory") ? 110_000 : 160_000);
    assertTrue(outcome.statistics().memory().evictions() > 0);
    try (Hdf5File file = Hdf5File.open(target)) {
      for (Momentum p : request.momenta()) {
        double[] found =
            file.dataset("elementals/baryon/none/" + p.fileName())
                .read(new long[] {0, 0, 0, 0}, new long[] {1, 19, 19, 19});
        assertArrayEquals(random.baryon(0, p), found, 1e-12);
        if (file.exists("elementals/meson/D_yD_x/" + p.fileName())) {
          double[] meson =
              file.dataset("elementals/meson/D_yD_x/" + p.fileName())
                  .read(new long[] {0, 0, 0}, new long[] {1, 19, 19});
          assertArrayEquals(random.meson("D_yD_x", 0, p), meson, 1e-12);
        }
      }
    }
  }

  /** With little memory there are few sites and rows at a time, and momenta one by one. */
  @ParameterizedTest
  @ValueSource(strings = {"processor", "processor with little memory", "GPU"})
  void tetraquarks_ofBothColours_equalTheirSums(String device) {
    RandomVectors random = new RandomVectors(3, 2, 6, 17);
    Path vectors = random.writeHdf5(folder.resolve("v.h5"), false);
    Path target = folder.resolve("k.h5");
    ElementalsRequest request =
        new ElementalsRequest(
            List.of(
                Momentum.ZERO,
                new Momentum(1, 0, -1),
                new Momentum(-1, 0, 1),
                new Momentum(-2, 1, 0)),
            List.of("none"),
            false,
            List.of(PairColour.values()));
    long least;
    try (Eigenvectors source = EigenvectorFile.open(vectors, null, null)) {
      least = ElementalsRun.leastDeviceBytes(source.header(), request);
    }
    run(
        device.equals("GPU")
            ? new HostGpuProvider(() -> new HostGpu(1L << 28, true))
            : Backends.select("cpu", 0),
        vectors,
        target,
        request,
        CoherenceProtocol.WRITE_BACK,
        device.endsWith("little memory") ? least : 64L << 20);
    try (Hdf5File file = Hdf5File.open(target)) {
      for (PairColour colour : PairColour.values()) {
        String group = "elementals/tetraquark/" + colour;
        assertEquals(Set.of("-2_1_0", "0_0_0", "1_0_-1"), Set.copyOf(file.children(group)));
        for (String name : file.children(group)) {
          int[] n = Arrays.stream(name.split("_")).mapToInt(Integer::parseInt).toArray();
          for (int time = 0; time < random.t; time++) {
            double[] expected =
                random.tetraquark(colour.sign(), time, new Momentum(n[0], n[1], n[2]));
            int pairs = colour == PairColour.TRIPLET ? 15 : 21;
            double[] found =
                file.dataset(group + "/" + name)
                    .read(new long[] {time, 0, 0}, new long[] {1, pairs, pairs});
            assertArrayEquals(expected, found, 1e-15, group + name);
          }
        }
      }
    }
  }

  /** T·P·(φ+4v+e), T·v+P·φ+T·P·(e+v), T·v+P·φ+T·P·e with v = 48L³N, φ = 16L³, e = 16N². */
  @ParameterizedTest
  @EnumSource(CoherenceProtocol.class)
  void bytes_areTheClosedForms(CoherenceProtocol protocol) {
    RandomVectors random = new RandomVectors(4, 3, 6, 13);
    Path vectors = random.writeHdf5(folder.resolve("v.h5"), false);
    ElementalsRequest request = new ElementalsRequest(Momentum.ball(2), List.of("none"), false);
    ElementalsRun.Outcome outcome =
        run(vectors, folder.resolve("phi.h5"), request, protocol, 64L << 20);
    long v = 48L * 64 * 6;
    long phi = 16L * 64;
    long e = 16L * 36;
    long t = 3;
    long p = 19;
    long expected =
        switch (protocol) {
          case NONE -> t * p * (phi + 4 * v + e);
          case WRITE_THROUGH -> t * v + p * phi + t * p * (e + v);
          case WRITE_BACK -> t * v + p * phi + t * p * e;
        };
    assertEquals(
        expected,
        outcome.statistics().memory().bytesToDevice()
            + outcome.statistics().memory().bytesToHost());
  }

  @Test
  void run_thatWasStopped_goesOnWhereItStopped() {
    RandomVectors random = new RandomVectors(2, 4, 3, 14);
    Path vectors = random.writeHdf5(folder.resolve("v.h5"), false);
    Path target = folder.resolve("phi.h5");
    ElementalsRequest request = new ElementalsRequest(Momentum.ball(1), List.of("none"), false);
    try (Device device = Backends.select("cpu", 0).open(new DeviceOptions(0, 1, 1 << 24, false));
        Eigenvectors source = EigenvectorFile.open(vectors, null, null)) {
      ElementalsRun run =
          new ElementalsRun(
              device, MemHCOptions.ofBudget(1 << 24), CoherenceProtocol.WRITE_BACK, false);
      assertThrows(
          IllegalStateException.class,
          () ->
              run.run(
                  source,
                  request,
                  target,
                  "same",
                  1,
                  (done, all) -> {
                    if (done == 2) {
                      throw new IllegalStateException("stopped");
                    }
                  }));
      assertTrue(!Files.exists(target));
      List<Integer> progress = new ArrayList<>();
      ElementalsRun.Outcome outcome =
          run.run(source, request, target, "same", 1, (done, all) -> progress.add(done));
      assertEquals(2, outcome.times());
      assertEquals(List.of(2, 3, 4), progress);
    }
    try (Hdf5File file = Hdf5File.open(target)) {
      for (int time = 0; time < 4; time++) {
        double[] found =
            file.dataset("elementals/meson/none/0_0_1")
                .read(new long[] {time, 0, 0}, new long[] {1, 3, 3});
        assertArrayEquals(random.meson("none", time, new Momentum(0, 0, 1)), found, 1e-13);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"npy", "mod", "single mod"})
  void vectors_ofOtherFormats_giveTheSame(String format) throws IOException {
    RandomVectors random = new RandomVectors(3, 2, 4, 15);
    Path path = folder.resolve("v");
    Path vectors =
        format.equals("npy")
            ? random.writeNpy(path)
            : random.writeMod(path, format.startsWith("s"));
    Path target = folder.resolve("phi.h5");
    ElementalsRequest request = new ElementalsRequest(Momentum.ball(1), List.of("none"), false);
    run(vectors, target, request, CoherenceProtocol.WRITE_BACK, 1 << 24);
    try (Hdf5File file = Hdf5File.open(target)) {
      double[] found =
          file.dataset("elementals/meson/none/1_0_0")
              .read(new long[] {1, 0, 0}, new long[] {1, 4, 4});
      assertArrayEquals(
          random.meson("none", 1, new Momentum(1, 0, 0)),
          found,
          format.startsWith("s") ? 1e-6 : 1e-13);
      assertEquals(7, file.attributes("/").integer("configuration"));
    }
  }

  @Test
  void files_thatAreDamaged_areRefusedByName() throws IOException {
    RandomVectors random = new RandomVectors(2, 1, 2, 16);
    Path mod = random.writeMod(folder.resolve("v.mod"), false);
    byte[] bytes = Files.readAllBytes(mod);
    bytes[200] ^= 1;
    Files.write(mod, bytes);
    try (Eigenvectors source = EigenvectorFile.open(mod, "e", 1L)) {
      double[] target = new double[2 * 24 * 2];
      DistillationException refused =
          assertThrows(DistillationException.class, () -> source.read(0, 0, 2, target));
      assertTrue(
          refused.getMessage().contains("v.mod: the checksum of vector"), refused.getMessage());
    }
    Path npy = random.writeNpy(folder.resolve("v.npy"));
    DistillationException nameless =
        assertThrows(DistillationException.class, () -> EigenvectorFile.open(npy, null, null));
    assertTrue(nameless.getMessage().contains("--ensemble"), nameless.getMessage());
    Path text = Files.writeString(folder.resolve("v.txt"), "no vectors");
    DistillationException unknown =
        assertThrows(DistillationException.class, () -> EigenvectorFile.open(text, null, null));
    assertTrue(unknown.getMessage().contains("v.txt"), unknown.getMessage());
  }
}
