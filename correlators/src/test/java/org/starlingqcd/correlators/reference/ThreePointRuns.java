package org.starlingqcd.correlators.reference;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.starlingqcd.correlators.run.CorrelatorRun;
import org.starlingqcd.correlators.run.RunListener;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Runs of three-point functions and the numbers of their results, for tests. */
final class ThreePointRuns {
  /** Relative to the largest number. */
  static final double TOLERANCE = 1e-11;

  static final Path EXAMPLES = Path.of("../examples");

  static final Path DATA = EXAMPLES.resolve("data-currents/quenched_4x8_currents_cfg0001.h5");

  private ThreePointRuns() {}

  /**
   * Computes definitions; results go to a folder unless the change says otherwise.
   *
   * @return the folder of the results
   */
  static Path run(Path folder, List<String> definitions, Path data, Consumer<RunSettings> change) {
    RunSettings settings = RunSettings.of(definitions, List.of(data.toString()), folder);
    change.accept(settings);
    new CorrelatorRun(settings, RunListener.NONE).execute();
    return settings.out;
  }

  /** A dataset of a configuration of a result. */
  static double[] read(Path file, int configuration, String dataset) {
    try (Hdf5File open = Hdf5File.open(file);
        Hdf5Dataset found = open.dataset("cfg_%04d/%s".formatted(configuration, dataset))) {
      return found.readAll();
    }
  }

  static double largest(double[] values) {
    return Arrays.stream(values).map(Math::abs).max().orElse(0);
  }
}
