package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.plan.Optimization;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.StepOrder;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Every optimization of the planner left out alone, and all together, against all references. */
@Tag("slow")
class PlanSwitchesTest {
  /** Of the largest number: sums of a few thousand terms, some of which nearly cancel. */
  private static final double TOLERANCE = 1e-10;

  private static final long BUDGET = 1L << 30;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pion", "rho_pipi", "a1_rhopi", "kpi_i32", "sigma", "rho_001_e", "rho_011_b1", "rho_111_e",
        "written_out", "pipi_i2", "nucleon", "npi_i12", "npi_i32", "nn_i1", "lambda_uds", "f0d2",
        "f0d4", "pipipi_i3"
      })
  void withoutAnyOptimization_equalsTheReference(String name) {
    CorrelationMatrix matrix = Engine.definition(name);
    int n = matrix.operators().size();
    Path file = Engine.examples().resolve("reference").resolve(name + ".h5");
    try (Hdf5File reference = Hdf5File.open(file);
        Hdf5Dataset dataset = reference.dataset("cfg_0001/correlator");
        DistillationData data = DistillationData.open(List.of(Engine.data(1)))) {
      Hdf5Attributes attributes = reference.attributes("cfg_0001");
      int source = (int) attributes.integers("source_times")[0];
      List<Integer> separations =
          Arrays.stream(attributes.integers("separations"))
              .limit(2)
              .mapToObj(s -> (int) s)
              .toList();
      double[] expected = Arrays.copyOf(dataset.readAll(), 2 * n * n * separations.size());
      List<Set<Optimization>> choices = new ArrayList<>();
      for (Optimization one : Optimization.values()) {
        choices.add(Set.of(one));
      }
      choices.add(Set.of(Optimization.values()));
      for (Set<Optimization> without : choices) {
        PlanSettings planning =
            new PlanSettings(null, QueueOptions.AUTOMATIC, StepOrder.SIBLING, without);
        double[] actual =
            Engine.evaluate(matrix, data, source, separations, BUDGET, planning)
                .correlator(0, n, separations.size());
        assertClose(expected, actual, name + " without " + without);
      }
    }
  }

  private static void assertClose(double[] expected, double[] actual, String where) {
    assertEquals(expected.length, actual.length, where);
    double largest = 0;
    for (int k = 0; k < expected.length; k += 2) {
      largest = Math.max(largest, Math.hypot(expected[k], expected[k + 1]));
    }
    for (int k = 0; k < expected.length; k++) {
      assertEquals(expected[k], actual[k], TOLERANCE * largest, where + " number " + k);
    }
  }
}
