package org.starlingqcd.hadron.conversion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.SameBlocks;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.synthetic.SyntheticCurrents;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

class Hdf5ConversionTest {
  @TempDir Path folder;

  private Path data() {
    SyntheticEnsemble ensemble =
        new SyntheticEnsemble(
            "e",
            4,
            4,
            3,
            List.of("light"),
            List.of(1, 3),
            TestData.MOMENTA,
            List.of("nabla_z"),
            true,
            0,
            9,
            List.of(PairColour.values()),
            SyntheticCurrents.NONE,
            List.of(),
            false,
            List.of());
    return SyntheticData.write(ensemble, 5, folder, bytes -> {});
  }

  /** Says that some blocks were never written: τ(2, 3), Φ(0) at time 1. */
  private static void takeAway(Path file) {
    try (Hdf5File opened = Hdf5File.openForUpdate(file)) {
      mask(opened, "perambulators/light", new long[] {4, 2}, 1, 1, 1, 1, 1, 0, 1, 1);
      mask(opened, "elementals/meson/none/0_0_0", new long[] {4}, 1, 0, 1, 1);
    }
  }

  private static void mask(Hdf5File file, String object, long[] extents, long... present) {
    TestData.writeIntegers(file, "present/" + object, extents, present);
  }

  private static void assertSame(DistillationData expected, DistillationData actual) {
    assertEquals(expected.header(), actual.header());
    // No other format has elementals of tetraquarks.
    Predicate<DataBlock> common =
        one -> !(one instanceof DataBlock.Elemental k && k.kind() == DataBlock.Kind.TETRAQUARK);
    assertEquals(
        expected.blocks().blocks(common).toList(), actual.blocks().blocks(common).toList());
    SameBlocks.assertSame(expected, actual, 0);
  }

  @Test
  void presentMask_blocksAreMissingAndStayMissing() {
    Path file = data();
    takeAway(file);
    Path copy = folder.resolve("copy.h5");
    try (DistillationData data = DistillationData.open(List.of(file))) {
      assertFalse(data.stores(new DataBlock.Perambulator("light", 2, 3)));
      assertTrue(data.stores(new DataBlock.Perambulator("light", 2, 1)));
      // τ(1, 3) is supplied by τ(3, 1), τ(2, 3) by nothing.
      assertFalse(data.hasPerambulator("light", 2, 3));
      assertFalse(data.hasElemental(ElementalRef.of("none", Momentum.ZERO, false), 1));
      Input phi = new Input.Elemental(ElementalRef.of("none", Momentum.ZERO, false), 1);
      String message = TestData.refusal(() -> data.check(List.of(phi)));
      assertTrue(message.contains("none/0_0_0 at times 1"), message);
      Hdf5Conversion.write(data, copy, "x", name -> true, bytes -> {});
      try (DistillationData copied = DistillationData.open(List.of(copy))) {
        assertSame(data, copied);
      }
    }
  }

  @Test
  void npy_isOneFileForALabelAndADisplacement() throws IOException {
    Path npy = Files.createDirectories(folder.resolve("npy"));
    try (DistillationData data = DistillationData.open(List.of(data()))) {
      assertEquals(List.of(), NpyConversion.write(data, npy, "x", name -> true, bytes -> {}));
      try (Stream<Path> files = Files.list(npy)) {
        assertEquals(
            List.of(
                "x.baryon.none.npy",
                "x.meson.nabla_z.npy",
                "x.meson.none.npy",
                "x.peram.light.npy",
                "x.yaml"),
            files.map(file -> file.getFileName().toString()).sorted().toList());
      }
      try (DistillationData read =
          DistillationFiles.discover(List.of(npy.resolve("x.yaml").toString())).get(0).open()) {
        assertSame(data, read);
      }
    }
  }

  @Test
  void mask_ofAnotherShapeIsRefused() {
    Path file = data();
    try (Hdf5File opened = Hdf5File.openForUpdate(file)) {
      mask(opened, "elementals/meson/none/0_0_0", new long[] {3}, 1, 0, 1);
    }
    assertEquals(
        file
            + ": 'present/elementals/meson/none/0_0_0': must hold 4 x 1 integers, one for each block"
            + " of 'elementals/meson/none/0_0_0'; found INTEGER [3]",
        TestData.refusal(() -> DistillationData.open(List.of(file))));
  }

  @Test
  void stoppedAnywhere_goesOnWhereItStopped() throws IOException {
    Path file = data();
    takeAway(file);
    int all;
    try (DistillationData data = DistillationData.open(List.of(file))) {
      Hdf5Conversion.write(data, folder.resolve("whole.h5"), "x", name -> true, bytes -> {});
      all = (int) data.blocksRead();
    }
    for (int stop : new int[] {1, 5, 9, 17, all - 1}) {
      Path copy = folder.resolve("copy" + stop + ".h5");
      int[] left = {stop};
      try (DistillationData data = DistillationData.open(List.of(file))) {
        assertThrows(
            IllegalStateException.class,
            () ->
                Hdf5Conversion.write(
                    data,
                    copy,
                    "x",
                    name -> true,
                    bytes -> {
                      if (--left[0] == 0) {
                        throw new IllegalStateException("stopped");
                      }
                    }));
      }
      assertFalse(Files.exists(copy));
      try (DistillationData data = DistillationData.open(List.of(file))) {
        Hdf5Conversion.write(data, copy, "x", name -> true, bytes -> {});
        assertTrue(data.blocksRead() < all || stop < 5, stop + ": " + data.blocksRead());
        try (DistillationData copied = DistillationData.open(List.of(copy))) {
          assertSame(data, copied);
        }
      }
      assertFalse(Files.exists(folder.resolve(copy.getFileName() + ".part.done")));
    }
  }

  @Test
  void explicitBasis_isKept() {
    Path file = TestData.write(folder, 4, 3, 9);
    TestData.changeBasis(file, 3);
    Path copy = folder.resolve("copy.h5");
    try (DistillationData data = DistillationData.open(List.of(file))) {
      assertFalse(data.gammaBasis().isDeGrandRossi());
      Hdf5Conversion.write(data, copy, "x", name -> true, bytes -> {});
      try (DistillationData copied = DistillationData.open(List.of(copy))) {
        assertTrue(copied.gammaBasis().agreesWith(data.gammaBasis()));
        assertSame(data, copied);
      }
    }
  }
}
