package org.starlingqcd.correlators.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.correlators.ComputationException;

/**
 * The results for one configuration and source: the unit of work, of durability and of resuming.
 * The arrays are not copied; nobody changes them afterwards.
 *
 * @param correlator {@code [dt][i][j]}, interleaved complex; for three-point functions and with
 *     windows of noises the arrays of {@link ResultHeader#parts}, one after the other
 * @param times the times of the one-point functions or loops, ascending; none when they are not
 *     computed
 * @param onePoint {@code [time][i]}, interleaved complex, with a number i for each operator or
 *     loop, and then for each operator and window of noises
 * @param data checksums of some blocks of the data that it was computed from, each after the name
 *     of the block and a colon; names of noises after {@link #NOISES}
 */
@SuppressWarnings("ArrayRecordComponent") // bulk numbers; never compared as a record
public record ResultUnit(
    int configuration,
    int source,
    double[] correlator,
    int[] times,
    double[] onePoint,
    List<String> data) {
  /** What stands before the names of noises, which are joined by commas. */
  public static final String NOISES = "noises:";

  /** A unit that does not say from which data it is. */
  public ResultUnit(
      int configuration, int source, double[] correlator, int[] times, double[] onePoint) {
    this(configuration, source, correlator, times, onePoint, List.of());
  }

  /** The same unit of some data, besides those that it names. */
  public ResultUnit from(List<String> blocks) {
    List<String> all = new ArrayList<>(data);
    all.addAll(blocks);
    return new ResultUnit(configuration, source, correlator, times, onePoint, all);
  }

  /** Refuses numbers that are not finite. */
  void checkNumbers(ResultHeader header) {
    int n = header.row().size() * (1 + header.windows());
    if (correlator.length != header.correlatorDoubles()
        || onePoint.length != 2 * n * times.length) {
      throw new IllegalArgumentException(
          "shape of a unit: correlator=%s onePoint=%s times=%s operators=%s"
              .formatted(correlator.length, onePoint.length, times.length, n));
    }
    for (int k = 0; k < correlator.length; k++) {
      if (!Double.isFinite(correlator[k])) {
        throw notFinite(header, header.place(k), correlator[k]);
      }
    }
    for (int k = 0; k < onePoint.length; k++) {
      if (!Double.isFinite(onePoint[k])) {
        CurrentAxes currents = header.currents();
        String what =
            currents == null
                ? "one-point function of operator '"
                    + header.operators().get(k / 2 % n % header.row().size())
                : "loop of insertion '" + currents.loops().get(k / 2 % n);
        throw notFinite(header, what + "' at time " + times[k / 2 / n], onePoint[k]);
      }
    }
  }

  private ComputationException notFinite(ResultHeader header, String where, double value) {
    return new ComputationException(
        String.format(
            Locale.US,
            "%s: configuration %d, source %d, %s: the result is %s; the numbers of the data are too"
                + " large or the data are damaged",
            header.name(),
            configuration,
            source,
            where,
            value));
  }
}
