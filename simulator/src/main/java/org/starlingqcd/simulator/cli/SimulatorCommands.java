package org.starlingqcd.simulator.cli;

import java.util.List;
import org.starlingqcd.correlators.cli.CommandModule;

/** The commands bench, replay, reproduce and gpu-check. */
public final class SimulatorCommands implements CommandModule {
  @Override
  public List<Object> commands() {
    return List.of(
        new BenchCommand(), new ReplayCommand(), new ReproduceCommand(), new GpuCheckCommand());
  }
}
