package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.HadronNames;
import org.starlingqcd.correlators.definition.hadrons.MesonField;
import org.starlingqcd.correlators.definition.hadrons.MesonHadron;
import org.starlingqcd.correlators.definition.hadrons.Projection;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/**
 * Correlators with derivatives where blocks are missing, and under rotations of the gauge field.
 */
class DerivativeCorrelatorsTest {
  /** Sums of some thousand products, of 48 correlators in an average. */
  private static final double ROUNDING = 1e-11;

  private static final List<Integer> SEPARATIONS = List.of(0, 1);

  @TempDir Path folder;

  /** Half of the blocks are enough: the relations supply the others. */
  @ParameterizedTest
  @ValueSource(strings = {"rho_011_d1", "rho_d1_t2", "b1_derivative"})
  void halfOfTheElementals_giveTheSameNumbers(String name) throws IOException {
    Path whole =
        Engine.examples()
            .resolve("data-derivatives")
            .resolve("quenched_4x8_derivatives_cfg0001.h5");
    Path half = Files.copy(whole, folder.resolve("half.h5"));
    int deleted = 0;
    try (Hdf5File file = Hdf5File.openForUpdate(half)) {
      String mesons = "elementals/meson/";
      for (String displacement : file.children("elementals/meson")) {
        for (String momentum : file.children(mesons + displacement)) {
          boolean below = momentum.matches("(0_)*-.*");
          boolean reversed =
              momentum.equals("0_0_0")
                  && List.of("D_yD_x", "D_x", "D_y", "D_z").contains(displacement);
          if (below || reversed) {
            file.delete(mesons + displacement + "/" + momentum);
            deleted++;
          }
        }
      }
    }
    assertTrue(deleted > 50, "deleted=" + deleted);
    CorrelationMatrix matrix = Engine.definition(name);
    double[][] numbers = new double[2][];
    List<Path> files = List.of(whole, half);
    for (int k = 0; k < files.size(); k++) {
      try (DistillationData data = DistillationData.open(List.of(files.get(k)))) {
        numbers[k] =
            Engine.evaluate(matrix, data, 1, SEPARATIONS)
                .correlator(0, matrix.operators().size(), SEPARATIONS.size());
      }
    }
    assertArrayEquals(numbers[0], numbers[1], ROUNDING * largest(numbers[0]));
  }

  private Path synthetic(String name, int momentumSquared) {
    List<Momentum> momenta = new ArrayList<>();
    for (int k = 0; k < 27; k++) {
      Momentum n = new Momentum(k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1);
      if (n.x() * n.x() + n.y() * n.y() + n.z() * n.z() <= momentumSquared) {
        momenta.add(n);
      }
    }
    List<String> derivatives = new ArrayList<>(Displacement.derivatives(1));
    derivatives.addAll(Displacement.derivatives(2));
    return SyntheticData.write(
        new SyntheticEnsemble(
            name, 8, 2, 3, List.of("light"), List.of(), momenta, derivatives, false, 0, 11),
        1,
        folder,
        bytes -> {});
  }

  private static HadronFactor meson(String name, Momentum n, String polarization) {
    MesonField field = new HadronNames(false).meson(name);
    return new MesonHadron(
        field, n, polarization.isEmpty() ? 0 : field.polarizations().indexOf(polarization));
  }

  /** A sum of products of hadrons, each in its component I3 = 1, as an operator. */
  private static Operator operator(String name, Map<List<HadronFactor>, Complex> products) {
    List<Term> terms = new ArrayList<>();
    products.forEach((hadrons, c) -> addTerms(hadrons, new ArrayList<>(), c, terms));
    return new Operator(name, terms);
  }

  private static void addTerms(
      List<HadronFactor> hadrons, List<Factor> written, Complex c, List<Term> terms) {
    if (written.size() == hadrons.size()) {
      terms.add(new Term(c, written));
      return;
    }
    for (HadronFactor.Part part : hadrons.get(written.size()).parts(2)) {
      List<Factor> longer = new ArrayList<>(written);
      longer.add(part.factor());
      addTerms(hadrons, longer, c.times(part.spin()).times(part.flavour().doubleValue()), terms);
    }
  }

  private static double[] evaluate(List<Operator> operators, Path file) {
    CorrelationMatrix matrix =
        new CorrelationMatrix("x", operators, Map.of("u", "light", "d", "light"), false);
    try (DistillationData data = DistillationData.open(List.of(file))) {
      return Engine.evaluate(matrix, data, 0, SEPARATIONS)
          .correlator(0, operators.size(), SEPARATIONS.size());
    }
  }

  private static double largest(double[] numbers) {
    double largest = 0;
    for (double number : numbers) {
      largest = Math.max(largest, Math.abs(number));
    }
    return largest;
  }

  /** On the rotated gauge field every correlator is that of the rotated operator. */
  @Test
  @Tag("slow")
  void rotatedGaugeField_hasTheCorrelatorsOfRotatedOperators() {
    Momentum p = new Momentum(0, 1, 1);
    List<List<HadronFactor>> products =
        List.of(
            List.of(meson("rho", p, "x")),
            List.of(meson("a0xD1_J1_T1", p, "y")),
            List.of(meson("rhoxD1_J2_E", p, "1")),
            List.of(meson("a1xD2_J2__J3_T2", p, "z")),
            List.of(
                meson("rhoxD1_J1_T1", new Momentum(0, 0, 1), "x"),
                meson("rhoxD2_J2__J3_A2", new Momentum(0, 1, 0), "")));
    Path plain = synthetic("plain", 2);
    for (int k = 1; k < CubicRotation.all().size(); k += 7) {
      CubicRotation r = CubicRotation.all().get(k);
      List<Operator> operators = new ArrayList<>();
      List<Operator> rotated = new ArrayList<>();
      for (List<HadronFactor> product : products) {
        Map<List<HadronFactor>, Complex> one = Map.of(product, Complex.ONE);
        operators.add(operator("o" + operators.size(), one));
        rotated.add(operator("o" + rotated.size(), Projection.rotate(r, one)));
      }
      Path field = synthetic("field" + k, 2);
      RotatedGaugeField.apply(r, field);
      double[] expected = evaluate(rotated, plain);
      assertArrayEquals(
          expected, evaluate(operators, field), ROUNDING * largest(expected), r.toString());
    }
  }

  /** Averages over the 48 rotations vanish between irreps and rows and agree between rows. */
  @Test
  @Tag("slow")
  void averageOverRotations_isDiagonalInIrrepsAndRows() {
    List<HadronFactor> mesons = new ArrayList<>();
    for (String row : List.of("x", "z")) {
      mesons.add(meson("rhoxD1_J2_T2", Momentum.ZERO, row));
      mesons.add(meson("a1xD2_J2__J3_T2", Momentum.ZERO, row));
    }
    mesons.add(meson("rhoxD1_J1_T1", Momentum.ZERO, "x"));
    mesons.add(meson("a1xD2_J2__J2_E", Momentum.ZERO, "1"));
    mesons.add(meson("a1xD2_J2__J2_E", Momentum.ZERO, "2"));
    List<Operator> operators = new ArrayList<>();
    for (HadronFactor meson : mesons) {
      operators.add(operator(meson.name() + meson.spin(), Map.of(List.of(meson), Complex.ONE)));
    }
    int n = operators.size();
    double[] average = new double[2 * n * n * SEPARATIONS.size()];
    for (CubicRotation r : CubicRotation.all()) {
      Path field = synthetic("field", 0);
      RotatedGaugeField.apply(r, field);
      double[] one = evaluate(operators, field);
      for (int k = 0; k < one.length; k++) {
        average[k] += one[k] / CubicRotation.all().size();
      }
    }
    double bound = ROUNDING * largest(average);
    for (int k = 0; k < average.length; k++) {
      MesonHadron i = (MesonHadron) mesons.get(k / 2 / n % n);
      MesonHadron j = (MesonHadron) mesons.get(k / 2 % n);
      boolean mix = i.row() == j.row() && i.meson().irrep().name().equals(j.meson().irrep().name());
      if (!mix) {
        assertEquals(0, average[k], bound, i + " " + j);
      } else {
        // The same pair of names in the first row.
        int first = k - k / 2 % (n * n) * 2 + 2 * (n * first(mesons, i) + first(mesons, j));
        assertEquals(average[first], average[k], bound, i + " " + j);
      }
    }
  }

  private static int first(List<HadronFactor> mesons, MesonHadron meson) {
    for (int k = 0; k < mesons.size(); k++) {
      if (mesons.get(k).name().equals(meson.name())) {
        return k;
      }
    }
    throw new AssertionError(meson);
  }
}
