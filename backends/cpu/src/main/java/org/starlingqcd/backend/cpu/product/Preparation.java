package org.starlingqcd.backend.cpu.product;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Workspace;

/**
 * The ingredients that contractions need made from their inputs before the products. Each distinct
 * ingredient is made once and has a place in one block of memory. Offsets are in numbers.
 */
final class Preparation {
  /**
   * Numbers to be computed from an input.
   *
   * @param key equal keys stand for the same numbers
   * @param numbers size of the ingredient
   * @param pieces number of independent parts in which it is made
   */
  record Ingredient(Object key, long numbers, int pieces, Making making) {}

  /** Makes an ingredient. */
  interface Making {
    /**
     * Makes one piece.
     *
     * @param to address of the whole ingredient
     */
    void make(int piece, long to, Workspace workspace);
  }

  private record Piece(Making making, int number, long start) {}

  private final Map<Object, Long> starts = new HashMap<>();
  private final List<Piece> pieces = new ArrayList<>();
  private long numbers;

  /** Numbers that adding this ingredient would need; 0 if it is already there. */
  long needed(@Nullable Ingredient ingredient) {
    return ingredient == null || starts.containsKey(ingredient.key()) ? 0 : ingredient.numbers();
  }

  /** Adds an ingredient unless it is already there, and returns where it begins. */
  long add(@Nullable Ingredient ingredient) {
    if (ingredient == null) {
      return 0;
    }
    Long known = starts.get(ingredient.key());
    if (known != null) {
      return known;
    }
    long start = numbers;
    starts.put(ingredient.key(), start);
    for (int piece = 0; piece < ingredient.pieces(); piece++) {
      pieces.add(new Piece(ingredient.making(), piece, start));
    }
    numbers += ingredient.numbers();
    return start;
  }

  /** Numbers of all ingredients. */
  long numbers() {
    return numbers;
  }

  /**
   * Makes all ingredients in the memory that begins at {@code address}.
   *
   * @param bytes of a real number
   */
  void run(Team team, long address, int bytes) {
    team.run(
        pieces.size(),
        (part, own) -> {
          Piece piece = pieces.get(part);
          piece.making().make(piece.number(), address + bytes * piece.start(), own);
        });
  }
}
