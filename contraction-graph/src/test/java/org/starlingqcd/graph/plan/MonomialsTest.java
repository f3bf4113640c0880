package org.starlingqcd.graph.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.Complex;

/** Sums of products of traces against a sorted map. */
class MonomialsTest {
  private static final Comparator<int[]> ORDER =
      Comparator.<int[]>comparingInt(a -> a.length).thenComparing(Arrays::compare);

  @Test
  void addAndRemove_areThoseOfASortedMap() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 50; round++) {
      Monomials monomials = new Monomials();
      Map<int[], Complex> map = new TreeMap<>(ORDER);
      int count = random.nextInt(400);
      for (int k = 0; k < count; k++) {
        int[] codes = random.ints(random.nextInt(4), 0, 8).sorted().toArray();
        Complex coefficient = new Complex(random.nextDouble(), random.nextDouble());
        monomials.add(codes, codes.length, coefficient);
        map.merge(codes, coefficient, Complex::plus);
        if (random.nextInt(100) == 0) {
          check(map, monomials);
          double least = random.nextDouble();
          monomials.removeIf(product -> monomials.coefficient(product).re() < least);
          map.values().removeIf(value -> value.re() < least);
        }
      }
      check(map, monomials);
    }
  }

  private static void check(Map<int[], Complex> expected, Monomials monomials) {
    assertEquals(expected.size(), monomials.size());
    int[] sorted = monomials.sorted();
    assertEquals(expected.size(), sorted.length);
    int k = 0;
    for (Map.Entry<int[], Complex> entry : expected.entrySet()) {
      int product = sorted[k++];
      int[] codes = new int[monomials.length(product)];
      assertEquals(codes.length, monomials.codes(product, codes));
      assertArrayEquals(entry.getKey(), codes);
      for (int j = 0; j < codes.length; j++) {
        assertEquals(codes[j], monomials.code(product, j));
      }
      assertEquals(entry.getValue(), monomials.coefficient(product));
    }
  }
}
