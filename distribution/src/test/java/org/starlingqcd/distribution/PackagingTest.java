package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;

/**
 * What a collaboration installs and cites: the pages, the recipes and the version in each of them.
 */
class PackagingTest {
  private static final Path ROOT = Path.of("..");

  private static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }

  private static String version() throws IOException {
    Matcher version = Pattern.compile("(?m)^  <version>(.*)</version>$").matcher(read("pom.xml"));
    assertTrue(version.find());
    return version.group(1);
  }

  @Test
  void version_isTheSameEverywhere() throws IOException {
    String version = version();
    assertTrue(read("CITATION.cff").contains("\nversion: " + version + "\n"));
    assertTrue(read("CHANGELOG.md").contains("\n## " + version));
    assertTrue(read("packaging/Dockerfile").contains("ARG VERSION=" + version + "\n"));
    assertTrue(read("packaging/starling.def").contains("VERSION=" + version + "\n"));
    assertTrue(read("python/src/starling/__init__.py").contains("\"" + version + "\""));
    String printed = Cli.run("--version").out().strip();
    assertTrue(
        printed.matches("starling " + Pattern.quote(version) + "( \\([0-9a-f]{7,40}\\+?\\))?"),
        printed);
  }

  @Test
  void recipes_copyTheArchiveThatTheBuildMakes() throws IOException {
    assertTrue(
        read("packaging/Dockerfile").contains("distribution/target/starling-${VERSION}.tar.gz"));
    assertTrue(
        read("packaging/starling.def")
            .contains("distribution/target/starling-{{ VERSION }}.tar.gz"));
    String pom = read("distribution/pom.xml");
    assertTrue(pom.contains("<finalName>starling-${project.version}</finalName>"));
    assertTrue(pom.contains("<appendAssemblyId>false</appendAssemblyId>"));
  }

  @Test
  void manual_hasAPageForEachCommandAndACompletionThatBashReads(@TempDir Path folder)
      throws Exception {
    assertEquals(0, Cli.run("manual", folder.toString()).status());
    List<String> pages;
    try (Stream<Path> files = Files.list(folder.resolve("man/man1"))) {
      pages = files.map(file -> file.getFileName().toString()).sorted().toList();
    }
    for (String command : List.of("run", "plan", "analyze", "replay", "gpu-check")) {
      assertTrue(pages.contains("starling-" + command + ".1"), pages.toString());
    }
    String run = Files.readString(folder.resolve("man/man1/starling-run.1"));
    assertTrue(run.contains("\n\\fB\\-\\-device\\-memory\\fR=SIZE\n"), run);
    assertTrue(run.contains("Folder of the results. Default: results.\n"), run);
    for (String line : run.lines().filter(line -> line.startsWith(".")).toList()) {
      assertTrue(line.matches("\\.(TH|SH|PP|TP|B)( .*)?"), line);
    }
    Path completion = folder.resolve("bash-completion/completions/starling");
    // Files are offered where names are known, too: a definition is either.
    assertTrue(!Files.readString(completion).contains("compopt +o default"));
    assertCompleted(completion, "r", "run replay reproduce");
    assertCompleted(completion, "run --devic", "--device --devices-per-unit --device-memory");
    assertCompleted(completion, "run pip", "pipi_i2 pipi_to_rho pipipi_i3");
    assertCompleted(completion, "run --backend c", "cpu cuda");
    assertCompleted(completion, "run --eviction l", "lfu lru");
    assertCompleted(completion, "run --precision s", "single");
    assertCompleted(completion, "analyze --resampling j", "jackknife");
    assertCompleted(completion, "analyze --fit-covariance s", "shrinkage svd");
    assertCompleted(completion, "help def", "definitions");
  }

  /** Asks bash what the key TAB offers after these words. */
  private static void assertCompleted(Path completion, String words, String expected)
      throws IOException, InterruptedException {
    // compopt works in an interactive shell alone.
    String script =
        """
        source "$0"
        complete -p starling >/dev/null || exit
        compopt() { :; }
        COMP_WORDS=(starling "$@")
        COMP_CWORD=$#
        _complete_starling
        echo "${COMPREPLY[@]}"
        """;
    List<String> command =
        new ArrayList<>(List.of("bash", "--norc", "-c", script, completion.toString()));
    command.addAll(List.of(words.split(" ")));
    Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
    String offered = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, bash.waitFor(), offered);
    assertEquals(expected, String.join(" ", offered.strip().split("\\s+")), words);
  }
}
