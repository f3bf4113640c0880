package org.starlingqcd.backend.gpu.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.gpu.memory.ElementLayout;

class FusedMappingTest {
  private static final ElementLayout NODE = ElementLayout.square(16);
  private static final int[] IDENTITY = {0, 1, 2, 3};
  private static final int[] ONES = {1, 1, 1, 1};

  private static FusedMapping node(BatchSpinMapping mapping) {
    return FusedMapping.of(mapping, NODE, NODE, NODE);
  }

  @Test
  void plainProduct_isOneProduct() {
    FusedMapping fused = node(BatchSpinMapping.mesonProduct());
    assertEquals(List.of(new FusedMapping.Tile(0, 0, 0, 0, 4, 4, 4, 1, 0)), fused.tiles());
  }

  @Test
  void gamma5Between_isTwoProductsOfHalfTheLength() {
    FusedMapping fused =
        node(BatchSpinMapping.mesonProduct(IDENTITY, ONES, IDENTITY, new int[] {1, 1, -1, -1}));
    assertEquals(
        List.of(
            new FusedMapping.Tile(0, 2, 8, 0, 4, 4, 2, -1, 0),
            new FusedMapping.Tile(1, 0, 0, 0, 4, 4, 2, 1, 0)),
        fused.tiles());
  }

  @Test
  void reversingMatrixBetween_isFourProducts() {
    FusedMapping fused =
        node(
            BatchSpinMapping.mesonProduct(
                IDENTITY, ONES, new int[] {3, 2, 1, 0}, new int[] {1, 1, -1, -1}));
    assertEquals(4, fused.tiles().size());
    assertEquals(4, fused.rounds());
  }

  @Test
  void elementalTimesNode_isOneProductForEachRowOfSpins() {
    FusedMapping fused =
        FusedMapping.of(BatchSpinMapping.leftScalar(16), ElementLayout.packed(1), NODE, NODE);
    assertEquals(4, fused.tiles().size());
    assertEquals(1, fused.rounds());
  }

  /** The tiles consist of exactly the entries, and no round writes a component twice. */
  @ParameterizedTest
  @CsvSource({"16,16,16", "16,1,16", "3,2,5", "4,4,4", "256,1,16", "16,16,256"})
  void anyMapping_takenApart_isTheMapping(int lefts, int rights, int destinations) {
    Random random = new Random(lefts * 1000 + rights);
    for (int trial = 0; trial < 200; trial++) {
      int entries = 1 + random.nextInt(80);
      int[] left = random.ints(entries, 0, lefts).toArray();
      int[] right = random.ints(entries, 0, rights).toArray();
      int[] destination = random.ints(entries, 0, destinations).toArray();
      double[] factors = new double[2 * entries];
      for (int b = 0; b < entries; b++) {
        factors[2 * b] = random.nextInt(3) - 1;
        factors[2 * b + 1] = random.nextInt(2);
        if (b > 0 && random.nextInt(3) > 0) {
          // Neighbours, so that something joins.
          left[b] = Math.min(left[b - 1] + random.nextInt(2), lefts - 1);
          right[b] = Math.min(right[b - 1] + (random.nextBoolean() ? 1 : 4), rights - 1);
          destination[b] = Math.min(destination[b - 1] + random.nextInt(2), destinations - 1);
          factors[2 * b] = factors[2 * b - 2];
          factors[2 * b + 1] = factors[2 * b - 1];
        }
      }
      check(
          new BatchSpinMapping(lefts, rights, destinations, left, right, destination, factors),
          random.nextBoolean());
    }
  }

  private static void check(BatchSpinMapping mapping, boolean separate) {
    ElementLayout left = ElementLayout.square(mapping.leftSpins());
    ElementLayout right =
        separate
            ? ElementLayout.separate(mapping.rightSpins())
            : ElementLayout.square(mapping.rightSpins());
    ElementLayout destination =
        separate
            ? ElementLayout.separate(mapping.destinationSpins())
            : ElementLayout.square(mapping.destinationSpins());
    FusedMapping fused = FusedMapping.of(mapping, left, right, destination);
    List<List<Double>> parts = new ArrayList<>();
    Set<List<Integer>> written = new HashSet<>();
    for (FusedMapping.Tile tile : fused.tiles()) {
      assertTrue(tile.round() < fused.rounds());
      for (int r = 0; r < tile.height(); r++) {
        for (int c = 0; c < tile.width(); c++) {
          int target = tile.destinationSpin() + r * destination.columns() + c;
          assertTrue(written.add(List.of(tile.round(), target)), tile.toString());
          for (int k = 0; k < tile.inner(); k++) {
            parts.add(
                List.of(
                    (double) tile.leftSpin() + r * left.columns() + k,
                    (double) tile.rightSpin() + k * right.columns() + c,
                    (double) target,
                    tile.factorRe(),
                    tile.factorIm()));
          }
        }
      }
    }
    List<List<Double>> entries = new ArrayList<>();
    for (int b = 0; b < mapping.size(); b++) {
      entries.add(
          List.of(
              (double) mapping.left(b),
              (double) mapping.right(b),
              (double) mapping.destination(b),
              mapping.factorRe(b),
              mapping.factorIm(b)));
    }
    for (List<Double> part : parts) {
      assertTrue(entries.remove(part), "not an entry: " + part);
    }
    assertEquals(List.of(), entries);
    // Every component with an entry is written first in round 0.
    for (int b = 0; b < mapping.size(); b++) {
      assertTrue(written.contains(List.of(0, mapping.destination(b))));
    }
  }
}
