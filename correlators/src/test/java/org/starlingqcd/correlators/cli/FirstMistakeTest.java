package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.definition.ShippedDefinitions;

/** What a newcomer types wrong, and what the program makes of it. */
class FirstMistakeTest {
  private static final String DATA = Path.of("../examples/data").toString();

  @TempDir private Path folder;

  @Test
  void run_definitionAfterData_isComputed() {
    Path out = folder.resolve("out");
    Cli.run("run", "--data", DATA, "pion", "--separations", "0", "--out", out.toString(), "--json")
        .ok();
    assertTrue(Files.exists(out.resolve("pion.h5")));
  }

  @Test
  void run_definitionFileAfterData_isComputed() throws IOException {
    Path file = folder.resolve("mine.yaml");
    Files.copy(Path.of("../examples/definitions/pion.yaml"), file);
    Path out = folder.resolve("out");
    Cli.run("run", "--separations", "0", "--out", out.toString(), "--data", DATA, file.toString())
        .ok();
    assertTrue(Files.exists(out.resolve("pion.h5")));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "run pion --data x --ouput y, unknown option '--ouput'; did you mean --out?",
        "run pion --dta x, unknown option '--dta'; did you mean --data?",
        "rnu pion, unknown command 'rnu'; did you mean run?",
        "analyse x.h5, unknown command 'analyse'",
        "expand pionn, did you mean pion?",
        "help rnu, unknown command 'rnu'; did you mean run?",
        "plan, DEFINITION is missing: definition files",
        "submit pion, --scheduler=NAME is missing: batch system",
        "run pion --data, --data needs a value: files",
        "run, `starling definitions` lists those",
        "synth -N many -T 4 --out x, --tensor-size: expected a whole number",
        "expand pion rho, unexpected argument 'rho'",
      })
  void execute_mistyped_saysWhatWasMeant(String line, String expected) {
    Cli cli = Cli.run(line.split(" "));
    assertEquals(ErrorReport.WRONG_INPUT, cli.status());
    assertEquals("", cli.out());
    cli.notes(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "meson: pi, meson: pii, did you mean pi?",
    "irrep, irep, did you mean irrep?",
    "irrep: A1+, irrep: A1g, did you mean A1+?",
    "irrep: A1+, irrep: a1-, did you mean A1-?",
    "irrep: A1+, irrep: T1, did you mean T1+ or T1-?",
    "irrep: A1+, irrep: G1+, did you mean G1g?",
    "meson: pi, meson: pxD1_J1_T1, did you mean pi?",
    "meson: pi, meson: N, N is a baryon",
    "meson: pi, baryon: pi, pi is a meson",
    "meson: pi, baryon: lambda, did you mean Lambda?",
  })
  void expand_mistypedName_saysWhatWasMeant(String right, String wrong, String expected)
      throws IOException {
    Path file = folder.resolve("wrong.yaml");
    String text = Files.readString(Path.of("../examples/definitions/pipi_i2.yaml"));
    Files.writeString(file, text.replace(right, wrong));
    Cli cli = Cli.run("expand", file.toString());
    assertEquals(ErrorReport.WRONG_INPUT, cli.status());
    cli.notes(expected);
  }

  @Test
  void help_ofACommand_isItsHelp() {
    assertEquals(Cli.run("plan", "--help").out(), Cli.run("help", "plan").out());
  }

  @Test
  void help_run_sectionsHoldEveryOption() {
    String help = Cli.run("run", "--help").out();
    assertTrue(help.indexOf("--data=") < help.indexOf("Memory:"), help);
    assertTrue(help.indexOf("Memory:") < help.indexOf("--device-memory="), help);
    assertTrue(help.indexOf("--device-memory=") < help.indexOf("Tuning"), help);
    assertTrue(help.indexOf("Tuning") < help.indexOf("--vector-size="), help);
  }

  @Test
  void definitions_listsEachInOneLine() {
    String text = Cli.run("definitions").out();
    for (String name : ShippedDefinitions.names()) {
      assertTrue(text.lines().anyMatch(line -> line.matches(name + " +[A-Z].*\\.")), name);
    }
  }
}
