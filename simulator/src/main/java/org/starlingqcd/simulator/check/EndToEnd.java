package org.starlingqcd.simulator.check;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.correlators.plan.PlanSettings;
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
 * A definition from files to correlators: one configuration, source and separation of synthetic
 * data, reading, building of nodes, contractions and traces.
 */
public final class EndToEnd {
  private static final int TIMES = 4;

  private EndToEnd() {}

  /**
   * Writes data of N = {@code extent} into a temporary folder, runs the definition twice and
   * answers with the second run, which finds the files in the cache of the system.
   */
  public static RunSummary run(String definition, int extent, DeviceSettings device) {
    Path folder = ReferenceCorrelators.temporaryFolder();
    try {
      SyntheticData.write(ensemble(extent), 1, folder.resolve("data"), bytes -> {});
      RunSettings settings =
          new RunSettings(
              List.of(definition),
              List.of(folder.resolve("data").toString()),
              NumberSelection.ALL,
              NumberSelection.parse("0"),
              1,
              NumberSelection.parse("1"),
              folder.resolve("results"),
              device,
              null,
              true,
              false,
              null,
              PlanSettings.defaults());
      new CorrelatorRun(settings, RunListener.NONE).execute();
      return new CorrelatorRun(settings, RunListener.NONE).execute();
    } finally {
      ReferenceCorrelators.delete(folder);
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
