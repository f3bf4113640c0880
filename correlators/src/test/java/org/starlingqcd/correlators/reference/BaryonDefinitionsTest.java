package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.reference.NaiveCorrelator;

/**
 * Baryons of all kinds against the naive evaluation: moving frames, either parity, all components,
 * kaon-nucleon, two nucleons, three flavours. On the bundled data where one baryon meets at most
 * one meson; elsewhere on random data with three eigenvectors, since the naive evaluation of two
 * baryons takes (4N)⁵ products for each pairing.
 */
@Tag("slow")
class BaryonDefinitionsTest {
  /** Relative to the largest element; sums of (4N)³ products for each of some hundred pairings. */
  private static final double TOLERANCE = 1e-11;

  private static final String MOVING_NUCLEON =
      """
      isospin: [1/2, 1/2]
      momentum: [0, 1, 1]
      operators:
        - {name: up, hadrons: [{baryon: N, momentum: [0, 1, 1], component: 1}]}
        - {name: down, hadrons: [{baryon: N, momentum: [0, 1, 1], component: 2}]}
        - {name: minus, hadrons: [{baryon: N, momentum: [0, 1, 1], component: 3, parity: '-'}]}
      """;

  private static final String MOVING_NUCLEON_PION =
      """
      isospin: [1/2, -1/2]
      momentum: [0, 0, 1]
      operators:
        - {name: N, hadrons: [{baryon: N, momentum: [0, 0, 1], component: 1, parity: minus}]}
        - name: Npi
          hadrons:
            - {baryon: N, momentum: [0, 1, 1], component: 4, parity: minus}
            - {meson: pi, momentum: [0, -1, 0]}
        - name: Nrho
          hadrons:
            - {baryon: N, momentum: [0, 0, 0], component: 2}
            - {meson: rho, momentum: [0, 0, 1], polarization: x}
      """;

  private static final String KAON_NUCLEON =
      """
      isospin: [0, 0]
      operators:
        - name: rest
          hadrons:
            - {baryon: N, momentum: [0, 0, 0], component: 1}
            - {meson: K, momentum: [0, 0, 0]}
        - name: flight
          hadrons:
            - {baryon: N, momentum: [0, 0, 1], component: 2}
            - {meson: K, momentum: [0, 0, -1]}
      """;

  private static final String ANTIKAON_NUCLEON_AND_SIGMA =
      """
      isospin: [1, 0]
      operators:
        - name: antikaon
          hadrons:
            - {baryon: N, momentum: [0, 0, 0], component: 1}
            - {meson: Kbar, momentum: [0, 0, 0]}
        - name: sigma
          terms:
            - {baryons: [{quarks: [u, s, d], component: 1, momentum: [0, 0, 0]}]}
            - {baryons: [{quarks: [d, s, u], component: 1, momentum: [0, 0, 0]}]}
      """;

  private static final String DECUPLET =
      """
      momentum: [0, 0, 1]
      allow_zero: true
      operators:
        - name: delta
          terms: [{baryons: [{quarks: [u, u, u], diquark: Cg1, component: 1, momentum: [0, 0, 1]}]}]
        - name: omega
          terms: [{baryons: [{quarks: [s, s, s], diquark: Cg1, component: 1, momentum: [0, 0, 1]}]}]
        - name: other
          terms:
            - coefficient: [0.3, -0.4]
              baryons:
                - quarks: [u, u, u]
                  diquark: Cg2g4
                  parity: minus
                  component: 2
                  momentum: [0, 0, 1]
      """;

  private static final String TWO_NUCLEONS_ISOSPIN_0 =
      """
      isospin: [0, 0]
      operators:
        - name: opposite
          hadrons:
            - {baryon: N, momentum: [0, 0, 1], component: 1}
            - {baryon: N, momentum: [0, 0, -1], component: 2}
        - name: parallel
          hadrons:
            - {baryon: N, momentum: [0, 0, 1], component: 1}
            - {baryon: N, momentum: [0, 0, -1], component: 1}
      """;

  private static final String TWO_NUCLEONS_UNEQUAL =
      """
      isospin: [1, 0]
      momentum: [0, 0, 1]
      operators:
        - name: plain
          hadrons:
            - {baryon: N, momentum: [0, 0, 1], component: 1}
            - {baryon: N, momentum: [0, 0, 0], component: 2}
        - name: mixed
          hadrons:
            - {baryon: N, momentum: [0, 1, 1], component: 2, parity: minus}
            - {baryon: N, momentum: [0, -1, 0], component: 1}
      """;

  private static final String LAMBDA_NUCLEON =
      """
      operators:
        - name: lambda
          terms:
            - baryons:
                - {quarks: [u, d, s], momentum: [0, 0, 0], component: 1}
                - {quarks: [u, d, u], momentum: [0, 0, 0], component: 2}
        - name: sigma
          terms:
            - coefficient: [0, 1]
              baryons:
                - {quarks: [u, s, d], momentum: [0, 0, 1], component: 1, parity: minus}
                - {quarks: [u, d, u], momentum: [0, 0, -1], component: 1}
      """;

  private static final String NUCLEON_TWO_PIONS =
      """
      isospin: [3/2, -3/2]
      operators:
        - name: Npipi
          hadrons:
            - {baryon: N, momentum: [0, 0, 0], component: 1}
            - {meson: pi, momentum: [0, 0, 1]}
            - {meson: pi, momentum: [0, 0, -1]}
          intermediate_isospin: [1/2]
        - name: Npi
          hadrons:
            - {baryon: N, momentum: [0, 0, 1], component: 1}
            - {meson: pi, momentum: [0, 0, -1]}
      """;

  private static final String LAMBDA_1405 =
      """
      isospin: [0, 0]
      irrep: G1u
      row: 1
      operators:
        - name: Lambda
          hadrons: [{baryon: Lambda, momentum: [0, 0, 0], component: 1, parity: minus}]
        - name: Sigmapi_000
          hadrons:
            - {baryon: Sigma, momentum: [0, 0, 0], component: 1}
            - {meson: pi, momentum: [0, 0, 0]}
        - name: NKbar_000
          hadrons:
            - {baryon: N, momentum: [0, 0, 0], component: 1}
            - {meson: Kbar, momentum: [0, 0, 0]}
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {MOVING_NUCLEON, KAON_NUCLEON, ANTIKAON_NUCLEON_AND_SIGMA, DECUPLET})
  void oneBaryon_bundledData_equalsTheNaiveEvaluation(String definition) {
    compare(matrix(definition), Engine.data(1), 6, 3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        MOVING_NUCLEON_PION,
        TWO_NUCLEONS_ISOSPIN_0,
        TWO_NUCLEONS_UNEQUAL,
        LAMBDA_NUCLEON,
        NUCLEON_TWO_PIONS,
        LAMBDA_1405
      })
  void manyQuarks_randomData_equalTheNaiveEvaluation(String definition) {
    CorrelationMatrix matrix = matrix(definition);
    compare(matrix, SyntheticLattice.write(folder, matrix, 4, 3, 11), 3, 2);
  }

  private static CorrelationMatrix matrix(String definition) {
    return DefinitionLoader.parse("x.yaml", "name: x\n" + definition).toCorrelationMatrix();
  }

  private static void compare(CorrelationMatrix matrix, Path file, int source, int separation) {
    int n = matrix.operators().size();
    try (DistillationData data = DistillationData.open(List.of(file));
        NaiveCorrelator naive = new NaiveCorrelator(file)) {
      double[] actual =
          Engine.evaluate(matrix, data, source, List.of(separation)).correlator(0, n, 1);
      double[] expected = naive.correlator(matrix, List.of(source), List.of(separation));
      double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
      assertTrue(largest > 0, "nothing contracts");
      assertArrayEquals(expected, actual, TOLERANCE * largest);
    }
  }
}
