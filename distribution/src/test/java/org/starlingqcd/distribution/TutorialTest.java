package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.StarlingCommand;
import org.starlingqcd.correlators.cli.TestInstallation;

/**
 * Runs the commands of {@code docs/tutorial.md} and other pages and compares what they print with
 * what the pages show. With {@code -Dstarling.tutorial=write} the pages and the plot are written
 * anew:
 *
 * <pre>
 * mvn -Dquick -pl distribution -am test -Dtest=TutorialTest -Dsurefire.failIfNoSpecifiedTests=false
 *     -Dstarling.tutorial=write</pre>
 */
@Tag("slow")
final class TutorialTest {
  private static final Path DOCS = Path.of("../docs");
  private static final Path PLOT = Path.of("../docs/effective_masses.png");

  /**
   * A file of the page, or a block with one command and its output: what it prints, or what it is
   * refused with.
   */
  private static final Pattern BLOCK =
      Pattern.compile(
          """
          <!-- file: (?<file>\\S+) -->
          ```yaml
          (?<content>.*?)```
          |```console(?<refused> refused)?
          \\$ \\./starling (?<arguments>[^\\n]*)
          (?<output>.*?)```
          """,
          Pattern.DOTALL);

  /** Lines that depend on the machine: only their first word is compared. */
  private static final Pattern VOLATILE =
      Pattern.compile(
          "(?m)^(device|contractions|time|reading|speed|memory|  +\\d+ evictions"
              + "|planning took \\(s\\)) .*$");

  /** What a plan says of the time: pages show a calibrated machine, and tests calibrate none. */
  private static final Pattern TIME =
      Pattern.compile(
          "(?m)^(estimated time .*\\n|Estimated time on .*\\n(  \\w[a-z ]+ +[0-9.]+ m?s.*\\n){4}"
              + "|No time is estimated: .*\\n)");

  /** Numbers that are zero but for rounding. */
  private static final Pattern ROUNDING = Pattern.compile(" *-?\\d\\.\\d+e-(1[2-9]|[2-9]\\d)");

  @TempDir Path folder;

  @Test
  void tutorial_printsWhatThePageShows() throws Exception {
    assertTrue(compare("tutorial.md") >= 14, "the page has lost its commands");
    Path plot = folder.resolve("results/tutorial/plots/effective_masses.png");
    assertTrue(Files.size(plot) > 5000, "the plot is empty");
    if (isWriting()) {
      Files.copy(plot, PLOT, StandardCopyOption.REPLACE_EXISTING);
    }
    assertTrue(Files.exists(PLOT));
  }

  @Test
  void baryons_printWhatThePageShows() throws Exception {
    assertTrue(compare("baryons.md") >= 4, "the page has lost its commands");
  }

  @Test
  void operators_printWhatThePageShows() throws Exception {
    assertTrue(compare("operators.md") >= 15, "the page has lost its commands");
  }

  @Test
  void yourData_printsWhatThePageShows() throws Exception {
    assertTrue(compare("your-data.md") >= 4, "the page has lost its commands");
  }

  @Test
  void running_printsWhatThePageShows() throws Exception {
    assertTrue(compare("running.md") >= 6, "the page has lost its commands");
  }

  @Test
  void threePoint_printsWhatThePageShows() throws Exception {
    assertTrue(compare("three-point.md") >= 4, "the page has lost its commands");
    Path plot = folder.resolve("results/currents/plots/charge_pion_charge_pi_pi_forward.png");
    assertTrue(Files.size(plot) > 5000, "the plot is empty");
  }

  private static boolean isWriting() {
    return "write".equals(System.getProperty("starling.tutorial"));
  }

  /** Runs the commands of a page, or writes it; the number of commands. */
  private int compare(String page) throws IOException, InterruptedException {
    String text = Files.readString(DOCS.resolve(page));
    boolean write = isWriting();
    for (String name : List.of("data", "data-currents")) {
      Path data = Files.createDirectories(folder.resolve("examples").resolve(name));
      try (Stream<Path> files = Files.list(Path.of("../examples").resolve(name))) {
        for (Path file : files.toList()) {
          Files.copy(file, data.resolve(file.getFileName()));
        }
      }
    }
    StringBuilder written = new StringBuilder();
    Matcher block = BLOCK.matcher(text);
    int commands = 0;
    while (block.find()) {
      String file = block.group("file");
      if (file != null) {
        Files.writeString(folder.resolve(file), block.group("content"));
        continue;
      }
      commands++;
      String arguments = block.group("arguments");
      boolean refused = block.group("refused") != null;
      String output = starling(arguments, refused);
      if (write) {
        String shown =
            "```console"
                + (refused ? " refused" : "")
                + "\n$ ./starling "
                + arguments
                + "\n"
                + output
                + "```\n";
        block.appendReplacement(written, Matcher.quoteReplacement(shown));
      } else {
        assertEquals(masked(block.group("output")), masked(output), "./starling " + arguments);
      }
    }
    if (write) {
      block.appendTail(written);
      Files.writeString(DOCS.resolve(page), written);
    }
    return commands;
  }

  private static String masked(String output) {
    String text = VOLATILE.matcher(TIME.matcher(output).replaceAll("")).replaceAll("$1");
    String rounded = ROUNDING.matcher(text).replaceAll("  0");
    // A sign more or less moves the columns of such numbers.
    return rounded.equals(text) ? text : rounded.replaceAll("  +", "  ");
  }

  /**
   * Runs the program in a process of its own, in the temporary folder; its standard output, or its
   * standard error if wrong input is expected.
   */
  private String starling(String arguments, boolean refused)
      throws IOException, InterruptedException {
    List<String> command =
        TestInstallation.java(
            StarlingCommand.class,
            "-Djava.awt.headless=true",
            "-Dstarling.launcher=/opt/starling/bin/starling");
    // Text in quotes is one argument.
    Matcher argument = Pattern.compile("\"([^\"]*)\"|(\\S+)").matcher(arguments);
    while (argument.find()) {
      command.add(argument.group(1) == null ? argument.group(2) : argument.group(1));
    }
    Path errors = folder.resolve("errors.txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(errors.toFile())
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(
        refused ? 2 : 0, process.waitFor(), () -> arguments + ": " + output + read(errors));
    String printed = refused ? read(errors) : output;
    return printed.replace(folder.toRealPath() + "/", "");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
