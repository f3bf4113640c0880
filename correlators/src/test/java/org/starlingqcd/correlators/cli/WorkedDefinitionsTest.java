package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.reference.NaiveCorrelator;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/** What {@code docs/operators.md} shows is what the program does. */
final class WorkedDefinitionsTest {
  private static final Path PAGE = Path.of("../docs/operators.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(yaml|text)\\n(.*?)^```$");
  private static final Pattern NAME = Pattern.compile("name: (\\w+)\\n(?s:.*)");
  private static final Pattern EXPAND =
      Pattern.compile("\\$ ./starling expand (\\w+)\\.yaml(?: \\| head -(\\d+))?\\n((?s:.*))");

  /** Sums of some thousand products of numbers of size 1. */
  private static final double ROUNDING = 1e-11;

  @TempDir private Path folder;

  private static Map<String, String> definitions() throws IOException {
    Map<String, String> definitions = new LinkedHashMap<>();
    Matcher blocks = BLOCK.matcher(Files.readString(PAGE));
    while (blocks.find()) {
      Matcher name = NAME.matcher(blocks.group(2));
      if (blocks.group(1).equals("yaml") && name.matches()) {
        definitions.put(name.group(1), blocks.group(2));
      }
    }
    return definitions;
  }

  @Test
  void expand_printsWhatThePageShows() throws IOException {
    Map<String, String> definitions = definitions();
    int compared = 0;
    Matcher blocks = BLOCK.matcher(Files.readString(PAGE));
    while (blocks.find()) {
      Matcher expand = EXPAND.matcher(blocks.group(2));
      if (!expand.matches()) {
        continue;
      }
      String name = expand.group(1);
      assertTrue(definitions.containsKey(name), name);
      Path file = folder.resolve(name + ".yaml");
      Files.writeString(file, definitions.getOrDefault(name, ""));
      Cli result = Cli.run("expand", file.toString()).ok();
      long lines = expand.group(2) == null ? Long.MAX_VALUE : Long.parseLong(expand.group(2));
      String expected =
          result.out().lines().limit(lines).collect(Collectors.joining("\n", "", "\n"));
      assertEquals(expected, expand.group(3), name);
      compared++;
    }
    assertTrue(compared > 1, "compared=" + compared);
  }

  /** On random data, against the sum over all permutations. */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"kstar_001", "dk"})
  void correlators_areThoseOfTheNaiveEvaluation(String name) throws IOException {
    CorrelationMatrix matrix =
        DefinitionLoader.parse(name, definitions().getOrDefault(name, "")).toCorrelationMatrix();
    Path file = data();
    List<Integer> separations = List.of(1);
    int n = matrix.operators().size();
    try (DistillationData data = DistillationData.open(List.of(file));
        NaiveCorrelator naive = new NaiveCorrelator(file)) {
      double[] actual = Engine.evaluate(matrix, data, 0, separations).correlator(0, n, 1);
      double largest = Arrays.stream(actual).map(Math::abs).max().orElse(0);
      double[] expected = naive.correlator(matrix, List.of(0), separations);
      assertArrayEquals(expected, actual, ROUNDING * largest, name);
    }
  }

  /**
   * {@code docs/operators.md}: u Cγ5 u is symmetric in all that is left, so the baryon vanishes.
   */
  @Test
  void baryonOfEqualQuarks_thatVanishes_isZeroToRounding() throws IOException {
    String operator =
        """
          - name: %s
            terms: [{baryons: [{quarks: %s, diquark: Cg5, momentum: [0, 0, 0], component: 1}]}]
        """;
    CorrelationMatrix matrix =
        DefinitionLoader.parse(
                "equal",
                "name: equal\nallow_zero: true\noperators:\n"
                    + operator.formatted("uuu", "[u, u, u]")
                    + operator.formatted("udu", "[u, d, u]"))
            .toCorrelationMatrix();
    List<Path> file = List.of(Engine.examples().resolve("data/quenched_4x8_cfg0001.h5"));
    try (DistillationData data = DistillationData.open(file)) {
      double[] actual = Engine.evaluate(matrix, data, 0, List.of(1)).correlator(0, 2, 1);
      double largest = Math.hypot(actual[6], actual[7]);
      assertTrue(largest > 0);
      assertEquals(0, Math.hypot(actual[0], actual[1]), ROUNDING * largest);
    }
  }

  private Path data() {
    List<Momentum> momenta = new ArrayList<>();
    for (int k = 0; k < 27; k++) {
      momenta.add(new Momentum(k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1));
    }
    List<String> displacements = new ArrayList<>(Displacement.derivatives(1));
    displacements.addAll(Displacement.derivatives(2));
    List<String> labels = List.of("light", "strange");
    SyntheticEnsemble ensemble =
        new SyntheticEnsemble(
            "syn", 8, 2, 2, labels, List.of(), momenta, displacements, false, 0, 5);
    return SyntheticData.write(ensemble, 1, folder, bytes -> {});
  }
}
