package org.starlingqcd.hadron.execute;

import java.util.BitSet;
import java.util.List;
import org.starlingqcd.graph.share.SharedQueue;
import org.starlingqcd.graph.share.SharedQueue.Transfer;

/** The elements that one of several places sends and receives. */
final class PlaceMoves {
  /** The only place. */
  static final PlaceMoves NONE = new PlaceMoves(0, List.of());

  private final int place;
  private final List<List<Transfer>> moves;
  private final BitSet received = new BitSet();

  private PlaceMoves(int place, List<List<Transfer>> moves) {
    this.place = place;
    this.moves = moves;
    for (List<Transfer> before : moves) {
      before.stream()
          .filter(move -> move.to() == place)
          .forEach(move -> received.set(move.element()));
    }
  }

  /** The moves of a place, in the order of those of the whole queue. */
  static PlaceMoves of(SharedQueue shared, int place) {
    return new PlaceMoves(
        place,
        shared.transfers().stream()
            .map(
                all ->
                    all.stream()
                        .filter(move -> move.from() == place || move.to() == place)
                        .toList())
            .toList());
  }

  int place() {
    return place;
  }

  /** The moves before a vector. */
  List<Transfer> before(int vector) {
    return moves.isEmpty() ? List.of() : moves.get(vector);
  }

  /** Whether the place gets an element from another one. */
  boolean isReceived(int element) {
    return received.get(element);
  }
}
