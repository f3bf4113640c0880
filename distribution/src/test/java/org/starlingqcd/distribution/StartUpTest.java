package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.TestInstallation;

/**
 * What a start loads, which is what its time is spent on. The bounds on the classes of the program
 * and its libraries lie a seventh above what there was when they were set; a change that breaks one
 * makes every start slower.
 */
@Tag("slow")
final class StartUpTest {
  private static final Pattern OF_JAVA =
      Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\.|Lambda");
  private static final Path DATA = Path.of("../examples/data").toAbsolutePath();

  @TempDir Path folder;
  private Path launcher = Path.of("");

  @BeforeEach
  void install() throws IOException {
    launcher = TestInstallation.make(folder.resolve("installation")).launcher();
  }

  /** The names of the classes that a start loads, with those of Java. */
  private List<String> loaded(String... args) throws IOException, InterruptedException {
    Path log = folder.resolve("classes.txt");
    ProcessBuilder process = TestInstallation.process(folder, launcher.toString(), args);
    process.environment().put("STARLING_CPU_KERNEL", "standard");
    process
        .environment()
        .put("STARLING_JAVA_OPTS", "-Xlog:class+load:file=" + log + "::filecount=0");
    TestInstallation.finish(process.start(), folder).ok();
    return Files.readAllLines(log).stream()
        .filter(line -> line.contains(" source: "))
        .map(line -> line.replaceFirst("^(\\[[^]]*\\])+ ", "").replaceFirst(" source: .*", ""))
        .toList();
  }

  private static void assertNone(List<String> classes, String prefix) {
    assertEquals(List.of(), classes.stream().filter(name -> name.startsWith(prefix)).toList());
  }

  /** Each version of Java has its own number of classes, so they are left out. */
  private static void assertAtMost(int bound, List<String> classes) {
    long own = classes.stream().filter(name -> !OF_JAVA.matcher(name).lookingAt()).count();
    assertTrue(own <= bound, own + " classes of the program, expected at most " + bound);
  }

  @Test
  void version_setsUpNoCommandAndLoadsNoNativeLibrary() throws Exception {
    List<String> classes = loaded("--version");
    assertTrue(classes.contains("org.starlingqcd.correlators.cli.StarlingCommand"));
    assertNone(classes, "org.bytedeco.");
    assertNone(classes, "org.starlingqcd.backend.");
    assertNone(classes, "org.starlingqcd.correlators.run.RunSettings");
    assertNone(classes, "org.starlingqcd.analysis.");
    assertAtMost(60, classes);
  }

  @Test
  void help_setsUpNoCommandAndLoadsNoNativeLibrary() throws Exception {
    List<String> classes = loaded("--help");
    assertNone(classes, "org.bytedeco.");
    assertNone(classes, "org.starlingqcd.backend.");
    assertNone(classes, "org.starlingqcd.correlators.run.RunSettings");
    assertAtMost(310, classes);
  }

  @Test
  void run_needsNoObjectMapperNoXmlAndNoOtherCommand() throws Exception {
    String out = folder.resolve("results").toString();
    List<String> classes =
        loaded("run", "pion", "--data", DATA.toString(), "--backend", "cpu", "--out", out);
    assertTrue(classes.contains("org.starlingqcd.correlators.run.CorrelatorRun"));
    assertNone(classes, "com.fasterxml.jackson.databind.");
    assertNone(classes, "com.sun.org.apache.xerces.");
    assertNone(classes, "java.text.SimpleDateFormat");
    assertNone(classes, "org.starlingqcd.analysis.");
    assertAtMost(1_950, classes);
    // With everything there, less is loaded.
    List<String> again =
        loaded("run", "pion", "--data", DATA.toString(), "--backend", "cpu", "--out", out);
    assertNone(again, "com.fasterxml.jackson.");
    assertAtMost(1_200, again);
  }
}
