package org.starlingqcd.hadron.convention;

import static org.starlingqcd.hadron.convention.Measurement.failed;
import static org.starlingqcd.hadron.convention.Measurement.otherwiseFailed;
import static org.starlingqcd.hadron.convention.Measurement.passed;
import static org.starlingqcd.hadron.convention.Measurement.undecided;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.convention.Measurement.Values;
import org.starlingqcd.hadron.data.ComplexMatrix;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.SpinMatrix;

/** Tests of perambulators, generalized or not, each label by itself. */
final class PerambulatorTests {
  private static final int SPINS = SpinMatrix.SPINS;
  static final SpinMatrix G5 = SpinMatrix.deGrandRossi(Gamma.G5);
  static final String RESIDUAL = "residual";
  static final double TOLERANCE = 1e-4;
  private static final List<String> AXES = List.of("x", "y", "z");
  private static final String AS_READ = "as_read";
  private static final String EXCHANGED = "exchanged";
  private static final String DIFFERENCE = "difference";
  private static final int ENOUGH = 4;
  private static final int FARTHEST = 3;
  private static final List<String> DIRECTIONS =
      List.of("forward_sink", "backward_sink", "forward_source", "backward_source");
  private static final String SOURCES = "source_times";
  private static final String SINKS = "sink_times";

  private static final CurrentVertex G4 =
      new CurrentVertex(Gamma.G4, ElementalRef.NO_DISPLACEMENT, Momentum.ZERO);
  private static final List<String> ORDERS =
      List.of(AS_READ, "spins_exchanged", "vectors_exchanged", "both_exchanged");

  /** One order is the right one if its overlap is this many times larger than the others. */
  private static final double FACTOR = 1.2;

  private PerambulatorTests() {}

  private static Measurement test(
      String test, List<String> quantities, Measurement.Adding adding, Measurement.Row... table) {
    return Measurement.each(test, quantities, blocks -> blocks.data().labels(), adding, table);
  }

  static List<Measurement> all() {
    Map<String, Set<Integer>> sources = new HashMap<>();
    Map<String, Set<Integer>> sinks = new HashMap<>();
    return List.of(
        // Perambulators come from an iterative solver, so the residual is that of the solver; a
        // wrong basis makes it of order one.
        test(
            "gamma5-hermiticity",
            List.of(RESIDUAL),
            PerambulatorTests::addResiduals,
            passed(v -> v.mean(RESIDUAL) < TOLERANCE),
            otherwiseFailed()),
        test(
            "spin-indices",
            AXES,
            PerambulatorTests::addAxialCurrents,
            passed(v -> v.all(1, 1, 1)),
            failed("phase", v -> v.all(-1, -1, -1) && v.means().size() == 3),
            failed("opposite", v -> v.all(-1, -1, -1)),
            failed("exchanged", v -> v.all(-1, 1, -1)),
            undecided(
                v -> {
                  int right = v.agreeing(1, 1, 1);
                  int wrong = v.agreeing(-1, -1, -1);
                  return right + wrong < v.means().size() && right * wrong == 0;
                }),
            otherwiseFailed()),
        test(
                "eigenvector-indices",
                List.of(AS_READ, EXCHANGED, DIFFERENCE),
                PerambulatorTests::addNeighbours,
                passed(v -> v.get(AS_READ).sign() > 0 && v.get(DIFFERENCE).sign() > 0),
                failed(EXCHANGED, v -> v.get(DIFFERENCE).sign() < 0),
                failed(
                    "failed", v -> v.get(AS_READ).count() >= ENOUGH && v.get(AS_READ).sign() <= 0),
                undecided(v -> true))
            .showing(
                values -> {
                  Map<String, Double> measured = values.means();
                  measured.remove(DIFFERENCE);
                  return measured;
                }),
        test(
            "time-direction",
            DIRECTIONS,
            PerambulatorTests::addDirections,
            passed(v -> v.all(1, -1, 1, -1)),
            failed(EXCHANGED, v -> v.all(-1, 1, -1, 1)),
            failed("failed", v -> v.agreeing(-1, 1, -1, 1) > 0),
            undecided(v -> true)),
        // Solving costs as much as there are sources, and every solution gives all sinks.
        test(
            "source-times",
            List.of(SOURCES, SINKS),
            (blocks, label, values) -> {
              Set<Integer> ends = sinks.computeIfAbsent(label, key -> new HashSet<>());
              Set<Integer> starts = sources.computeIfAbsent(label, key -> new HashSet<>());
              for (int source : blocks.data().sourceTimes(label)) {
                starts.add(source);
                for (int sink = 0; sink < blocks.temporalExtent(); sink++) {
                  if (blocks.hasPerambulator(label, sink, source)) {
                    ends.add(sink);
                  }
                }
              }
              values.get(SOURCES).raise(starts.size());
              values.get(SINKS).raise(ends.size());
            },
            passed(v -> v.mean(SOURCES) <= v.mean(SINKS)),
            otherwiseFailed()),
        overlap());
  }

  /** τ(t, t') = γ5 τ(t', t)† γ5, where both are in the files. */
  private static void addResiduals(Blocks blocks, String label, Values values) {
    if (!blocks.data().gamma5Hermitian(label)) {
      values.needs("a label whose gamma5_hermitian is not 0");
      return;
    }
    for (int source : blocks.sourceTimes(label)) {
      for (int sink : blocks.sourceTimes(label)) {
        ComplexMatrix @Nullable [] forward = blocks.perambulator(label, sink, source);
        ComplexMatrix @Nullable [] backward = blocks.perambulator(label, source, sink);
        if (sink >= source && forward != null && backward != null) {
          double worst = 0;
          double largest = 0;
          for (int spins = 0; spins < SPINS * SPINS; spins++) {
            int a = spins / SPINS;
            int b = spins % SPINS;
            ComplexMatrix there = backward[SPINS * b + a].adjoint();
            double sign = G5.re(a, a) * G5.re(b, b);
            worst = Math.max(worst, forward[spins].minus(there.times(sign)).largest());
            largest = Math.max(largest, forward[spins].largest());
          }
          values.get(RESIDUAL).raise(worst / largest);
        }
      }
    }
  }

  /**
   * The order of the spin indices, by axial currents at equal times.
   *
   * <p>The axial current A_k = g_k g5 and the pion, both at t, have a correlator proportional to i
   * p_k: Im Tr[g_k g5 Φ(n) τ(t,t) g5 Φ(-n) τ(t,t)], antisymmetrized in n = ±e_k, has one sign for k
   * = 1, 2, 3. In DeGrand-Rossi, g1 and g3 are antisymmetric and g2 is symmetric. If spin indices
   * are exchanged, or if data of openQCD are taken for DeGrand-Rossi, the signs of k = 1 and 3
   * change. If the phase of the elementals is wrong, all three change.
   */
  private static void addAxialCurrents(Blocks blocks, String label, Values values) {
    for (int t : blocks.sourceTimes(label)) {
      ComplexMatrix @Nullable [] tau = blocks.perambulator(label, t, t);
      for (int k = 0; k < 3 && tau != null; k++) {
        ComplexMatrix plus = blocks.elemental(Blocks.unit(k), t);
        ComplexMatrix minus = blocks.elemental(Blocks.unit(k).negate(), t);
        if (plus != null && minus != null) {
          ComplexMatrix[] forward = times(plus, tau);
          ComplexMatrix[] backward = times(minus, tau);
          SpinMatrix axial = SpinMatrix.deGrandRossi(k + 1).times(G5);
          double difference = trace(axial, forward, backward) - trace(axial, backward, forward);
          values.get(AXES.get(k)).add(difference / (2 * norm2(tau)));
        }
      }
    }
  }

  private static ComplexMatrix[] times(ComplexMatrix phi, ComplexMatrix[] tau) {
    ComplexMatrix[] product = new ComplexMatrix[tau.length];
    for (int k = 0; k < tau.length; k++) {
      product[k] = phi.times(tau[k]);
    }
    return product;
  }

  /** Tr[τ τ†] over spins and vectors. */
  private static double norm2(ComplexMatrix[] tau) {
    double sum = 0;
    for (ComplexMatrix block : tau) {
      sum += block.norm2();
    }
    return sum;
  }

  /** Im Tr[Γ A g5 B] over spins and vectors; g5 is diagonal. */
  private static double trace(SpinMatrix gamma, ComplexMatrix[] a, ComplexMatrix[] b) {
    double sum = 0;
    for (int i = 0; i < SPINS; i++) {
      for (int j = 0; j < SPINS; j++) {
        double re = gamma.re(i, j);
        double im = gamma.im(i, j);
        for (int k = 0; k < SPINS && (re != 0 || im != 0); k++) {
          double[] vectors = a[SPINS * j + k].traceWith(b[SPINS * k + i]);
          sum += G5.re(k, k) * (re * vectors[1] + im * vectors[0]);
        }
      }
    }
    return sum;
  }

  /**
   * The order of the eigenvector indices of perambulators.
   *
   * <p>A quark keeps its momentum from one time slice to the next, so Re Tr[Φ(n,t) τ Φ(n,t0)† τ†]
   * is positive at dt = ±1. With exchanged eigenvector indices, or with elementals of other
   * eigenvectors, it is a sum of random phases. The test takes n = e_1, e_2, e_3 (at -n the value
   * is the same) and divides the sum by that of Tr[τ τ†].
   */
  private static void addNeighbours(Blocks blocks, String label, Values values) {
    for (int source : blocks.sourceTimes(label)) {
      double norm = 0;
      double asRead = 0;
      double exchanged = 0;
      for (int dt = -1; dt <= 1; dt += 2) {
        ComplexMatrix @Nullable [] tau = blocks.perambulator(label, source + dt, source);
        for (int axis = 0; axis < 3 && tau != null; axis++) {
          ComplexMatrix sink = blocks.elemental(Blocks.unit(axis), source + dt);
          ComplexMatrix start = blocks.elemental(Blocks.unit(axis), source);
          if (sink != null && start != null) {
            for (ComplexMatrix block : tau) {
              norm += block.norm2();
              asRead += kept(sink, block, start);
              exchanged += kept(sink, block.transposed(), start);
            }
          }
        }
      }
      if (norm > 0) {
        values.get(AS_READ).add(asRead / norm);
        values.get(EXCHANGED).add(exchanged / norm);
        values.get(DIFFERENCE).add((asRead - exchanged) / norm);
      }
    }
  }

  /** Re Tr[Φ(t) τ Φ(t0)† τ†]. */
  private static double kept(ComplexMatrix sink, ComplexMatrix tau, ComplexMatrix start) {
    return tau.times(start).inner(sink.times(tau))[0];
  }

  /**
   * The direction of time and the sign of g4: for a positive quark mass a quark runs forward with
   * (1 + g4)/2 and backward with (1 - g4)/2, so Tr[g4 τ τ†] and Tr[τ g4 τ†] are positive at dt > 0
   * and negative at dt < 0. They are divided by Tr[τ τ†]. g4 exchanges spins s and s + 2.
   */
  private static void addDirections(Blocks blocks, String label, Values values) {
    for (int source : blocks.sourceTimes(label)) {
      for (int dt = 1; dt <= FARTHEST && 2 * dt < blocks.temporalExtent(); dt++) {
        for (int backward = 0; backward < 2; backward++) {
          int sink = backward == 0 ? source + dt : source - dt;
          ComplexMatrix @Nullable [] tau = blocks.perambulator(label, sink, source);
          if (tau != null) {
            double atSink = 0;
            double atSource = 0;
            for (int a = 0; a < SPINS; a++) {
              for (int b = 0; b < SPINS; b++) {
                ComplexMatrix block = tau[SPINS * a + b];
                atSink += block.inner(tau[SPINS * ((a + 2) % SPINS) + b])[0];
                atSource += block.inner(tau[SPINS * a + (b + 2) % SPINS])[0];
              }
            }
            values.get(DIRECTIONS.get(backward)).add(atSink / norm2(tau));
            values.get(DIRECTIONS.get(2 + backward)).add(atSource / norm2(tau));
          }
        }
      }
    }
  }

  /**
   * The order of the indices of generalized perambulators, against perambulators whose order is
   * known.
   *
   * <p>g4 between source and sink counts quarks and hardly changes what propagates, so τ_g4 at q =
   * 0 is nearly proportional to τ. The test is the overlap |⟨τ, τ_g4⟩| / (|τ| |τ_g4|), with the
   * indices of τ_g4 as they were read and with spins, vectors or both exchanged.
   */
  private static Measurement overlap() {
    return Measurement.of(
        "current-indices",
        ORDERS,
        (measurement, blocks) -> {
          for (CurrentName name : blocks.data().generalizedPerambulators()) {
            if (name.bar().equals(name.quark())) {
              Values values = measurement.of(name.bar());
              if (name.vertex().equals(G4)) {
                addCurrent(blocks, name, values);
              }
            }
          }
        },
        passed(v -> stands(v, AS_READ)),
        failed(
            "failed",
            v -> ORDERS.stream().anyMatch(order -> stands(v, order)),
            v ->
                ORDERS.stream()
                    .filter(order -> stands(v, order))
                    .findFirst()
                    .orElseThrow()
                    .replace("_", " ")),
        undecided(v -> true));
  }

  private static boolean stands(Values values, String order) {
    double largest =
        ORDERS.stream()
            .filter(other -> !other.equals(order))
            .map(values::mean)
            .max(Comparator.naturalOrder())
            .orElseThrow();
    return values.mean(order) > FACTOR * largest;
  }

  private static void addCurrent(Blocks blocks, CurrentName name, Values values) {
    int extent = blocks.temporalExtent();
    int pairs = 0;
    for (CurrentName.Ends ends : blocks.data().blocks().generalized(name).keySet()) {
      int sink = ends.sinkTime();
      int source = ends.sourceTime();
      ComplexMatrix @Nullable [] tau = blocks.perambulator(name.bar(), sink, source);
      if (tau == null || sink == source || pairs == Blocks.MOST_TIMES) {
        continue;
      }
      int forward = Math.floorMod(sink - source, extent);
      int step = 2 * forward <= extent ? 1 : -1;
      int distance = Math.min(forward, extent - forward);
      pairs++;
      // The middle is far from both ends, where excited states spoil the overlap.
      ComplexMatrix @Nullable [] current =
          blocks.generalized(name, ends, Math.floorMod(source + step * (distance / 2), extent));
      if (current != null && distance > 1) {
        addOverlaps(tau, current, values);
      }
    }
  }

  private static void addOverlaps(ComplexMatrix[] tau, ComplexMatrix[] current, Values values) {
    double[][] products = new double[ORDERS.size()][2];
    double norm = 0;
    double other = 0;
    for (int a = 0; a < SPINS; a++) {
      for (int b = 0; b < SPINS; b++) {
        ComplexMatrix block = tau[SPINS * a + b];
        ComplexMatrix same = current[SPINS * a + b];
        ComplexMatrix across = current[SPINS * b + a];
        List<ComplexMatrix> orders = List.of(same, across, same.transposed(), across.transposed());
        for (int k = 0; k < products.length; k++) {
          double[] inner = block.inner(orders.get(k));
          products[k][0] += inner[0];
          products[k][1] += inner[1];
        }
        norm += block.norm2();
        other += same.norm2();
      }
    }
    for (int k = 0; k < products.length; k++) {
      values
          .get(ORDERS.get(k))
          .add(Math.hypot(products[k][0], products[k][1]) / Math.sqrt(norm * other));
    }
  }
}
