package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.result.ResultAssert;

/** {@code --units-at-once}: the bits of units one by one, and what it refuses. */
@Tag("slow")
final class UnitsAtOnceTest {
  private static final int UNITS = 2 * 4;

  @TempDir private Path folder;

  private Cli run(String out, String definition, String... more) {
    return Cli.run(
        Cli.words(
            "run %s --json --backend=cpu --data=../examples/data --out=%s "
                + "--configurations=1-2 --sources=0,2,4,6 --separations=0-2",
            definition, folder.resolve(out)),
        more);
  }

  private JsonNode json(Cli cli) throws IOException {
    cli.ok();
    return cli.json();
  }

  private void assertSame(String expected, String actual, String definition) {
    ResultAssert.assertSame(
        folder.resolve(expected).resolve(definition + ".h5"),
        folder.resolve(actual).resolve(definition + ".h5"));
  }

  @ParameterizedTest
  @CsvSource({"a1_rhopi,300KiB", "nucleon,400KiB"})
  void unitsAtOnce_haveTheBitsOfUnitsOneByOne(String definition, String memory) throws IOException {
    json(run("one", definition, "--threads=3"));
    for (String units : List.of("2", "3")) {
      JsonNode summary =
          json(run("at_once" + units, definition, "--threads=3", "--units-at-once=" + units));
      assertEquals(UNITS, summary.path("units").path("computed").asInt(), summary.toString());
      assertTrue(summary.path("devices").isMissingNode(), summary.toString());
      assertSame("one", "at_once" + units, definition);
    }
    json(run("little", definition, "--threads=3", "--device-memory=" + memory));
    JsonNode little =
        json(
            run(
                "little_at_once",
                definition,
                "--threads=3",
                "--units-at-once=2",
                "--device-memory=" + memory));
    assertTrue(little.path("memory").path("evictions").asLong() > 0, little.toString());
    assertSame("little", "little_at_once", definition);
  }

  @Test
  void unitsOfAnEarlierRun_areNotComputedAgain() throws IOException {
    json(run("one", "a1_rhopi"));
    JsonNode again = json(run("one", "a1_rhopi", "--threads=2", "--units-at-once=2"));
    assertEquals(UNITS, again.path("units").path("finished_before").asInt(), again.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--units-at-once 3 needs a thread for each unit, and there are 2 (--threads)|--threads=2",
        "--trace records the accesses of one unit at a time: leave out --units-at-once|--trace=x",
        "--units-at-once 3 divides memory of one kind: it does not go with fast and slow memory"
            + "|--fast-memory=1MiB",
        "--units-at-once 3 divides one device: it goes neither with several devices nor with"
            + " --devices-per-unit|--device=all"
      })
  void whatCannotBeDivided_isOneMessage(String message, String option) {
    String[] more =
        option.startsWith("--threads")
            ? new String[] {"--units-at-once=3", option}
            : new String[] {"--units-at-once=3", "--threads=4", option};
    run("none", "a1_rhopi", more).refused(message);
  }
}
