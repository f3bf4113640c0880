package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.correlators.cli.Cli;

/** The Python package {@code python/}: its own tests pass, its README's examples among them. */
@Tag("slow")
final class PythonPackageTest {
  private static final Path PACKAGE = Path.of("../python");

  @Test
  void itsTestsPass() throws Exception {
    String output =
        PythonProgram.withLibraries().run(PACKAGE, "-m", "unittest", "discover", "-v", "tests");
    assertTrue(output.strip().lines().reduce("", (a, line) -> line).startsWith("OK"), output);
    assertTrue(output.contains("test_examples"), output);
  }

  /** The package is tested with what this version of the program prints. */
  @Test
  void theExpansionOfItsTests_isWhatExpandPrints() throws Exception {
    Cli expanded = Cli.run("expand", "a1_rhopi", "--json").ok();
    assertEquals(Files.readString(PACKAGE.resolve("tests/a1_rhopi.json")), expanded.out());
  }
}
