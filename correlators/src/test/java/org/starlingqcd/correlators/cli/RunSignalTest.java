package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.result.ResultAssert;
import org.starlingqcd.correlators.run.CorrelatorRun;

/** {@code starling run} as processes that are stopped, killed, and several at once. */
@Tag("slow")
final class RunSignalTest {
  private static final int MOST_TRIES = 10;
  private static final int CONTROL_C = 3;

  /** The bar after at least one of 16 units. */
  private static final Pattern UNIT_FINISHED = Pattern.compile("[1-9][0-9]?/16 units");

  private static final List<String> NAMES = List.of("a1_rhopi", "rho_pipi");

  @TempDir static Path installation;
  @TempDir Path folder;
  private static Path launcher = Path.of("");
  private static Path undisturbed = Path.of("");

  @BeforeAll
  static void computeUndisturbed() throws Exception {
    launcher = TestInstallation.make(installation.resolve("program")).launcher();
    undisturbed = installation.resolve("undisturbed");
    Cli.run(arguments(undisturbed).toArray(String[]::new)).ok();
  }

  private Process start(Path out, String name) throws IOException {
    return start(out, folder.resolve(name));
  }

  private static Process start(Path out, Path working) throws IOException {
    return start(out, working, 1);
  }

  /** Starts a run of this many units at once, each on one thread. */
  private static Process start(Path out, Path working, int units) throws IOException {
    Files.createDirectories(working);
    List<String> arguments = arguments(out);
    if (units > 1) {
      arguments.set(arguments.indexOf("--threads") + 1, Integer.toString(units));
      arguments.addAll(List.of("--units-at-once", Integer.toString(units)));
    }
    return TestInstallation.process(working, launcher.toString(), arguments.toArray(String[]::new))
        .start();
  }

  private static List<String> arguments(Path out) {
    List<String> args = new ArrayList<>(List.of("run"));
    args.addAll(NAMES);
    args.addAll(
        List.of(
            Cli.words(
                "--data %s --sources all --threads 1 --out %s",
                Path.of("../examples/data").toAbsolutePath(), out)));
    return args;
  }

  private Cli finish(Process process, String name) throws IOException, InterruptedException {
    return TestInstallation.finish(process, folder.resolve(name));
  }

  /** Waits until the first unit is finished, or the process has ended. */
  private void awaitFirstUnit(Process process, String name) throws Exception {
    Path err = folder.resolve(name).resolve("err.txt");
    while (process.isAlive() && !Files.readString(err).contains(" of 16)")) {
      Thread.sleep(2);
    }
  }

  private static void assertWhole(Path out) {
    Cli.run(arguments(out).toArray(String[]::new)).ok();
    for (String name : NAMES) {
      ResultAssert.assertSame(undisturbed.resolve(name + ".h5"), out.resolve(name + ".h5"));
      assertFalse(Files.exists(out.resolve(name + ".journal")));
    }
  }

  @ParameterizedTest
  @CsvSource({"INT,130", "TERM,143"})
  void signal_stopsCleanlyAndTheNextRunContinues(String signal, int status) throws Exception {
    assumeFalse(isIgnored(signal), () -> "SIG" + signal + " is ignored by whoever runs the tests");
    Path out = folder.resolve("stopped0");
    Cli stopped = signalled(signal, out, "first0");
    // On a busy machine a run may be over before the signal reaches it.
    for (int k = 1; k < MOST_TRIES && stopped.status() == 0; k++) {
      out = folder.resolve("stopped" + k);
      stopped = signalled(signal, out, "first" + k);
    }
    assertEquals(status, stopped.status(), stopped.err());
    assertTrue(
        stopped
            .err()
            .endsWith(
                "starling: stopped; finished units are kept, and the same command continues the"
                    + " run\n"),
        stopped.err());
    // Whatever was finished is in the result files already.
    assertFalse(Files.exists(out.resolve("rho_pipi.journal")));
    assertWhole(out);
  }

  /** While options are read, and when a run begins: these classes are loaded then. */
  @ParameterizedTest
  @ValueSource(classes = {SettingsFile.class, CorrelatorRun.class})
  void controlC_whileTheProgramStarts_isAnswered(Class<?> loaded) throws Exception {
    assumeTerminal();
    Path out = folder.resolve("early");
    Screen screen =
        controlC(
            out, "-Xlog:class+load:stdout", Pattern.compile(Pattern.quote(loaded.getName() + " ")));
    assertEquals(130, screen.status(), screen.text());
    // Once: whoever stops a program that has hardly begun reads one line.
    assertEquals(2, screen.text().split("starling: stopped", -1).length, screen.text());
    assertFalse(Files.exists(out.resolve("rho_pipi.h5")));
  }

  private static void assumeTerminal() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "script (util-linux) is missing");
    assumeFalse(isIgnored("INT"), "SIGINT is ignored by whoever runs the tests");
  }

  @Test
  void controlC_onATerminal_stopsCleanlyAndTheNextRunContinues() throws Exception {
    assumeTerminal();
    String screen = "";
    Path out = folder;
    // On a busy machine a run may be over before the key reaches it.
    for (int k = 0; k < MOST_TRIES && !screen.contains("starling: stopped"); k++) {
      out = folder.resolve("terminal" + k);
      screen = controlC(out, "", UNIT_FINISHED).text();
    }
    assertTrue(
        screen
            .stripTrailing()
            .endsWith(
                "starling: stopped; finished units are kept, and the same command continues the"
                    + " run"),
        screen);
    assertFalse(Files.exists(out.resolve("rho_pipi.journal")));
    assertWhole(out);
  }

  private record Screen(int status, String text) {}

  /** Presses Ctrl-C on a pseudo-terminal when it shows this; returns what the screen shows then. */
  private static Screen controlC(Path out, String jvmOptions, Pattern shown) throws Exception {
    String line =
        Stream.concat(Stream.of(launcher.toString()), arguments(out).stream())
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    ProcessBuilder builder =
        new ProcessBuilder("/usr/bin/script", "-qefc", "exec " + line, "/dev/null");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("STARLING_JAVA_OPTS", jvmOptions);
    builder.redirectErrorStream(true);
    Process process = builder.start();
    StringBuilder screen = new StringBuilder();
    StringBuilder piece = new StringBuilder();
    boolean pressed = false;
    try (Reader reader = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
      for (int c = reader.read(); c >= 0; c = reader.read()) {
        screen.append((char) c);
        piece.append((char) c);
        // The bar ends with a bracket, a class that is loaded with a line.
        if (c == ')' || c == '\n') {
          if (!pressed && shown.matcher(piece).find()) {
            process.getOutputStream().write(CONTROL_C);
            process.getOutputStream().flush();
            pressed = true;
          }
          piece.setLength(0);
        }
      }
    }
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    return new Screen(process.exitValue(), screen.toString());
  }

  /** Processes inherit this; a shell without job control does it to what it runs in background. */
  private static boolean isIgnored(String signal) throws IOException {
    Path status = Path.of("/proc/self/status");
    int number = signal.equals("INT") ? 2 : 15;
    return Files.exists(status)
        && Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .map(line -> Long.parseUnsignedLong(line.substring(line.indexOf(':') + 1).strip(), 16))
            .anyMatch(ignored -> (ignored >> (number - 1) & 1) != 0);
  }

  private Cli signalled(String signal, Path out, String name) throws Exception {
    Process process = start(out, name);
    awaitFirstUnit(process, name);
    // Fails where the process has ended.
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
    return finish(process, name);
  }

  /** Planning them takes minutes, and fills the heap, for which the run has the time. */
  @ParameterizedTest
  @CsvSource({"plan,WickContraction", "run,still planning"})
  void signal_whilePlanning2000Operators_isAnswered(String command, String said) throws Exception {
    StringBuilder text = new StringBuilder("name: many\nmomentum: [0, 0, 0]\noperators:\n");
    for (int k = 0; k < 2000; k++) {
      text.append(
          """
            - {name: o%d, terms: [{coefficient: %d, mesons: [{bar: d, gamma: g5, quark: u, momentum: [0, 0, 0]}]}]}
          """
              .formatted(k, k + 1));
    }
    Path definition = Files.writeString(folder.resolve("many.yaml"), text);
    Path working = Files.createDirectory(folder.resolve(command));
    List<String> args = new ArrayList<>(List.of(command, definition.toString(), "--data"));
    args.add(Path.of("../examples/data").toAbsolutePath().toString());
    if (command.equals("run")) {
      args.addAll(List.of("--backend", "cpu", "--out", working.resolve("out").toString()));
    }
    ProcessBuilder builder =
        TestInstallation.process(working, launcher.toString(), args.toArray(String[]::new));
    if (command.equals("plan")) {
      builder.environment().put("STARLING_JAVA_OPTS", "-Xlog:class+load:stderr");
    }
    Process process = builder.start();
    TieredKillTest.awaitText(process, working.resolve("err.txt"), said);
    process.destroy();
    assertTrue(process.waitFor(10, TimeUnit.SECONDS));
    Cli stopped = finish(process, command);
    assertEquals(143, stopped.status(), stopped.err());
    assertTrue(stopped.err().contains("starling: stopped"), stopped.err());
    assertEquals("", stopped.out());
    assertFalse(Files.exists(working.resolve("out")));
  }

  @Test
  void kill_losesUnitsInFlightOnly() throws Exception {
    Path out = folder.resolve("killed");
    for (int k = 0; k < 3; k++) {
      // One unit, two and three at once.
      Process process = start(out, folder.resolve("kill" + k), k + 1);
      awaitFirstUnit(process, "kill" + k);
      process.destroyForcibly();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    }
    assertWhole(out);
  }

  @Test
  void threeProcesses_shareTheUnits() throws Exception {
    Path out = folder.resolve("shared");
    List<Process> processes = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      processes.add(start(out, "process" + k));
    }
    for (int k = 0; k < 3; k++) {
      finish(processes.get(k), "process" + k).ok();
    }
    assertWhole(out);
  }
}
