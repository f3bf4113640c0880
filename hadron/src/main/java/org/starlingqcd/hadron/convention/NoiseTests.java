package org.starlingqcd.hadron.convention;

import static org.starlingqcd.hadron.convention.Measurement.failed;
import static org.starlingqcd.hadron.convention.Measurement.otherwiseFailed;
import static org.starlingqcd.hadron.convention.Measurement.passed;
import static org.starlingqcd.hadron.convention.PerambulatorTests.G5;
import static org.starlingqcd.hadron.convention.PerambulatorTests.RESIDUAL;
import static org.starlingqcd.hadron.convention.PerambulatorTests.TOLERANCE;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.baryon.SpinVectors;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.convention.Measurement.Adding;
import org.starlingqcd.hadron.convention.Measurement.Values;
import org.starlingqcd.hadron.data.ComplexMatrix;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DilutionScheme;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.NoiseGroup;
import org.starlingqcd.hadron.data.QuarkSinks;

/** Tests of noises, all together, and of quark sinks, each set by itself. */
final class NoiseTests {
  private static final String DEVIATION = "deviation";
  private static final String OVERLAP = "overlap";
  private static final String BOUND = "bound";

  /** Time classes of a set that the tests use. */
  private static final int MOST_CLASSES = 2;

  private NoiseTests() {}

  private static Measurement ofSets(
      String test, List<String> shown, Adding adding, Measurement.Row... table) {
    return Measurement.each(
        test, shown, blocks -> blocks.data().quarkSinks().sets(), adding, table);
  }

  /** A test of the overlaps of noises with others, which are below five standard deviations. */
  private static Measurement ofNoises(String test, Adding adding) {
    return Measurement.each(
        test,
        List.of(OVERLAP, BOUND),
        blocks -> blocks.data().quarkSinks().noises().isEmpty() ? Set.of() : Set.of(""),
        adding,
        passed(v -> v.mean(OVERLAP) < v.mean(BOUND)),
        failed("failed", v -> true, v -> v.get(OVERLAP).where()));
  }

  static List<Measurement> all() {
    Map<String, double[]> before = new TreeMap<>();
    List<String> groups = Stream.of(NoiseGroup.values()).map(NoiseGroup::toString).toList();
    return List.of(
        ofSets(
            "noise-modulus",
            Stream.concat(Stream.of(DEVIATION), groups.stream()).toList(),
            NoiseTests::addModuli,
            passed(v -> v.mean(DEVIATION) <= QuarkSinks.MODULUS),
            failed("failed", v -> true, v -> v.get(DEVIATION).where())),
        ofNoises(
            "noise-independence", (blocks, label, values) -> addOverlaps(blocks, values, before)),
        // As for perambulators, the residual is that of the solver.
        residual("noise-hermiticity", NoiseTests::addHermiticity),
        residual("noise-sinks", NoiseTests::addSinks),
        ofNoises(
            "noise-average",
            (blocks, label, values) -> {
              for (String noise : blocks.data().quarkSinks().noises()) {
                double[] rho = blocks.data().quarkSinks().numbers(noise);
                double[] ones = new double[rho.length];
                Arrays.setAll(ones, k -> (k + 1) % 2);
                addOverlap(rho, ones, noise, values);
              }
            }));
  }

  private static Measurement residual(String test, Adding adding) {
    return ofSets(
        test,
        List.of(RESIDUAL),
        adding,
        passed(v -> v.mean(RESIDUAL) < TOLERANCE),
        otherwiseFailed());
  }

  /** Adds the deviation of |ρ| from 1, and how far noises are from the smallest group that fits. */
  private static void addModuli(Blocks blocks, String set, Values values) {
    for (String noise : blocks.data().quarkSinks().noises(set)) {
      double[] rho = blocks.data().quarkSinks().numbers(noise);
      double[] deviations = blocks.data().quarkSinks().deviations(noise);
      for (int t = 0; t < deviations.length; t++) {
        values.get(DEVIATION).raise(deviations[t], noise + " at time " + t);
      }
      for (NoiseGroup group : NoiseGroup.values()) {
        double distance = group.distance(rho);
        if (distance <= QuarkSinks.MODULUS) {
          values.get(group.toString()).raise(distance);
          break;
        }
      }
    }
  }

  /** Compares noises with the others of their configuration and those of the one before. */
  private static void addOverlaps(Blocks blocks, Values values, Map<String, double[]> before) {
    Map<String, double[]> own = new TreeMap<>();
    for (String noise : blocks.data().quarkSinks().noises()) {
      double[] rho = blocks.data().quarkSinks().numbers(noise);
      String name = noise + " of configuration " + blocks.data().header().configuration();
      for (Map<String, double[]> others : List.of(before, own)) {
        others.forEach((other, sigma) -> addOverlap(rho, sigma, other + " and " + name, values));
      }
      own.put(name, rho);
    }
    before.clear();
    before.putAll(own);
  }

  /** Adds |Σ ρ* σ| / 4NT. */
  private static void addOverlap(double[] rho, double[] sigma, String where, Values values) {
    double[] sum = ComplexMatrix.inner(rho, sigma);
    values.get(OVERLAP).raise(2 * Math.hypot(sum[0], sum[1]) / rho.length, where);
    // Small spaces allow less than the same vector twice.
    values.get(BOUND).raise(Math.min(0.99, 5 / Math.sqrt(0.5 * rho.length)));
  }

  /** Some time classes that all noises of a set have. */
  private static List<Integer> classes(QuarkSinks sinks, String set) {
    Set<Integer> common = new TreeSet<>(sinks.scheme(set).times());
    sinks.noises(set).forEach(noise -> common.retainAll(sinks.timeClasses(set, noise)));
    return Blocks.spread(common, MOST_CLASSES);
  }

  /**
   * The sources or sinks of each noise of a set, summed over projectors d with factors e^{i d²}:
   * what holds for all d holds for the sum, and what fails for one is seen in it.
   *
   * @param timeClass of the sinks, or null for the sources
   */
  private static List<double[]> sums(
      QuarkSinks sinks, String set, int time, @Nullable Integer timeClass) {
    int size = sinks.scheme(set).size();
    return sinks.noises(set).stream()
        .map(
            noise -> {
              double[] columns =
                  timeClass == null
                      ? sinks.sources(set, noise, time)
                      : sinks.sinks(set, noise, time, sinks.scheme(set).times().indexOf(timeClass));
              double[] sum = new double[columns.length / size];
              for (int k = 0; k < columns.length / 2; k++) {
                double angle = (double) (k % size) * (k % size);
                addProduct(
                    sum,
                    k / size,
                    Math.cos(angle),
                    Math.sin(angle),
                    columns[2 * k],
                    columns[2 * k + 1]);
              }
              return sum;
            })
        .toList();
  }

  /** Adds the product of two numbers. */
  private static void addProduct(
      double[] sum, int at, double re, double im, double otherRe, double otherIm) {
    sum[2 * at] += re * otherRe - im * otherIm;
    sum[2 * at + 1] += re * otherIm + im * otherRe;
  }

  /**
   * A[(r,d),(s,e)] = Σ_t ρ^{r[d]}(t)† γ5 φ^{s[e]}(t) is Hermitian, because γ5 τ is. Here it is
   * summed over the projectors d and e of each time class.
   */
  private static void addHermiticity(Blocks blocks, String set, Values values) {
    QuarkSinks sinks = blocks.data().quarkSinks();
    List<Integer> classes = classes(sinks, set);
    if (!sinks.scheme(set).gamma5Hermitian() || classes.isEmpty()) {
      values.needs("gamma5_hermitian 1 and a time class that all noises have");
      return;
    }
    int noises = sinks.noises(set).size();
    int rows = noises * classes.size();
    double[] a = new double[2 * rows * rows];
    for (int t = 0; t < blocks.temporalExtent(); t++) {
      int own = classes.indexOf(sinks.scheme(set).times().get(t));
      if (own < 0) {
        continue;
      }
      List<double[]> rho = sums(sinks, set, t, null);
      for (int c = 0; c < classes.size(); c++) {
        List<double[]> phi = sums(sinks, set, t, classes.get(c));
        for (int r = 0; r < noises; r++) {
          for (int s = 0; s < noises; s++) {
            double[] left = rho.get(r);
            double[] right = phi.get(s);
            int at = (own * noises + r) * rows + c * noises + s;
            for (int k = 0; k < left.length; k += 2) {
              double g5 = G5.re(4 * k / left.length, 4 * k / left.length);
              addProduct(a, at, g5 * left[k], -g5 * left[k + 1], right[k], right[k + 1]);
            }
          }
        }
      }
    }
    ComplexMatrix matrix = new ComplexMatrix(rows, a);
    values.get(RESIDUAL).raise(matrix.minus(matrix.adjoint()).largest() / matrix.largest());
  }

  /**
   * The largest |φ - τ P ρ| over the largest |φ|, at the first time of each class, for the label
   * with which the name of the set begins.
   */
  private static void addSinks(Blocks blocks, String set, Values values) {
    DistillationData data = blocks.data();
    DilutionScheme scheme = data.quarkSinks().scheme(set);
    int n = data.header().eigenvectors();
    String label =
        data.labels().stream()
            .filter(set::startsWith)
            .max(Comparator.comparing(String::length))
            .orElse("");
    try (HostMemory memory = HostMemory.allocate(TensorShape.mesonNode(n).bytes())) {
      for (int timeClass : classes(data.quarkSinks(), set)) {
        int sink = scheme.times().indexOf(timeClass);
        List<Input.Perambulator> lines =
            IntStream.range(0, blocks.temporalExtent())
                .filter(t -> scheme.times().get(t) == timeClass)
                .mapToObj(t -> new Input.Perambulator(label, sink, t))
                .toList();
        if (!lines.stream().allMatch(tau -> data.has(DataBlock.of(tau)))) {
          return;
        }
        for (String noise : data.quarkSinks().noises(set)) {
          data.loadStored(new DataBlock.Sink(set, noise, scheme, timeClass, sink), memory, 0);
          double[] phi = new double[8 * n * scheme.size()];
          memory.get(0, phi, 0, phi.length);
          double largest = SpinVectors.largest(phi);
          Arrays.setAll(phi, k -> -phi[k]);
          for (Input.Perambulator tau : lines) {
            data.loadInBasis(tau, memory);
            scheme.add(memory, data.quarkSinks().numbers(noise), tau.sourceTime(), phi);
          }
          values.get(RESIDUAL).raise(SpinVectors.largest(phi) / largest);
        }
      }
    }
  }
}
