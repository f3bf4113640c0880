package org.starlingqcd.analysis;

import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.FitSettings;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How a correlation matrix is analysed. picocli fills the fields; nobody changes them afterwards.
 */
public final class AnalysisSettings {
  /** The {@code t0} of the first separation after which the states of a matrix describe it. */
  static final int AUTO = -1;

  @Option(
      names = "--resampling",
      paramLabel = "METHOD",
      description = "How errors are estimated: ${COMPLETION-CANDIDATES} (default: jackknife).")
  public Resampling.Method method = Resampling.Method.JACKKNIFE;

  @Option(
      names = "--samples",
      paramLabel = "COUNT",
      description = "Bootstrap samples (default: ${DEFAULT-VALUE}).")
  public int samples = 1000;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Seed of the bootstrap (default: ${DEFAULT-VALUE}).")
  public long seed = 1;

  /** Least number of configurations per bin; a remainder makes some bins larger by one. */
  @Option(
      names = "--bin",
      paramLabel = "COUNT",
      description =
          "Neighbouring configurations in one bin, against autocorrelation (default:"
              + " ${DEFAULT-VALUE}).")
  public int binSize = 1;

  @Option(
      names = "--effective-mass",
      paramLabel = "KIND",
      split = ",",
      description =
          "Effective masses: ${COMPLETION-CANDIDATES}, or both (default: log). cosh is for mesons on a"
              + " lattice that is periodic in time.")
  public Set<EffectiveMass> masses = EnumSet.of(EffectiveMass.LOG);

  @Option(names = "--no-subtraction", description = "Do not subtract the vacuum.")
  public boolean noSubtraction;

  @Option(
      names = "--t0",
      paramLabel = "DT",
      description =
          "Solve the generalized eigenvalue problem C(dt) v = lambda C(t0) v; auto takes the first t0"
              + " after which the states of the matrix describe it.")
  public @Nullable String t0;

  @Option(
      names = "--td",
      paramLabel = "DT",
      description =
          "The separation at which states are numbered by falling eigenvalue (default: the next after"
              + " t0).")
  public @Nullable Integer td;

  @Option(
      names = "--vectors",
      paramLabel = "WHERE",
      description =
          "With which vectors states are followed: ${COMPLETION-CANDIDATES}, those of each separation,"
              + " matched by overlap, or those at td everywhere (default: each).")
  public PrincipalCorrelators.Vectors vectors = PrincipalCorrelators.Vectors.EACH;

  @Option(
      names = "--fit",
      description =
          "Fit one and two exponentials to windows of correlators and eigenvalues, average the"
              + " energies over models and windows, and estimate autocorrelation times.")
  public boolean fit;

  @Mixin public FitSettings fits = new FitSettings();

  /** The metric of the generalized eigenvalue problem, {@link #AUTO} to choose; empty: none. */
  OptionalInt t0() {
    return t0 == null
        ? OptionalInt.empty()
        : OptionalInt.of(t0.equals("auto") ? AUTO : Integer.parseInt(t0));
  }

  /** How {@code configurations} configurations are resampled. */
  Resampling resampling(int configurations) {
    int bins = Math.max(1, configurations / binSize);
    return method == Resampling.Method.JACKKNIFE
        ? Resampling.jackknife(bins)
        : Resampling.bootstrap(bins, samples, seed);
  }
}
