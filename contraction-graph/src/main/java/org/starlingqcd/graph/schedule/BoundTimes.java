package org.starlingqcd.graph.schedule;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.starlingqcd.graph.CurrentVertex;

/**
 * The times that a plan is bound to.
 *
 * @param temporalExtent T; sink times are taken modulo T
 * @param sources source times t0, each from 0 to T - 1
 * @param separations dt, each from 0 to T - 1
 * @param onePointTimes times of the one-point functions, each from 0 to T - 1; may be empty
 * @param known for each matrix number, the elements that are left out because they are known
 * @param currents the currents of matrices that have one
 */
public record BoundTimes(
    int temporalExtent,
    List<Integer> sources,
    List<Integer> separations,
    List<Integer> onePointTimes,
    Map<Integer, List<KnownElements>> known,
    Currents currents) {

  /**
   * Currents and where they are inserted.
   *
   * @param vertices for each number of a matrix with a current, the vertices that it is computed
   *     for
   * @param separations t - t0 modulo T, each from 0 to T - 1
   */
  public record Currents(Map<Integer, List<CurrentVertex>> vertices, List<Integer> separations) {
    /** No currents. */
    public static final Currents NONE = new Currents(Map.of(), List.of());

    /** Copies the collections. */
    public Currents {
      vertices = Map.copyOf(vertices);
      separations = List.copyOf(separations);
    }
  }

  /** Times at which every element is computed. */
  public BoundTimes(
      int temporalExtent,
      List<Integer> sources,
      List<Integer> separations,
      List<Integer> onePointTimes) {
    this(temporalExtent, sources, separations, onePointTimes, Map.of(), Currents.NONE);
  }

  /** Copies the lists and checks the ranges. */
  public BoundTimes {
    if (temporalExtent < 1) {
      throw new IllegalArgumentException("must be >= 1: temporalExtent=" + temporalExtent);
    }
    sources = List.copyOf(sources);
    separations = List.copyOf(separations);
    onePointTimes = List.copyOf(onePointTimes);
    known = Map.copyOf(known);
    check("source", sources, temporalExtent);
    check("separation", separations, temporalExtent);
    check("onePointTime", onePointTimes, temporalExtent);
  }

  private static void check(String what, List<Integer> times, int extent) {
    for (int time : times) {
      if (time < 0 || time >= extent) {
        throw new IllegalArgumentException(
            "must be >= 0 && < " + extent + ": " + what + "=" + time);
      }
    }
  }

  /**
   * One source time, with one-point functions at every sink and source time that occurs, in
   * ascending order.
   */
  public static BoundTimes of(int temporalExtent, int source, List<Integer> separations) {
    return of(temporalExtent, List.of(source), separations);
  }

  /**
   * Several source times, with one-point functions at every sink and source time that occurs, in
   * ascending order.
   */
  public static BoundTimes of(
      int temporalExtent, List<Integer> sources, List<Integer> separations) {
    List<Integer> times =
        sources.stream()
            .flatMap(source -> timesOf(temporalExtent, source, separations))
            .sorted()
            .distinct()
            .toList();
    return new BoundTimes(temporalExtent, sources, separations, times);
  }

  /** The source time and the sink times that belong to it, possibly repeated. */
  private static Stream<Integer> timesOf(int extent, int source, List<Integer> separations) {
    return Stream.concat(Stream.of(source), separations.stream().map(dt -> (source + dt) % extent));
  }

  /** The same times with elements left out. */
  public BoundTimes without(Map<Integer, List<KnownElements>> elements) {
    return new BoundTimes(temporalExtent, sources, separations, onePointTimes, elements, currents);
  }

  /** The same times with currents. */
  public BoundTimes with(Currents inserted) {
    return new BoundTimes(temporalExtent, sources, separations, onePointTimes, known, inserted);
  }

  /** Whether C_ij at a separation is left out; with a current, for all vertices and times. */
  boolean isKnown(int matrix, int row, int column, int separation) {
    List<CurrentVertex> vertices = currents.vertices().getOrDefault(matrix, List.of());
    return isKnown(
        matrix,
        row,
        column,
        separation,
        vertices,
        vertices.isEmpty() ? List.of() : currents.separations());
  }

  /** Whether C_ij at a separation is left out for some vertices and insertion separations. */
  boolean isKnown(
      int matrix,
      int row,
      int column,
      int separation,
      List<CurrentVertex> vertices,
      List<Integer> insertions) {
    return known.getOrDefault(matrix, List.of()).stream()
        .anyMatch(
            elements ->
                elements.has(row, column, separation) && elements.hasAll(vertices, insertions));
  }

  /** Whether a one-point function is left out: its time occurs with a known separation. */
  boolean isKnownAt(int matrix, int row, int time) {
    return known.getOrDefault(matrix, List.of()).stream()
        .filter(elements -> elements.rows().contains(row))
        .flatMap(
            elements ->
                sources.stream()
                    .flatMap(
                        source ->
                            timesOf(temporalExtent, source, List.copyOf(elements.separations()))))
        .anyMatch(other -> other == time);
  }

  /** Whether a time is that of a source, given by its number, or of one of its sinks. */
  public boolean occursWith(int sourceNumber, int time) {
    return timesOf(temporalExtent, sources.get(sourceNumber), separations)
        .anyMatch(other -> other == time);
  }
}
