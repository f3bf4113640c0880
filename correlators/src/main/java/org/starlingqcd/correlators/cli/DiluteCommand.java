package org.starlingqcd.correlators.cli;

import com.google.common.collect.ImmutableMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.cli.option.DataOptionGroup;
import org.starlingqcd.correlators.cli.option.SinkOptionGroup;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.conversion.Hdf5Conversion;
import org.starlingqcd.hadron.conversion.PartialFile;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.DistillationFiles.Configuration;
import org.starlingqcd.hadron.synthetic.SinkSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code starling dilute}: noises and quark sinks made of exact perambulators. */
@Command(
    description = {
      "Draws noises and makes a set of quark sinks, phi = tau P rho, from exact perambulators, to try"
          + " dilution schemes before production.",
      "The numbers of a noise depend on the seed, the configuration, its name and their place alone."
    })
public final class DiluteCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "DATA",
      arity = "1..*",
      description = "Data of one ensemble with exact perambulators: files, folders or globs.")
  private List<String> paths = List.of();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description =
          "The file to write; {cfg} in its name stands for the number of the configuration.")
  private String out = "";

  @Mixin private SinkOptionGroup sinks = new SinkOptionGroup();

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "Seed of the noises. Default: ${DEFAULT-VALUE}.")
  private long seed = 1;

  @Option(
      names = "--sources",
      paramLabel = "LIST",
      description =
          "Store the time classes of these source times, such as 0,4, or all. Default:"
              + " ${DEFAULT-VALUE}.")
  private NumberSelection sources = NumberSelection.ALL;

  @Option(
      names = "--configurations",
      paramLabel = "LIST",
      description = "Configurations, such as 1,3,10-20. Default: ${DEFAULT-VALUE}.")
  private NumberSelection configurations = NumberSelection.ALL;

  @Mixin private DataOptionGroup dataOptions = new DataOptionGroup();

  @Option(names = "--overwrite", description = "Replace existing files.")
  private boolean overwrite;

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    List<Configuration> found =
        DistillationFiles.discover(dataOptions.request(paths)).stream()
            .filter(one -> configurations.contains(Math.toIntExact(one.number())))
            .toList();
    if (found.isEmpty()
        || (found.size() > 1 && target(found.get(0)).equals(target(found.get(1))))) {
      throw InputException.of(
          "--out %s: %d configurations are selected by --configurations %s; one file takes one, and"
              + " a name with {cfg} stands for as many as there are",
          out, found.size(), configurations);
    }
    for (Configuration one : found) {
      Path target = target(one);
      if (one.files().stream().anyMatch(file -> file.toAbsolutePath().equals(target))) {
        throw new InputException("--out " + target + " is one of the data; name another file");
      }
      if (!overwrite && Files.exists(target)) {
        throw new InputException(target + " exists; --overwrite replaces it");
      }
    }
    List<Map<String, Object>> files = new ArrayList<>();
    for (Configuration one : found) {
      Path target = target(one);
      try (DistillationData data = one.open()) {
        SinkSet set = set(data);
        PartialFile.write(
            target,
            file -> {
              Hdf5Conversion.writeHeader(data, file);
              set.write(
                  file,
                  data.header(),
                  (t, t0, tau) ->
                      data.loadInBasis(new Input.Perambulator(set.label(), t, t0), tau));
            });
        String dilution = set.scheme().letters();
        output.say(
            "wrote %s: %s %s, noises %s".formatted(target, set.set(), dilution, set.noises()));
        files.add(
            ImmutableMap.of(
                "file", target.toString(),
                "dilution", dilution,
                "time_classes", set.timeClasses(),
                "noises", set.noises()));
      }
    }
    output.print(() -> Map.of("files", files), () -> "");
    return ErrorReport.SUCCESS;
  }

  private Path target(Configuration one) {
    String number = String.format(Locale.US, "%04d", one.number());
    return Path.of(out.replace("{cfg}", number)).toAbsolutePath().normalize();
  }

  /** The set for some data, after checking that they can make it. */
  private SinkSet set(DistillationData data) {
    String label = sinks.label();
    if (label == null || !data.labels().contains(label)) {
      throw new InputException(
          "--label: expected a label of the perambulators in the data, one of " + data.labels());
    }
    int extent = data.header().temporalExtent();
    SinkSet set =
        sinks.of(
            label,
            extent,
            data.header().eigenvectors(),
            data.gamma5Hermitian(label),
            sources.below("--sources", extent, "the number of time slices"),
            seed);
    for (String noise : set.noises()) {
      if (data.quarkSinks().noises().contains(noise)) {
        throw new InputException(
            "the data have a noise '" + noise + "' already; --names begins other names");
      }
    }
    List<Input> needed = new ArrayList<>();
    for (int k = 0; k < extent * extent; k++) {
      if (set.timeClasses().contains(set.scheme().times().get(k % extent))) {
        needed.add(new Input.Perambulator(label, k / extent, k % extent));
      }
    }
    data.check(needed);
    return set;
  }
}
