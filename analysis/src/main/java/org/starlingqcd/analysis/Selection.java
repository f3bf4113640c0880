package org.starlingqcd.analysis;

import java.util.List;
import java.util.OptionalInt;
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

  /** Copies the list. */
  public Selection {
    operators = List.copyOf(operators);
  }
}
