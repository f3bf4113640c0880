package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.QuantumNumbers;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/**
 * Correlators on the complex conjugate gauge field. Knows what becomes of the data only: G parity
 * and the sign under complex conjugation with parity must follow from it.
 */
@Tag("slow")
class ConjugationTest {
  /** Of the largest element: rounding of sums of a few hundred terms. */
  private static final double TOLERANCE = 1e-11;

  private static final List<Integer> SEPARATIONS = List.of(0, 1);

  @TempDir private static Path folder;

  private static Path data;
  private static Path chargeConjugated;
  private static Path withParity;

  @BeforeAll
  static void writeData() {
    List<Momentum> momenta = new ArrayList<>();
    for (int k = 0; k < 27; k++) {
      momenta.add(new Momentum(k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1));
    }
    List<String> displacements = new ArrayList<>(Displacement.derivatives(1));
    displacements.addAll(Displacement.derivatives(2));
    SyntheticEnsemble ensemble =
        new SyntheticEnsemble(
            "random",
            5,
            3,
            3,
            List.of("light", "strange", "charm"),
            List.of(),
            momenta,
            displacements,
            true,
            0,
            21);
    data = SyntheticData.write(ensemble, 1, folder, bytes -> {});
    chargeConjugated = ConjugatedLattice.chargeConjugated(data, folder.resolve("c.h5"));
    withParity = ConjugatedLattice.conjugatedWithParity(data, folder.resolve("k.h5"));
  }

  private static Definition definition(String text) {
    return DefinitionLoader.parse("x.yaml", "name: x\n" + text);
  }

  private static List<double[]> correlators(Definition definition, Path... files) {
    return Engine.evaluateAll(definition.toCorrelationMatrix(), List.of(files), 1, SEPARATIONS);
  }

  private static int[] signs(List<String> texts) {
    return texts.stream()
        .mapToInt(text -> text.equals("+") ? 1 : text.equals("-") ? -1 : 0)
        .toArray();
  }

  /** {@code C'_ij = s_i s_j C_ij}, or its complex conjugate. */
  private static void assertSigns(
      double[] expected, double[] actual, int[] signs, boolean conjugate) {
    double scale = Arrays.stream(expected).map(Math::abs).max().orElse(0);
    assertTrue(scale > 1e-8, "scale=" + scale);
    int n = signs.length;
    for (int k = 0; k < expected.length; k++) {
      int element = k / 2 % (n * n);
      int sign = signs[element / n] * signs[element % n];
      assertTrue(sign != 0, "decided: " + element);
      sign = conjugate && k % 2 == 1 ? -sign : sign;
      assertEquals(sign * expected[k], actual[k], TOLERANCE * scale, "number " + k);
    }
  }

  private static void assertGParity(Definition definition) {
    int[] g = signs(QuantumNumbers.of(definition).stream().map(q -> q.gParity()).toList());
    List<double[]> both = correlators(definition, data, chargeConjugated);
    assertSigns(both.get(0), both.get(1), g, false);
  }

  private static void assertConjugation(Definition definition) {
    int[] s = definition.conjugation().stream().mapToInt(sign -> sign).toArray();
    List<double[]> both = correlators(definition, data, withParity);
    assertSigns(both.get(0), both.get(1), s, true);
  }

  /** All gammas, each alone and with one or two derivatives. */
  private static Definition bilinears(int isospin, String momentum) {
    List<String> vectors =
        isospin == 1
            ? List.of("rho", "a1", "b1", "rho_2")
            : List.of("omega", "f1", "h1", "omega_2");
    List<String> scalars =
        isospin == 1 ? List.of("pi", "a0", "pi_2", "b_0") : List.of("eta", "f0", "eta_2", "h_0");
    List<String> hadrons = new ArrayList<>();
    scalars.forEach(
        name -> {
          hadrons.add("meson: " + name);
          hadrons.add("meson: " + name + "xD1_J1_T1, polarization: z");
          hadrons.add("meson: " + name + "xD2_J1__J1_T1, polarization: z");
          hadrons.add("meson: " + name + "xD2_J2__J2_T2, polarization: x");
        });
    vectors.forEach(
        name -> {
          hadrons.add("meson: " + name + ", polarization: z");
          hadrons.add("meson: " + name + "xD1_J0_A1");
          hadrons.add("meson: " + name + "xD1_J1_T1, polarization: z");
          hadrons.add("meson: " + name + "xD2_J1__J2_E, polarization: '1'");
          hadrons.add("meson: " + name + "xD2_J2__J3_A2");
        });
    StringBuilder text = new StringBuilder("isospin: [" + isospin + ", " + isospin + "]\n");
    text.append("momentum: ").append(momentum).append("\nallow_zero: true\noperators:\n");
    for (String hadron : hadrons) {
      text.append("  - name: \"").append(hadron).append("\"\n    hadrons: [{").append(hadron);
      text.append(", momentum: ").append(momentum).append("}]\n");
    }
    return definition(text.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"1 | [0, 0, 0]", "0 | [0, 0, 0]", "1 | [0, 1, 1]", "0 | [1, 0, 1]"})
  void bilinears_haveTheirSigns(int isospin, String momentum) {
    Definition definition = bilinears(isospin, momentum);
    assertGParity(definition);
    assertConjugation(definition);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
            isospin: [1, 0]
            g_parity: +
            momentum: [0, 0, 1]
            irrep: A1
            operators:
            - {name: a, hadrons: [{meson: pi, momentum: [0, 0, 1]}, {meson: pi, momentum: [0, 0, 0]}]}
            - {name: b, hadrons: [{meson: K, momentum: [0, 0, 1]}, {meson: Kbar, momentum: [0, 0, 0]}]}
            - {name: c, hadrons: [{meson: rho, momentum: [0, 0, 1], polarization: z}]}
            """,
        """
            isospin: [1, 1]
            g_parity: -
            momentum: [0, 0, 1]
            irrep: A1
            operators:
            - {name: a, hadrons: [{meson: eta, momentum: [0, 0, 1]}, {meson: pi, momentum: [0, 0, 0]}]}
            - {name: b, hadrons: [{meson: K, momentum: [0, 0, 1]}, {meson: Kbar, momentum: [0, 0, 0]}]}
            - {name: c, hadrons: [{meson: a0, momentum: [0, 0, 1]}]}
            """,
        """
            isospin: [0, 0]
            c_parity: +
            irrep: T1+
            row: z
            quarks: {c: charm}
            mesons: {D: {like: Kbar, strange: c}, Dstar: {like: Kstarbar, strange: c}, Dbar: {like: K, strange: c}, Dstarbar: {like: Kstar, strange: c}}
            operators:
            - {name: a, hadrons: [{meson: D, momentum: [0, 0, 0]}, {meson: Dstarbar, momentum: [0, 0, 0], polarization: z}]}
            - {name: b, hadrons: [{meson: f1, momentum: [0, 0, 0], polarization: z}]}
            """,
      })
  void products_areProjectedToTheirGParity(String text) {
    Definition definition = definition(text);
    assertGParity(definition);
    assertConjugation(definition);
  }

  /** A projected operator is the sum of the product and its partner, and as long as the product. */
  @Test
  void completedProduct_isTheSumWithItsPartner() {
    String text =
        """
            isospin: [0, 0]
            momentum: [0, 0, 1]
            irrep: A1
            %soperators:
            - {name: a, hadrons: [{meson: K, momentum: [0, 0, 1]}, {meson: Kbar, momentum: [0, 0, 0]}]}
            %s""";
    String partner =
        "- {name: b, hadrons: [{meson: Kbar, momentum: [0, 0, 1]}, {meson: K, momentum: [0, 0, 0]}]}\n";
    double[] c = correlators(definition(text.formatted("", partner)), data).get(0);
    double[] plus = correlators(definition(text.formatted("g_parity: +\n", "")), data).get(0);
    double[] minus = correlators(definition(text.formatted("g_parity: -\n", "")), data).get(0);
    for (int k = 0; k < 2; k++) {
      assertEquals(c[k] + c[k + 6], plus[k] + minus[k], TOLERANCE * Math.abs(c[0]));
      double cross = Math.abs(plus[k] - minus[k]);
      assertEquals(Math.abs(c[k + 2] + c[k + 4]), cross, TOLERANCE * Math.abs(c[0]));
    }
  }

  /** Shipped definitions of mesons, as far as the data have their momenta. */
  @ParameterizedTest
  @ValueSource(
      strings = {"rho_pipi", "a1_rhopi", "rho_d1_t2", "b1_derivative", "pipi_i2", "kpi_i32"})
  void shippedDefinitions_haveTheirSigns(String name) {
    assertConjugation(new DefinitionLoader(folder).load(name));
  }

  @Test
  void coefficients_countInTheSign() {
    String text =
        """
            isospin: [1, 1]
            operators:
            - {name: a, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}
            - {name: b, coefficient: [0, 2], hadrons: [{meson: pi_2, momentum: [0, 0, 0]}]}
            """;
    Definition definition = definition(text);
    assertConjugation(definition);
    assertEquals(List.of(-1, 1), definition.conjugation());
    double[] c = correlators(definition, data).get(0);
    double[] plain =
        correlators(definition(text.replace("coefficient: [0, 2], ", "")), data).get(0);
    // ⟨O_a (2i O_b)†⟩ = -2i ⟨O_a O_b†⟩
    assertEquals(2 * plain[3], c[2], TOLERANCE * Math.abs(c[0]));
    assertEquals(-2 * plain[2], c[3], TOLERANCE * Math.abs(c[0]));
  }

  /** Half-integer spin: on the transformed data a row has the correlators of the opposite row. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[0, 0, 0] | G1u | 1/2 | 1 | 2 | {baryon: N, momentum: [0, 0, 0], component: 1, parity: minus}; "
            + "{baryon: N, momentum: [0, 0, 1], component: 1}, {meson: pi, momentum: [0, 0, -1]}; "
            + "{baryon: N, momentum: [0, 0, 1], component: 1}, {meson: rho, momentum: [0, 0, -1], polarization: z}",
        "[0, 0, 0] | Hg | 3/2 | 1 | 4 | {baryon: Delta, momentum: [0, 0, 0], component: 1}; "
            + "{baryon: N, momentum: [0, 0, 1], component: 1}, {meson: pi, momentum: [0, 0, -1]}",
        "[0, 0, 1] | G1 | 1/2 | 1 | 2 | {baryon: N, momentum: [0, 0, 1], component: 1}; "
            + "{baryon: N, momentum: [0, 0, 1], component: 1, parity: minus}; "
            + "{baryon: N, momentum: [0, 0, 0], component: 1}, {meson: pi, momentum: [0, 0, 1]}",
        "[0, 1, 1] | G | 1/2 | 1 | 2 | {baryon: N, momentum: [0, 1, 1], component: 1}; "
            + "{baryon: N, momentum: [0, 1, 0], component: 1}, {meson: pi, momentum: [0, 0, 1]}",
      })
  void halfIntegerSpin_goesToTheOppositeRow(
      String momentum, String irrep, String isospin, String row, String opposite, String products) {
    List<double[]> values = new ArrayList<>();
    List<List<Integer>> signs = new ArrayList<>();
    for (String r : List.of(row, opposite)) {
      StringBuilder text = new StringBuilder("isospin: [%s, %s]\n".formatted(isospin, isospin));
      text.append("momentum: %s\nirrep: %s\nrow: %s\noperators:\n".formatted(momentum, irrep, r));
      for (String product : products.split("; ")) {
        text.append(
            "- {name: \"%s\", hadrons: [%s], seed_row: %s}\n"
                .formatted(product, product, seedRow(irrep, product)));
      }
      Definition definition = definition(text.toString());
      signs.add(definition.conjugation());
      values.add(correlators(definition, r.equals(row) ? data : withParity).get(0));
    }
    assertEquals(signs.get(0), signs.get(1));
    assertSigns(
        values.get(0), values.get(1), signs.get(0).stream().mapToInt(s -> s).toArray(), true);
  }

  private static int seedRow(String irrep, String product) {
    return irrep.startsWith("H") && !product.contains("Delta") ? 2 : 1;
  }
}
