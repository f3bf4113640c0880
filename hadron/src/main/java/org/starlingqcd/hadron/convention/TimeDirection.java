package org.starlingqcd.hadron.convention;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.SpinMatrix;

/**
 * The direction of time and the sign of g4: for a positive quark mass a quark runs forward with (1
 * + g4)/2 and backward with (1 - g4)/2, so Tr[g4 τ τ†] and Tr[τ g4 τ†] are positive at dt > 0 and
 * negative at dt < 0. The test uses |dt| up to 3 and less than T/2, and divides by Tr[τ τ†].
 */
final class TimeDirection extends Measurement {
  static final String TEST = "time-direction";

  private static final String EXPECTED = "forward positive, backward negative";
  private static final int FARTHEST = 3;
  private static final int SPINS = SpinMatrix.SPINS;
  private static final List<String> NAMES =
      List.of("forward_sink", "backward_sink", "forward_source", "backward_source");

  TimeDirection() {
    super(TEST, EXPECTED, "perambulators between different times, less than T/2 apart", NAMES);
  }

  @Override
  void add(Blocks blocks) {
    for (String label : blocks.data().labels()) {
      Values values = of(label);
      for (int source : blocks.sourceTimes(label)) {
        for (int dt = 1; dt <= FARTHEST && 2 * dt < blocks.temporalExtent(); dt++) {
          for (int backward = 0; backward < 2; backward++) {
            int sink = backward == 0 ? source + dt : source - dt;
            ComplexMatrix @Nullable [] tau = blocks.perambulator(label, sink, source);
            if (tau != null) {
              double norm = SpinIndices.norm2(tau);
              values.get(NAMES.get(backward)).add(sinkTrace(tau) / norm);
              values.get(NAMES.get(2 + backward)).add(sourceTrace(tau) / norm);
            }
          }
        }
      }
    }
  }

  /** Tr[g4 τ τ†]; g4 of DeGrand-Rossi exchanges spins s and s + 2. */
  private static double sinkTrace(ComplexMatrix[] tau) {
    double sum = 0;
    for (int a = 0; a < SPINS; a++) {
      for (int b = 0; b < SPINS; b++) {
        sum += tau[SPINS * a + b].inner(tau[SPINS * ((a + 2) % SPINS) + b])[0];
      }
    }
    return sum;
  }

  /** Tr[τ g4 τ†]. */
  private static double sourceTrace(ComplexMatrix[] tau) {
    double sum = 0;
    for (int a = 0; a < SPINS; a++) {
      for (int b = 0; b < SPINS; b++) {
        sum += tau[SPINS * a + b].inner(tau[SPINS * a + (b + 2) % SPINS])[0];
      }
    }
    return sum;
  }

  @Override
  List<Row> table(Values values) {
    return List.of(
        passed(values.all(1, -1, 1, -1)),
        failed(
            values.all(-1, 1, -1, 1),
            "Sink and source time are exchanged, or g4 has the opposite sign, which exchanges the"
                + " parities of baryons: another spin basis than the one named, or a negative quark"
                + " mass."),
        failed(
            values.agreeing(-1, 1, -1, 1) > 0,
            "Forward and backward do not differ as they must: times are shifted (relative times"
                + " read as absolute ones?), or sink and source are in different spin bases."),
        undecided(
            true,
            "Some values are within two standard errors of zero: give more source times or"
                + " configurations."));
  }
}
