package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.execute.QueueResult;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.reference.NaiveCorrelator;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/**
 * The engine against the naive evaluation (every pairing on its own, no symmetry used) for random
 * definitions on random data: any gammas, momenta and displacements, four flavours over three
 * labels, one of which is not γ5-hermitian.
 */
@Tag("slow")
class RandomCorrelatorsTest {
  private static final int T = 4;
  private static final int N = 3;
  private static final Map<String, String> LABELS =
      Map.of("u", "light", "d", "light", "s", "strange", "c", "charm");
  private static final List<String> FLAVOURS = List.of("u", "d", "s", "c");

  /** Sums of at most a few thousand pairings of products of up to 8 matrices of 4N = 12 rows. */
  private static final double TOLERANCE = 1e-11;

  /** Smaller numbers are what rounding leaves of zeros: operators may vanish in a spin basis. */
  private static final double LEAST = 1e-4;

  /** What the hadrons of a definition are. */
  enum Kind {
    MESONS(30, 0),
    ONE_BARYON(12, 1),
    TWO_BARYONS(4, 2);

    final int trials;
    final int baryons;

    Kind(int trials, int baryons) {
      this.trials = trials;
      this.baryons = baryons;
    }
  }

  private final Random random = new Random(20261);

  @ParameterizedTest
  @EnumSource(Kind.class)
  void engine_equalsTheNaiveEvaluation(Kind kind, @TempDir Path folder) {
    compare(kind, data(folder));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void engine_equalsTheNaiveEvaluation_inAnotherGammaBasis(Kind kind, @TempDir Path folder) {
    Path file = data(folder);
    RotatedBasis.declare(file, RotatedBasis.withinChiralities(0.4, -1.1));
    compare(kind, file);
  }

  @Test
  void engine_equalsTheNaiveEvaluation_inTheDiracPauliBasis(@TempDir Path folder) {
    Path file = data(folder);
    RotatedBasis.declare(file, RotatedBasis.diracPauli());
    // The numbers stay, and g5 is another matrix.
    try (Hdf5File hdf5 = Hdf5File.openForUpdate(file)) {
      for (String label : List.of("light", "strange")) {
        try (Hdf5Dataset dataset = hdf5.dataset("perambulators/" + label)) {
          dataset.attributes().put("gamma5_hermitian", 0);
        }
      }
    }
    compare(Kind.ONE_BARYON, file);
  }

  private void compare(Kind kind, Path file) {
    try (DistillationData data = DistillationData.open(List.of(file));
        NaiveCorrelator naive = new NaiveCorrelator(file)) {
      for (int trial = 0; trial < kind.trials; trial++) {
        CorrelationMatrix matrix = matrix(kind);
        int source = random.nextInt(T);
        List<Integer> separations = List.of(0, 1 + random.nextInt(T - 1));
        QueueResult result = Engine.evaluate(matrix, data, source, separations);
        double[] actual = result.correlator(0, 2, separations.size());
        for (int d = 0; d < separations.size(); d++) {
          int sink = (source + separations.get(d)) % T;
          Complex[] expected = new Complex[4];
          double largest = LEAST;
          for (int k = 0; k < 4; k++) {
            expected[k] = naive.element(matrix, k / 2, k % 2, sink, source);
            largest = Math.max(largest, expected[k].abs());
          }
          for (int k = 0; k < 4; k++) {
            int at = 8 * d + 2 * k;
            String where = kind + " trial " + trial + " element " + k + " of " + matrix;
            assertEquals(expected[k].re(), actual[at], TOLERANCE * largest, where);
            assertEquals(expected[k].im(), actual[at + 1], TOLERANCE * largest, where);
          }
        }
      }
    }
  }

  /** Two operators of equal flavour content, so that most of the matrix does not vanish. */
  private CorrelationMatrix matrix(Kind kind) {
    int mesons =
        switch (kind) {
          case MESONS -> 1 + random.nextInt(3);
          case ONE_BARYON -> random.nextInt(3);
          case TWO_BARYONS -> random.nextInt(2);
        };
    List<String> bars = flavours(mesons);
    List<String> quarks = flavours(mesons);
    int baryons = kind.baryons;
    List<String> legs = flavours(3 * baryons);
    List<Operator> operators = new ArrayList<>();
    for (int o = 0; o < 2; o++) {
      List<Term> terms = new ArrayList<>();
      int count = kind == Kind.MESONS ? 1 + random.nextInt(3) : 1;
      for (int t = 0; t < count; t++) {
        List<Factor> factors = new ArrayList<>();
        shuffle(legs);
        for (int b = 0; b < baryons; b++) {
          factors.add(
              new BaryonFactor(
                  legs.get(3 * b),
                  legs.get(3 * b + 1),
                  legs.get(3 * b + 2),
                  gamma(),
                  random.nextBoolean() ? 1 : -1,
                  1 + random.nextInt(4),
                  momentum(),
                  "none"));
        }
        shuffle(quarks);
        for (int m = 0; m < mesons; m++) {
          factors.add(
              new Bilinear(
                  bars.get(m),
                  gamma(),
                  quarks.get(m),
                  momentum(),
                  random.nextInt(4) == 0 ? "nabla_x" : "none"));
        }
        terms.add(new Term(new Complex(random.nextGaussian(), random.nextGaussian()), factors));
      }
      operators.add(new Operator("o" + o, terms));
    }
    return new CorrelationMatrix("random", operators, LABELS, false);
  }

  private void shuffle(List<String> list) {
    Collections.shuffle(list, random);
  }

  /** Mostly two flavours, so that there are like quarks. */
  private List<String> flavours(int count) {
    List<String> result = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      result.add(FLAVOURS.get(random.nextInt(random.nextInt(3) == 0 ? FLAVOURS.size() : 2)));
    }
    return result;
  }

  private Gamma gamma() {
    return new Gamma(random.nextInt(16), random.nextBoolean() ? 1 : -1);
  }

  private Momentum momentum() {
    return new Momentum(0, random.nextInt(2), random.nextInt(3) - 1);
  }

  private static Path data(Path folder) {
    List<Momentum> momenta = new ArrayList<>();
    for (int y = -1; y <= 1; y++) {
      for (int z = -1; z <= 1; z++) {
        momenta.add(new Momentum(0, y, z));
      }
    }
    SyntheticEnsemble ensemble =
        new SyntheticEnsemble(
            "random",
            4,
            T,
            N,
            List.of("light", "strange", "charm"),
            List.of(),
            momenta,
            List.of("nabla_x"),
            true,
            0,
            11);
    Path file = SyntheticData.write(ensemble, 1, folder, bytes -> {});
    try (Hdf5File hdf5 = Hdf5File.openForUpdate(file);
        Hdf5Dataset charm = hdf5.dataset("perambulators/charm")) {
      // Spoils γ5-hermiticity of one label, as a stochastic estimate would, and says so.
      double[] numbers = charm.readAll();
      for (int k = 0; k < numbers.length; k++) {
        numbers[k] += 0.1 * Math.sin(k);
      }
      charm.writeAll(numbers);
      charm.attributes().put("gamma5_hermitian", 0);
    }
    return file;
  }
}
