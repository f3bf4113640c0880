package org.starlingqcd.correlators.result;

import java.util.List;

/**
 * The axes that results of three-point functions have beyond those of two-point functions.
 *
 * @param sources names of the source operators; {@link ResultHeader#operators} are those of the
 *     sink
 * @param insertions names of the insertions
 * @param separations insertion separations t - t_i, modulo T
 * @param disconnected names of the insertions whose diagrams with loops are there too
 * @param loops names of the insertions whose currents have loops J₁(t), which are kept too
 */
public record CurrentAxes(
    List<String> sources,
    List<String> insertions,
    List<Integer> separations,
    List<String> disconnected,
    List<String> loops) {
  /** Copies the lists. */
  public CurrentAxes {
    sources = List.copyOf(sources);
    insertions = List.copyOf(insertions);
    separations = List.copyOf(separations);
    disconnected = List.copyOf(disconnected);
    loops = List.copyOf(loops);
  }
}
