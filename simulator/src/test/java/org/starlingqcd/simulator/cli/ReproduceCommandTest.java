package org.starlingqcd.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.cli.Cli;

final class ReproduceCommandTest {
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"memhc", "softcache", "semcache", "stacked-dram", "bag"})
  void paper_everyRow_passesOrIsNotPossible(String paper) throws IOException {
    Cli cli = Cli.run("reproduce", paper, "--json");
    JsonNode rows = new ObjectMapper().readTree(cli.out()).get("rows");
    assertTrue(rows.size() > 20, paper + " " + rows.size());
    int passed = 0;
    int slow = 0;
    for (JsonNode row : rows) {
      for (String key : List.of("quantity", "paper", "ours", "allowed", "verdict")) {
        assertTrue(row.has(key), row.toString());
      }
      String verdict = row.get("verdict").asText();
      assertTrue(Set.of("pass", "fail", "not possible").contains(verdict), row.toString());
      passed += verdict.equals("pass") ? 1 : 0;
      if (verdict.equals("fail")) {
        // A rate may fall short on a busy machine; anything else is wrong.
        assertTrue(row.get("quantity").asText().matches(".*(rate|microseconds).*"), row.toString());
        slow++;
      }
    }
    assertEquals(slow == 0 ? 0 : 1, cli.status(), cli.err() + cli.out());
    assertTrue(passed > 20, paper + " " + passed);
  }

  @Test
  void unknownPaper_isRefusedWithTheNames() {
    Cli unknown = Cli.run("reproduce", "belady");
    assertEquals(2, unknown.status());
    assertTrue(unknown.err().contains("no paper is called 'belady'"), unknown.err());
  }
}
