package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.cli.TestInstallation;

/** {@code ./starling} of a checkout: when it builds, what it says meanwhile, the README's tour. */
@Tag("slow")
final class SourceLauncherTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Prints as Maven does, and makes a program that says its arguments. */
  private static final String MAVEN =
      """
      #!/bin/sh
      echo run >>builds
      printf '\\033[0m'
      [ ! -f broken ] || { echo '[ERROR] A.java:[3,5] ; expected'; exit 1; }
      echo '[INFO] Building Starling backend API 0.1.0                               [1/2]'
      echo '[INFO] Building Starling distribution 0.1.0                              [2/2]'
      mkdir -p distribution/target/starling-0.1.0/bin distribution/target/starling-0.1.0/lib
      printf '#!/bin/sh\\necho "program: $*"\\n' >distribution/target/starling-0.1.0/bin/starling
      chmod +x distribution/target/starling-0.1.0/bin/starling
      """;

  @TempDir Path folder;
  private Path checkout = Path.of("");

  @BeforeEach
  void checkOut() throws IOException {
    checkout = Files.createDirectories(folder.resolve("star ling"));
  }

  private void write(String name, String content) throws IOException {
    Path file = checkout.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, content);
  }

  /** A checkout of a few files, with Maven as {@link #MAVEN}. */
  private void small() throws IOException {
    Files.copy(ROOT.resolve("starling"), checkout.resolve("starling"));
    write("pom.xml", "<project>\n  <version>0.1.0</version>\n</project>\n");
    write("backends/api/pom.xml", "");
    write("backends/api/src/main/java/A.java", "");
    write("analysis/pom.xml", "");
    write("analysis/src/main/java/B.java", "");
    write("analysis/src/test/java/BTest.java", "");
    write("tools/mvn", MAVEN);
    assertTrue(checkout.resolve("tools/mvn").toFile().setExecutable(true));
  }

  private Cli run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder =
        TestInstallation.process(
            folder, command[0], List.of(command).subList(1, command.length).toArray(String[]::new));
    builder.environment().compute("PATH", (key, path) -> checkout.resolve("tools") + ":" + path);
    return TestInstallation.finish(builder.start(), folder);
  }

  private Cli starling(String... arguments) throws IOException, InterruptedException {
    String[] command = new String[arguments.length + 1];
    command[0] = checkout.resolve("starling").toString();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    return run(command);
  }

  private int builds() throws IOException {
    return Files.readAllLines(checkout.resolve("builds")).size();
  }

  private void touch(String name) throws IOException {
    Files.setLastModifiedTime(checkout.resolve(name), FileTime.from(Instant.now().plusSeconds(60)));
  }

  @Test
  void firstCommand_buildsAndSaysSoInTwoLines() throws Exception {
    small();
    Cli first = starling("--version").ok();
    assertEquals("program: --version\n", first.out());
    List<String> said = first.err().lines().toList();
    assertEquals(2, said.size(), first.err());
    assertTrue(said.get(0).startsWith("starling: building the program"), first.err());
    assertTrue(said.get(1).matches("starling: built in \\d+ s"), first.err());
    assertEquals("", starling("--version").err());
    assertEquals(1, builds());
  }

  @Test
  void firstCommand_onATerminal_countsModulesInOneLine() throws Exception {
    Path script = Path.of("/usr/bin/script");
    Assumptions.assumeTrue(Files.isExecutable(script), "script (util-linux) is missing");
    small();
    Cli first =
        run(script.toString(), "-qec", "'" + checkout.resolve("starling") + "' a b", "/dev/null")
            .ok();
    first.prints("\rstarling: building 1 of 2: Starling backend API (");
    first.prints("\rstarling: building 2 of 2: Starling distribution (");
    assertFalse(first.out().contains("\033"), first.out());
    first.prints("program: a b");
  }

  @Test
  void onlySourcesAndPoms_makeItBuildAgain() throws Exception {
    small();
    starling();
    write("analysis/results.csv", "1,2");
    write("analysis/plots/pion.png", "");
    for (String other : List.of("analysis/results.csv", "analysis/src/test/java/BTest.java")) {
      touch(other);
    }
    starling();
    assertEquals(1, builds());
    int expected = 1;
    for (String source :
        List.of(
            "pom.xml",
            "analysis/pom.xml",
            "backends/api/pom.xml",
            "analysis/src/main/java/B.java",
            "backends/api/src/main/java/A.java")) {
      touch(source);
      starling();
      assertEquals(++expected, builds(), source);
      Files.setLastModifiedTime(checkout.resolve(source), FileTime.from(Instant.EPOCH));
    }
  }

  @Test
  void brokenBuild_saysWhatIsWrongAndIsTriedAgain() throws Exception {
    small();
    write("broken", "");
    Cli broken = starling("--version").failed("[ERROR] A.java:[3,5] ; expected\n");
    broken.notes("starling: the build failed; ");
    assertFalse(broken.err().contains("\033"), broken.err());
    Files.delete(checkout.resolve("broken"));
    assertEquals(0, starling("--version").status());
  }

  /** The README's commands in a checkout without anything else; what they write git ignores. */
  @Test
  void tour_runsInAFreshCheckout_andLeavesItClean() throws Exception {
    Cli listed =
        run("git", "-C", ROOT.toString(), "ls-files", "--cached", "--others", "--exclude-standard");
    Assumptions.assumeTrue(listed.status() == 0, "the sources are not a git checkout");
    for (String name : listed.out().lines().toList()) {
      Path file = ROOT.resolve(name);
      if (Files.exists(file)) {
        Path copy = checkout.resolve(name);
        Files.createDirectories(Objects.requireNonNull(copy.getParent()));
        Files.copy(file, copy);
      }
    }
    String git =
        "git -c user.name=test -c user.email=test@example.org -c core.hooksPath=/dev/null ";
    shell(git + "init -q && " + git + "add -A && " + git + "commit -qm 'as it is'");
    Path built = checkout.resolve("distribution/target");
    String version =
        Pattern.compile("(?m)^  <version>(.*)</version>$")
            .matcher(Files.readString(ROOT.resolve("pom.xml")))
            .results()
            .findFirst()
            .orElseThrow()
            .group(1);
    TestInstallation.make(built.resolve("starling-" + version));
    Files.createFile(built.resolve("built"));

    List<String> commands =
        Files.readString(checkout.resolve("README.md"))
            .lines()
            .filter(line -> line.startsWith("    ./starling "))
            .map(line -> line.replaceFirst(" #.*", "").strip())
            .toList();
    assertTrue(commands.size() >= 11, commands.toString());
    for (String command : commands) {
      shell(command);
    }
    assertEquals("", shell("git status --porcelain"));
  }

  private String shell(String command) throws IOException, InterruptedException {
    Cli result = run("bash", "-c", "cd '" + checkout + "' && " + command);
    assertEquals(0, result.status(), command + "\n" + result.out() + result.err());
    return result.out();
  }
}
