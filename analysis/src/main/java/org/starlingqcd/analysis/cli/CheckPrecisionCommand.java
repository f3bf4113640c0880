package org.starlingqcd.analysis.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.PrecisionCheck;
import org.starlingqcd.correlators.cli.Console;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.cli.Json;
import org.starlingqcd.correlators.run.RunListener;
import org.starlingqcd.correlators.run.RunSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code starling check-precision}: what single precision changes in correlators. */
@Command(
    description = {
      "Computes one unit of a run, the first configuration and source, in double and in single"
          + " precision. Prints the error of every matrix element relative to sqrt(C_ii C_jj), and"
          + " relative to its statistical error where the folder --out has results.",
      "Takes the options of `starling run`. Writes no results."
    })
public final class CheckPrecisionCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Mixin(name = RunSettings.NAME)
  private RunSettings options = new RunSettings();

  @Option(names = "--json", description = "Print one JSON object, with every separation.")
  private boolean json;

  @Override
  public Integer call() {
    List<PrecisionCheck> checks = PrecisionCheck.of(options.checked(), RunListener.NONE);
    PrintWriter out = Console.out(spec);
    if (json) {
      List<Map<String, Object>> all = checks.stream().map(PrecisionCheck::describe).toList();
      out.println(Json.text(Map.of("definitions", all)));
    } else {
      List<String> texts = checks.stream().map(PrecisionCheck::text).toList();
      out.print(String.join(System.lineSeparator(), texts));
    }
    out.flush();
    return ErrorReport.SUCCESS;
  }
}
