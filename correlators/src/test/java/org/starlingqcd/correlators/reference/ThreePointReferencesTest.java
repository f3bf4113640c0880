package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.run.CorrelatorRun;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.RunListener;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Three-point functions agree with those that another program computed by brute force. */
class ThreePointReferencesTest {
  private static final double TOLERANCE = 1e-11;

  private static final Path EXAMPLES = Path.of("../examples");

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
    Path reference = EXAMPLES.resolve("reference-currents").resolve(name + ".h5");
    RunSettings settings =
        RunSettings.of(
            List.of(name), List.of(EXAMPLES.resolve("data-currents").toString()), folder);
    settings.sources = NumberSelection.of(List.of(0, 4));
    new CorrelatorRun(settings, RunListener.NONE).execute();
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
      double largest = Arrays.stream(a).map(Math::abs).max().orElse(0);
      double bound = TOLERANCE * Math.max(least, largest);
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
