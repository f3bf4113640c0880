package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Correlators of tetraquarks under isospin, rotations of the gauge field and of the spin basis. */
class TetraquarkCorrelatorsTest {
  /** Of the largest element. */
  private static final double ROUNDING = 1e-11;

  private static final List<Integer> SEPARATIONS = List.of(0, 1, 3);

  /** Open flavour; the isospin of T is 1, and that of S and the pion together. */
  private static final String SCALAR =
      """
      name: x
      isospin: [1, %s]
      irrep: A1+
      quarks: {c: charm}
      mesons: {D: {like: Kbar, strange: c}}
      tetraquarks:
        T: {antiquarks: [l, l], antidiquark: 1+, quarks: [c, c], diquark: 1+, spin: 0, colour: 3bar3}
        S: {antiquarks: [l, l], antidiquark: 0+, quarks: [c, c], diquark: 1+, colour: 3bar3}
      operators:
        - {name: T, hadrons: [{tetraquark: T, momentum: [0, 0, 0]}]}
        - {name: DD, hadrons: [{meson: D, momentum: [0, 0, 0]}, {meson: D, momentum: [0, 0, 0]}]}
        - {name: Tpi, hadrons: [{tetraquark: S, momentum: [0, 0, 1], polarization: z}, {meson: pi, momentum: [0, 0, -1]}]}
      """;

  /** Spin 2, in a row. */
  private static final String TENSOR =
      """
      name: x
      isospin: [1, 1]
      irrep: T2+
      row: %1$s
      quarks: {c: charm}
      tetraquarks:
        T: {antiquarks: [l, l], antidiquark: 1+, quarks: [c, c], diquark: 1+, spin: 2, irrep: T2, colour: 3bar3}
      operators:
        - {name: T, hadrons: [{tetraquark: T, momentum: [0, 0, 0], polarization: %1$s}]}
      """;

  /** Hidden charm, with lines that begin and end on one time slice. */
  private static final String HIDDEN =
      """
      name: x
      isospin: [1, %s]
      irrep: T1+
      row: x
      quarks: {c: charm}
      mesons:
        D: {like: Kbar, strange: c}
        Dstarbar: {like: Kstar, strange: c}
        psi: {like: phi, strange: c}
      tetraquarks:
        Z:
          isospin: 1
          parts:
            - {coefficient: 0.6, antiquarks: [c, l], antidiquark: 0+, quarks: [c, l], diquark: 1+, colour: 3bar3}
            - {coefficient: -0.8, antiquarks: [l, c], antidiquark: 1+, quarks: [c, l], diquark: 0+, colour: 3bar3}
        Z6: {isospin: 1, antiquarks: [c, l], antidiquark: 1+, quarks: [c, l], diquark: 1+, spin: 1, colour: 66bar}
      operators:
        - {name: Z, hadrons: [{tetraquark: Z, momentum: [0, 0, 0], polarization: x}]}
        - {name: Z6, hadrons: [{tetraquark: Z6, momentum: [0, 0, 0], polarization: x}]}
        - {name: DDstarbar, hadrons: [{meson: D, momentum: [0, 0, 0]}, {meson: Dstarbar, momentum: [0, 0, 0], polarization: x}]}
        - {name: pipsi, hadrons: [{meson: pi, momentum: [0, 0, 0]}, {meson: psi, momentum: [0, 0, 0], polarization: x}]}
      """;

  @TempDir Path folder;

  private static Path data() {
    return Engine.examples()
        .resolve("data-tetraquark")
        .resolve("quenched_4x6_tetraquark_cfg0001.h5");
  }

  private static double[] correlator(String definition, Path file) {
    CorrelationMatrix matrix = DefinitionLoader.parse("x.yaml", definition).toCorrelationMatrix();
    try (DistillationData data = DistillationData.open(List.of(file))) {
      return Engine.evaluate(matrix, data, 2, SEPARATIONS)
          .correlator(0, matrix.operators().size(), SEPARATIONS.size());
    }
  }

  private static void assertSame(double[] expected, double[] actual, String message) {
    double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
    assertTrue(largest > 0);
    assertArrayEquals(expected, actual, ROUNDING * largest, message);
  }

  /** The order for many vectors, leg by leg, gives the same with few. */
  @ParameterizedTest
  @ValueSource(strings = {"tcc", "tcc_flight", "zc"})
  void legByLeg_isAsByPairs(String name) {
    CorrelationMatrix matrix = Engine.definition(name);
    try (DistillationData data = DistillationData.open(List.of(data()))) {
      List<double[]> found = new ArrayList<>();
      for (int n : new int[] {5, 200}) {
        found.add(
            Engine.evaluate(
                    matrix,
                    data,
                    2,
                    SEPARATIONS,
                    Engine.BUDGET,
                    PlanSettings.defaults(),
                    DeviceOptions.defaults(),
                    n)
                .correlator(0, matrix.operators().size(), SEPARATIONS.size()));
      }
      assertSame(found.get(0), found.get(1), name);
      assertFalse(Arrays.equals(found.get(0), found.get(1)), "one order twice");
    }
  }

  /** On each configuration. */
  @ParameterizedTest
  @ValueSource(strings = {SCALAR, HIDDEN})
  void everyThirdComponent_hasTheSameCorrelators(String definition) {
    double[] expected = correlator(definition.formatted("1"), data());
    assertSame(expected, correlator(definition.formatted("0"), data()), "I3 = 0");
    assertSame(expected, correlator(definition.formatted("-1"), data()), "I3 = -1");
  }

  private static String shipped(String name) {
    try {
      return Files.readString(Engine.examples().resolve("definitions/" + name + ".yaml"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Definitions in a row that is left open. */
  static Stream<String> rows() {
    return Stream.of(
        shipped("tcc")
            .replace("row: z", "row: %1$s")
            .replace("polarization: z", "polarization: %1$s"),
        HIDDEN
            .formatted("1")
            .replace("row: x", "row: %1$s")
            .replace("polarization: x", "polarization: %1$s"),
        TENSOR);
  }

  /**
   * The rotation x → y → z → x takes row x to row y, so that the rotated field has in row x what
   * the field itself has in row y.
   */
  @ParameterizedTest
  @MethodSource("rows")
  void rotatedGaugeField_hasTheOtherRow(String definition) {
    CubicRotation turn =
        CubicRotation.all().stream()
            .filter(r -> r.determinant() > 0 && r.element(1, 0) == 1 && r.element(2, 1) == 1)
            .findFirst()
            .orElseThrow();
    double[] expected = correlator(definition.formatted("y"), data());
    Path field = RotatedGaugeField.copy(turn, data(), folder.resolve("field.h5"));
    assertSame(expected, correlator(definition.formatted("x"), field), "row");
    // Inversion leaves rows of a parity as they are.
    CubicRotation inversion =
        CubicRotation.all().stream()
            .filter(r -> r.element(0, 0) + r.element(1, 1) + r.element(2, 2) == -3)
            .findFirst()
            .orElseThrow();
    Path inverse = RotatedGaugeField.copy(inversion, data(), folder.resolve("inverse.h5"));
    assertSame(expected, correlator(definition.formatted("y"), inverse), "inversion");
  }

  /** Operators turned to an orientation, on data that are turned back. */
  @Test
  void orientation_isARotation() {
    String text = shipped("tcc_flight");
    String named = text.substring(0, text.indexOf("  - name: written_out"));
    double[] expected = correlator(named, data());
    for (String orientation : List.of("1, 0, 0", "0, -1, 0", "0, 0, -1")) {
      String turned = named.replace("irrep: A2", "orientation: [" + orientation + "]\nirrep: A2");
      int agree = 0;
      for (CubicRotation r : CubicRotation.all()) {
        if (r.apply(new Momentum(0, 0, 1)).toString().equals("[" + orientation + "]")
            && r.determinant() > 0) {
          Path field =
              RotatedGaugeField.copy(
                  r.inverse(), data(), folder.resolve(orientation + agree++ + ".h5"));
          assertSame(expected, correlator(turned, field), orientation);
        }
      }
      assertEquals(4, agree);
    }
  }

  /** Data in another spin basis have the same correlators. */
  @ParameterizedTest
  @ValueSource(strings = {SCALAR, HIDDEN})
  void correlators_doNotDependOnTheBasis(String definition) throws IOException {
    double[] expected = correlator(definition.formatted("1"), data());
    for (double[][] t :
        List.of(RotatedBasis.withinChiralities(0.4, -1.1), RotatedBasis.diracPauli())) {
      Path rotated = folder.resolve("rotated.h5");
      Files.deleteIfExists(rotated);
      Files.copy(data(), rotated);
      Complex[][] inverse = new Complex[4][4];
      for (int a = 0; a < 16; a++) {
        inverse[a / 4][a % 4] = new Complex(t[a % 4][a / 4], 0);
      }
      try (Hdf5File file = Hdf5File.openForUpdate(rotated)) {
        for (String label : file.children("perambulators")) {
          try (Hdf5Dataset tau = file.dataset("perambulators/" + label)) {
            tau.writeAll(RotatedGaugeField.turned(tau.readAll(), tau.extents(), inverse));
          }
        }
      }
      RotatedBasis.declare(rotated, t);
      assertSame(expected, correlator(definition.formatted("1"), rotated), "basis");
    }
  }
}
