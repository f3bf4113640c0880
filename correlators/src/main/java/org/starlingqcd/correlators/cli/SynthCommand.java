package org.starlingqcd.correlators.cli;

import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.option.SinkOptionGroup;
import org.starlingqcd.correlators.cli.option.TetraquarkOption;
import org.starlingqcd.correlators.cli.option.WholeNumber;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.hdf5.PlainFile;
import org.starlingqcd.hadron.synthetic.SyntheticCurrents;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code starling synth}: writes random distillation data of any size. */
@Command(
    description = {
      "Writes synthetic distillation data: random perambulators that are exactly gamma5-hermitian,"
          + " random elementals that are adjoint at opposite momenta, the unit elemental at zero"
          + " momentum, derivatives with their relations, and currents that are gamma5-hermitian.",
      "Equal options and seeds give equal numbers. The numbers of a block do not depend on the"
          + " other blocks."
    })
public final class SynthCommand implements Callable<Integer> {
  private static final Pattern MOMENTUM =
      Pattern.compile("(-?\\d{1,6})\\s*[, _]\\s*(-?\\d{1,6})\\s*[, _]\\s*(-?\\d{1,6})");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Folder of the files, which are named ENSEMBLE_cfgCCCC.h5. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("data");

  @Option(
      names = "--ensemble",
      paramLabel = "NAME",
      description = "Name of the ensemble. Default: ${DEFAULT-VALUE}.")
  private String ensemble = "synthetic";

  @Option(
      names = {"-N", "--tensor-size"},
      paramLabel = "N",
      required = true,
      converter = WholeNumber.FromOne.class,
      description = "Number of eigenvectors.")
  private int tensorSize;

  @Option(
      names = {"-T", "--temporal-extent"},
      paramLabel = "T",
      required = true,
      converter = WholeNumber.FromOne.class,
      description = "Number of time slices.")
  private int temporalExtent;

  @Option(
      names = {"-L", "--spatial-extent"},
      paramLabel = "L",
      converter = WholeNumber.FromOne.class,
      description =
          "Spatial extent. Derivatives vanish where 2 n_k = L and are not written there. Default:"
              + " ${DEFAULT-VALUE}.")
  private int spatialExtent = 16;

  @Option(
      names = "--configurations",
      paramLabel = "LIST",
      description = "Numbers of the configurations, such as 1,3,10-20. Default: ${DEFAULT-VALUE}.")
  private NumberSelection configurations = NumberSelection.parse("1");

  @Option(
      names = "--labels",
      paramLabel = "LABEL",
      split = ",",
      defaultValue = "light,strange",
      description = "Labels of the perambulators. Default: ${DEFAULT-VALUE}.")
  private List<String> labels = List.of();

  @Option(
      names = "--sources",
      paramLabel = "LIST",
      description =
          "Source times of the perambulators, such as 0,4, or all, and the time classes of quark"
              + " sinks. Default: ${DEFAULT-VALUE}.")
  private NumberSelection sources = NumberSelection.ALL;

  @Option(
      names = "--momentum-squared",
      paramLabel = "K",
      description =
          "Write elementals at all momenta n with n*n <= K. Default: 2, unless --momentum is"
              + " given.")
  private @Nullable Integer momentumSquared;

  @Option(
      names = "--momentum",
      paramLabel = "NX,NY,NZ",
      description = "Also write elementals at this momentum. The option may be repeated.")
  private List<String> momenta = List.of();

  @Option(
      names = "--displacements",
      paramLabel = "NAME",
      split = ",",
      description =
          "Also write elementals with these displacements, such as nabla_x,nabla_y,nabla_z.")
  private List<String> displacements = List.of();

  @Option(
      names = "--derivatives",
      paramLabel = "ORDER",
      description =
          "Also write forward-backward derivatives: 1 for D_x, D_y, D_z; 2 for the nine products"
              + " D_xD_x to D_zD_z as well. Default: ${DEFAULT-VALUE}.")
  private int derivatives;

  @Option(
      names = "--baryons",
      description =
          "Also write baryon elementals, which have N x N x N numbers for each time and momentum.")
  private boolean baryons;

  @Mixin private TetraquarkOption tetraquarks = new TetraquarkOption();

  @Option(
      names = "--eigenvalues",
      description =
          "Also write eigenvalues of the Laplacian, between 0 and 1, which Gaussian distillation"
              + " profiles need.")
  private boolean eigenvalues;

  @Option(
      names = "--currents",
      paramLabel = "GAMMA",
      split = ",",
      description =
          "Also write generalized perambulators and loops of currents with these gammas, such as"
              + " 1,g4,g3g5, for every pair of labels.")
  private List<String> currents = List.of();

  @Option(
      names = "--current-displacements",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "none",
      description =
          "Their displacements: none, D_x, D_y, D_z, D_t, or conserved, which g1 to g4 alone have."
              + " Default: ${DEFAULT-VALUE}.")
  private List<String> currentDisplacements = List.of();

  @Option(
      names = "--current-momentum-squared",
      paramLabel = "K",
      description = "Their momenta are all q with q*q <= K. Default: ${DEFAULT-VALUE}.")
  private int currentMomentumSquared;

  @Option(
      names = "--current-times",
      paramLabel = "LIST",
      description =
          "Their sink and source times, such as 0,8, or all. Default: the source times of the"
              + " perambulators.")
  private @Nullable NumberSelection currentTimes;

  @Option(
      names = "--complete",
      description =
          "Compute generalized perambulators as products of two perambulators and an elemental, as"
              + " they are for N = 3 L^3, which is needed, instead of drawing them.")
  private boolean complete;

  @Option(
      names = "--gluonic",
      paramLabel = "NAME",
      split = ",",
      description =
          "Also write gluonic factors with these names at all momenta; NAME:ROW names a row, as"
              + " E:1,E:2.")
  private List<String> gluonic = List.of();

  @Mixin private SinkOptionGroup sinks = new SinkOptionGroup();

  @Option(
      names = "--deflate",
      paramLabel = "LEVEL",
      description = "Compression level, 0 to 9. Default: ${DEFAULT-VALUE}.")
  private int deflate;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "Seed of all random numbers. Default: ${DEFAULT-VALUE}.")
  private long seed = 1;

  @Option(names = "--overwrite", description = "Replace existing files.")
  private boolean overwrite;

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    SyntheticEnsemble synthetic = synthetic();
    List<Integer> numbers = numbers();
    checkRoom(synthetic, numbers);
    List<String> files = new ArrayList<>();
    long begin = System.nanoTime();
    for (int number : numbers) {
      Path file = SyntheticData.write(synthetic, number, out, bytes -> {});
      files.add(file.toString());
      output.say(
          "wrote %s (%s, %s of %s)"
              .formatted(file, MemorySize.text(synthetic.bytes()), files.size(), numbers.size()));
    }
    double seconds = 1e-9 * (System.nanoTime() - begin);
    output.print(
        () ->
            ImmutableMap.of(
                "ensemble", ensemble,
                "configurations", numbers,
                "files", files,
                "bytes", synthetic.bytes() * numbers.size(),
                "wall_seconds", seconds),
        () -> "");
    return ErrorReport.SUCCESS;
  }

  private SyntheticEnsemble synthetic() {
    try {
      if (deflate < 0 || deflate > 9) {
        throw new InputException("--deflate must be between 0 and 9, not " + deflate);
      }
      List<Integer> times = sources.below("--sources", temporalExtent, "--temporal-extent");
      String diluted = sinks.label();
      return new SyntheticEnsemble(
          ensemble,
          spatialExtent,
          temporalExtent,
          tensorSize,
          labels,
          sources.isAll() ? List.of() : times,
          momenta(),
          displacements(),
          baryons,
          deflate,
          seed,
          tetraquarks.colours(),
          currents(),
          gluonic,
          eigenvalues,
          diluted == null
              ? List.of()
              : List.of(sinks.of(diluted, temporalExtent, tensorSize, true, times, seed)));
    } catch (IllegalArgumentException e) {
      throw new InputException("synth: " + e.getMessage(), e);
    }
  }

  private List<String> displacements() {
    if (derivatives < 0 || derivatives > Displacement.MOST_DERIVATIVES) {
      throw InputException.of(
          "--derivatives must be between 0 and %d, not %d",
          Displacement.MOST_DERIVATIVES, derivatives);
    }
    List<String> names = new ArrayList<>(displacements);
    for (int factors = 1; factors <= derivatives; factors++) {
      names.addAll(Displacement.derivatives(factors));
    }
    return names;
  }

  private SyntheticCurrents currents() {
    if (currents.isEmpty()) {
      if (complete || currentTimes != null) {
        throw new InputException("--complete and --current-times need gammas: --currents g4");
      }
      return SyntheticCurrents.NONE;
    }
    NumberSelection given = currentTimes;
    NumberSelection chosen = given == null ? sources : given;
    return new SyntheticCurrents(
        currents.stream().map(Gamma::parse).toList(),
        currentDisplacements,
        ball("--current-momentum-squared", currentMomentumSquared),
        chosen.isAll()
            ? IntStream.range(0, temporalExtent).boxed().toList()
            : chosen.below("--current-times", temporalExtent, "--temporal-extent"),
        complete);
  }

  /** All momenta n with n·n ≤ bound. */
  private static List<Momentum> ball(String option, int bound) {
    if (bound > 1000 || bound < 0) {
      throw new InputException(option + " must be between 0 and 1000, not " + bound);
    }
    return Momentum.ball(bound);
  }

  private List<Momentum> momenta() {
    Integer given = momentumSquared;
    List<Momentum> all = new ArrayList<>();
    if (given != null || momenta.isEmpty()) {
      all.addAll(ball("--momentum-squared", given == null ? 2 : given));
    }
    for (String text : momenta) {
      Matcher matcher = MOMENTUM.matcher(text.strip());
      if (!matcher.matches()) {
        throw new InputException(
            "--momentum: '" + text + "' is not a momentum; write it as 0,0,-1");
      }
      Momentum momentum =
          new Momentum(
              Integer.parseInt(matcher.group(1)),
              Integer.parseInt(matcher.group(2)),
              Integer.parseInt(matcher.group(3)));
      if (!all.contains(momentum)) {
        all.add(momentum);
      }
    }
    return all;
  }

  private List<Integer> numbers() {
    if (configurations.isAll()) {
      throw new InputException(
          "--configurations: synth needs numbers, such as 1-10; it cannot write 'all'");
    }
    return configurations.below("--configurations", Integer.MAX_VALUE, "32-bit numbers");
  }

  /** Checks before the first file that all of them can be written. */
  private void checkRoom(SyntheticEnsemble synthetic, List<Integer> numbers) {
    for (int number : numbers) {
      Path file = out.resolve(synthetic.fileName(number));
      if (!overwrite && Files.exists(file)) {
        throw new InputException(file + " exists; --overwrite replaces it");
      }
    }
    if (synthetic.deflate() > 0) {
      return;
    }
    try {
      Files.createDirectories(out);
      long free = Files.getFileStore(out).getUsableSpace();
      double needed = (double) synthetic.bytes() * numbers.size();
      if (!overwrite && needed > free) {
        throw InputException.of(
            "%s: %s to write, but only %s free; choose another --out or write less",
            out, MemorySize.text((long) needed), MemorySize.text(free));
      }
    } catch (IOException e) {
      throw new InputException(out + ": cannot be written: " + PlainFile.reason(e), e);
    }
  }
}
