package org.starlingqcd.hadron.synthetic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.starlingqcd.hadron.data.DilutionScheme;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.NoiseGroup;

final class SinkSetTest {
  private static DilutionScheme scheme(String time, String spin, String eigenvectors) {
    return DilutionScheme.of(List.of(time, spin, eigenvectors), 8, 7, true);
  }

  private static double[] noise(
      NoiseGroup group, long seed, long configuration, String name, int n) {
    DilutionScheme scheme = DilutionScheme.of(List.of("full", "full", "full"), 8, n, true);
    return new SinkSet("light", "s", scheme, List.of(0), List.of(name), group, seed)
        .numbers(name, new DistillationHeader("e", configuration, 4, 8, n, "DeGrand-Rossi", ""));
  }

  private static double[] number(double[] noise, int n, int t, int spin, int j) {
    int k = (4 * t + spin) * n + j;
    return new double[] {noise[2 * k], noise[2 * k + 1]};
  }

  /** Against the Python of docs/formats.md. */
  @Test
  void numbers_areThoseOfTheDocumentation() {
    double[] z4 = noise(NoiseGroup.Z4, 1, 1, "r0", 8);
    assertArrayEquals(new double[] {0, 1}, number(z4, 8, 0, 0, 0));
    assertArrayEquals(new double[] {1, 0}, number(z4, 8, 0, 0, 1));
    assertArrayEquals(new double[] {0, -1}, number(z4, 8, 0, 1, 0));
    assertArrayEquals(new double[] {-1, 0}, number(z4, 8, 3, 2, 5));
    assertArrayEquals(
        new double[] {-1, 0}, number(noise(NoiseGroup.Z2, 1, 1, "r0", 8), 8, 3, 2, 5));
    double root = Math.sqrt(0.5);
    assertArrayEquals(
        new double[] {root, -root},
        number(noise(NoiseGroup.Z4_ROTATED, 1, 1, "r0", 8), 8, 0, 1, 0),
        1e-15);
    double angle = 2 * Math.PI * 0.7287681728840595;
    assertArrayEquals(
        new double[] {Math.cos(angle), Math.sin(angle)},
        number(noise(NoiseGroup.U1, 1, 1, "r0", 8), 8, 3, 2, 5),
        1e-14);
  }

  /** Fewer eigenvectors have the first numbers; seed, configuration and name change all. */
  @Test
  void numbers_dependOnTheirPlaceAlone() {
    double[] wide = noise(NoiseGroup.U1, 1, 1, "r0", 12);
    double[] narrow = noise(NoiseGroup.U1, 1, 1, "r0", 5);
    assertArrayEquals(number(wide, 12, 7, 3, 4), number(narrow, 5, 7, 3, 4));
    for (double[] other :
        List.of(
            noise(NoiseGroup.U1, 2, 1, "r0", 12),
            noise(NoiseGroup.U1, 1, 2, "r0", 12),
            noise(NoiseGroup.U1, 1, 1, "r1", 12))) {
      double re = 0;
      double im = 0;
      for (int k = 0; k < wide.length; k += 2) {
        re += wide[k] * other[k] + wide[k + 1] * other[k + 1];
        im += wide[k] * other[k + 1] - wide[k + 1] * other[k];
      }
      assertTrue(2 * Math.hypot(re, im) / wide.length < 5 / Math.sqrt(wide.length / 2.0));
    }
  }

  @Test
  void schemes_areReadAndNamed() {
    DilutionScheme scheme = scheme("interlace 4", "block 2", "block 3");
    assertEquals(List.of(0, 1, 2, 3, 0, 1, 2, 3), scheme.times());
    assertEquals(List.of(0, 0, 1, 1), scheme.spins());
    assertEquals(List.of(0, 0, 0, 1, 1, 2, 2), scheme.vectors());
    assertEquals("(TI4, SB2, LB3)", scheme.letters());
    assertEquals("(TF, SF, L1)", scheme("full", "interlace 4", "none").letters());
    List<Integer> odd = List.of(0, 1, 1, 0);
    assertEquals("(T: 2 classes, SI2, LF)", letters(odd, List.of(0, 1, 0, 1), List.of(1, 0)));
    for (String wrong : List.of("interlace 9", "interlace 0", "interlace", "Full", "block4", "")) {
      Exception e =
          assertThrows(IllegalArgumentException.class, () -> scheme(wrong, "full", "full"));
      assertEquals(
          "time '" + wrong + "': expected full, none, interlace K or block K, with K from 1 to 8",
          e.getMessage());
    }
  }

  private static String letters(List<Integer> t, List<Integer> s, List<Integer> v) {
    return new DilutionScheme(t, s, v, true).letters();
  }
}
