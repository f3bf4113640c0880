package org.starlingqcd.analysis.cli;

import java.util.List;
import org.starlingqcd.correlators.cli.CommandModule;

/** The commands that analyse results and hand them to other programs. */
public final class AnalysisCommands implements CommandModule {
  @Override
  public List<Entry> commands() {
    return List.of(
        new Entry(
            "analyze",
            Group.RESULTS,
            "averages, effective masses, fits, plots",
            AnalyzeCommand::new),
        new Entry(
            "export",
            Group.RESULTS,
            "write results for pyerrors, gvar, sigmond or as CSV",
            ExportCommand::new),
        new Entry(
            "check-precision",
            Group.MACHINES,
            "compare single with double precision",
            CheckPrecisionCommand::new));
  }
}
