package org.starlingqcd.elementals.cli;

import java.util.List;
import org.starlingqcd.correlators.cli.CommandModule;

/** The commands that make distillation data from eigenvectors and change its basis. */
public final class ElementalsCommands implements CommandModule {
  @Override
  public List<Object> commands() {
    return List.of(new ElementalsCommand(), new TransformCommand());
  }
}
