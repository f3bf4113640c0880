package org.starlingqcd.elementals.cli;

import java.util.List;
import org.starlingqcd.correlators.cli.CommandModule;

/** The commands that make distillation data from eigenvectors and change its basis. */
public final class ElementalsCommands implements CommandModule {
  @Override
  public List<Entry> commands() {
    return List.of(
        Group.DATA.command(
            "elementals", "compute elementals from eigenvectors", ElementalsCommand::new),
        Group.DATA.command(
            "transform", "data of fewer eigenvectors, or of rotated ones", TransformCommand::new));
  }
}
