package org.starlingqcd.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.simulator.reproduce.PaperCheck;
import org.starlingqcd.simulator.reproduce.PaperChecks;
import org.starlingqcd.simulator.reproduce.PaperRow;

final class ReproduceCommandTest {
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"memhc", "softcache", "stacked-dram", "bag"})
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
        assertTrue(row.get("quantity").asText().contains("rate"), row.toString());
        slow++;
      }
    }
    assertEquals(slow == 0 ? 0 : 1, cli.status(), cli.err() + cli.out());
    assertTrue(passed > 20, paper + " " + passed);
  }

  @Test
  void paperThatIsNotBuilt_isSaid() {
    for (String paper : PaperChecks.NAMES) {
      if (PaperChecks.find(paper).isEmpty()) {
        Cli cli = Cli.run("reproduce", paper);
        assertEquals(2, cli.status());
        assertTrue(cli.err().contains("not built yet"), cli.err());
      }
    }
    Cli unknown = Cli.run("reproduce", "belady");
    assertEquals(2, unknown.status());
    assertTrue(unknown.err().contains("no paper is called 'belady'"), unknown.err());
  }

  @Test
  void everyCheck_hasAKnownName() {
    for (String paper : List.of("memhc", "softcache", "stacked-dram", "bag")) {
      Optional<PaperCheck> check = PaperChecks.find(paper);
      assertEquals(paper, check.map(PaperCheck::name).orElse(""));
    }
  }

  @Test
  void verdicts_followTheAllowedDifference() {
    assertEquals(PaperRow.Verdict.PASS, PaperRow.near("a", 2, 2.5, 0.5).verdict());
    assertEquals(PaperRow.Verdict.FAIL, PaperRow.near("a", 2, 2.6, 0.5).verdict());
    assertEquals(PaperRow.Verdict.FAIL, PaperRow.atMost("a", "few", 3, 2).verdict());
    assertEquals(PaperRow.Verdict.FAIL, PaperRow.atLeast("a", "many", 1, 2).verdict());
    assertEquals("not possible", PaperRow.notPossible("a", 1, "no GPU").describe().get("verdict"));
  }
}
