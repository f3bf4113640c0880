package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.RotatedBasis;
import org.starlingqcd.correlators.RotatedGaugeField;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.ExpandedDefinition;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.reference.NaiveCorrelator;

/** Components that count in the DeGrand-Rossi basis give the same numbers in every basis. */
@Tag("slow")
class BaryonBasisTest {
  /** Relative to the largest element: the rotation to and fro costs a few roundings. */
  private static final double TOLERANCE = 1e-12;

  private static final String N_PI =
      """
      isospin: [1/2, 1/2]
      irrep: G1u
      row: 2
      operators:
        - name: N
          hadrons: [{baryon: N, momentum: [0, 0, 0], component: 2, parity: minus}]
        - name: Npi
          hadrons: [{baryon: N, momentum: [0, 0, 1], component: 2}, {meson: pi, momentum: [0, 0, -1]}]
      """;

  private static final String DELTA_AS_IT_STANDS =
      """
      isospin: [3/2, -3/2]
      operators:
        - name: Delta
          hadrons: [{baryon: Delta, momentum: [0, 0, 0], component: 2}]
        - name: Delta_minus
          hadrons: [{baryon: Delta, momentum: [0, 0, 0], component: 3, parity: minus}]
      """;

  private static final String TWO_NUCLEONS =
      """
      isospin: [0, 0]
      irrep: T1+
      row: x
      operators:
        - name: NN
          hadrons:
            - {baryon: N, momentum: [0, 0, 0], component: 1}
            - {baryon: N, momentum: [0, 0, 0], component: 2}
          seed_row: z
      """;

  /** One spin tensor made of all diquarks and components. */
  private static final String WRITTEN_OUT =
      """
      operators:
        - name: O
          terms:
            - coefficient: 0.7
              baryons: [{quarks: [u, u, d], diquark: Cg5, component: 1, momentum: [0, 0, 0], basis: DeGrand-Rossi}]
            - coefficient: [0.2, -0.5]
              baryons: [{quarks: [u, d, u], diquark: Cg1, component: 2, momentum: [0, 0, 0], basis: DeGrand-Rossi}]
            - coefficient: [0, 0.4]
              baryons:
                [{quarks: [u, d, u], diquark: Cg3, parity: minus, component: 1, momentum: [0, 0, 0], basis: DeGrand-Rossi}]
            - coefficient: 0.3
              baryons:
                [{quarks: [u, u, d], diquark: Cg2, parity: minus, component: 3, momentum: [0, 0, 0], basis: DeGrand-Rossi}]
            - coefficient: -0.6
              baryons:
                [{quarks: [d, u, u], diquark: Cg4g5, parity: minus, component: 4, momentum: [0, 0, 0], basis: DeGrand-Rossi}]
            - coefficient: 0.9
              baryons: [{quarks: [u, d, u], diquark: Cg5, component: 3, momentum: [0, 0, 0], basis: DeGrand-Rossi}]
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {N_PI, DELTA_AS_IT_STANDS, TWO_NUCLEONS, WRITTEN_OUT})
  void correlator_doesNotDependOnTheBasis(String definition) throws IOException {
    CorrelationMatrix matrix = matrix("name: x\n" + definition);
    Path data = SyntheticLattice.write(folder, matrix, 4, 3, 19);
    double[] expected = correlator(matrix, data);
    double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
    assertTrue(largest > 1e-8, "largest=" + largest);
    int number = 0;
    for (double[][] t :
        List.of(RotatedBasis.withinChiralities(0.4, -1.1), RotatedBasis.diracPauli())) {
      Path rotated = folder.resolve("rotated" + number++ + ".h5");
      Files.copy(data, rotated);
      rotate(rotated, t);
      RotatedBasis.declare(rotated, t);
      double[] actual = correlator(matrix, rotated);
      for (int k = 0; k < expected.length; k++) {
        assertEquals(expected[k], actual[k], TOLERANCE * largest, "number " + k);
      }
      try (NaiveCorrelator naive = new NaiveCorrelator(data)) {
        Complex first = naive.element(matrix, 0, 0, 3, 1);
        assertEquals(first.re(), actual[0], TOLERANCE * largest);
        assertEquals(first.im(), actual[1], TOLERANCE * largest);
      }
    }
  }

  /** Written out, the definition says in which basis components count. */
  @ParameterizedTest
  @ValueSource(strings = {N_PI, DELTA_AS_IT_STANDS})
  void writtenOut_isTheSameCorrelationMatrix(String definition) throws IOException {
    ObjectMapper json = new ObjectMapper();
    CorrelationMatrix matrix = matrix("name: x\n" + definition);
    CorrelationMatrix again =
        matrix(
            json.writeValueAsString(
                new ExpandedDefinition(DefinitionLoader.parse("x.yaml", "name: x\n" + definition))
                    .describe()));
    assertEquals(matrix, again);
  }

  private static CorrelationMatrix matrix(String text) {
    return DefinitionLoader.parse("x.yaml", text).toCorrelationMatrix();
  }

  private static double[] correlator(CorrelationMatrix matrix, Path file) {
    return Engine.evaluateAll(matrix, List.of(file), 1, List.of(2)).get(0);
  }

  /** {@code τ' = T τ Tᵀ}: the quark fields of the basis {@code T g Tᵀ}. */
  private static void rotate(Path file, double[][] t) {
    Complex[][] transposed = new Complex[4][4];
    for (int k = 0; k < 16; k++) {
      transposed[k / 4][k % 4] = new Complex(t[k % 4][k / 4], 0);
    }
    try (Hdf5File hdf5 = Hdf5File.openForUpdate(file);
        Hdf5Dataset tau = hdf5.dataset("perambulators/light")) {
      tau.writeAll(RotatedGaugeField.turned(tau.readAll(), tau.extents(), transposed));
    }
  }
}
