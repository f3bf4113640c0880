package org.starlingqcd.elementals.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.arrays.ArrayBlas;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.arrays.ArrayStatistics;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.Console;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.cli.Output;
import org.starlingqcd.correlators.inspection.DataCheck;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.elementals.Rotations;
import org.starlingqcd.elementals.TransformedData;
import org.starlingqcd.hadron.conversion.Hdf5Conversion;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.hdf5.PlainFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code starling transform}: distillation data in another basis of distillation space. */
@Command(
    description = {
      "Writes perambulators and elementals of one configuration for fewer eigenvectors, for vectors rotated"
          + " by a matrix per time slice, or for some times only.",
      "The new data are tested as by `starling check`."
    })
public final class TransformCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "DATA", description = "Files or folders of the data.")
  private List<String> paths = List.of();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "File to write, in Starling's own format.")
  private Path out = Path.of("");

  @Option(
      names = "--eigenvectors",
      paramLabel = "N",
      description = "Keep the first N vectors, after a rotation. Default: all.")
  private @Nullable Integer eigenvectors;

  @Option(
      names = "--rotation",
      paramLabel = "FILE",
      description =
          "Rotate the vectors: v'_j = sum_i v_i U_ij with U in a .npy file, complex [T, N, N'] with"
              + " orthonormal columns.")
  private @Nullable Path rotation;

  @Option(
      names = "--times",
      paramLabel = "LIST",
      defaultValue = "all",
      description = "Keep only these times, such as 0,4,8-15. Default: ${DEFAULT-VALUE}.")
  private NumberSelection times = NumberSelection.ALL;

  @Option(names = "--overwrite", description = "Replace an existing file.")
  private boolean overwrite;

  @Mixin private Output output = new Output();

  @Mixin private ArrayOptionGroup arrays = new ArrayOptionGroup();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    if (!overwrite && Files.exists(out)) {
      throw new InputException(out + " exists; --overwrite replaces it");
    }
    long begin = System.nanoTime();
    List<DistillationFiles.Configuration> found = DistillationFiles.discover(paths);
    if (found.size() != 1) {
      throw new InputException(
          "transform takes one configuration at a time; the data have " + found.size());
    }
    ArrayStatistics statistics;
    int after;
    try (DistillationData data = found.get(0).open()) {
      DistillationHeader header = data.header();
      times.below("--times", header.temporalExtent(), "the number of time slices");
      Rotations rotations = rotations(header);
      after = rotations.after();
      try (ArrayOptionGroup.Opened device = arrays.open(least(data, after));
          ArrayCache cache =
              ArrayCache.open(
                  device.device(), device.options(), arrays.protocol(), arrays.checkGuards(), 0)) {
        ArrayBlas blas = new ArrayBlas(cache);
        write(data, cache, blas, rotations);
        statistics = cache.statistics();
      }
    } catch (DistillationException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
    double seconds = 1e-9 * (System.nanoTime() - begin);
    return report(statistics, after, seconds, DataCheck.of(found).failed());
  }

  private Rotations rotations(DistillationHeader header) {
    int n = header.eigenvectors();
    int kept = eigenvectors == null ? n : eigenvectors;
    if (kept < 1 || kept > n) {
      throw new InputException(
          "--eigenvectors must be between 1 and %d, the number in the data, not %d"
              .formatted(n, kept));
    }
    return rotation == null
        ? Rotations.first(header.temporalExtent(), n, kept)
        : Rotations.read(rotation, header.temporalExtent(), n, kept, eigenvectors == null);
  }

  /** Bytes of the largest call. */
  private static long least(DistillationData data, int after) {
    long n = data.header().eigenvectors();
    long first = data.baryonElementals().isEmpty() ? 16 : Math.max(16, n);
    return 16 * (first * n * (n + after) + n * after) + 4096;
  }

  private void write(DistillationData data, ArrayCache cache, ArrayBlas blas, Rotations rotations) {
    var source = TransformedData.source(data, cache, blas, rotations, times::contains);
    DistillationFiles.Configuration changed =
        new DistillationFiles.Configuration(
            source.header().complete(data.files().get(0)),
            List.of(new DistillationFiles.Found(source, null, DataFormat.Facts.NONE)));
    try (DistillationData made = changed.open()) {
      PrintWriter err = Console.err(spec);
      long all = Hdf5Conversion.bytes(made, name -> true);
      err.println("writing " + MemorySize.text(all) + " to " + out);
      if (!data.tetraquarkElementals().isEmpty()) {
        err.println(
            "starling: WARN  elementals of tetraquarks are not transformed and were left out;"
                + " `starling elementals --tetraquark` computes them from vectors");
      }
      err.flush();
      Path folder = out.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Hdf5Conversion.write(made, out, identity(data), name -> true, bytes -> {});
    } catch (IOException e) {
      throw new InputException(out + ": cannot be written: " + PlainFile.reason(e), e);
    }
  }

  private String identity(DistillationData data) throws IOException {
    List<String> parts = new ArrayList<>();
    List<Path> files = new ArrayList<>(data.files());
    if (rotation != null) {
      files.add(rotation);
    }
    for (Path file : files) {
      parts.add(
          file.toAbsolutePath() + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
    }
    return "transform " + parts + " " + eigenvectors + " " + times;
  }

  /**
   * Prints what was done and tests the new data.
   *
   * @param failedBefore tests that the old data fail
   */
  private int report(ArrayStatistics statistics, int after, double seconds, int failedBefore) {
    DataCheck check = DataCheck.of(DistillationFiles.discover(List.of(out.toString())));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("file", out.toString());
    map.put("num_eigenvectors", after);
    map.put("wall_seconds", seconds);
    map.put("memory", statistics.describe());
    map.put("check", check.describe());
    output.write(
        () -> map,
        text -> {
          text.println("wrote " + out + ": " + after + " eigenvectors");
          text.print(check.text());
        });
    if (check.failed() > failedBefore) {
      output.say(
          ("starling: the new data fail %s tests, the old data %s; is the rotation that of these"
                  + " vectors?")
              .formatted(check.failed(), failedBefore));
      return ErrorReport.FAILED;
    }
    return ErrorReport.SUCCESS;
  }
}
