package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code starling backends} on a machine with made-up memory nodes. */
final class MemoryNodesListedTest {
  private static final String PROPERTY = "starling.memory.nodes";

  @BeforeEach
  void makeUp() {
    System.setProperty(PROPERTY, "0:64GiB:80GB/s,1:16GiB:400GB/s");
  }

  @AfterEach
  void clear() {
    System.clearProperty(PROPERTY);
  }

  @Test
  void text_everyNodeWithSizeAndRate() {
    Cli.run("backends")
        .ok()
        .prints("node 0: 64.00 GiB, 64.00 GiB free, 80.0 GB/s\n")
        .prints("node 1: 16.00 GiB, 16.00 GiB free, 400.0 GB/s, without processors\n");
  }

  @Test
  void json_everyNode() throws IOException {
    Cli cli = Cli.run("backends", "--json").ok();
    for (JsonNode backend : cli.json().get("backends")) {
      if (backend.get("name").asText().equals("cpu")) {
        assertEquals(2, backend.get("memories").size(), backend.toString());
        assertEquals(1, backend.get("memories").get(1).get("node").asInt());
        assertEquals(400, backend.get("memories").get(1).get("gb_per_second").asDouble());
      }
    }
  }
}
