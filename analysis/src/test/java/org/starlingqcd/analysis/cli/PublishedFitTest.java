package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;

/**
 * Fits of published data. The data of corrfitter (github.com/gplepage/corrfitter, folder examples)
 * have another licence than this program and are not part of it: {@code -Dstarling.corrfitter=DIR}
 * names a folder with them.
 */
@EnabledIfSystemProperty(
    named = "starling.corrfitter",
    matches = ".+",
    disabledReason = "-Dstarling.corrfitter names no folder with corrfitter's examples")
final class PublishedFitTest {
  /** The energy and its error that corrfitter prints in etas.out for its fit of three terms. */
  private static final double PUBLISHED = 0.41620;

  private static final double PUBLISHED_ERROR = 0.00012;

  @TempDir private Path folder;

  /** One exponential at t = 10 to 20, where others and the way around T = 64 are below errors. */
  @Test
  void etas_hasThePublishedEnergy() throws IOException {
    List<String> lines =
        Files.readAllLines(Path.of(System.getProperty("starling.corrfitter"), "etas.data")).stream()
            .filter(line -> line.startsWith("etas "))
            .map(
                line -> "etas " + String.join(" ", Arrays.asList(line.split(" +")).subList(11, 22)))
            .toList();
    Path part = Files.write(folder.resolve("part.data"), lines);
    Cli cli = Cli.run("analyze", part.toString(), "--fit", "--fit-form", "exp", "--json").ok();
    JsonNode fit = cli.json().findValue("fits").get(0);
    double value = fit.get("energy").asDouble();
    double error = fit.get("energy_error").asDouble();
    assertTrue(error < 5e-4, cli.out());
    assertEquals(PUBLISHED, value, 2 * Math.hypot(error, PUBLISHED_ERROR), cli.out());
  }
}
