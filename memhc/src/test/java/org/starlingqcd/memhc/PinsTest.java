package org.starlingqcd.memhc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.TensorShape;

/** Pins are counted: an element is free when as many have ended as were added. */
final class PinsTest {
  private static final int ELEMENTS = 12;

  private final ElementTable table = new ElementTable();
  private final Pins pins = new Pins(table);

  /** The pins in order, as a plain list. */
  private final List<Integer> model = new ArrayList<>();

  private void addElements() {
    for (int k = 0; k < ELEMENTS; k++) {
      table.add(new TensorShape(1, 2, 1 + k % 5), null);
    }
    table.set(3, ElementTable.HELD);
  }

  @Test
  void randomSteps_pinsAreThoseOfAPlainList() {
    addElements();
    Random random = new Random(11);
    Set<Integer> inPlace = new HashSet<>();
    int most = 0;
    for (int step = 0; step < 20_000; step++) {
      int choice = random.nextInt(60);
      if (choice < 57) {
        int element = random.nextInt(ELEMENTS);
        assertEquals(!model.contains(element), pins.add(element));
        model.add(element);
        assertEquals(!model.subList(0, model.size() - 1).contains(element), isFirst());
        if (isFirst() && random.nextInt(4) == 0) {
          pins.useInPlace(element, Presence.IN_PLACE);
          inPlace.add(element);
        }
      } else {
        int from = choice == 57 ? 0 : random.nextInt(model.size() + 1);
        List<Integer> before = List.copyOf(model);
        pins.truncate(from);
        model.subList(from, model.size()).clear();
        for (int k = 0; k < before.size(); k++) {
          assertEquals((int) before.get(k), pins.get(k), "what ended can still be asked for");
        }
        for (int element = 0; element < ELEMENTS; element++) {
          if (!model.contains(element)) {
            table.presence[element] = Presence.ABSENT;
            inPlace.remove(element);
          }
        }
      }
      most = Math.max(most, model.size());
      check(inPlace);
    }
    assertTrue(most > 64, "the arrays grew: " + most);
  }

  private boolean isFirst() {
    return pins.isFirst(pins.count() - 1);
  }

  private void check(Set<Integer> inPlace) {
    assertEquals(model.size(), pins.count());
    long bytes = 0;
    for (int element = 0; element < ELEMENTS; element++) {
      int count = Collections.frequency(model, element);
      assertEquals(count, table.pins[element], "pins of element " + element);
      assertEquals(count > 0, table.has(element, ElementTable.PINNED), "element " + element);
      boolean counts = count > 0 && element != 3 && !inPlace.contains(element);
      bytes += counts ? table.bytes[element] : 0;
    }
    assertEquals(bytes, pins.bytes(), "each element counts once");
  }

  @Test
  void elementOfTwoSteps_staysPinnedWhenTheSecondIsTakenBack() {
    addElements();
    pins.add(1);
    int step = pins.count();
    pins.add(1);
    pins.add(2);
    pins.truncate(step);
    assertTrue(table.has(1, ElementTable.PINNED));
    assertFalse(table.has(2, ElementTable.PINNED));
    pins.truncate(0);
    assertFalse(table.has(1, ElementTable.PINNED));
    assertEquals(0, pins.bytes());
  }
}
