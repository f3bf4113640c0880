package org.starlingqcd.simulator.cli;

import java.util.List;
import org.starlingqcd.correlators.cli.CommandModule;

/** The commands bench, replay, reproduce and gpu-check. */
public final class SimulatorCommands implements CommandModule {
  @Override
  public List<Entry> commands() {
    return List.of(
        new Entry("bench", Group.MEMORY, "random contractions on a device", BenchCommand::new),
        new Entry("replay", Group.MEMORY, "replay a trace with other policies", ReplayCommand::new),
        new Entry(
            "reproduce",
            Group.MEMORY,
            "the tables of a paper, in less than a minute",
            ReproduceCommand::new),
        new Entry("gpu-check", Group.MACHINES, "test and measure a GPU", GpuCheckCommand::new));
  }
}
