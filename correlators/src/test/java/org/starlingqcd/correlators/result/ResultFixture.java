package org.starlingqcd.correlators.result;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Small result files in the required layout, and the reference results that come with the program.
 */
public final class ResultFixture {
  private final Hdf5File file;
  private final int operators;
  private final int[] separations;

  private ResultFixture(Hdf5File file, int operators, int[] separations) {
    this.file = file;
    this.operators = operators;
    this.separations = separations;
  }

  /** A reference result computed by brute force, such as {@code pion.h5}. */
  public static Path reference(String name) {
    return Engine.examples().resolve("reference").resolve(name);
  }

  /** A header of two-point functions in double precision, without the temporal extent. */
  static ResultHeader header(
      String name,
      String ensemble,
      String definition,
      List<String> operators,
      List<Integer> separations,
      boolean onePoint) {
    return header(
        name,
        ensemble,
        definition,
        operators,
        List.of(),
        separations,
        onePoint,
        OptionalInt.empty());
  }

  /** The same with signs under conjugation and the temporal extent. */
  static ResultHeader header(
      String name,
      String ensemble,
      String definition,
      List<String> operators,
      List<Integer> conjugation,
      List<Integer> separations,
      boolean onePoint,
      OptionalInt temporalExtent) {
    return new ResultHeader(
        name,
        ensemble,
        definition,
        operators,
        conjugation,
        separations,
        onePoint,
        temporalExtent,
        Precision.DOUBLE,
        0,
        null,
        0,
        "",
        null);
  }

  /** Begins a file with a root as required; close it with {@link #close}. */
  public static ResultFixture create(
      Path path, String name, String ensemble, List<String> operators, int... separations) {
    Hdf5File file = Hdf5File.create(path);
    file.attributes("/").put("format", "correlator");
    file.attributes("/").put("format_version", 1);
    file.attributes("/").put("name", name);
    file.attributes("/").put("ensemble", ensemble);
    file.attributes("/").put("definition", "definition of " + name);
    file.attributes("/").put("operators", operators);
    return new ResultFixture(file, operators.size(), separations);
  }

  /** Numbers of a correlator by their places. */
  public interface Values {
    /** A number. */
    Complex at(int source, int dt, int sink, int from);
  }

  /** Adds a configuration whose correlator is {@code scale · exp(-dt/2)} times the unit matrix. */
  public ResultFixture configuration(int number, double scale, int... sources) {
    return configuration(
        number,
        sources,
        (source, dt, i, j) -> new Complex(i == j ? scale * Math.exp(-0.5 * dt) : 0, 0));
  }

  /** Adds a configuration; its numbers are asked for in the order of the file. */
  public ResultFixture configuration(int number, int[] sources, Values correlator) {
    String group = String.format(Locale.ROOT, "cfg_%04d", number);
    file.createGroup(group);
    file.attributes(group).put("source_times", sources);
    file.attributes(group).put("separations", separations);
    double[] values = new double[2 * sources.length * separations.length * operators * operators];
    for (int k = 0; k < values.length / 2; k++) {
      int place = k / (operators * operators);
      Complex value =
          correlator.at(
              sources[place / separations.length],
              separations[place % separations.length],
              k / operators % operators,
              k % operators);
      values[2 * k] = value.re();
      values[2 * k + 1] = value.im();
    }
    try (Hdf5Dataset dataset =
        file.createDataset(
            group + "/correlator",
            ElementType.COMPLEX,
            new long[] {sources.length, separations.length, operators, operators},
            DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(values);
    }
    return this;
  }

  /** Adds one-point functions, all equal, to a configuration. */
  public ResultFixture onePoint(int number, double value, int... times) {
    String vev = String.format(Locale.ROOT, "cfg_%04d/vev", number);
    double[] values = new double[2 * times.length * operators];
    Arrays.setAll(values, k -> k % 2 == 0 ? value : 0);
    try (Hdf5Dataset dataset =
        file.createDataset(
            vev,
            ElementType.COMPLEX,
            new long[] {times.length, operators},
            DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(values);
    }
    file.attributes(vev).put("times", times);
    return this;
  }

  /** The file, for what a test wants otherwise. */
  public Hdf5File file() {
    return file;
  }

  /** Closes the file. */
  public void close() {
    file.close();
  }
}
