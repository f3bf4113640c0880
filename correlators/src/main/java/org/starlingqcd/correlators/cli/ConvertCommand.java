package org.starlingqcd.correlators.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.option.DataOptionGroup;
import org.starlingqcd.correlators.inspection.DataCheck;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.hadron.conversion.Hdf5Conversion;
import org.starlingqcd.hadron.conversion.NpyConversion;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.DistillationFiles.Configuration;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.format.MappedFormat;
import org.starlingqcd.hadron.format.SdbExport;
import org.starlingqcd.hadron.hdf5.PlainFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code starling convert}: copies data between formats. */
@Command(
    description = {
      "Copies data of any format that Starling reads to its own HDF5 format, to SDB files of Chroma or to"
          + " NumPy arrays.",
      "A conversion that was stopped continues when it is started again. Data are checked first, as by"
          + " `starling check`; the exit status is 2 when a test fails."
    })
public final class ConvertCommand implements Callable<Integer> {
  private static final String CONFIGURATION = "{cfg}";
  private static final long LINE_NANOS = 1_000_000_000;

  /** Formats that can be written. */
  enum Format {
    /** Starling's own. */
    HDF5,
    /** Chroma's. */
    SDB,
    /** Arrays with a mapping file. */
    NPY;

    /** As users write it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(
      paramLabel = "SOURCE",
      arity = "1..*",
      description = "Files, folders or globs of data of one ensemble.")
  private List<String> paths = List.of();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description =
          "The file to write; {cfg} in its name stands for the number of the configuration. With --to"
              + " sdb or npy, the beginning of the names of the files.")
  private Path out = Path.of("");

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      description = "hdf5, sdb or npy. Default: ${DEFAULT-VALUE}.")
  private Format to = Format.HDF5;

  @Mixin private DataOptionGroup dataOptions = new DataOptionGroup();

  @Option(
      names = "--configurations",
      paramLabel = "LIST",
      description = "Configurations, such as 1,3,10-20. Default: ${DEFAULT-VALUE}.")
  private NumberSelection configurations = NumberSelection.ALL;

  @Option(
      names = "--momentum-squared",
      paramLabel = "N",
      description = "Only elementals with nx^2 + ny^2 + nz^2 of at most N.")
  private @Nullable Long momentumSquared;

  @Option(
      names = "--mappings",
      help = true,
      description = "Print the mappings of other programs that come with Starling, and exit.")
  private boolean mappings;

  @Option(names = "--no-check", description = "Do not check the data.")
  private boolean noCheck;

  @Option(names = "--overwrite", description = "Replace existing files.")
  private boolean overwrite;

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    if (mappings) {
      StringBuilder text = new StringBuilder();
      MappedFormat.shipped()
          .forEach((name, own) -> text.append("# like: ").append(name).append('\n').append(own));
      output.print(MappedFormat::shipped, text::toString);
      return ErrorReport.SUCCESS;
    }
    List<Configuration> found =
        DistillationFiles.discover(dataOptions.request(paths)).stream()
            .filter(one -> configurations.contains(Math.toIntExact(one.number())))
            .toList();
    if (found.isEmpty()) {
      throw new InputException(
          "--configurations " + configurations + ": the data have none of these");
    }
    if (found.size() > 1 && !out.toString().contains(CONFIGURATION)) {
      throw InputException.of(
          "--out %s: the data have %s configurations; write {cfg} into the name, such as"
              + " data_{cfg}.h5, or choose one with --configurations",
          out, found.size());
    }
    DataCheck check = noCheck ? null : DataCheck.of(found.subList(0, Math.min(4, found.size())));
    if (check != null && check.failed() > 0) {
      output.say(
          ("%sstarling: %s of the tests of the data failed, so nothing was converted; correct"
                  + " the mapping or the labels, or convert with --no-check")
              .formatted(check.text(), check.failed()));
      return ErrorReport.WRONG_INPUT;
    }
    List<String> written = new ArrayList<>();
    for (Configuration configuration : found) {
      convert(configuration, written);
    }
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("files", written);
    if (check != null) {
      map.put("check", check.describe());
    }
    output.print(() -> map, () -> "");
    return ErrorReport.SUCCESS;
  }

  private void convert(Configuration configuration, List<String> written) {
    Path target =
        Path.of(
            out.toString()
                .replace(CONFIGURATION, String.format(Locale.US, "%04d", configuration.number())));
    Path folder = target.toAbsolutePath().getParent();
    if (folder == null || target.getFileName() == null) {
      throw new InputException("--out " + out + ": is not the name of a file");
    }
    try {
      Files.createDirectories(folder);
      if (to == Format.HDF5 && Files.exists(target) && !overwrite) {
        output.say(target + " exists already; --overwrite replaces it");
        written.add(target.toString());
        return;
      }
    } catch (IOException e) {
      throw new InputException(folder + ": cannot be created: " + PlainFile.reason(e), e);
    }
    String stem = target.getFileName().toString();
    try (DistillationData data = configuration.open()) {
      Progress progress = new Progress(Hdf5Conversion.bytes(data, wanted()), target);
      if (to == Format.HDF5) {
        Hdf5Conversion.write(data, target, identity(configuration), wanted(), progress);
        written.add(target.toString());
      } else if (to == Format.SDB) {
        for (String left : SdbExport.write(data, folder, stem, wanted(), progress)) {
          output.say("starling: WARN  " + left + " has no form in SDB files and was left out");
        }
        written.add(target + ".*.sdb");
      } else {
        for (String gap : NpyConversion.write(data, folder, stem, wanted(), progress)) {
          output.say("starling: WARN  " + gap + ": blocks that are missing are zero, loops NaN");
        }
        written.add(target + ".yaml");
      }
      progress.finish();
      if (to != Format.HDF5) {
        warnOfHdf5Alone(data);
      }
    }
  }

  /** Names what only files of this program hold. */
  private void warnOfHdf5Alone(DistillationData data) {
    Stream.of(
            data.tetraquarkElementals().stream().map(name -> "elementals/tetraquark/" + name),
            data.gluonic().stream().map(factor -> "gluonic/" + factor),
            data.quarkSinks().sets().stream().map(set -> "quark_sinks/" + set))
        .flatMap(names -> names)
        .forEach(
            name ->
                output.say(
                    "starling: WARN  " + name + " has a form in HDF5 alone and was left out"));
  }

  private Predicate<ElementalName> wanted() {
    Long most = momentumSquared;
    return name -> most == null || name.momentum().squared() <= most;
  }

  /** What is converted: the sources with their sizes and times of change, and the selection. */
  private String identity(Configuration configuration) {
    StringBuilder text = new StringBuilder();
    for (Path file : configuration.files()) {
      try {
        long changed = Files.getLastModifiedTime(file).toMillis();
        text.append("%s %s %s; ".formatted(file.toAbsolutePath(), Files.size(file), changed));
      } catch (IOException e) {
        throw new DistillationException(file + ": cannot be read: " + PlainFile.reason(e), e);
      }
    }
    return text.append(momentumSquared).append(' ').append(dataOptions.request(paths)).toString();
  }

  /** Says at most once a second how far a file is. */
  private final class Progress implements LongConsumer {
    private final long all;
    private final Path target;
    private long done;
    private long last = System.nanoTime();

    Progress(long all, Path target) {
      this.all = all;
      this.target = target;
    }

    @Override
    public void accept(long bytes) {
      done += bytes;
      if (System.nanoTime() - last >= LINE_NANOS) {
        last = System.nanoTime();
        output.say(
            "%s: %s of %s%s"
                .formatted(
                    target,
                    MemorySize.text(done),
                    MemorySize.text(all),
                    String.format(Locale.US, " (%.0f %%)", 100.0 * done / Math.max(1, all))));
      }
    }

    void finish() {
      output.say("wrote " + target + " (" + MemorySize.text(done) + ")");
    }
  }
}
