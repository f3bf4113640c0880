package org.starlingqcd.analysis.cli;

import java.util.List;
import org.starlingqcd.correlators.cli.CommandModule;

/** The commands that analyse results and hand them to other programs. */
public final class AnalysisCommands implements CommandModule {
  @Override
  public List<Object> commands() {
    return List.of(new AnalyzeCommand(), new ExportCommand(), new CheckPrecisionCommand());
  }
}
