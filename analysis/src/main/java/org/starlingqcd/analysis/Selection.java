package org.starlingqcd.analysis;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.run.NumberSelection;

/**
 * The part of the results to analyse.
 *
 * @param configurations configuration numbers
 * @param sources source times
 * @param operators operator names, in this order; empty for all
 * @param temporalExtent T, if given by the user
 */
public record Selection(
    NumberSelection configurations,
    NumberSelection sources,
    List<String> operators,
    OptionalInt temporalExtent) {
  /** Everything. */
  public static final Selection ALL =
      new Selection(NumberSelection.ALL, NumberSelection.ALL, List.of(), OptionalInt.empty());

  /**
   * The places of the chosen operators among those of a file.
   *
   * @throws InputException when one is not there or chosen twice
   */
  int[] indices(Object file, List<String> all) {
    List<String> chosen = operators.isEmpty() ? all : operators;
    int[] indices = chosen.stream().mapToInt(all::indexOf).toArray();
    for (int k = 0; k < indices.length; k++) {
      if (indices[k] < 0) {
        throw new InputException(file + ": has no operator '" + chosen.get(k) + "', only " + all);
      }
      if (chosen.subList(0, k).contains(chosen.get(k))) {
        throw new InputException("operator '" + chosen.get(k) + "' is given twice");
      }
    }
    return indices;
  }

  /**
   * The user's temporal extent or that of a file.
   *
   * @throws InputException when they differ
   */
  OptionalInt extent(Object file, OptionalInt known) {
    if (temporalExtent.isPresent() && known.isPresent() && !known.equals(temporalExtent)) {
      throw new InputException(
          String.format(
              Locale.ROOT,
              "%s: has the temporal extent %d, not %d",
              file,
              known.getAsInt(),
              temporalExtent.getAsInt()));
    }
    return temporalExtent.isPresent() ? temporalExtent : known;
  }

  /**
   * The part of one matrix, interleaved complex [separation][i][j], that belongs to operators.
   *
   * @param where the file, the configuration and the source, for messages
   * @throws InputException when a number is not finite
   */
  static double[] matrix(
      String where, double[] all, int[] indices, List<String> names, List<Integer> separations) {
    int n = indices.length;
    double[] part = new double[2 * separations.size() * n * n];
    for (int k = 0; k < part.length; k++) {
      int t = k / 2 / (n * n);
      int i = indices[k / 2 / n % n];
      int j = indices[k / 2 % n];
      part[k] = all[2 * ((t * names.size() + i) * names.size() + j) + k % 2];
      if (!Double.isFinite(part[k])) {
        throw new InputException(
            String.format(
                Locale.ROOT,
                "%s, separation %d, sink '%s', source '%s': found %s; --configurations and"
                    + " --operators leave it out",
                where,
                separations.get(t),
                names.get(i),
                names.get(j),
                part[k]));
      }
    }
    return part;
  }

  /** The part of one-point functions, interleaved complex [time][i], that belongs to operators. */
  static double[] rows(double[] all, int[] indices, int operators) {
    int n = indices.length;
    return IntStream.range(0, all.length / operators * n)
        .mapToDouble(k -> all[2 * (k / 2 / n * operators + indices[k / 2 % n]) + k % 2])
        .toArray();
  }
}
