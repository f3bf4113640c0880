package org.starlingqcd.simulator.cli;

import java.util.List;
import org.starlingqcd.correlators.cli.CommandModule;

/** The commands bench, replay, reproduce and gpu-check. */
public final class SimulatorCommands implements CommandModule {
  @Override
  public List<Entry> commands() {
    return List.of(
        new Entry("bench", BenchCommand::new), new Entry("replay", ReplayCommand::new), new Entry("reproduce", ReproduceCommand::new), new Entry("gpu-check", GpuCheckCommand::new));
  }
}
