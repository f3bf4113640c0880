package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.StatUtils;
import org.starlingqcd.correlators.result.ResultFixture;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Results of three-point functions and of two-point functions by formula. */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record CurrentFixture(
    Hdf5File file,
    List<String> sinks,
    List<String> sources,
    int[] times,
    int[] separations,
    int[] after) {
  /** Where a number stands: not every formula needs every index. */
  public record Place(int configuration, int source, int dt, int t, int sink, int from) {}

  /** A number by its place. */
  public interface Formula {
    /** The number. */
    Complex at(Place place);
  }

  /**
   * Begins a result.
   *
   * @param definition its text; one that states the sink has different sides
   * @param names insertions, sinks and sources, such as {@code j a,b c,d}
   * @param times source times of every configuration
   * @param after t - t_i
   */
  public static CurrentFixture create(
      Path path, String definition, String names, int[] times, int[] separations, int... after) {
    List<List<String>> all =
        Stream.of(names.split(" ")).map(some -> List.of(some.split(","))).toList();
    Hdf5File file = Hdf5File.create(path);
    file.attributes("/").put("format", "three-point");
    file.attributes("/").put("format_version", 1);
    file.attributes("/").put("name", "toy");
    file.attributes("/").put("ensemble", "e");
    file.attributes("/").put("definition", definition);
    file.attributes("/").put("sink_operators", all.get(1));
    file.attributes("/").put("source_operators", all.get(2));
    file.attributes("/").put("insertions", all.get(0));
    return new CurrentFixture(file, all.get(1), all.get(2), times, separations, after);
  }

  /** Begins a configuration. */
  public CurrentFixture configuration(int number, Formula twoPoint) {
    String group = group(number);
    file.createGroup(group);
    file.attributes(group).put("source_times", times);
    file.attributes(group).put("separations", separations);
    file.attributes(group).put("insertion_separations", after);
    write(group + "/two_point", number, new int[] {0}, twoPoint, true);
    return this;
  }

  /** Adds the connected or the disconnected part of an insertion. */
  public CurrentFixture part(int number, String insertion, String part, Formula formula) {
    write(group(number) + "/insertion/" + insertion + "/" + part, number, after, formula, false);
    return this;
  }

  /** Adds J₁ of an insertion. */
  public CurrentFixture current(int number, String insertion, int extent, IntFunction<Complex> at) {
    String object = group(number) + "/current/" + insertion;
    double[] values = new double[2 * extent];
    for (int t = 0; t < extent; t++) {
      values[2 * t] = at.apply(t).re();
      values[2 * t + 1] = at.apply(t).im();
    }
    dataset(file, object, values, extent);
    file.attributes(object).put("times", IntStream.range(0, extent).toArray());
    return this;
  }

  private void write(String object, int number, int[] inner, Formula formula, boolean two) {
    long[] extents = {times.length, separations.length, inner.length, sinks.size(), sources.size()};
    long[] ofTwo = {times.length, separations.length, sinks.size(), sources.size()};
    int size = (int) Arrays.stream(extents).reduce(1, (a, b) -> a * b);
    double[] values = new double[2 * size];
    int k = 0;
    for (int source : times) {
      for (int dt : separations) {
        for (int t : inner) {
          for (int i = 0; i < sinks.size(); i++) {
            for (int j = 0; j < sources.size(); j++) {
              Complex value = formula.at(new Place(number, source, dt, t, i, j));
              values[k++] = value.re();
              values[k++] = value.im();
            }
          }
        }
      }
    }
    dataset(file, object, values, two ? ofTwo : extents);
  }

  /** Closes the file. */
  public void close() {
    file.close();
  }

  /** Writes a two-point result of real numbers with one source; {@code t} of its places is 0. */
  public static void twoPoint(
      Path path,
      String name,
      String operators,
      int configurations,
      int[] separations,
      Formula formula) {
    ResultFixture fixture =
        ResultFixture.create(path, name, "e", List.of(operators.split(",")), separations);
    for (int c = 1; c <= configurations; c++) {
      int number = c;
      fixture.configuration(
          c, new int[] {0}, (source, dt, i, j) -> formula.at(new Place(number, 0, dt, 0, i, j)));
    }
    fixture.close();
  }

  private static void dataset(Hdf5File file, String object, double[] values, long... extents) {
    try (Hdf5Dataset dataset =
        file.createDataset(object, ElementType.COMPLEX, extents, DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(values);
    }
  }

  private static String group(int number) {
    return String.format(Locale.ROOT, "cfg_%04d", number);
  }

  /** A number between -1 and 1 that looks random and depends on all indices. */
  public static double noise(int... indices) {
    long hash = 0x9E3779B97F4A7C15L;
    for (int index : indices) {
      hash = (hash ^ (index + 1)) * 0xBF58476D1CE4E5B9L;
      hash ^= hash >>> 29;
    }
    return (hash >>> 11) * 0x1p-52 - 1;
  }

  /** The naive jackknife: value and error of a function of a set of configurations. */
  static double[] jackknife(int configurations, ToDoubleFunction<int[]> function) {
    int[] all = IntStream.rangeClosed(1, configurations).toArray();
    double[] without =
        Arrays.stream(all)
            .mapToObj(left -> Arrays.stream(all).filter(k -> k != left).toArray())
            .mapToDouble(function)
            .toArray();
    double square = StatUtils.populationVariance(without) * (configurations - 1);
    return new double[] {function.applyAsDouble(all), Math.sqrt(square)};
  }
}
