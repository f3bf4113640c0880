package org.starlingqcd.simulator.cli;

import java.util.List;
import org.starlingqcd.correlators.cli.CommandModule;

/** Commands that measure, replay and check. */
public final class SimulatorCommands implements CommandModule {
  @Override
  public List<Object> commands() {
    return List.of(new BenchCommand(), new ReplayCommand(), new GpuCheckCommand());
  }
}
