package org.starlingqcd.analysis;

import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.FitOptions;

/**
 * How a correlation matrix is analysed.
 *
 * @param method jackknife or bootstrap
 * @param samples samples of the bootstrap
 * @param seed seed of the bootstrap
 * @param binSize least number of configurations per bin; a remainder makes some bins larger by one
 * @param masses kinds of effective masses
 * @param subtract whether to subtract the vacuum if there are one-point functions
 * @param t0 the separation of the metric of the generalized eigenvalue problem; empty: no such
 *     problem; {@link #AUTO}: chosen
 * @param td the separation at which states are numbered; empty: the first after t0
 * @param vectors with which vectors states are followed
 * @param fit how to fit exponentials; null: no fits
 */
public record AnalysisOptions(
    Resampling.Method method,
    int samples,
    long seed,
    int binSize,
    Set<EffectiveMass> masses,
    boolean subtract,
    OptionalInt t0,
    OptionalInt td,
    PrincipalCorrelators.Vectors vectors,
    @Nullable FitOptions fit) {
  /** {@code t0} of the first separation after which the states of a matrix describe it. */
  public static final int AUTO = -1;

  /** Standard fits of the energies of states, or of operators without {@code t0}. */
  public static AnalysisOptions ofLevels(int binSize, OptionalInt t0) {
    return new AnalysisOptions(
        Resampling.Method.JACKKNIFE,
        2,
        1,
        binSize,
        EnumSet.of(EffectiveMass.LOG),
        true,
        t0,
        OptionalInt.empty(),
        PrincipalCorrelators.Vectors.EACH,
        FitOptions.STANDARD);
  }

  /** The same for each operator alone. */
  public AnalysisOptions withoutStates() {
    return with(OptionalInt.empty());
  }

  /** The same with another t0. */
  AnalysisOptions with(OptionalInt other) {
    return new AnalysisOptions(
        method, samples, seed, binSize, masses, subtract, other, td, vectors, fit);
  }

  /** How {@code configurations} configurations are resampled. */
  Resampling resampling(int configurations) {
    int bins = Math.max(1, configurations / binSize);
    return method == Resampling.Method.JACKKNIFE
        ? Resampling.jackknife(bins)
        : Resampling.bootstrap(bins, samples, seed);
  }
}
