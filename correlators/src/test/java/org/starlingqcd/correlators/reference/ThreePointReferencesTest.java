package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Three-point functions agree with those that another program computed by brute force. */
class ThreePointReferencesTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ff_pion",
        "charge_pion",
        "rho_to_pi",
        "pigamma_to_pipi",
        "pipi_to_rho",
        "nucleon_charges",
        "nucleon_ff",
        "kaon_to_pion",
        "sigma_terms"
      })
  void run_agreesWithReference(String name) {
    assertAgrees(name, ThreePointRuns.DATA);
  }

  /** Of each pair of blocks that γ5-hermiticity relates, one is taken away. */
  @ParameterizedTest
  @ValueSource(strings = {"ff_pion", "pipi_to_rho", "nucleon_charges", "kaon_to_pion"})
  void halfOfTheBlocks_isEnough(String name) throws IOException {
    Path data = Files.copy(ThreePointRuns.DATA, folder.resolve("half.h5"));
    int removed = 0;
    int all = 0;
    try (Hdf5File file = Hdf5File.openForUpdate(data)) {
      String top = "generalized_perambulators";
      for (String labels : file.children(top)) {
        for (String gamma : file.children(top + "/" + labels)) {
          String middle = labels + "/" + gamma;
          for (String displacement : file.children(top + "/" + middle)) {
            for (String momentum : file.children(top + "/" + middle + "/" + displacement)) {
              String place = middle + "/" + displacement + "/" + momentum;
              removed += remove(file, place);
              all += BLOCKS;
            }
          }
        }
      }
    }
    // Not all have a counterpart at -q, and none those at equal times and q = 0.
    assertTrue(removed > all / 4, removed + " of " + all);
    assertAgrees(name, data);
  }

  /** Sink, insertion and source times of a current. */
  private static final int BLOCKS = 2 * 8 * 2;

  private static int remove(Hdf5File file, String place) {
    String[] parts = place.split("/");
    String[] n = parts[3].split("_");
    Momentum q =
        new Momentum(Integer.parseInt(n[0]), Integer.parseInt(n[1]), Integer.parseInt(n[2]));
    CurrentVertex vertex = new CurrentVertex(Gamma.parse(parts[1]).unsigned(), parts[2], q);
    CurrentName name = CurrentName.of(parts[0], vertex);
    CurrentName other = name.reversed();
    String group = "generalized_perambulators/";
    String counterpart =
        "%s%s-%s/%s/%s/%s"
            .formatted(
                group, other.bar(), other.quark(), parts[1], parts[2], q.negate().fileName());
    int order = name.compareTo(other);
    if (order < 0 || !file.exists(counterpart)) {
      return 0;
    }
    if (order > 0) {
      file.delete(group + place);
      return BLOCKS;
    }
    // Of q = 0 and one label, those from time 0 to time 4.
    long[] present = new long[BLOCKS];
    Arrays.setAll(present, k -> k / 16 == 1 && k % 2 == 0 ? 0 : 1);
    try (Hdf5Dataset mask =
        file.createDataset(
            "present/" + group + place,
            ElementType.INTEGER,
            new long[] {2, 8, 2},
            DatasetOptions.CONTIGUOUS)) {
      mask.writeIntegers(present);
    }
    return 8;
  }

  private void assertAgrees(String name, Path data) {
    Path reference = ThreePointRuns.EXAMPLES.resolve("reference-currents").resolve(name + ".h5");
    ThreePointRuns.run(
        folder,
        List.of(name),
        data,
        settings -> settings.sources = NumberSelection.of(List.of(0, 4)));
    try (Hdf5File expected = Hdf5File.open(reference);
        Hdf5File actual = Hdf5File.open(folder.resolve(name + ".h5"))) {
      String group = "cfg_0001";
      for (String times : List.of("source_times", "insertion_separations")) {
        assertArrayEquals(
            expected.attributes(group).integers(times),
            actual.attributes(group).integers(times),
            times);
      }
      // The data have everything for separation 0 too, which the reference leaves out.
      assertArrayEquals(new long[] {0, 4}, actual.attributes(group).integers("separations"));
      compare(expected, actual, group + "/two_point", 0);
      for (String insertion : expected.children(group + "/insertion")) {
        String place = group + "/insertion/" + insertion + "/";
        double scale = compare(expected, actual, place + "connected", 0);
        if (expected.exists(place + "disconnected")) {
          compare(expected, actual, place + "disconnected", scale);
        }
        if (expected.exists(group + "/current/" + insertion)) {
          compare(expected, actual, group + "/current/" + insertion, 0);
        }
        assertEquals(
            expected.exists(group + "/current/" + insertion),
            actual.exists(group + "/current/" + insertion));
      }
    }
  }

  private static double[] ofLastSeparation(Hdf5Dataset dataset) {
    double[] all = dataset.readAll();
    int sources = (int) dataset.extents()[0];
    int separations = (int) dataset.extents()[1];
    int block = all.length / sources / separations;
    double[] last = new double[sources * block];
    for (int s = 0; s < sources; s++) {
      System.arraycopy(all, ((s + 1) * separations - 1) * block, last, s * block, block);
    }
    return last;
  }

  /** Compares a dataset, relative to a scale or to its own largest number; returns the latter. */
  private static double compare(Hdf5File expected, Hdf5File actual, String name, double least) {
    try (Hdf5Dataset wanted = expected.dataset(name);
        Hdf5Dataset found = actual.dataset(name)) {
      double[] a = wanted.readAll();
      boolean perSeparation = !name.contains("/current/");
      double[] b = perSeparation ? ofLastSeparation(found) : found.readAll();
      assertEquals(a.length, b.length, name);
      double largest = ThreePointRuns.largest(a);
      double bound = ThreePointRuns.TOLERANCE * Math.max(least, largest);
      for (int k = 0; k < a.length; k++) {
        int at = k;
        assertTrue(
            Math.abs(a[k] - b[k]) <= bound + 1e-18,
            () ->
                name
                    + " number "
                    + at
                    + ": "
                    + b[at]
                    + " instead of "
                    + a[at]
                    + ", bound "
                    + bound);
      }
      return largest;
    }
  }
}
