package org.starlingqcd.elementals.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.arrays.ArrayStatistics;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.Console;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.cli.Output;
import org.starlingqcd.correlators.cli.option.TetraquarkOption;
import org.starlingqcd.elementals.ElementalsRequest;
import org.starlingqcd.elementals.ElementalsRun;
import org.starlingqcd.elementals.vectors.EigenvectorFile;
import org.starlingqcd.elementals.vectors.Eigenvectors;
import org.starlingqcd.elementals.vectors.VectorHeader;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.hdf5.PlainFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code starling elementals}: elementals from eigenvectors of the Laplacian. */
@Command(
    description = {
      "Computes elementals of mesons, baryons and tetraquarks from eigenvectors of the smeared Laplacian and writes them as"
          + " distillation data.",
      "Eigenvectors are read from HDF5 files in Starling's layout, .npy files of EasyDistillation and MOD"
          + " files of Chroma. A run that was stopped goes on at the time slice where it stopped."
    })
public final class ElementalsCommand implements Callable<Integer> {
  private static final int MOST_MOMENTUM_SQUARED = 1000;
  private static final long DEFAULT_RESULTS = 1L << 30;

  @Parameters(
      index = "0",
      paramLabel = "EIGENVECTORS",
      description = "File of eigenvectors of one configuration.")
  private Path vectors = Path.of("");

  @Option(
      names = "--momentum-squared",
      paramLabel = "K",
      required = true,
      description = "Compute elementals at all momenta n with n*n <= K.")
  private int momentumSquared;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "File of distillation data to write.")
  private Path out = Path.of("");

  @Option(names = "--baryons", description = "Also compute baryon elementals.")
  private boolean baryons;

  @Mixin private TetraquarkOption tetraquarks = new TetraquarkOption();

  @Option(
      names = "--displacements",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "none",
      description =
          "Displacements of mesons: none, nabla_x, D_x, D_xD_y and so on; nabla_k, D_k and D_jD_k stand for"
              + " all directions. All but none need gauge links. Default: ${DEFAULT-VALUE}.")
  private List<String> displacements = List.of("none");

  @Option(
      names = "--ensemble",
      paramLabel = "NAME",
      description = "Name of the ensemble, for formats that do not say it.")
  private @Nullable String ensemble;

  @Option(
      names = "--configuration",
      paramLabel = "NUMBER",
      description = "Number of the configuration, for formats that do not say it.")
  private @Nullable Long configuration;

  @Option(
      names = "--host-memory",
      paramLabel = "SIZE",
      description =
          "RAM for vectors and results beside the device, such as 16GiB. Default: no bound for vectors, 1"
              + " GiB for elementals of baryons and tetraquarks that wait to be written.")
  private @Nullable MemorySize hostMemory;

  @Option(names = "--overwrite", description = "Replace an existing file.")
  private boolean overwrite;

  @Mixin private Output output = new Output();

  @Mixin private ArrayOptionGroup arrays = new ArrayOptionGroup();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    if (momentumSquared < 0 || momentumSquared > MOST_MOMENTUM_SQUARED) {
      throw new InputException(
          "--momentum-squared must be between 0 and 1000, not " + momentumSquared);
    }
    if (!overwrite && Files.exists(out)) {
      throw new InputException(out + " exists; --overwrite replaces it");
    }
    long begin = System.nanoTime();
    ElementalsRequest request =
        new ElementalsRequest(
            Momentum.ball(momentumSquared), displacements(), baryons, tetraquarks.colours());
    try (Eigenvectors source = EigenvectorFile.open(vectors, ensemble, configuration)) {
      VectorHeader header = source.header();
      if (request.tetraquarks().contains(PairColour.TRIPLET) && header.eigenvectors() == 1) {
        throw new InputException(
            source.name() + ": 3bar3 needs two eigenvectors, and there is one");
      }
      if (request.needsLinks() && !source.hasLinks()) {
        throw InputException.of(
            "%s: has no gauge links, which displacements other than none need; write them as the"
                + " data set gauge_links of an HDF5 file",
            source.name());
      }
      long results = checkHostMemory(header, request);
      try (ArrayOptionGroup.Opened device =
          arrays.open(ElementalsRun.leastDeviceBytes(header, request))) {
        ElementalsRun.Outcome outcome =
            new ElementalsRun(
                    device.device(), device.options(), arrays.protocol(), arrays.checkGuards())
                .run(
                    source,
                    request,
                    out,
                    identity(source, request),
                    results,
                    new Lines(Console.err(spec), begin));
        report(header, request, outcome, device.backend(), 1e-9 * (System.nanoTime() - begin));
      }
    } catch (DistillationException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
    return ErrorReport.SUCCESS;
  }

  /** Host memory for results, after checking that the vectors leave some. */
  private long checkHostMemory(VectorHeader header, ElementalsRequest request) {
    if (hostMemory == null) {
      return DEFAULT_RESULTS;
    }
    if (hostMemory.fraction() > 0) {
      throw new InputException("--host-memory is an amount here, such as 16GiB");
    }
    long bound = hostMemory.bytes();
    long needed = ElementalsRun.hostBytes(header, request);
    if (needed > bound) {
      throw InputException.of(
          "--host-memory of %s is too little: the vectors of one time slice and what is made of"
              + " them need %s",
          MemorySize.text(bound), MemorySize.text(needed));
    }
    return Math.max(1, bound - needed);
  }

  private List<String> displacements() {
    List<String> names = new ArrayList<>();
    for (String text : displacements) {
      switch (text.strip()) {
        case "nabla_k" -> names.addAll(List.of("nabla_x", "nabla_y", "nabla_z"));
        case "D_k" -> names.addAll(Displacement.derivatives(1));
        case "D_jD_k" -> names.addAll(Displacement.derivatives(2));
        default -> {
          if (Displacement.of(text.strip()).kind() == Displacement.Kind.OTHER) {
            throw InputException.of(
                "--displacements: '%s' is unknown; expected none, nabla_x, D_x, D_xD_y and so on,"
                    + " or nabla_k, D_k, D_jD_k for all directions",
                text);
          }
          names.add(text.strip());
        }
      }
    }
    return names.stream().distinct().toList();
  }

  /** What is computed from which file; a file of another identity is not continued. */
  private String identity(Eigenvectors source, ElementalsRequest request) {
    try {
      return String.join(
          " ",
          vectors.toAbsolutePath().toString().replace('\n', ' '),
          Long.toString(Files.size(vectors)),
          Files.getLastModifiedTime(vectors).toString(),
          source.header().toString(),
          "n*n<=" + momentumSquared,
          String.join(",", request.displacements()),
          request.baryons() ? "baryons" : "mesons",
          request.tetraquarks().toString());
    } catch (IOException e) {
      throw new InputException(vectors + ": cannot be read: " + PlainFile.reason(e), e);
    }
  }

  private void report(
      VectorHeader header,
      ElementalsRequest request,
      ElementalsRun.Outcome outcome,
      String backend,
      double seconds) {
    int mesons = request.mesons(header).size();
    int baryonCount = request.baryonNames().size();
    int tetraquarkCount = request.tetraquarkNames().size();
    ArrayStatistics statistics = outcome.statistics();
    double gflops = 1e-9 * outcome.flops() / seconds;
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("file", out.toString());
    map.put("ensemble", header.ensemble());
    map.put("configuration", header.configuration());
    map.put("backend", backend);
    map.put("momenta", request.momenta().size());
    map.put("meson_elementals", mesons);
    map.put("baryon_elementals", baryonCount);
    map.put("tetraquark_elementals", tetraquarkCount);
    map.put("times", outcome.times());
    map.put("wall_seconds", seconds);
    map.put("flops", outcome.flops());
    map.put("gflops", gflops);
    map.put("memory", statistics.describe());
    output.write(
        () -> map,
        text ->
            text.printf(
                Locale.US,
                "wrote %s: %d meson and %d baryon elementals%s at %d times in %.1f s"
                    + " (%.1f GFLOP/s)%n%s: %s to the device, %s to the host%n",
                out,
                mesons,
                baryonCount,
                tetraquarkCount == 0 ? "" : ", " + tetraquarkCount + " of tetraquarks,",
                outcome.times(),
                seconds,
                gflops,
                statistics.protocol().label(),
                MemorySize.text(statistics.memory().bytesToDevice()),
                MemorySize.text(statistics.memory().bytesToHost())));
  }

  /** A line for each time slice, with the time that is left. */
  private static final class Lines implements ElementalsRun.Progress {
    private final PrintWriter err;
    private final long begin;
    private int before = -1;

    Lines(PrintWriter err, long begin) {
      this.err = err;
      this.begin = begin;
    }

    @Override
    public void finished(int done, int all) {
      if (before < 0) {
        before = done;
        if (done > 0) {
          err.println("going on after " + done + " of " + all + " time slices of an earlier run");
        }
        return;
      }
      double seconds = 1e-9 * (System.nanoTime() - begin);
      double left = seconds / (done - before) * (all - done);
      err.printf(Locale.US, "time slice %d of %d, %.0f s, %.0f s left%n", done, all, seconds, left);
      err.flush();
    }
  }
}
