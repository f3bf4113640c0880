package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.TensorShape;

/**
 * Slots of MemHC's table that successive queues share. Every queue takes the slots of a shape in
 * turn, so a slot is added only for a queue that needs more of them than all queues before it.
 */
final class ElementSlots {
  /** Adds an element to a memory manager, which numbers them from 0 on. */
  @FunctionalInterface
  interface Adder {
    /** The number of the new element. */
    int add(TensorShape shape, boolean input);
  }

  private record Kind(TensorShape shape, boolean input) {}

  /** The slots of one kind, and how many of them the present queue has taken. */
  private static final class Slots {
    private int[] numbers = new int[16];
    private int size;
    private int taken;
  }

  private final Adder adder;
  private final Map<Kind, Slots> known = new HashMap<>();
  // A queue asks for thousands of slots with a few shapes; each is looked up by value once.
  private final IdentityHashMap<TensorShape, Slots> inputs = new IdentityHashMap<>();
  private final IdentityHashMap<TensorShape, Slots> others = new IdentityHashMap<>();
  private final List<TensorShape> shapes = new ArrayList<>();

  ElementSlots(Adder adder) {
    this.adder = adder;
  }

  /** Slots of no memory manager, for queues that are only counted. */
  ElementSlots() {
    adder = (shape, input) -> shapes.size();
  }

  /** Starts a new queue, which may take all slots. */
  void begin() {
    known.values().forEach(slots -> slots.taken = 0);
    inputs.clear();
    others.clear();
  }

  /** The next slot of a shape that the queue has not taken yet, a new one if there is none. */
  int next(TensorShape shape, boolean input) {
    IdentityHashMap<TensorShape, Slots> same = input ? inputs : others;
    Slots slots = same.get(shape);
    if (slots == null) {
      slots = known.computeIfAbsent(new Kind(shape, input), key -> new Slots());
      same.put(shape, slots);
    }
    if (slots.taken == slots.size) {
      if (slots.size == slots.numbers.length) {
        slots.numbers = Arrays.copyOf(slots.numbers, 2 * slots.size);
      }
      slots.numbers[slots.size++] = adder.add(shape, input);
      shapes.add(shape);
    }
    return slots.numbers[slots.taken++];
  }

  /** The shapes of all slots. */
  List<TensorShape> shapes() {
    return shapes;
  }
}
