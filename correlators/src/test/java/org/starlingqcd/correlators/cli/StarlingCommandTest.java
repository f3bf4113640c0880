package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StarlingCommandTest {
  @Test
  void version_isThatOfTheBuild() {
    Cli result = Cli.run("--version").ok();
    assertTrue(
        result.out().matches("starling [0-9]+\\.[0-9]+\\.[0-9]+\\S*( \\([0-9a-f]+\\+?\\))?\\R"),
        result.out());
    assertEquals("", result.err());
  }

  @Test
  void help_listsTheCommandsAndTheStatuses() {
    Cli.run("--help").ok().prints("backends").prints("wrong usage or wrong input");
  }

  /** The list of all commands fits on a screen: a line each, by group. */
  @Test
  void help_hasALineForEachCommand() {
    List<String> lines = Cli.run("--help").out().lines().toList();
    assertTrue(lines.contains("Correlators:") && lines.contains("Data:"), lines.toString());
    assertTrue(lines.stream().allMatch(line -> line.length() <= 80), lines.toString());
    assertTrue(
        lines.contains(
            "  run              compute correlators and write a file for each definition"),
        lines.toString());
  }

  @Test
  void noCommand_isWrongUsageThatShowsWhereToBegin() {
    Cli result = Cli.run();
    assertEquals(2, result.status());
    assertEquals("", result.out());
    result.notes("starling run rho_pipi --data DIR");
    result.notes("`starling --help` lists all commands");
    assertTrue(result.err().lines().allMatch(line -> line.length() <= 80), result.err());
  }

  @Test
  void unknownCommand_isWrongUsageInOneLineWithASuggestion() {
    Cli result = Cli.run("backend");
    assertEquals(2, result.status());
    assertEquals("", result.out());
    assertEquals(1, result.err().lines().count(), result.err());
    result.notes("'backend'");
    result.notes("did you mean");
    result.notes("backends");
  }

  @Test
  void unknownOption_isWrongUsageInOneLine() {
    Cli result = Cli.run("backends", "--jsn");
    assertEquals(2, result.status());
    assertEquals(1, result.err().lines().count(), result.err());
    result.notes("'--jsn'");
    result.notes("`starling backends --help`");
  }

  @Test
  void backends_asJson_namesEveryBackendAndWhyAnAbsentOneIsAbsent() throws Exception {
    Cli result = Cli.run("backends", "--json").ok();
    JsonNode backends = result.json().get("backends");
    assertTrue(backends.isArray());
    for (JsonNode backend : backends) {
      assertTrue(backend.get("name").isTextual(), backend.toString());
      assertTrue(
          backend.get("available").asBoolean()
              ? !backend.get("devices").isEmpty()
              : !backend.get("reason").asText().isBlank(),
          backend.toString());
    }
  }
}
