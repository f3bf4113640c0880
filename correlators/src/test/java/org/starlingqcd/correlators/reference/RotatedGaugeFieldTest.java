package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.RotatedGaugeField;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.hadrons.Baryon;
import org.starlingqcd.correlators.definition.hadrons.BaryonHadron;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.HadronNames;
import org.starlingqcd.correlators.definition.hadrons.MesonHadron;
import org.starlingqcd.correlators.definition.hadrons.Projection;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.LittleGroup;
import org.starlingqcd.correlators.definition.symmetry.ReferenceRotation;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/**
 * Correlators on data that come from a turned gauge field. Knows the transformation of quark fields
 * only, no irrep: what the projections promise must follow from it.
 */
@Tag("slow")
class RotatedGaugeFieldTest {
  /** Relative to the largest element: sums over 48 fields and some hundred terms. */
  private static final double TOLERANCE = 1e-11;

  private static final List<Momentum> MOMENTA = momenta();

  @TempDir private static Path folder;

  private static Path data;

  private static List<Momentum> momenta() {
    List<Momentum> momenta = new ArrayList<>();
    for (int k = 0; k < 27; k++) {
      momenta.add(new Momentum(k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1));
    }
    return momenta;
  }

  @BeforeAll
  static void writeData() {
    SyntheticEnsemble ensemble =
        new SyntheticEnsemble(
            "random", 4, 4, 3, List.of("light"), List.of(), MOMENTA, List.of(), true, 0, 15);
    data = SyntheticData.write(ensemble, 1, folder, bytes -> {});
  }

  private static CorrelationMatrix matrix(String text) {
    return DefinitionLoader.parse("x.yaml", "name: x\n" + text).toCorrelationMatrix();
  }

  private static double[] correlator(CorrelationMatrix matrix, Path file) {
    return Engine.evaluateAll(matrix, List.of(file), 1, List.of(2)).get(0);
  }

  /** The turned field, written once for all tests. */
  private static Path field(CubicRotation rotation) {
    Path turned = folder.resolve("turned" + CubicRotation.all().indexOf(rotation) + ".h5");
    return Files.exists(turned) ? turned : RotatedGaugeField.copy(rotation, data, turned);
  }

  /**
   * Correlators on the field and their average over the fields that a little group turns it into.
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record OnAverage(double[] single, double[] average) {}

  /** One plan serves all fields. */
  private static OnAverage average(CorrelationMatrix matrix, Momentum total) {
    List<Path> files = new ArrayList<>(List.of(data));
    for (CubicRotation rotation : LittleGroup.of(total).elements()) {
      files.add(field(rotation));
    }
    List<double[]> all = Engine.evaluateAll(matrix, files, 1, List.of(2));
    double[] sum = new double[2 * matrix.operators().size() * matrix.operators().size()];
    for (double[] values : all.subList(1, all.size())) {
      for (int k = 0; k < values.length; k++) {
        sum[k] += values[k] / (all.size() - 1);
      }
    }
    return new OnAverage(all.get(0), sum);
  }

  private static void assertClose(double[] expected, double[] actual, double scale) {
    assertTrue(scale > 1e-8, "scale=" + scale);
    for (int k = 0; k < expected.length; k++) {
      assertEquals(expected[k], actual[k], TOLERANCE * scale, "number " + k);
    }
  }

  private static double largest(double[] values) {
    return Arrays.stream(values).map(Math::abs).max().orElse(0);
  }

  /**
   * The average over the group of any row is the mean over the rows on the field itself: from
   * {@code R · O_r = Σ O_r' D_r'r} and the orthogonality of the irreps' elements.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0, 0, 0 | G1u | 1/2 | {baryon: N, momentum: [0, 0, 0], component: 1, parity: minus}; "
            + "{baryon: N, momentum: [0, 0, 1], component: 1}, {meson: pi, momentum: [0, 0, -1]}",
        "0, 0, 0 | Hg | 3/2 | {baryon: Delta, momentum: [0, 0, 0], component: 1}; "
            + "{baryon: N, momentum: [0, 0, 1], component: 1}, {meson: pi, momentum: [0, 0, -1]} ROW 2",
        "0, 0, 0 | G2u | 3/2 | {baryon: N, momentum: [0, 1, 1], component: 1}, "
            + "{meson: pi, momentum: [0, -1, -1]} ROW 2",
        "0, 0, 0 | T1+ | 0 | {baryon: N, momentum: [0, 0, 0], component: 1}, "
            + "{baryon: N, momentum: [0, 0, 0], component: 2} ROW z",
        "0, 0, 1 | G1 | 1/2 | {baryon: N, momentum: [0, 0, 1], component: 1}; "
            + "{baryon: N, momentum: [0, 1, 0], component: 2}, {meson: pi, momentum: [0, -1, 1]}",
        "-1, 0, 0 | G2 | 3/2 | {baryon: Delta, momentum: [-1, 0, 0], component: 1}; "
            + "{baryon: N, momentum: [0, 1, 0], component: 1}, {meson: pi, momentum: [-1, -1, 0]}",
        "0, 1, 1 | G | 1/2 | {baryon: N, momentum: [0, 1, 1], component: 1}; "
            + "{baryon: N, momentum: [0, 1, 0], component: 1}, {meson: pi, momentum: [0, 0, 1]}",
        "1, -1, 1 | G | 1/2 | {baryon: N, momentum: [1, -1, 1], component: 1}; "
            + "{baryon: N, momentum: [1, 0, 1], component: 2}, {meson: pi, momentum: [0, -1, 0]}",
      })
  void rows_areEqualOnAverage(String total, String irrep, String isospin, String operators) {
    String[] n = total.split(", ");
    Momentum momentum =
        new Momentum(Integer.parseInt(n[0]), Integer.parseInt(n[1]), Integer.parseInt(n[2]));
    List<String> rows = Irrep.of(irrep, momentum).rows();
    List<CorrelationMatrix> matrices =
        rows.stream().map(row -> rowOf(total, irrep, row, isospin, operators)).toList();
    double[] mean = new double[0];
    List<double[]> averages = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      double[] values;
      if (row == 0 || row == rows.size() - 1) {
        OnAverage both = average(matrices.get(row), momentum);
        averages.add(both.average());
        values = both.single();
      } else {
        values = correlator(matrices.get(row), data);
      }
      mean = row == 0 ? new double[values.length] : mean;
      for (int k = 0; k < values.length; k++) {
        mean[k] += values[k] / rows.size();
      }
    }
    for (double[] average : averages) {
      assertClose(mean, average, largest(mean));
    }
  }

  private static CorrelationMatrix rowOf(
      String total, String irrep, String row, String isospin, String operators) {
    StringBuilder text =
        new StringBuilder(
            "isospin: [" + isospin + ", " + isospin + "]\nmomentum: [" + total + "]\n");
    text.append("irrep: ").append(irrep).append("\nrow: ").append(row).append("\noperators:\n");
    for (String operator : operators.split("; ")) {
      String[] parts = operator.split(" ROW ");
      text.append("  - name: \"").append(operator).append("\"\n");
      text.append("    hadrons: [").append(parts[0]).append("]\n");
      text.append("    seed_row: ").append(parts.length > 1 ? parts[1] : 1).append('\n');
    }
    return matrix(text.toString());
  }

  /** Elements between irreps and between rows vanish on average, not on one field. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "G1g, 1, 1; G1u, 1, 1; G1u, 2, 1; Hu, 2, 2",
      })
  void irrepsAndRows_doNotMixOnAverage(String targets) {
    List<Operator> operators = new ArrayList<>();
    CorrelationMatrix last = null;
    for (String target : targets.split("; ")) {
      String[] parts = target.split(", ");
      last =
          matrix(
              "isospin: [1/2, 1/2]\nirrep: "
                  + parts[0]
                  + "\nrow: "
                  + parts[1]
                  + "\noperators:\n  - {name: \""
                  + target
                  + "\", hadrons: [{baryon: N, momentum: [0, 0, 1], component: 1}, {meson: pi,"
                  + " momentum: [0, 0, -1]}], seed_row: "
                  + parts[2]
                  + "}\n");
      operators.addAll(last.operators());
    }
    CorrelationMatrix matrix = new CorrelationMatrix("all", operators, last.quarkLabels(), false);
    OnAverage both = average(matrix, Momentum.ZERO);
    double[] single = both.single();
    double[] average = both.average();
    int n = operators.size();
    double scale = largest(average);
    double mixing = 0;
    for (int k = 0; k < average.length / 2; k++) {
      if (k / n % n != k % n) {
        mixing = Math.max(mixing, Math.hypot(single[2 * k], single[2 * k + 1]));
        assertEquals(0, Math.hypot(average[2 * k], average[2 * k + 1]), TOLERANCE * scale);
      }
    }
    assertTrue(mixing > 1e-3 * scale, "one field mixes them: " + mixing);
  }

  /** On the turned field every correlator is that of the turned operator. */
  @Test
  void correlators_areThoseOfTheTurnedOperators() {
    Baryon delta = Baryon.named("Delta").orElseThrow();
    Baryon nucleon = Baryon.named("N").orElseThrow();
    HadronNames mesons = new HadronNames(false);
    Momentum z = new Momentum(0, 0, 1);
    Momentum back = new Momentum(0, 0, -1);
    List<List<HadronFactor>> products =
        List.of(
            List.of(new BaryonHadron(delta, Momentum.ZERO, 2, 1, true)),
            List.of(new BaryonHadron(delta, Momentum.ZERO, 3, -1, true)),
            List.of(
                new BaryonHadron(nucleon, z, 1, 1, true),
                new MesonHadron(mesons.meson("pi"), back, 0)),
            List.of(
                new BaryonHadron(nucleon, back, 2, -1, true),
                new MesonHadron(mesons.meson("rho"), z, 0)));
    // A proper and an improper one that exchange axes.
    for (int k : new int[] {9, 27}) {
      CubicRotation rotation = CubicRotation.all().get(k);
      List<Operator> operators = new ArrayList<>();
      List<Operator> turned = new ArrayList<>();
      for (List<HadronFactor> product : products) {
        Map<List<HadronFactor>, Complex> one = Map.of(product, Complex.ONE);
        operators.add(operator("o" + operators.size(), one));
        turned.add(operator("o" + turned.size(), Projection.rotate(rotation, one)));
      }
      Path field = field(rotation);
      Map<String, String> labels = Map.of("u", "light", "d", "light");
      double[] expected = correlator(new CorrelationMatrix("x", turned, labels, false), data);
      double[] actual = correlator(new CorrelationMatrix("x", operators, labels, false), field);
      assertClose(expected, actual, largest(expected));
    }
  }

  /** A sum of products of hadrons, each with the largest I3, which need no coupling. */
  private static Operator operator(String name, Map<List<HadronFactor>, Complex> products) {
    List<Term> terms = new ArrayList<>();
    products.forEach((hadrons, c) -> addTerms(hadrons, List.of(), c, terms));
    return new Operator(name, terms);
  }

  private static void addTerms(
      List<HadronFactor> hadrons, List<Factor> written, Complex c, List<Term> terms) {
    if (written.size() == hadrons.size()) {
      terms.add(new Term(c, written));
      return;
    }
    HadronFactor next = hadrons.get(written.size());
    for (HadronFactor.Part part : next.parts(next.isospin().twice())) {
      List<Factor> longer = new ArrayList<>(written);
      longer.add(part.factor());
      addTerms(hadrons, longer, c.times(part.spin()).times(part.flavour().doubleValue()), terms);
    }
  }

  /** The operators with `orientation` on the field are those without it on the turned field. */
  @ParameterizedTest
  @ValueSource(strings = {"1, 0, 0", "0, -1, 0", "0, 0, -1", "0, 1, 0"})
  void orientation_isTheTurnedOperator(String orientation) {
    String[] n = orientation.split(", ");
    Momentum to =
        new Momentum(Integer.parseInt(n[0]), Integer.parseInt(n[1]), Integer.parseInt(n[2]));
    Momentum from = new Momentum(0, 0, 1);
    CubicRotation turn = ReferenceRotation.of(to).times(ReferenceRotation.of(from).inverse());
    String text =
        "irrep: G1\nrow: 1\nisospin: [1/2, 1/2]\nmomentum: [0, 0, 1]\noperators:\n"
            + "  - {name: N, hadrons: [{baryon: N, momentum: [0, 0, 1], component: 1}]}\n"
            + "  - {name: Npi, hadrons: [{baryon: N, momentum: [0, 1, 0], component: 2},"
            + " {meson: pi, momentum: [0, -1, 1]}]}\n"
            + "  - {name: Nrho, hadrons: [{baryon: N, momentum: [0, 0, 0], component: 2},"
            + " {meson: rho, momentum: [0, 0, 1], polarization: x}]}\n";
    Path turned = field(turn);
    double[] expected = correlator(matrix(text), turned);
    double[] actual = correlator(matrix("orientation: [" + orientation + "]\n" + text), data);
    assertClose(expected, actual, largest(expected));
  }

  /** Without an irrep too: mesons in flight, turned as they stand. */
  @ParameterizedTest
  @ValueSource(strings = {"E", ""})
  void orientation_ofMesons(String irrep) {
    String text =
        (irrep.isEmpty() ? "" : "irrep: E\nrow: 1\n")
            + "isospin: [1, 1]\nmomentum: [0, 0, 1]\nallow_zero: true\noperators:\n"
            + "  - {name: rho, hadrons: [{meson: rho, momentum: [0, 0, 1], polarization: x}]}\n"
            + "  - {name: a1, hadrons: [{meson: a1, momentum: [0, 0, 1], polarization: y}]}\n";
    CubicRotation turn =
        ReferenceRotation.of(new Momentum(0, -1, 0))
            .times(ReferenceRotation.of(new Momentum(0, 0, 1)).inverse());
    Path turned = field(turn);
    double[] expected = correlator(matrix(text), turned);
    double[] actual = correlator(matrix("orientation: [0, -1, 0]\n" + text), data);
    assertClose(expected, actual, largest(expected));
    assertTrue(IntStream.range(0, expected.length).anyMatch(k -> Math.abs(expected[k]) > 1e-6));
  }
}
