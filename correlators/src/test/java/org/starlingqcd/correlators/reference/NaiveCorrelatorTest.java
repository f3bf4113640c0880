package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.reference.NaiveCorrelator;

/** The naive evaluation itself, against correlators that other programs computed by brute force. */
class NaiveCorrelatorTest {
  /** Relative to the largest element; sums of (4N)³ products, N = 8. */
  private static final double TOLERANCE = 1e-12;

  @ParameterizedTest
  @CsvSource({
    "pion, 1, 2",
    "rho_001_e, 1, 7",
    "kpi_i32, 0, 3",
    "written_out, 1, 5",
    "nucleon, 1, 1"
  })
  void element_equalsTheReference(String name, int source, int separation) {
    compare(name, source, separation);
  }

  @Tag("slow")
  @ParameterizedTest
  @CsvSource({"lambda_uds, 1, 1", "npi_i32, 1, 1"})
  void element_baryonsAndMesons_equalTheReference(String name, int source, int separation) {
    compare(name, source, separation);
  }

  private static void compare(String name, int source, int separation) {
    CorrelationMatrix matrix = Engine.definition(name);
    int operators = matrix.operators().size();
    try (Hdf5File file = Hdf5File.open(Engine.reference(name));
        Hdf5Dataset dataset = file.dataset("cfg_0001/correlator");
        NaiveCorrelator naive = new NaiveCorrelator(Engine.data(1))) {
      int t0 = (int) file.attributes("cfg_0001").integers("source_times")[source];
      int dt = (int) file.attributes("cfg_0001").integers("separations")[separation];
      double[] expected =
          dataset.read(
              new long[] {source, separation, 0, 0}, new long[] {1, 1, operators, operators});
      double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
      double[] actual = naive.correlator(matrix, List.of(t0), List.of(dt));
      assertArrayEquals(expected, actual, TOLERANCE * largest);
    }
  }

  @ParameterizedTest
  @CsvSource({"sigma, 0", "sigma, 5"})
  void onePoint_equalsTheReference(String name, int time) {
    CorrelationMatrix matrix = Engine.definition(name);
    int operators = matrix.operators().size();
    try (Hdf5File file = Hdf5File.open(Engine.reference(name));
        Hdf5Dataset dataset = file.dataset("cfg_0001/vev");
        NaiveCorrelator naive = new NaiveCorrelator(Engine.data(1))) {
      double[] expected = dataset.readAll();
      for (int i = 0; i < operators; i++) {
        Complex value = naive.onePoint(matrix, i, time);
        int k = 2 * (time * operators + i);
        Complex difference = value.plus(new Complex(-expected[k], -expected[k + 1]));
        assertEquals(0, difference.abs(), TOLERANCE * Math.hypot(expected[k], expected[k + 1]));
      }
    }
  }
}
