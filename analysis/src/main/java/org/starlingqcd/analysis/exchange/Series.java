package org.starlingqcd.analysis.exchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.Selection;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.run.NumberSelection;

/**
 * A correlation matrix as other programs keep it: real and imaginary parts on every configuration,
 * averages over sources.
 *
 * @param name name of the correlator
 * @param ensemble name of the ensemble
 * @param operators names of the operators
 * @param conjugation sign of each operator, see {@link CorrelatorData#conjugation}
 * @param separations separations, ascending
 * @param temporalExtent T, where the file says it
 * @param values configuration to interleaved complex [separation][i][j]
 * @param onePoint configuration to interleaved complex [i]; empty where there are none
 */
record Series(
    String name,
    String ensemble,
    List<String> operators,
    List<Integer> conjugation,
    List<Integer> separations,
    OptionalInt temporalExtent,
    Map<Integer, double[]> values,
    Map<Integer, double[]> onePoint) {

  /** The signs of operators whose numbers are real. */
  static List<Integer> realSigns(int operators) {
    return Collections.nCopies(operators, 1);
  }

  /** The signs that a file of this program has; files of earlier versions have none. */
  static List<Integer> signs(List<Integer> found, int operators) {
    return found.size() == operators ? found : Collections.nCopies(operators, 0);
  }

  /**
   * The selected part, as if each configuration had one source at time 0.
   *
   * @throws InputException when nothing of it is there
   */
  CorrelatorData select(String path, Selection selection) {
    if (!selection.sources().isAll()) {
      throw new InputException(
          path + ": holds averages over sources, so --sources cannot select among them");
    }
    List<String> chosen = selection.operators().isEmpty() ? operators : selection.operators();
    int[] indices = new int[chosen.size()];
    for (int k = 0; k < indices.length; k++) {
      indices[k] = operators.indexOf(chosen.get(k));
      if (indices[k] < 0) {
        throw new InputException(
            path + ": has no operator '" + chosen.get(k) + "', only " + operators);
      }
    }
    List<CorrelatorData.Configuration> configurations = new ArrayList<>();
    Map<Integer, double[]> wanted = new LinkedHashMap<>(values);
    wanted.keySet().removeIf(number -> !selection.configurations().contains(number));
    wanted.forEach(
        (number, matrix) -> {
          double[] row = onePoint.get(number);
          configurations.add(
              new CorrelatorData.Configuration(
                  number,
                  List.of(0),
                  matrix(path, number, matrix, indices),
                  row == null ? List.of() : times(),
                  row == null ? new double[0] : rows(row, indices)));
        });
    if (configurations.isEmpty()) {
      throw new InputException(
          path
              + ": of the configurations "
              + selection.configurations()
              + " none is there, only "
              + NumberSelection.text(values.keySet()));
    }
    return new CorrelatorData(
        name,
        ensemble,
        chosen,
        Arrays.stream(indices).mapToObj(conjugation::get).toList(),
        separations,
        extent(path, selection.temporalExtent()),
        false,
        configurations);
  }

  private OptionalInt extent(String path, OptionalInt asked) {
    if (asked.isPresent()
        && temporalExtent.isPresent()
        && asked.getAsInt() != temporalExtent.getAsInt()) {
      throw new InputException(
          path
              + ": has the temporal extent "
              + temporalExtent.getAsInt()
              + ", not "
              + asked.getAsInt());
    }
    return asked.isPresent() ? asked : temporalExtent;
  }

  private double[] matrix(String path, int number, double[] all, int[] indices) {
    int n = indices.length;
    double[] result = new double[2 * separations.size() * n * n];
    for (int k = 0; k < result.length; k++) {
      int element = k / 2;
      int t = element / (n * n);
      int i = indices[element / n % n];
      int j = indices[element % n];
      result[k] = all[2 * ((t * operators.size() + i) * operators.size() + j) + k % 2];
      if (!Double.isFinite(result[k])) {
        throw new InputException(
            path
                + ": configuration "
                + number
                + ", separation "
                + separations.get(t)
                + ", sink '"
                + operators.get(i)
                + "', source '"
                + operators.get(j)
                + "': found "
                + result[k]
                + "; --configurations and --operators leave it out");
      }
    }
    return result;
  }

  /** Every time slice at which the source, or the sink of a separation, stands. */
  private List<Integer> times() {
    List<Integer> times = new ArrayList<>();
    int last = separations.get(separations.size() - 1);
    for (int t = 0; t <= last; t++) {
      times.add(t);
    }
    return times;
  }

  /** The averaged one-point functions at each of the times. */
  private double[] rows(double[] row, int[] indices) {
    double[] rows = new double[times().size() * 2 * indices.length];
    for (int k = 0; k < rows.length; k++) {
      int operator = indices[k / 2 % indices.length];
      rows[k] = row[2 * operator + k % 2];
    }
    return rows;
  }
}
