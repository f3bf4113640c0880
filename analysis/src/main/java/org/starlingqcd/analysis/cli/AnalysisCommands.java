package org.starlingqcd.analysis.cli;

import java.util.List;
import org.starlingqcd.correlators.cli.CommandModule;

/** The commands that analyse results and hand them to other programs. */
public final class AnalysisCommands implements CommandModule {
  @Override
  public List<Entry> commands() {
    return List.of(
        Group.RESULTS.command(
            "analyze", "averages, effective masses, fits, plots", AnalyzeCommand::new),
        Group.RESULTS.command(
            "average", "average results that are equal by symmetry", AverageCommand::new),
        Group.RESULTS.command(
            "levels", "finite-volume energies in the rest frame", LevelsCommand::new),
        Group.RESULTS.command(
            "export", "write results for pyerrors, gvar, sigmond or as CSV", ExportCommand::new),
        Group.MACHINES.command(
            "check-precision", "compare single with double precision", CheckPrecisionCommand::new));
  }
}
