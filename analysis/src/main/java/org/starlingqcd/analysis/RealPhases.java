package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;
import org.starlingqcd.correlators.InputException;

/**
 * Makes a correlation matrix real on average. An operator O_i whose sign under complex conjugation
 * with parity is -1 is multiplied by i; then the imaginary parts are noise. A matrix of one
 * operator is real whatever its sign.
 */
public final class RealPhases {
  /** Standard errors of a Gaussian beyond which an imaginary part is no noise. */
  private static final double SIGMAS = 5;

  /** Imaginary parts below this share of the diagonal elements are rounding. */
  private static final double ROUNDING = 1e-10;

  /** The probability that a Gaussian is beyond {@link #SIGMAS} on one side. */
  private static final double TAIL =
      new NormalDistribution(null, 0, 1).cumulativeProbability(-SIGMAS);

  private RealPhases() {}

  /**
   * The data with operators multiplied by i where their sign is -1. In what is returned all signs
   * are +1; that of a single operator may stay undecided.
   *
   * @throws InputException when one of several operators has no sign, or imaginary parts contradict
   *     the signs
   */
  public static CorrelatorData multiply(CorrelatorData data) {
    requireSigns(data);
    int n = data.size();
    int[] turns = data.conjugation().stream().mapToInt(s -> s == -1 ? 1 : 0).toArray();
    CorrelatorData real =
        mapped(
            data,
            data.conjugation().stream().map(s -> isSign(s) ? 1 : 0).toList(),
            sum -> turn(sum, k -> turns[k / n % n] - turns[k % n]),
            rows -> turn(rows, k -> turns[k % n]));
    check(real, data.conjugation());
    return real;
  }

  /**
   * The real parts of what {@link #multiply} returns. One-point functions of an operator without a
   * sign stay complex.
   *
   * @throws InputException as there
   */
  public static CorrelatorData realParts(CorrelatorData data) {
    CorrelatorData real = multiply(data);
    boolean decided = !real.conjugation().contains(0);
    UnaryOperator<double[]> part = RealPhases::withoutImaginary;
    return mapped(real, real.conjugation(), part, decided ? part : UnaryOperator.identity());
  }

  private static CorrelatorData mapped(
      CorrelatorData data,
      List<Integer> signs,
      UnaryOperator<double[]> matrix,
      UnaryOperator<double[]> onePoint) {
    return data.with(
        signs,
        data.configurations().stream()
            .map(one -> one.with(matrix.apply(one.sum()), onePoint.apply(one.onePoint())))
            .toList());
  }

  private static boolean isSign(int sign) {
    return sign == 1 || sign == -1;
  }

  private static void requireSigns(CorrelatorData data) {
    List<String> undecided = new ArrayList<>();
    List<String> decided = new ArrayList<>();
    for (int i = 0; i < data.size(); i++) {
      (isSign(data.conjugation().get(i)) ? decided : undecided).add(data.operators().get(i));
    }
    if (data.size() > 1 && !undecided.isEmpty()) {
      String choice =
          decided.isEmpty()
              ? "select a single operator with --operators"
              : "select operators whose sign is known (--operators "
                  + SelectionSettings.listed(decided).replaceAll("^\\[|\\]$", "").replace(", ", ",")
                  + ")";
      throw InputException.of(
          "%s: the sign of %s under complex conjugation with parity is not known: the definition"
              + " does not decide it, or the file lacks it; real parts alone may then lack the"
              + " mixing of the operators; %s, or take the numbers as they are (export --complex,"
              + " analyze without --real)",
          data.name(), String.join(", ", undecided), choice);
    }
  }

  /** Multiplies complex number k by i (turn 1), -i (turn -1) or 1 (turn 0). */
  private static double[] turn(double[] values, IntUnaryOperator turns) {
    double[] turned = values.clone();
    for (int k = 0; k < values.length / 2; k++) {
      int turn = turns.applyAsInt(k);
      if (turn != 0) {
        // No negative zeros: they would be printed.
        turned[2 * k] = turn > 0 ? 0 - values[2 * k + 1] : values[2 * k + 1];
        turned[2 * k + 1] = turn > 0 ? values[2 * k] : 0 - values[2 * k];
      }
    }
    return turned;
  }

  private static double[] withoutImaginary(double[] values) {
    double[] real = values.clone();
    for (int k = 1; k < real.length; k += 2) {
      real[k] = 0;
    }
    return real;
  }

  /** Looks for imaginary parts beyond noise. */
  private static void check(CorrelatorData real, List<Integer> signs) {
    int n = real.size();
    List<double[]> all =
        IntStream.range(0, real.separations().size()).mapToObj(t -> scales(real, t)).toList();
    for (int k = 0; k < all.size() * n * n; k++) {
      int i = k / n % n;
      int j = k % n;
      double[] at = all.get(k / n / n);
      double[] parts = real.averages(2 * k + 1);
      if (isBeyondNoise(parts, Math.sqrt(at[i] * at[j]))) {
        String element =
            "element of sink %s and source %s at separation %s"
                .formatted(
                    real.operators().get(i),
                    real.operators().get(j),
                    real.separations().get(k / n / n));
        throw contradiction(real, signs, i == j ? List.of(i) : List.of(i, j), element, parts);
      }
    }
    for (int i = 0; i < n && real.hasOnePointFunctions(); i++) {
      int operator = i;
      double[] parts =
          IntStream.range(0, real.configurations().size())
              .mapToDouble(c -> real.onePointAverage(c, 1, operator))
              .toArray();
      if (real.conjugation().get(i) == 1 && isBeyondNoise(parts, Math.sqrt(all.get(0)[i]))) {
        String element = "one-point function of " + real.operators().get(i);
        throw contradiction(real, signs, List.of(i), element, parts);
      }
    }
  }

  /** |C_ii| at a separation. */
  private static double[] scales(CorrelatorData data, int separation) {
    double[] scales = new double[data.size()];
    for (int i = 0; i < scales.length; i++) {
      int index = 2 * ((separation * data.size() + i) * data.size() + i);
      scales[i] =
          Math.hypot(
              StatUtils.mean(data.averages(index)), StatUtils.mean(data.averages(index + 1)));
    }
    return scales;
  }

  /**
   * Whether the mean of numbers that vanish on average is as improbable as {@link #SIGMAS} standard
   * errors of a Gaussian. With few configurations Student's t distribution asks for more.
   */
  static boolean isBeyondNoise(double[] values, double scale) {
    double mean = Math.abs(StatUtils.mean(values));
    if (values.length < 2 || mean <= ROUNDING * scale) {
      return false;
    }
    double error = error(values);
    return mean > SIGMAS * error
        && (error == 0
            || new TDistribution(null, values.length - 1.0).cumulativeProbability(-mean / error)
                < TAIL);
  }

  private static double error(double[] values) {
    return Math.sqrt(StatUtils.variance(values) / values.length);
  }

  private static InputException contradiction(
      CorrelatorData data,
      List<Integer> signs,
      List<Integer> operators,
      String element,
      double[] parts) {
    List<String> texts =
        operators.stream().map(i -> data.operators().get(i) + " " + text(signs.get(i))).toList();
    return InputException.of(
        "%s: the %s has the imaginary part %.4g +- %.2g on average over %d configurations, which"
            + " would be noise with the sign%s under complex conjugation with parity (%s); leave"
            + " operators out with --operators, or take the numbers as they are (export"
            + " --complex, analyze without --real)",
        data.name(),
        element,
        StatUtils.mean(parts),
        error(parts),
        parts.length,
        operators.size() > 1 ? "s" : "",
        String.join(", ", texts));
  }

  private static String text(int sign) {
    return isSign(sign) ? (sign > 0 ? "+1" : "-1") : "of any sign";
  }
}
