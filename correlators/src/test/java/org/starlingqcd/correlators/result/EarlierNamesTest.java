package org.starlingqcd.correlators.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Results of versions in which hadrons had the names of other states. */
class EarlierNamesTest {
  private static final String KAON =
      """
          name: x
          isospin: [1/2, %s]
          operators: [{name: o, hadrons: [{meson: %s, momentum: [0, 0, 0]}]}]
          """;

  @TempDir private Path folder;

  private static ResultHeader header(String text) {
    Definition definition = DefinitionLoader.parse("x.yaml", text);
    return ResultFixture.header("x", "e", definition.text(), List.of("o"), List.of(0), false);
  }

  /** What a program reads of a result file that an earlier version, or this one, wrote. */
  private ResultHeader written(String text, boolean earlier) {
    Path path = folder.resolve("x.h5");
    try (Hdf5File file = Hdf5File.create(path)) {
      ResultFile.writeRoot(
          file,
          "id",
          header(text),
          List.of(),
          List.of(text),
          ResultFile.Requested.of(List.of(1), List.of(0)));
      if (earlier) {
        file.attributes("/").delete("names_version");
        file.attributes("/").delete("conjugation");
      }
    }
    return ResultFile.contents(path).header();
  }

  @Test
  void earlierResult_withAKaon_saysWhatChanged() {
    String text = KAON.formatted("1/2", "K");
    ResultHeader earlier = written(text, true);
    String difference = String.valueOf(earlier.difference(header(text)));
    assertTrue(difference.startsWith("of an earlier version, which named operators otherwise"));
    assertTrue(difference.contains("change the sign of I3 and exchange these names"), difference);
    assertNull(earlier.difference(header(KAON.formatted("-1/2", "Kbar"))));
    assertNull(earlier.difference(header("# names: earlier\n" + text)));
    assertTrue(
        String.valueOf(
                earlier.difference(header(KAON.formatted("1/2", "Kstarbar, polarization: z"))))
            .startsWith("of another definition"));
    assertNull(written(text, false).difference(header(text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name: x\nisospin: [1, 0]\noperators: [{name: o, hadrons: [{meson: pi, momentum: [0, 0, 0]}]}]\n",
        "name: x\noperators: [{name: o, terms: [{mesons: [{bar: u, gamma: g5, quark: d, momentum: [0, 0, 0]}]}]}]\n",
      })
  void earlierResult_withoutAffectedNames_isContinued(String text) {
    assertNull(written(text, true).difference(header(text)));
  }

  @Test
  void plannedWith_ofAnEarlierResult_hasItsNames() {
    String text = KAON.formatted("1/2", "K");
    written(text, true);
    assertEquals(
        List.of("# names: earlier\n" + text),
        ResultFile.contents(folder.resolve("x.h5")).plannedWith());
  }

  @Test
  void signs_followFromTheDefinition() {
    ResultHeader earlier = written(KAON.formatted("1/2", "K"), true);
    assertEquals(List.of(), earlier.conjugation());
    assertEquals(List.of(-1), earlier.signs());
    assertEquals(List.of(-1), written(KAON.formatted("1/2", "K"), false).conjugation());
  }

  /** Earlier versions did not compare G parities, so their definitions may mix them. */
  @Test
  void earlierResult_ofOppositeGParities_isContinuedWithAllowZero() {
    String text =
        """
        name: x
        isospin: [1, 0]
        operators:
        - {name: o, hadrons: [{meson: a1, momentum: [0, 0, 0], polarization: z}]}
        - {name: p, hadrons: [{meson: b1, momentum: [0, 0, 0], polarization: z}]}
        """;
    ResultHeader earlier =
        ResultFixture.header(
            "x",
            "e",
            DefinitionLoader.withEarlierNames(text),
            List.of("o", "p"),
            List.of(0),
            false);
    ResultHeader present =
        ResultFixture.header(
            "x", "e", "allow_zero: true\n" + text, List.of("o", "p"), List.of(0), false);
    assertNull(earlier.difference(present));
    assertEquals(List.of(1, 1), earlier.signs());
  }
}
