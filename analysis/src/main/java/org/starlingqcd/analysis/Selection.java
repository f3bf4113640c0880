package org.starlingqcd.analysis;

import java.util.List;
import java.util.OptionalInt;
import org.starlingqcd.correlators.run.NumberSelection;

/**
 * Which part of the results is analysed.
 *
 * @param configurations configuration numbers
 * @param sources source times
 * @param operators operator names, in the order wanted; empty for all
 * @param temporalExtent T, where the user says it
 */
public record Selection(
    NumberSelection configurations,
    NumberSelection sources,
    List<String> operators,
    OptionalInt temporalExtent) {

  /** Everything. */
  public static final Selection ALL =
      new Selection(NumberSelection.ALL, NumberSelection.ALL, List.of(), OptionalInt.empty());

  /** Copies the list. */
  public Selection {
    operators = List.copyOf(operators);
  }
}
