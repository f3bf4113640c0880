package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.cli.TestInstallation;

/** The launcher of the distribution, as a process. */
@Tag("slow")
final class LauncherTest {
  @TempDir Path temporary;
  private Path folder = Path.of("");
  private Path launcher = Path.of("");

  @BeforeEach
  void install() throws IOException {
    folder = Files.createDirectories(temporary.resolve("a folder with blanks"));
    launcher = TestInstallation.make(folder.resolve("star ling")).launcher();
  }

  private Cli run(String command, String... args) throws IOException, InterruptedException {
    Path working = Files.createDirectories(folder.resolve("else where"));
    return TestInstallation.finish(
        TestInstallation.process(working, command, args).start(), working);
  }

  @Test
  void version_runsFromAnotherFolderThroughARelativeLink() throws Exception {
    Path link = folder.resolve("link");
    Files.createSymbolicLink(link, folder.relativize(launcher));
    Path second = Files.createDirectories(folder.resolve("deep")).resolve("starling");
    Files.createSymbolicLink(second, Path.of("../link"));
    Cli result = run("../deep/starling", "--version").ok();
    assertTrue(result.out().startsWith("starling "), result.out());
    assertEquals("", result.err());
  }

  @Test
  void relativePaths_beginWhereTheyAreTyped() throws Exception {
    Files.createDirectories(folder.resolve("else where"));
    Files.copy(
        Path.of("../examples/data/quenched_4x8_cfg0001.h5"), folder.resolve("else where/one.h5"));
    Cli result =
        run(launcher.toString(), "run", "pion", "--data", "one.h5", "--out", "my results").ok();
    assertTrue(Files.exists(folder.resolve("else where/my results/pion.h5")));
    // Nothing but progress: no warnings of the JVM or of native libraries.
    assertTrue(result.err().lines().allMatch(line -> line.startsWith("starling: ")), result.err());
  }

  /** On a terminal of 80 columns a table of many definitions is cut; in a file it is not. */
  @Test
  void wideTable_isCutOnATerminal() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/script")), "script (util-linux) is missing");
    String plan = "plan pion sigma nucleon kpi_i32 pipi_i2 pipipi_i3";
    Cli file = run(launcher.toString(), plan.split(" "));
    Cli terminal =
        run("/usr/bin/script", "-qec", "stty cols 80; '" + launcher + "' " + plan, "/dev/null");
    file.ok();
    terminal.ok();
    assertEquals(1, file.out().lines().filter(line -> line.startsWith("operators ")).count());
    assertEquals(2, terminal.out().lines().filter(line -> line.startsWith("operators ")).count());
    assertTrue(file.out().lines().anyMatch(line -> line.length() > 80), file.out());
    assertTrue(
        terminal
            .out()
            .lines()
            .takeWhile(line -> !line.startsWith("A run needs"))
            .allMatch(line -> line.stripTrailing().length() <= 80),
        terminal.out());
  }

  @Test
  void archivedClasses_ofSomethingElse_areLeftAloneSilently() throws Exception {
    Path archive = launcher.resolveSibling("../lib/starling.jsa");
    Files.delete(archive);
    Files.writeString(archive, "classes of another Java");
    Cli result = run(launcher.toString(), "--version").ok();
    assertEquals("", result.err());
    assertEquals(1, result.out().lines().count(), result.out());
  }

  /** A program of one class, which does what it is told. */
  static final class Toy {
    public static void main(String[] args) {
      System.out.println(args.length);
    }
  }

  private static void writeToy(Path jar, String comment) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Toy.class.getName());
    String file = Toy.class.getName().replace('.', '/') + ".class";
    Files.delete(jar);
    try (OutputStream out = Files.newOutputStream(jar);
        InputStream bytes = Toy.class.getClassLoader().getResourceAsStream(file);
        JarOutputStream toy = new JarOutputStream(out, manifest)) {
      toy.setComment(comment);
      toy.putNextEntry(new ZipEntry(file));
      bytes.transferTo(toy);
    }
  }

  /** Where {@link Toy} was loaded from by an installation. */
  private String sourceOfToy(Path home) throws Exception {
    Path log = temporary.resolve("classes.txt");
    Cli result =
        runWith(
            "STARLING_JAVA_OPTS",
            "-Xlog:class+load:file=" + log + "::filecount=0",
            home.resolve("bin/starling"));
    assertEquals("0\n", result.out(), result.err());
    return Files.readAllLines(log).stream()
        .filter(line -> line.contains(Toy.class.getName()))
        .map(line -> line.replaceFirst(".* source: ", ""))
        .findFirst()
        .orElseThrow();
  }

  /** Copies get new dates, so neither these nor the folder may count; sizes of jars do. */
  @Test
  void archivedClasses_serveACopyAndAMovedInstallation_butNoOtherJars() throws Exception {
    Path home = launcher.resolveSibling("..").toRealPath();
    Path jar = home.resolve("lib/starling-distribution-0.jar");
    writeToy(jar, "");
    Path script = launcher.resolveSibling("starling-archive-classes");
    Files.copy(Path.of("src/bin/starling-archive-classes"), script);
    assertTrue(script.toFile().setExecutable(true));
    run(script.toString()).ok();
    assertEquals("shared objects file", sourceOfToy(home));
    Path copy = folder.resolve("copy");
    // Later JVMs compare dates.
    boolean anew = Runtime.version().feature() < 24;
    String how = anew ? "-r" : "-a";
    assertEquals(0, run("/bin/cp", how, home.toString(), copy.toString()).status());
    if (anew) {
      Files.setLastModifiedTime(
          copy.resolve("lib").resolve(jar.getFileName()), FileTime.fromMillis(1_000_000));
    }
    assertEquals("shared objects file", sourceOfToy(copy));
    Path moved = Files.move(copy, folder.resolve("moved"));
    assertEquals("shared objects file", sourceOfToy(moved));
    writeToy(moved.resolve("lib").resolve(jar.getFileName()), "other");
    assertTrue(sourceOfToy(moved).startsWith("file:"));
  }

  private Cli runWith(String variable, String value, Path program) throws Exception {
    Path working = Files.createDirectories(folder.resolve("else where"));
    ProcessBuilder process = TestInstallation.process(working, program.toString());
    process.environment().put(variable, value);
    return TestInstallation.finish(process.start(), working);
  }

  private Cli runWith(String variable, String value, String... args) throws Exception {
    Path working = Files.createDirectories(folder.resolve("else where"));
    ProcessBuilder process = TestInstallation.process(working, launcher.toString(), args);
    process.environment().put(variable, value);
    return TestInstallation.finish(process.start(), working);
  }

  @Test
  void wrongKernel_isTheUsersMistake_foundBeforeAnythingIsLookedAt() throws Exception {
    for (String[] command :
        new String[][] {
          {"run", "pion", "--data", "nowhere", "--backend", "cpu", "--out", "out"},
          {"bench", "--backend", "cpu", "--tensor-size", "8", "--vectors", "1"},
          {"backends", "--calibrate"}
        }) {
      runWith("STARLING_CPU_KERNEL", "fastest", command)
          .refused("starling: STARLING_CPU_KERNEL=fastest: expected standard, packed");
    }
    assertFalse(Files.exists(folder.resolve("else where/out")));
  }

  @Test
  void wrongCoreType_isTheUsersMistake() throws Exception {
    Assumptions.assumeTrue(System.getProperty("os.arch", "").equals("amd64"));
    runWith("STARLING_OPENBLAS_CORETYPE", "nonsense", "run", "pion", "--data", ".", "--backend=cpu")
        .refused("starling: STARLING_OPENBLAS_CORETYPE=nonsense: expected a core type");
  }

  @Test
  void wrongOptionsForJava_areTheUsersMistake() throws Exception {
    for (String options : List.of("-Xmx8gg", "-XX:+UseSerialGC", "-Dstarling.a=b --nonsense")) {
      Cli wrong = runWith("STARLING_JAVA_OPTS", options, "--version");
      assertEquals(2, wrong.status(), wrong.err());
      assertTrue(
          wrong
              .err()
              .startsWith(
                  "starling: STARLING_JAVA_OPTS="
                      + options
                      + ": expected options of the JVM, as -Xmx8g; correct or unset it. Java says: "),
          wrong.err());
      assertEquals("", wrong.out());
    }
    Cli right = runWith("STARLING_JAVA_OPTS", "-Xmx300m -Dstarling.a=b", "--version").ok();
    assertEquals("", right.err());
  }

  /** The first keeps the HDF5 library from starting, the second from opening files. */
  @Test
  void settingsOfHdf5ForOtherPrograms_haveNoEffect() throws Exception {
    String data = Path.of("../examples/data").toAbsolutePath().toString();
    for (String variable : List.of("HDF5_DRIVER", "HDF5_VOL_CONNECTOR")) {
      Cli result =
          runWith(variable, "nonsense", "run", "pion", "--data", data, "--out", "of " + variable)
              .ok();
      assertTrue(
          result.err().lines().allMatch(line -> line.startsWith("starling: ")), result.err());
    }
  }

  @Test
  void limitsThatLeaveJavaNoRoom_areOneMessage() throws Exception {
    for (String limit : List.of("-v 3000000", "-u 20", "-n 100")) {
      Cli result = run("bash", "-c", "ulimit " + limit + " && exec '" + launcher + "' --version");
      assertEquals(2, result.status(), result.err());
      assertEquals(1, result.err().lines().count(), result.err());
      assertTrue(result.err().startsWith("starling: only " + limit.substring(3) + " "));
      result.notes("ulimit " + limit.substring(0, 2));
      assertEquals("", result.out());
    }
  }

  /** A JVM that crashes leaves its report among the temporary files. */
  @Test
  void crash_leavesNothingInTheWorkingFolder() throws Exception {
    Path scratch = Files.createDirectory(temporary.resolve("scratch"));
    Path working = Files.createDirectories(folder.resolve("else where"));
    String large = Path.of("../examples/large/npi_i12_011.yaml").toAbsolutePath().toString();
    ProcessBuilder process = TestInstallation.process(working, launcher.toString(), "plan", large);
    process.environment().put("TMPDIR", scratch.toString());
    process.environment().put("STARLING_JAVA_OPTS", "-XX:-CreateCoredumpOnCrash");
    Process started = process.start();
    new ProcessBuilder("bash", "-c", "sleep 0.5; kill -SEGV " + started.pid()).start().waitFor();
    Cli crashed = TestInstallation.finish(started, working);
    Assumptions.assumeTrue(crashed.status() != 0, "it was over before the signal");
    try (Stream<Path> reports = Files.list(scratch)) {
      assertTrue(reports.anyMatch(file -> file.toString().contains("starling-hs_err_")));
    }
    try (Stream<Path> left = Files.list(working)) {
      assertEquals(
          List.of("err.txt", "out.txt"),
          left.map(f -> f.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void exitStatus_isThatOfTheProgram() throws Exception {
    assertEquals(2, run(launcher.toString(), "run").status());
    assertEquals(2, run(launcher.toString(), "no-such-command").status());
    run(launcher.toString(), "run", "nothing", "--data", ".", "--debug")
        .refused("\tat org.starlingqcd.");
  }
}
