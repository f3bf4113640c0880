package org.starlingqcd.hadron.convention;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.convention.Finding.Verdict;
import org.starlingqcd.hadron.data.DilutionScheme;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.NoiseGroup;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.synthetic.SinkSet;

/** What the tests of noises and quark sinks find; T = 8, N = 8, (TI4, SF, LI4) and others. */
final class NoiseCheckTest {
  private static final Path EXACT = Path.of("../examples/data/quenched_4x8_cfg0001.h5");
  private static final Path SINKS =
      Path.of("../examples/data-stochastic/quenched_4x8_stochastic_cfg0001.h5");
  private static final String HERMITICITY = "noise-hermiticity";

  @TempDir private Path folder;

  private static List<Finding> check(List<List<Path>> configurations) {
    ConventionCheck check = new ConventionCheck();
    for (List<Path> files : configurations) {
      try (DistillationData data = DistillationData.open(files)) {
        check.add(data);
      }
    }
    return check.findings().stream().filter(f -> f.test().startsWith("noise")).toList();
  }

  private static Set<String> failed(List<Finding> findings) {
    Set<String> failed = new TreeSet<>();
    findings.stream()
        .filter(f -> f.verdict() == Verdict.FAILED)
        .forEach(f -> failed.add((f.test() + " " + f.label()).strip()));
    return failed;
  }

  private Path copy(Consumer<Hdf5File> change) throws IOException {
    Path copy = Files.copy(SINKS, folder.resolve("copy.h5"));
    TestData.change(copy, change);
    return copy;
  }

  private static Consumer<Hdf5File> changed(String object, UnaryOperator<double[]> change) {
    return file -> {
      try (Hdf5Dataset dataset = file.dataset(object)) {
        dataset.writeAll(change.apply(dataset.readAll()));
      }
    };
  }

  /** Takes complex number {@code from(k)} to the place k. */
  private static UnaryOperator<double[]> moved(IntUnaryOperator from) {
    return numbers -> {
      double[] result = new double[numbers.length];
      for (int k = 0; k < numbers.length / 2; k++) {
        System.arraycopy(numbers, 2 * from.applyAsInt(k), result, 2 * k, 2);
      }
      return result;
    };
  }

  private static double[] conjugate(double[] numbers) {
    for (int k = 1; k < numbers.length; k += 2) {
      numbers[k] = -numbers[k];
    }
    return numbers;
  }

  private static Consumer<Hdf5File> attribute(String name, int... values) {
    return file -> {
      file.attributes("quark_sinks/light_relative").delete(name);
      file.attributes("quark_sinks/light_relative").put(name, values);
    };
  }

  @Test
  void soundData_passEveryTest() {
    List<Finding> findings = check(List.of(List.of(EXACT, SINKS)));
    assertEquals(3 * 3 + 2, findings.size());
    for (Finding finding : findings) {
      assertEquals(Verdict.PASSED, finding.verdict(), finding.toString());
      if (finding.test().equals("noise-modulus")) {
        String group = finding.label().startsWith("light") ? "Z4" : "U1";
        assertEquals(Set.of("deviation", group), finding.measured().keySet());
      }
      if (finding.expected().startsWith("residual")) {
        assertTrue(finding.measured().get("residual") < 1e-14, finding.toString());
      }
    }
  }

  /** Each with the sinks of one noise, or one noise, of a set of five. */
  static Stream<Arguments> mistakes() {
    String sinks = "quark_sinks/light_relative/r3";
    String noise = "noises/r3";
    int vector = 4 * 8;
    return Stream.of(
        // [T, P', S, V, 4, N]
        Arguments.of(
            "exchanged axes S and V",
            changed(
                sinks,
                moved(
                    k ->
                        k / 512 * 512 + (k / vector % 4 * 4 + k / 128 % 4) * vector + k % vector))),
        Arguments.of(
            "exchanged axes T and P'",
            changed(sinks, moved(k -> (k / 512 % 8 * 4 + k / 512 / 8) * 512 + k % 512))),
        Arguments.of(
            "exchanged spin and eigenvector of sinks",
            changed(sinks, moved(k -> k / vector * vector + k % 4 * 8 + k / 4 % 8))),
        Arguments.of(
            "exchanged spin and eigenvector of noise",
            changed(noise, moved(k -> k / vector * vector + k % 4 * 8 + k / 4 % 8))),
        Arguments.of("conjugated noise", changed(noise, NoiseCheckTest::conjugate)),
        Arguments.of("conjugated sinks", changed(sinks, NoiseCheckTest::conjugate)),
        Arguments.of("shifted noise", changed(noise, moved(k -> (k + vector) % (8 * vector)))),
        Arguments.of("shifted sinks", changed(sinks, moved(k -> (k + 2048) % (8 * 2048)))),
        Arguments.of("other time classes", attribute("time_dilution", 0, 0, 1, 1, 2, 2, 3, 3)),
        Arguments.of("other order of time classes", attribute("time_projectors", 3, 2, 1, 0)),
        Arguments.of("other spin classes", attribute("spin_dilution", 1, 0, 2, 3)),
        Arguments.of(
            "other eigenvector classes", attribute("eigenvector_dilution", 0, 0, 1, 1, 2, 2, 3, 3)),
        Arguments.of(
            "sinks of another noise",
            (Consumer<Hdf5File>)
                file -> {
                  try (Hdf5Dataset other = file.dataset("quark_sinks/light_relative/r1")) {
                    changed(sinks, numbers -> other.readAll()).accept(file);
                  }
                }));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mistakes")
  void mistake_isFoundWithoutExactData(String what, Consumer<Hdf5File> change) throws IOException {
    Path copy = copy(change);
    List<Finding> findings = check(List.of(List.of(copy)));
    assertEquals(Set.of(HERMITICITY + " light_relative"), failed(findings));
    double residual =
        findings.stream()
            .filter(f -> f.verdict() == Verdict.FAILED)
            .findFirst()
            .orElseThrow()
            .measured()
            .get("residual");
    assertTrue(residual > 0.1, what + " " + residual);
    assertEquals(
        Set.of(HERMITICITY + " light_relative", "noise-sinks light_relative"),
        failed(check(List.of(List.of(EXACT, copy)))));
  }

  /**
   * A source times γ4, and sinks in a basis with another γ5; γ4 exchanges the spins s and s + 2.
   */
  @Test
  void wrongSources_areFound() {
    DilutionScheme scheme =
        DilutionScheme.of(List.of("interlace 4", "full", "interlace 4"), 8, 8, true);
    SinkSet set =
        new SinkSet("light", "light", scheme, List.of(1, 2), List.of("a", "b"), NoiseGroup.U1, 1);
    for (boolean gamma4 : new boolean[] {false, true}) {
      Path file = folder.resolve("s" + gamma4 + ".h5");
      try (DistillationData data = DistillationData.open(List.of(EXACT));
          Hdf5File made = Hdf5File.create(file)) {
        data.header().write(made);
        set.write(
            made,
            data.header(),
            (sink, source, tau) -> {
              data.load(new Input.Perambulator("light", sink, source), tau, 0);
              if (gamma4) {
                multiplyByGamma4(tau);
              }
            });
      }
      assertEquals(
          gamma4 ? Set.of(HERMITICITY + " light", "noise-sinks light") : Set.of(),
          failed(check(List.of(List.of(EXACT, file)))));
    }
  }

  private static void multiplyByGamma4(HostMemory tau) {
    double[] all = new double[2 * 16 * 64];
    tau.get(0, all, 0, all.length);
    for (int spins = 0; spins < 16; spins++) {
      tau.put(2L * 64 * spins, all, 2 * 64 * (spins / 4 * 4 + (spins + 2) % 4), 2 * 64);
    }
  }

  @Test
  void noisesThatAreNone_areFound() throws IOException {
    Path copy =
        copy(
            file -> {
              changed(
                      "noises/f1",
                      rho -> {
                        rho[2 * 32 * 3] *= 1 + 1e-6;
                        rho[2 * 32 * 3 + 1] *= 1 + 1e-6;
                        return rho;
                      })
                  .accept(file);
              double[] ones = new double[2 * 8 * 4 * 8];
              for (int k = 0; k < ones.length; k += 2) {
                ones[k] = 1;
              }
              TestData.replace(file, "noises/x", new long[] {8, 4, 8}, ones);
              TestData.replace(file, "noises/y", new long[] {8, 4, 8}, ones);
            });
    List<Finding> findings = check(List.of(List.of(copy)));
    assertEquals(
        Set.of("noise-modulus light_fixed", "noise-independence", "noise-average"),
        failed(findings));
    assertTrue(findings.toString().contains("|rho| is not 1 for f1 at time 3"), "" + findings);
    assertTrue(
        findings
            .toString()
            .contains("x of configuration 1 and y of configuration 1 are not independent, or the"),
        "" + findings);
  }

  @Test
  void theSameNoise_inTwoConfigurations_isFound() throws IOException {
    Path copy = copy(file -> {});
    TestData.change(
        copy,
        file -> {
          file.attributes("/").delete("configuration");
          file.attributes("/").put("configuration", 2);
        });
    List<Finding> findings = check(List.of(List.of(SINKS), List.of(copy)));
    assertEquals(Set.of("noise-independence"), failed(findings));
    assertTrue(findings.toString().contains("f0 of configuration 1 and f0 of configuration 2"));
  }

  @Test
  void setsWithoutHermiticity_areNotMeasured_andDamageIsSaid() throws IOException {
    Path copy =
        copy(
            file -> {
              attribute("gamma5_hermitian", 0).accept(file);
              changed("noises/r3", NoiseCheckTest::conjugate).accept(file);
            });
    Finding finding =
        check(List.of(List.of(copy))).stream()
            .filter(f -> f.test().equals(HERMITICITY) && f.label().equals("light_relative"))
            .findFirst()
            .orElseThrow();
    assertEquals(Verdict.NOT_MEASURED, finding.verdict());
    TestData.change(copy, file -> file.delete("noises/r3"));
    Exception e = assertThrows(DistillationException.class, () -> check(List.of(List.of(copy))));
    assertTrue(e.getMessage().contains("sinks of noise 'r3' in light_relative"), e.getMessage());
  }
}
