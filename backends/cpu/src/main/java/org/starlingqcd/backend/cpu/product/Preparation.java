package org.starlingqcd.backend.cpu.product;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Workspace;

/**
 * What is made of the distinct inputs of some contractions before their products, each once, and
 * where it goes in one block of memory. Offsets are in doubles.
 */
final class Preparation {
  /**
   * Something to be made of an input.
   *
   * @param key equal for what is the same
   * @param doubles numbers that it takes
   * @param pieces independent parts in which it is made
   */
  record Ingredient(Object key, long doubles, int pieces, Making making) {}

  /** How an ingredient is made. */
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
  private long doubles;

  /** Doubles that adding this would need; none if it is there already. */
  long needed(Ingredient ingredient) {
    return starts.containsKey(ingredient.key()) ? 0 : ingredient.doubles();
  }

  /** Adds something unless it is there and tells where it begins. */
  long add(Ingredient ingredient) {
    Long known = starts.get(ingredient.key());
    if (known != null) {
      return known;
    }
    long start = doubles;
    starts.put(ingredient.key(), start);
    for (int piece = 0; piece < ingredient.pieces(); piece++) {
      pieces.add(new Piece(ingredient.making(), piece, start));
    }
    doubles += ingredient.doubles();
    return start;
  }

  /** Doubles that all of it takes. */
  long doubles() {
    return doubles;
  }

  /** Makes everything in memory that begins at {@code address}. */
  void run(Team team, Workspace[] workspaces, long address) {
    team.run(
        pieces.size(),
        (part, worker) -> {
          Piece piece = pieces.get(part);
          piece.making().make(piece.number(), address + 8 * piece.start(), workspaces[worker]);
        });
  }
}
