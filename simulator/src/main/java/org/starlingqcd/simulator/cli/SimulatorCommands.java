package org.starlingqcd.simulator.cli;

import java.util.List;
import org.starlingqcd.correlators.cli.CommandModule;

/** The commands bench, replay, reproduce and gpu-check. */
public final class SimulatorCommands implements CommandModule {
  @Override
  public List<Entry> commands() {
    return List.of(
        Group.MEMORY.command("bench", "random contractions on a device", BenchCommand::new),
        Group.MEMORY.command("replay", "replay a trace with other policies", ReplayCommand::new),
        Group.MEMORY.command(
            "reproduce", "the tables of a paper, in less than a minute", ReproduceCommand::new),
        Group.MACHINES.command("gpu-check", "test and measure a GPU", GpuCheckCommand::new));
  }
}
