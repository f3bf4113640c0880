package org.starlingqcd.analysis.cli;

import java.util.List;
import org.starlingqcd.correlators.cli.CommandModule;

/** The command that analyses results. */
public final class AnalysisCommands implements CommandModule {
  @Override
  public List<Object> commands() {
    return List.of(new AnalyzeCommand());
  }
}
