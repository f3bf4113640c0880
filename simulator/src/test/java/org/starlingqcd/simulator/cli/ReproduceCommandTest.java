package org.starlingqcd.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.cli.Cli;

final class ReproduceCommandTest {
  private static final List<String> KEYS =
      List.of("quantity", "whose", "paper", "ours", "allowed", "verdict", "reason");
  private static final Set<String> WHOSE = Set.of("paper", "model", "inferred");
  private static final Set<String> VERDICTS = Set.of("pass", "differs", "measured", "not possible");

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"memhc", "softcache", "semcache", "stacked-dram", "bag"})
  void paper_noRowFails_andWhatDiffersSaysWhy(String paper) throws IOException {
    Cli cli = Cli.run("reproduce", paper, "--json").ok();
    JsonNode rows = new ObjectMapper().readTree(cli.out()).get("rows");
    assertTrue(rows.size() > 20, paper + " " + rows.size());
    int passed = 0;
    for (JsonNode row : rows) {
      assertEquals(KEYS, ImmutableList.copyOf(row.fieldNames()), row.toString());
      assertTrue(WHOSE.contains(row.get("whose").asText()), row.toString());
      String verdict = row.get("verdict").asText();
      assertTrue(VERDICTS.contains(verdict), row.toString());
      boolean explained = verdict.equals("differs") || verdict.equals("not possible");
      assertEquals(explained, !row.get("reason").asText().isEmpty(), row.toString());
      passed += verdict.equals("pass") ? 1 : 0;
    }
    assertTrue(passed > 14, paper + " " + passed);
  }

  @Test
  void unknownPaper_isRefusedWithTheNames() {
    Cli.run("reproduce", "belady").refused("no paper is called 'belady'");
  }
}
