package org.starlingqcd.correlators.cli;

import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.starlingqcd.correlators.cli.option.DataOptionGroup;
import org.starlingqcd.correlators.inspection.Inspection;
import org.starlingqcd.correlators.inspection.Report;
import org.starlingqcd.hadron.text.Printable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code starling inspect}: shows what data and result files contain, what is missing from them,
 * and whether their numbers are sound.
 */
@Command(
    description = {
      "Shows what data and result files contain and what is missing from them.",
      "The exit status is 2 when a file cannot be used or --verify finds a fault."
    })
public final class InspectCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "Data and result files, folders of them, or globs.")
  private List<String> paths = List.of();

  @Mixin private DataOptionGroup dataOptions = new DataOptionGroup();

  @Option(
      names = "--verify",
      description =
          "Also read and check all numbers: shapes, NaN, blocks that were never written,"
              + " gamma5-hermiticity of perambulators, generalized ones too, the Ward identity of"
              + " conserved currents, unit elementals at zero momentum, adjoint"
              + " elementals at opposite momenta, antisymmetry of baryon elementals, symmetry of"
              + " elementals of tetraquarks and their sum over colours.")
  private boolean verify;

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    Inspection inspection = Inspection.of(dataOptions.request(paths), verify);
    output.print(
        () ->
            ImmutableMap.of(
                "files", inspection.reports().stream().map(Report::describe).toList(),
                "unfinished", inspection.unfinished(),
                "refused", inspection.refused()),
        () -> text(inspection));
    inspection.refused().forEach(message -> output.say("starling: " + message));
    int faults = inspection.faults();
    if (faults > 0) {
      output.say("starling: " + faults + (faults == 1 ? " fault" : " faults") + " found");
    }
    return faults > 0 || !inspection.refused().isEmpty()
        ? ErrorReport.WRONG_INPUT
        : ErrorReport.SUCCESS;
  }

  private static String text(Inspection inspection) {
    List<String> texts = new ArrayList<>();
    inspection.reports().forEach(report -> texts.add(report.text()));
    inspection.unfinished().forEach(file -> texts.add(unfinished(file)));
    return String.join(System.lineSeparator(), texts);
  }

  private static String unfinished(String file) {
    return Printable.of(file)
        + ": unfinished; the command that writes it goes on where it stopped if it is started again"
        + System.lineSeparator();
  }
}
