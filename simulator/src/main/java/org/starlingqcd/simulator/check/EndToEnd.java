package org.starlingqcd.simulator.check;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.correlators.run.CorrelatorRun;
import org.starlingqcd.correlators.run.DeviceSettings;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.RunListener;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.correlators.run.RunSummary;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/**
 * Runs a definition from files to correlators on one configuration, source and separation of
 * synthetic data.
 */
public final class EndToEnd {
  private static final int TIMES = 4;

  private EndToEnd() {}

  /**
   * Writes data of N = {@code extent} into a temporary folder and runs the definition twice.
   *
   * @return the second run, which finds the files in the page cache
   */
  public static RunSummary run(String definition, int extent, DeviceSettings device) {
    try (TemporaryFolder folder = new TemporaryFolder()) {
      SyntheticData.write(ensemble(extent), 1, folder.resolve("data"), bytes -> {});
      RunSettings settings =
          RunSettings.of(
              List.of(definition),
              List.of(folder.resolve("data").toString()),
              folder.resolve("results"));
      settings.separations = NumberSelection.parse("1");
      settings.device = device;
      settings.overwrite = true;
      new CorrelatorRun(settings, RunListener.NONE).execute();
      return new CorrelatorRun(settings, RunListener.NONE).execute();
    }
  }

  /** What the shipped meson definitions need at sources 0 and 1. */
  private static SyntheticEnsemble ensemble(int extent) {
    List<Momentum> momenta = new ArrayList<>();
    for (int x = -1; x <= 1; x++) {
      for (int y = -1; y <= 1; y++) {
        for (int z = -1; z <= 1; z++) {
          momenta.add(new Momentum(x, y, z));
        }
      }
    }
    return new SyntheticEnsemble(
        "check",
        16,
        TIMES,
        extent,
        List.of("light", "strange"),
        List.of(0, 1),
        momenta,
        List.of(),
        false,
        0,
        1);
  }
}
