package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.reference.ThreePointRuns.TOLERANCE;
import static org.starlingqcd.correlators.reference.ThreePointRuns.largest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.RotatedGaugeField;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.synthetic.SyntheticCurrents;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/**
 * Three-point functions on the data of a gauge field turned by each element of the cubic group:
 * configuration k is the field turned by rotation k - 1, the first of which is the identity. The
 * numbers themselves are random.
 */
@Tag("slow")
class ThreePointRotationsTest {
  private static final List<CubicRotation> ROTATIONS = CubicRotation.all();
  private static final List<Momentum> UNITS =
      List.of(
          new Momentum(0, 0, 1),
          new Momentum(0, 0, -1),
          new Momentum(0, 1, 0),
          new Momentum(0, -1, 0),
          new Momentum(1, 0, 0),
          new Momentum(-1, 0, 0));

  @TempDir private static Path folder;

  @BeforeAll
  static void compute() throws IOException {
    List<Momentum> momenta = new ArrayList<>(UNITS);
    momenta.add(Momentum.ZERO);
    List<Gamma> gammas = new ArrayList<>();
    for (String name : List.of("g4", "g1", "g2", "g3", "g1g5", "g2g5", "g3g5")) {
      gammas.add(Gamma.parse(name));
    }
    SyntheticEnsemble ensemble =
        new SyntheticEnsemble(
            "random",
            4,
            4,
            3,
            List.of("light"),
            List.of(0, 2),
            momenta,
            List.of(),
            true,
            0,
            15,
            List.of(),
            new SyntheticCurrents(gammas, List.of("none"), momenta, List.of(0, 2), false),
            List.of(),
            false,
            List.of());
    Path data = Files.createDirectories(folder.resolve("data"));
    Path first = SyntheticData.write(ensemble, 1, data, bytes -> {});
    for (int k = 1; k < ROTATIONS.size(); k++) {
      Path turned = data.resolve(ensemble.fileName(k + 1L));
      RotatedGaugeField.copy(ROTATIONS.get(k), first, turned);
      try (Hdf5File file = Hdf5File.openForUpdate(turned)) {
        file.attributes("/").put("configuration", k + 1);
      }
    }
    List<String> definitions = new ArrayList<>();
    for (Momentum q : UNITS) {
      definitions.add(
          write(
              "pi_to_rho" + q.fileName(),
              """
              sink:
                isospin: [1, 1]
                operators:
                  - {name: x, hadrons: [{meson: rho, momentum: [0, 0, 0], polarization: x}]}
                  - {name: y, hadrons: [{meson: rho, momentum: [0, 0, 0], polarization: y}]}
                  - {name: z, hadrons: [{meson: rho, momentum: [0, 0, 0], polarization: z}]}
              source:
                isospin: [1, 1]
                momentum: [Q]
                operators:
                  - {name: pi, hadrons: [{meson: pi, momentum: [Q]}]}
              allow_zero: true
              insertions:
                - {name: j1, gamma: g1, momentum: [Q], flavours: {u: 2/3, d: -1/3}}
                - {name: j2, gamma: g2, momentum: [Q], flavours: {u: 2/3, d: -1/3}}
                - {name: j3, gamma: g3, momentum: [Q], flavours: {u: 2/3, d: -1/3}}
              """
                  .replace("Q", q.x() + ", " + q.y() + ", " + q.z())));
    }
    for (int row = 1; row <= 4; row++) {
      definitions.add(
          write(
              "nucleon" + row,
              """
              sink: {isospin: [1/2, 1/2], irrep: G1g, row: %d, operators: OF}
              source: {isospin: [1/2, 1/2], irrep: G1g, row: %d, operators: OF}
              allow_zero: true
              insertions:
                - {name: j4, gamma: g4, flavours: {u: 1, d: -1}}
                - {name: j1, gamma: g1g5, flavours: {u: 1, d: -1}}
                - {name: j2, gamma: g2g5, flavours: {u: 1, d: -1}}
                - {name: j3, gamma: g3g5, flavours: {u: 1, d: -1}}
              """
                  .formatted((row + 1) / 2, 2 - row % 2)
                  .replace(
                      "OF",
                      "[{name: N, hadrons: [{baryon: N, momentum: [0, 0, 0], component: 1}],"
                          + " seed_row: 1}]")));
    }
    ThreePointRuns.run(
        folder,
        definitions,
        data,
        settings -> {
          settings.separations = NumberSelection.of(List.of(2));
          settings.insertionSeparations = NumberSelection.of(List.of(1));
        });
  }

  private static String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name + ".yaml"), "name: " + name + "\n" + text)
        .toString();
  }

  private static double[] read(String definition, int configuration, int current) {
    return ThreePointRuns.read(
        folder.resolve(definition + ".h5"), configuration, "insertion/j" + current + "/connected");
  }

  private static double[] average(String definition, int current) {
    double[] sum = new double[0];
    for (int k = 1; k <= ROTATIONS.size(); k++) {
      double[] values = read(definition, k, current);
      sum = sum.length == 0 ? new double[values.length] : sum;
      for (int i = 0; i < sum.length; i++) {
        sum[i] += values[i] / ROTATIONS.size();
      }
    }
    return sum;
  }

  /** On the turned field, the correlator is that of turned operators and the turned current. */
  @Test
  void turnedField_isTurnedOperatorsAndCurrent() {
    for (Momentum q : UNITS) {
      for (int k = 0; k < ROTATIONS.size(); k++) {
        CubicRotation r = ROTATIONS.get(k);
        for (int current = 0; current < 3; current++) {
          double[] turned = read("pi_to_rho" + q.fileName(), k + 1, current + 1);
          double[] original =
              read("pi_to_rho" + r.apply(q).fileName(), 1, r.axes().get(current) + 1);
          assertTrue(largest(original) > 1e-8);
          for (int rho = 0; rho < 3; rho++) {
            // The pion is odd under improper rotations, the others are vectors.
            int sign = r.determinant() * r.signs().get(current) * r.signs().get(rho);
            int from = 2 * r.axes().get(rho);
            double[] expected = {sign * original[from], sign * original[from + 1]};
            double[] found = {turned[2 * rho], turned[2 * rho + 1]};
            assertArrayEquals(expected, found, TOLERANCE * largest(original), q + ", " + r);
          }
        }
      }
    }
  }

  /** ε_{rho, current, q} alone. */
  @Test
  void pion_onAverage() {
    double[][] c = new double[3][];
    for (int current = 0; current < 3; current++) {
      c[current] = average("pi_to_rho0_0_1", current + 1);
    }
    double bound = TOLERANCE * largest(read("pi_to_rho0_0_1", 1, 1));
    assertTrue(Math.hypot(c[0][2], c[0][3]) > 1e-3 * bound / TOLERANCE, "C(rho_y; g1)");
    for (int current = 0; current < 3; current++) {
      for (int rho = 0; rho < 3; rho++) {
        int sign = current == 0 && rho == 1 ? 1 : current == 1 && rho == 0 ? -1 : 0;
        assertEquals(sign * c[0][2], c[current][2 * rho], bound, current + " " + rho);
        assertEquals(sign * c[0][3], c[current][2 * rho + 1], bound, current + " " + rho);
      }
    }
  }

  /** c δ_ab with g4, c' (σ_k*)_ab with g_k g5. */
  @Test
  void nucleon_onAverage() {
    Complex i = new Complex(0, 1);
    Complex one = Complex.ONE;
    Complex no = Complex.ZERO;
    Complex[][] conjugates = {
      {no, one, one, no}, {no, i, i.times(-1), no}, {one, no, no, one.times(-1)}, {one, no, no, one}
    };
    double bound = TOLERANCE * largest(read("nucleon1", 1, 4));
    for (int current = 0; current < 4; current++) {
      // The factor is that of σ_3 and of the unit matrix in row 1.
      double[] factor = average("nucleon1", current < 3 ? 3 : 4);
      assertTrue(largest(factor) > 1e-3 * bound / TOLERANCE, "current " + (current + 1));
      for (int row = 0; row < 4; row++) {
        Complex expected = conjugates[current][row].times(new Complex(factor[0], factor[1]));
        double[] found = average("nucleon" + (row + 1), current + 1);
        assertEquals(expected.re(), found[0], bound, current + " " + row);
        assertEquals(expected.im(), found[1], bound, current + " " + row);
      }
    }
  }
}
