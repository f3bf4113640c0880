package org.starlingqcd.correlators.inspection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.Momentum;

final class MomentumShellsTest {
  private static SortedSet<Momentum> cube(int side) {
    TreeSet<Momentum> momenta = new TreeSet<>();
    for (int x = -side; x <= side; x++) {
      for (int y = -side; y <= side; y++) {
        for (int z = -side; z <= side; z++) {
          momenta.add(new Momentum(x, y, z));
        }
      }
    }
    return momenta;
  }

  @Test
  void wholeShells_areCounted() {
    assertEquals(
        "[0, 0, 0], all 6 of [0, 0, 1], all 12 of [0, 1, 1], all 8 of [1, 1, 1]",
        MomentumShells.text(cube(1)));
    SortedSet<Momentum> two = cube(2);
    two.removeIf(n -> Math.abs(n.x()) + Math.abs(n.y()) + Math.abs(n.z()) != 3);
    assertEquals("all 8 of [1, 1, 1], all 24 of [0, 1, 2]", MomentumShells.text(two));
  }

  @Test
  void gapsAndSingles_areNamed() {
    SortedSet<Momentum> momenta = cube(1);
    momenta.remove(new Momentum(1, -1, 0));
    momenta.removeIf(n -> Math.abs(n.x()) + Math.abs(n.y()) + Math.abs(n.z()) == 1);
    momenta.addAll(List.of(new Momentum(0, 0, 1), new Momentum(-1, 0, 0)));
    assertEquals(
        "[0, 0, 0], [-1, 0, 0], [0, 0, 1], 11 of 12 of [0, 1, 1] without [[1, -1, 0]], all 8 of"
            + " [1, 1, 1]",
        MomentumShells.text(momenta));
  }
}
