package org.starlingqcd.correlators.cli;

import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.result.ResultMerge;
import org.starlingqcd.hadron.hdf5.PlainFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code starling merge}: joins the parts that shards wrote. */
@Command(
    description = {
      "Joins the parts that shards wrote into one result file for each definition, OUT/NAME.h5.",
      "Refuses parts that do not belong together, and names the units that are in no part."
    })
public final class MergeCommand implements Callable<Integer> {
  /** Most configurations that the message about missing units names. */
  private static final int NAMED = 10;

  @Parameters(
      paramLabel = "PART",
      arity = "1..*",
      description = "Result files, or folders with parts of results (*.shard-*.h5).")
  private List<Path> parts = List.of();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the merged files. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("results");

  @Option(names = "--partial", description = "Write the merged file even if units are missing.")
  private boolean partial;

  @Option(
      names = "--allow-changed-data",
      description = "Join units of one configuration that were computed from different data.")
  private boolean allowChangedData;

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    Map<String, List<Path>> byName = new TreeMap<>();
    for (Path part : files()) {
      byName.computeIfAbsent(ResultMerge.name(part), key -> new ArrayList<>()).add(part);
    }
    List<ResultMerge.Report> reports = new ArrayList<>();
    byName.forEach(
        (name, files) ->
            reports.add(
                ResultMerge.merge(files, out.resolve(name + ".h5"), partial, allowChangedData)));
    PrintWriter target = output.out();
    output.print(
        () -> Map.of("results", reports.stream().map(MergeCommand::describe).toList()), () -> "");
    boolean complete = true;
    for (ResultMerge.Report report : reports) {
      boolean whole = report.missing().isEmpty();
      complete &= whole;
      if (!output.isJson() && (whole || partial)) {
        // As the user wrote it, like the results of a run.
        Path file = out.resolve(report.file().getFileName());
        target.println(file + ": " + report.units() + " units of " + report.parts() + " parts");
      }
      if (!whole) {
        output.say(
            String.format(
                "starling: %s: %s units are missing: %s%s",
                report.name(),
                report.missingUnits(),
                list(report.missing()),
                partial ? "" : "; run their shards again, or use --partial to write the others"));
      }
    }
    return complete || partial ? ErrorReport.SUCCESS : ErrorReport.FAILED;
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    for (Path part : parts) {
      if (!Files.isDirectory(part)) {
        files.add(part);
        continue;
      }
      List<Path> found = new ArrayList<>();
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(part, "*.shard-*.h5")) {
        stream.forEach(found::add);
      } catch (IOException e) {
        throw new InputException(part + ": cannot be listed: " + PlainFile.reason(e), e);
      }
      if (found.isEmpty()) {
        throw new InputException(part + ": the folder has no parts of results (*.shard-*.h5)");
      }
      found.sort(null);
      files.addAll(found);
    }
    return files;
  }

  private static Map<String, Object> describe(ResultMerge.Report report) {
    return ImmutableMap.of(
        "name", report.name(),
        "result", report.file().toString(),
        "parts", report.parts(),
        "units", report.units(),
        "missing", report.missing());
  }

  private static String list(Map<Integer, List<Integer>> missing) {
    String named =
        missing.entrySet().stream()
            .limit(NAMED)
            .map(unit -> "configuration " + unit.getKey() + " source " + joined(unit.getValue()))
            .collect(Collectors.joining("; "));
    return missing.size() > NAMED
        ? named + "; and " + (missing.size() - NAMED) + " more configurations"
        : named;
  }

  private static String joined(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
