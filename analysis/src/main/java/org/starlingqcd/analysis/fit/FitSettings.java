package org.starlingqcd.analysis.fit;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** How correlators are fitted. picocli fills the fields; nobody changes them afterwards. */
public final class FitSettings {
  /** One and two states, in all windows. */
  public static final FitSettings STANDARD = new FitSettings();

  @Option(
      names = "--fit-from",
      paramLabel = "DT",
      description =
          "The first separation that is fitted (default: 1; of eigenvalues always after t0).")
  public int from = 1;

  @Option(
      names = "--fit-to",
      paramLabel = "DT",
      description =
          "The last separation that is fitted (default: the last before one that is smaller than its"
              + " error).")
  public int to = Integer.MAX_VALUE;

  @Option(
      names = "--fit-states",
      paramLabel = "COUNT",
      split = ",",
      description = "Numbers of states in fits: 1, 2 or both (default: 1,2).")
  public Set<Integer> states = Set.of(1, 2);

  @Option(
      names = "--fit-form",
      paramLabel = "FORM",
      description =
          "What is fitted: ${COMPLETION-CANDIDATES} (default: auto, a cosh for mesons where T is"
              + " known).")
  public Form form = Form.AUTO;

  @Option(
      names = "--fit-covariance",
      paramLabel = "REPAIR",
      description =
          "How the correlation matrix is made safe to invert: ${COMPLETION-CANDIDATES} (default:"
              + " shrinkage).")
  public Covariance.Method covariance = Covariance.Method.SHRINKAGE;

  @Option(
      names = "--svd-cut",
      paramLabel = "FRACTION",
      description =
          "With --fit-covariance svd: eigenvalues of the correlation matrix below this fraction of"
              + " the largest are raised to it (default: 0.01).")
  public double cut = 0.01;

  /** What is fitted. */
  public enum Form {
    /** cosh for mesons where T is known, exponentials otherwise. */
    AUTO,
    /** Exponentials. */
    EXP,
    /** Exponentials that run both ways around the lattice. */
    COSH;

    /** As users write it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The models to fit.
   *
   * @param periodicExtent T where a cosh is fitted, 0 for exponentials
   * @param t0 of an eigenvalue; NaN for a correlator
   */
  public List<FitModel> models(int periodicExtent, double t0) {
    return new TreeSet<>(states).stream().map(n -> new FitModel(n, periodicExtent, t0)).toList();
  }
}
