package org.starlingqcd.correlators.cli.option;

import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.data.DilutionScheme;
import org.starlingqcd.hadron.data.NoiseGroup;
import org.starlingqcd.hadron.synthetic.SinkSet;
import picocli.CommandLine.Option;

/** The set of quark sinks that a command makes of perambulators. */
public final class SinkOptionGroup {
  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description = "Label of the perambulators of which quark sinks are made.")
  private @Nullable String label;

  @Option(names = "--set", paramLabel = "NAME", description = "Name of the set. Default: LABEL.")
  private @Nullable String set;

  @Option(
      names = "--time",
      paramLabel = "SCHEME",
      description =
          "Dilution in time: full, none, \"interlace K\" or \"block K\". Default:"
              + " ${DEFAULT-VALUE}.")
  private String time = "full";

  @Option(
      names = "--spin",
      paramLabel = "SCHEME",
      description = "Dilution in spin. Default: ${DEFAULT-VALUE}.")
  private String spin = "full";

  @Option(
      names = "--eigenvectors",
      paramLabel = "SCHEME",
      description = "Dilution in eigenvectors. Default: ${DEFAULT-VALUE}.")
  private String eigenvectors = "full";

  @Option(
      names = "--noises",
      paramLabel = "R",
      converter = WholeNumber.FromOne.class,
      description = "Number of noises. Default: ${DEFAULT-VALUE}.")
  private int noises = 4;

  @Option(
      names = "--names",
      paramLabel = "PREFIX",
      description = "Their names, which a number follows. Default: ${DEFAULT-VALUE}.")
  private String names = "r";

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description = "Their numbers: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private NoiseGroup group = NoiseGroup.Z4;

  /** The label of the perambulators; null when none is given. */
  public @Nullable String label() {
    return label;
  }

  /**
   * The set of a label for T times and N eigenvectors.
   *
   * @param times the source times whose classes are stored
   */
  public SinkSet of(
      String of, int extent, int vectors, boolean hermitian, Collection<Integer> times, long seed) {
    try {
      List<String> schemes = List.of(time, spin, eigenvectors);
      DilutionScheme scheme = DilutionScheme.of(schemes, extent, vectors, hermitian);
      return new SinkSet(
          of,
          set == null ? of : set,
          scheme,
          times.stream().map(scheme.times()::get).distinct().sorted().toList(),
          IntStream.range(0, noises).mapToObj(k -> names + k).toList(),
          group,
          seed);
    } catch (IllegalArgumentException e) {
      throw new InputException("dilution: " + e.getMessage(), e);
    }
  }
}
