package org.starlingqcd.correlators.result;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.schedule.KnownElements;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * The units that a result had before operators or separations were added to its definition. They
 * lie beside the result until each of them has been computed to the end.
 */
final class EarlierResult {
  private final Path file;
  private final ResultHeader old;
  private final ResultHeader header;
  private final SortedMap<Integer, SortedSet<Integer>> finished;
  private int configuration = -1;
  private ResultFile.@Nullable Configuration numbers;

  private EarlierResult(Path file, ResultFile.Contents contents, ResultHeader header) {
    this.file = file;
    this.old = contents.header();
    this.header = header;
    this.finished = contents.finished();
  }

  /**
   * Opens what is left of an earlier result.
   *
   * @param header of the result that it has become
   */
  static EarlierResult open(Path file, ResultHeader header) {
    return new EarlierResult(file, ResultFile.contents(file), header);
  }

  /** Whether a unit was finished. */
  boolean has(int number, int source) {
    SortedSet<Integer> sources = finished.get(number);
    return sources != null && sources.contains(source);
  }

  /** Its finished units: configuration to sources. */
  SortedMap<Integer, SortedSet<Integer>> finished() {
    return finished;
  }

  /** The elements that it has of each of its units. */
  KnownElements known() {
    Set<Integer> operators = new HashSet<>();
    old.operators().forEach(name -> operators.add(header.operators().indexOf(name)));
    return new KnownElements(operators, Set.copyOf(old.separations()));
  }

  /** A unit with the numbers that this result has of it in their places, bit for bit. */
  ResultUnit completed(ResultUnit unit) {
    if (!has(unit.configuration(), unit.source())) {
      return unit;
    }
    ResultFile.Configuration known = read(unit.configuration());
    double[] from = known.correlators.get(unit.source());
    double[] to = unit.correlator();
    int m = old.operators().size();
    int n = header.operators().size();
    for (int d = 0; from != null && d < old.separations().size(); d++) {
      int separation = header.separations().indexOf(old.separations().get(d));
      for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
          System.arraycopy(
              from,
              2 * ((d * m + i) * m + j),
              to,
              2 * ((separation * n + place(i)) * n + place(j)),
              2);
        }
      }
    }
    for (int k = 0; k < unit.times().length; k++) {
      ResultFile.Configuration.Row row = known.onePoint.get(unit.times()[k]);
      for (int i = 0; row != null && i < m; i++) {
        System.arraycopy(row.values(), 2 * i, unit.onePoint(), 2 * (k * n + place(i)), 2);
      }
    }
    return unit;
  }

  private int place(int operator) {
    return header.operators().indexOf(old.operators().get(operator));
  }

  private ResultFile.Configuration read(int number) {
    ResultFile.Configuration known = numbers;
    if (known == null || number != configuration) {
      try (Hdf5File open = Hdf5File.open(file)) {
        known = ResultFile.read(open, number, old);
      }
      numbers = known;
      configuration = number;
    }
    return known;
  }
}
