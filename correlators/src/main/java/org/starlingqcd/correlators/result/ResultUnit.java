package org.starlingqcd.correlators.result;

import java.util.Locale;
import org.starlingqcd.correlators.ComputationException;

/**
 * The results for one configuration and source: the unit of work, of durability and of resuming.
 * The arrays are not copied; nobody changes them afterwards.
 *
 * @param correlator {@code [dt][i][j]}, interleaved complex
 * @param times the times of the one-point functions, ascending; none when they are not computed
 * @param onePoint {@code [time][i]}, interleaved complex
 */
@SuppressWarnings("ArrayRecordComponent") // bulk numbers; never compared as a record
public record ResultUnit(
    int configuration, int source, double[] correlator, int[] times, double[] onePoint) {

  /** Refuses numbers that are not finite. */
  void checkNumbers(ResultHeader header) {
    int n = header.operators().size();
    if (correlator.length != header.correlatorDoubles()
        || onePoint.length != 2 * n * times.length) {
      throw new IllegalArgumentException(
          "shape of a unit: correlator=%s onePoint=%s times=%s operators=%s"
              .formatted(correlator.length, onePoint.length, times.length, n));
    }
    for (int k = 0; k < correlator.length; k++) {
      if (!Double.isFinite(correlator[k])) {
        int element = k / 2;
        throw notFinite(
            header,
            String.format(
                Locale.ROOT,
                "separation %d, sink operator '%s', source operator '%s'",
                header.separations().get(element / (n * n)),
                header.operators().get(element / n % n),
                header.operators().get(element % n)),
            correlator[k]);
      }
    }
    for (int k = 0; k < onePoint.length; k++) {
      if (!Double.isFinite(onePoint[k])) {
        throw notFinite(
            header,
            String.format(
                Locale.ROOT,
                "one-point function of operator '%s' at time %d",
                header.operators().get(k / 2 % n),
                times[k / 2 / n]),
            onePoint[k]);
      }
    }
  }

  private ComputationException notFinite(ResultHeader header, String where, double value) {
    return new ComputationException(
        String.format(
            Locale.ROOT,
            "%s: configuration %d, source %d, %s: the result is %s; the numbers of the data are too"
                + " large or the data are damaged",
            header.name(),
            configuration,
            source,
            where,
            value));
  }
}
