package org.starlingqcd.hadron.convention;

import static org.starlingqcd.hadron.convention.Measurement.failed;
import static org.starlingqcd.hadron.convention.Measurement.passed;
import static org.starlingqcd.hadron.convention.Measurement.undecided;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.convention.Measurement.Values;
import org.starlingqcd.hadron.data.ComplexMatrix;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.SpinMatrix;

/** Tests of generalized perambulators. */
final class CurrentTests {
  private static final int SPINS = SpinMatrix.SPINS;
  private static final CurrentVertex G4 =
      new CurrentVertex(Gamma.G4, ElementalRef.NO_DISPLACEMENT, Momentum.ZERO);
  private static final String AS_READ = "as_read";
  private static final List<String> ORDERS =
      List.of(AS_READ, "spins_exchanged", "vectors_exchanged", "both_exchanged");

  /** One order is the right one if its overlap is this many times larger than the others. */
  private static final double FACTOR = 1.2;

  private CurrentTests() {}

  /**
   * The order of the indices of generalized perambulators, against perambulators whose order is
   * known.
   *
   * <p>g4 between source and sink counts quarks and hardly changes what propagates, so τ_g4 at q =
   * 0 is nearly proportional to τ. The test is the overlap |⟨τ, τ_g4⟩| / (|τ| |τ_g4|), with the
   * indices of τ_g4 as they were read and with spins, vectors or both exchanged.
   */
  static Measurement overlap() {
    return Measurement.of(
        "current-indices",
        "as_read the largest",
        "perambulators and generalized perambulators of g4/none/0_0_0 at different sink and source"
            + " times, and insertion times between them",
        ORDERS,
        (measurement, blocks) -> {
          for (CurrentName name : blocks.data().generalizedPerambulators()) {
            if (name.bar().equals(name.quark())) {
              Values values = measurement.of(name.bar());
              if (name.vertex().equals(G4)) {
                add(blocks, name, values);
              }
            }
          }
        },
        passed(v -> stands(v, AS_READ)),
        failed(
            v -> ORDERS.stream().anyMatch(order -> stands(v, order)),
            v ->
                "Generalized perambulators have "
                    + ORDERS.stream()
                        .filter(order -> stands(v, order))
                        .findFirst()
                        .orElseThrow()
                        .replace("_", " ")
                    + ", measured by the perambulators: exchange them back."),
        undecided(
            v -> true,
            "No order stands out: the separations are too large, or generalized perambulators and"
                + " perambulators are of different configurations or quarks."));
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

  private static void add(Blocks blocks, CurrentName name, Values values) {
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
        add(tau, current, values);
      }
    }
  }

  private static void add(ComplexMatrix[] tau, ComplexMatrix[] current, Values values) {
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
