package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.ShippedDefinitions;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.TetraquarkFactor;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/** With full dilution every noise gives the exact lines, so all definitions give exact numbers. */
final class FullDilutionTest {
  /** Assignments of six lines are still few, and no exact definition has more lines of a label. */
  private static final int NOISES = 6;

  @TempDir Path folder;

  private static Definition load(String name) {
    return (Definition) new DefinitionLoader(Engine.examples()).loadAny(name);
  }

  private static List<Factor> factors(Definition definition) {
    return definition.toCorrelationMatrix().operators().stream()
        .flatMap(operator -> operator.terms().stream())
        .flatMap(term -> term.factors().stream())
        .toList();
  }

  static Stream<String> definitions() {
    return ShippedDefinitions.names().stream()
        .filter(
            name ->
                new DefinitionLoader(Engine.examples()).loadAny(name) instanceof Definition d
                    && factors(d).stream().noneMatch(TetraquarkFactor.class::isInstance));
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void run_isExactDistillation(String name) throws IOException {
    Definition definition = load(name);
    Set<Momentum> momenta = new TreeSet<>();
    Set<String> displacements = new TreeSet<>();
    boolean baryons = false;
    int lines =
        definition.toCorrelationMatrix().operators().stream()
            .flatMap(operator -> operator.terms().stream())
            .mapToInt(
                term -> term.factors().stream().mapToInt(f -> f instanceof Bilinear ? 2 : 3).sum())
            .max()
            .orElseThrow();
    // Hundreds of assignments of noises to five lines take their time: one separation, one window.
    boolean few = lines < 5;
    String separations = few ? "0,1" : "1";
    for (Factor factor : factors(definition)) {
      if (factor instanceof Bilinear meson) {
        momenta.add(meson.momentum());
        momenta.add(meson.momentum().negate());
        displacements.add(meson.displacement());
      } else if (factor instanceof BaryonFactor baryon) {
        momenta.add(baryon.momentum());
        baryons = true;
      }
    }
    displacements.remove("none");
    TreeSet<String> labels = new TreeSet<>(definition.quarkLabels().values());
    Path data =
        SyntheticData.write(
            new SyntheticEnsemble(
                "test",
                8,
                3,
                // Two take a fraction of the time of three, which the colours of baryons need.
                baryons ? 3 : 2,
                List.copyOf(labels),
                List.of(),
                List.copyOf(momenta),
                List.copyOf(displacements),
                baryons,
                0,
                17),
            1,
            folder,
            bytes -> {});
    List<String> ends = List.of("antiquark", "quark", "source");
    StringBuilder text =
        new StringBuilder(definition.text())
            .append("\nnoise_subsets: " + (few ? 2 : 1) + "\nstochastic:\n");
    for (String label : labels) {
      Cli.line(
              "dilute %s --label %s --noises %s --names %s --group U1 --out %s",
              data, label, NOISES, label, folder.resolve(label + ".h5"))
          .ok();
      text.append("  %s: {noise_at: %s}\n".formatted(label, ends.get(name.length() % 3)));
    }
    Path diluted = folder.resolve("diluted.yaml");
    Files.writeString(diluted, text);
    double[][] exact =
        numbers(
            Engine.examples().resolve("definitions/" + name + ".yaml"), folder, name, separations);
    double[][] actual = numbers(diluted, folder, name, separations);
    for (int k = 0; k < exact.length; k++) {
      double largest = Arrays.stream(exact[k]).map(Math::abs).max().orElse(0);
      assertArrayEquals(exact[k], actual[k], 1e-12 * largest);
    }
  }

  /** Correlators and one-point functions, if there are any. */
  private double[][] numbers(Path definition, Path data, String name, String separations) {
    Path out = folder.resolve("out");
    Cli.line(
            "run %s --data %s --sources 1 --separations %s --out %s --overwrite",
            definition, data, separations, out)
        .ok();
    try (Hdf5File hdf5 = Hdf5File.open(out.resolve(name + ".h5"))) {
      return Stream.of("cfg_0001/correlator", "cfg_0001/vev")
          .filter(hdf5::exists)
          .map(dataset -> hdf5.dataset(dataset).readAll())
          .toArray(double[][]::new);
    }
  }
}
