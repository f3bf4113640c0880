package org.starlingqcd.analysis.cli;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.Covariance;
import org.starlingqcd.analysis.fit.FitOptions;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of fits. */
final class FitOptionGroup {
  @Option(
      names = "--fit",
      description =
          "Fit one and two exponentials to all windows of correlators and eigenvalues, average the"
              + " energies over models, and estimate autocorrelation times.")
  private boolean fit;

  @Option(
      names = "--fit-form",
      paramLabel = "FORM",
      description =
          "What is fitted: ${COMPLETION-CANDIDATES} (default: auto, a cosh for mesons where T is"
              + " known).")
  private FitOptions.@Nullable Form form;

  @Option(
      names = "--fit-covariance",
      paramLabel = "REPAIR",
      description =
          "How the correlation matrix is made safe to invert: ${COMPLETION-CANDIDATES} (default:"
              + " shrinkage).")
  private Covariance.@Nullable Method covariance;

  @Option(
      names = "--svd-cut",
      paramLabel = "FRACTION",
      description =
          "With --fit-covariance svd: eigenvalues of the correlation matrix below this fraction of"
              + " the largest are raised to it (default: 0.01).")
  private @Nullable Double cut;

  /**
   * The options; null without {@code --fit}.
   *
   * @throws ParameterException when they contradict each other
   */
  @Nullable FitOptions options(CommandSpec spec) {
    if (!fit) {
      String without =
          form != null
              ? "--fit-form"
              : covariance != null ? "--fit-covariance" : cut != null ? "--svd-cut" : "";
      if (!without.isEmpty()) {
        throw new ParameterException(spec.commandLine(), without + " needs --fit");
      }
      return null;
    }
    Covariance.Method method = covariance == null ? Covariance.Method.SHRINKAGE : covariance;
    if (cut != null && method != Covariance.Method.SVD) {
      throw new ParameterException(spec.commandLine(), "--svd-cut needs --fit-covariance svd");
    }
    if (cut != null && !(cut > 0 && cut < 1)) {
      throw new ParameterException(spec.commandLine(), "--svd-cut must be > 0 && < 1: " + cut);
    }
    return new FitOptions(
        form == null ? FitOptions.Form.AUTO : form,
        method,
        cut == null ? FitOptions.DEFAULT_CUT : cut);
  }
}
