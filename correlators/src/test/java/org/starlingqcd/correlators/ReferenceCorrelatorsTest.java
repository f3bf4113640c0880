package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.hadron.DistillationData;
import org.starlingqcd.hadron.QueueResult;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Every element of the shipped definitions on the bundled configurations, against correlators that
 * were computed by brute force: every permutation on its own, two independent programs, which agree
 * to 1e-14.
 */
class ReferenceCorrelatorsTest {
  /**
   * Relative to the largest element of a matrix at one separation; N = 8 keeps rounding far below.
   */
  private static final double TOLERANCE = 1e-11;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pion",
        "rho_pipi",
        "a1_rhopi",
        "sigma",
        "kpi_i32",
        "rho_001_e",
        "rho_011_b1",
        "rho_111_e",
        "written_out",
        "pipi_i2"
      })
  void mesons_equalTheReference(String name) throws URISyntaxException {
    compare(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nucleon", "npi_i12", "npi_i32", "nn_i1", "lambda_uds"})
  void baryons_equalTheReference(String name) throws URISyntaxException {
    compare(name);
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"f0d2", "f0d4", "pipipi_i3"})
  void largeSetsOfOperators_equalTheReference(String name) throws URISyntaxException {
    compare(name);
  }

  private static void compare(String name) throws URISyntaxException {
    CorrelationMatrix matrix = Engine.definition(name);
    int n = matrix.operators().size();
    URL resource = ReferenceCorrelatorsTest.class.getResource("/reference/" + name + ".h5");
    try (Hdf5File reference = Hdf5File.open(Path.of(resource.toURI()))) {
      List<String> configurations = reference.children("/");
      assertTrue(!configurations.isEmpty());
      for (String group : configurations) {
        Hdf5Attributes attributes = reference.attributes(group);
        int[] sources = ints(attributes.integers("source_times"));
        int[] separations = ints(attributes.integers("separations"));
        double[] expected = read(reference, group + "/correlator");
        int configuration = Integer.parseInt(group.substring("cfg_".length()));
        try (DistillationData data = DistillationData.open(List.of(Engine.data(configuration)))) {
          for (int s = 0; s < sources.length; s++) {
            QueueResult result =
                Engine.evaluate(
                    matrix, data, sources[s], Arrays.stream(separations).boxed().toList());
            double[] actual = result.correlator(0, n, separations.length);
            int block = 2 * n * n;
            for (int d = 0; d < separations.length; d++) {
              int at = (s * separations.length + d) * block;
              assertClose(
                  Arrays.copyOfRange(expected, at, at + block),
                  Arrays.copyOfRange(actual, d * block, (d + 1) * block),
                  name + " " + group + " source " + sources[s] + " dt " + separations[d]);
            }
            if (reference.exists(group + "/vev")) {
              int times = data.header().temporalExtent();
              assertClose(
                  read(reference, group + "/vev"), result.onePoint(0, n, times), name + " vev");
            }
          }
        }
      }
    }
  }

  private static double[] read(Hdf5File file, String object) {
    try (Hdf5Dataset dataset = file.dataset(object)) {
      return dataset.readAll();
    }
  }

  private static int[] ints(long[] values) {
    return Arrays.stream(values).mapToInt(Math::toIntExact).toArray();
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
