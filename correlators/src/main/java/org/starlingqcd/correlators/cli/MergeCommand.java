package org.starlingqcd.correlators.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.result.ResultMerge;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code starling merge}: joins the parts that shards wrote. */
@Command(
    description = {
      "Joins the parts that shards wrote into one result file for each definition, OUT/NAME.h5.",
      "Refuses parts that do not belong together, and names the units that are in no part."
    })
public final class MergeCommand implements Callable<Integer> {
  /** Most configurations that the message about missing units names. */
  private static final int NAMED = 10;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "PART",
      arity = "1..*",
      description = "Result files, or folders with parts of results (*.shard-*.h5).")
  private List<Path> parts = List.of();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "results",
      description = "Folder of the merged files. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("results");

  @Option(names = "--partial", description = "Write the merged file even if units are missing.")
  private boolean partial;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    Map<String, List<Path>> byName = new TreeMap<>();
    for (Path part : files()) {
      byName.computeIfAbsent(ResultMerge.name(part), key -> new ArrayList<>()).add(part);
    }
    List<ResultMerge.Report> reports = new ArrayList<>();
    byName.forEach(
        (name, files) -> reports.add(ResultMerge.merge(files, out.resolve(name + ".h5"), partial)));
    PrintWriter target = Console.out(spec);
    if (json) {
      target.println(
          Json.text(Map.of("results", reports.stream().map(MergeCommand::describe).toList())));
    }
    boolean complete = true;
    for (ResultMerge.Report report : reports) {
      boolean whole = report.missing().isEmpty();
      complete &= whole;
      if (!json && (whole || partial)) {
        // As the user wrote it, like the results of a run.
        Path file = out.resolve(report.file().getFileName());
        target.println(file + ": " + report.units() + " units of " + report.parts() + " parts");
      }
      if (!whole) {
        Console.err(spec)
            .println(
                "starling: "
                    + report.name()
                    + ": "
                    + report.missingUnits()
                    + " units are missing: "
                    + list(report.missing())
                    + (partial
                        ? ""
                        : "; run their shards again, or use --partial to write the others"));
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
        throw new InputException(part + ": cannot be listed: " + e.getMessage(), e);
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
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", report.name());
    map.put("result", report.file().toString());
    map.put("parts", report.parts());
    map.put("units", report.units());
    map.put("missing", report.missing());
    return map;
  }

  private static String list(Map<Integer, List<Integer>> missing) {
    String named =
        missing.entrySet().stream()
            .limit(NAMED)
            .map(
                entry ->
                    "configuration "
                        + entry.getKey()
                        + " source "
                        + entry.getValue().stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(",")))
            .collect(Collectors.joining("; "));
    return missing.size() > NAMED
        ? named + "; and " + (missing.size() - NAMED) + " more configurations"
        : named;
  }
}
