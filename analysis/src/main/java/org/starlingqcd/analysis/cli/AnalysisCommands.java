package org.starlingqcd.analysis.cli;

import java.util.List;
import org.starlingqcd.correlators.cli.CommandModule;

/** The commands that analyse results and hand them to other programs. */
public final class AnalysisCommands implements CommandModule {
  @Override
  public List<Entry> commands() {
    return List.of(new Entry("analyze", AnalyzeCommand::new), new Entry("export", ExportCommand::new), new Entry("check-precision", CheckPrecisionCommand::new));
  }
}
