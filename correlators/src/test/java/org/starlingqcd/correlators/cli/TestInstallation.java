package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * An installation of the program as the distribution makes one, but with the classes under test:
 * the real launcher in {@code bin}, and in {@code lib} the class path as jars, with lambdas made
 * classes as the distribution does, and an archive of classes. Both save time of each start.
 *
 * @param launcher the launcher
 */
public record TestInstallation(Path launcher) {
  private static final String JAR = "lib/starling-distribution-0.jar";
  private static final String ARCHIVE = "lib/starling.jsa";

  /** That of the module, once this process has looked at its date. */
  private static @Nullable Path found;

  /** An installation in a folder, whose libraries are links to those of the module. */
  public static TestInstallation make(Path folder) throws IOException {
    Path lib = Files.createDirectories(folder.resolve("lib"));
    try (Stream<Path> files = Files.list(ofModule().resolve("lib"))) {
      for (Path file : files.toList()) {
        link(lib.resolve(file.getFileName()), file.toRealPath());
      }
    }
    Path launcher = Files.createDirectories(folder.resolve("bin")).resolve("starling");
    Files.copy(Path.of("../distribution/src/bin/starling"), launcher);
    if (!launcher.toFile().setExecutable(true)) {
      throw new IOException("cannot be made executable: " + launcher);
    }
    return new TestInstallation(launcher);
  }

  /** JUnit warns of each symbolic link that it removes; another disk needs them. */
  private static void link(Path link, Path file) throws IOException {
    try {
      Files.createLink(link, file);
    } catch (IOException | UnsupportedOperationException e) {
      Files.createSymbolicLink(link, file);
    }
  }

  /** The command of a process that runs a class of the tests or of the program. */
  public static List<String> java(Class<?> main, String... options) throws IOException {
    Path home = ofModule();
    List<String> command = java(home, main, options);
    command.add(1, "-XX:SharedArchiveFile=" + home.resolve(ARCHIVE));
    return command;
  }

  private static List<String> java(Path home, Class<?> main, String... options) {
    List<String> command = java(options);
    command.addAll(List.of("-cp", home.resolve(JAR).toString(), main.getName()));
    return command;
  }

  private static List<String> java(String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xlog:cds=off"));
    command.addAll(List.of(options));
    return command;
  }

  /**
   * The one installation of the module under test, made where its classes are unless it is newer
   * than they. Other processes that want it meanwhile wait.
   */
  private static synchronized Path ofModule() throws IOException {
    if (found != null) {
      return found;
    }
    List<Path> entries =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(Files::exists)
            .toList();
    Path home =
        entries.stream()
            .filter(Files::isDirectory)
            .findFirst()
            .orElseThrow()
            .resolveSibling("installation");
    Files.createDirectories(home.resolve("lib"));
    try (FileChannel turn =
            FileChannel.open(
                home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = turn.lock()) {
      // Written last.
      Path made = home.resolve("made");
      if (held.isValid()
          && !(Files.exists(made)
              && Files.readString(made).equals(entries.toString())
              && newest(entries).compareTo(Files.getLastModifiedTime(made)) < 0)) {
        Files.deleteIfExists(made);
        fill(home, entries);
        Files.writeString(made, entries.toString());
      }
    }
    found = home;
    return home;
  }

  private static FileTime newest(List<Path> entries) throws IOException {
    FileTime newest = FileTime.fromMillis(0);
    for (Path entry : entries) {
      try (Stream<Path> files = Files.walk(entry)) {
        for (Path file : files.toList()) {
          FileTime time = Files.getLastModifiedTime(file);
          newest = time.compareTo(newest) > 0 ? time : newest;
        }
      }
    }
    return newest;
  }

  /** Makes jars of folders, since an archive serves only jars, and the archive. */
  private static void fill(Path home, List<Path> entries) throws IOException {
    Path lib = home.resolve("lib");
    try (Stream<Path> old = Files.list(lib)) {
      for (Path file : old.toList()) {
        Files.delete(file);
      }
    }
    StringBuilder classPath = new StringBuilder();
    for (Path entry : entries) {
      Path jar = lib.resolve(entry.getFileName());
      if (Files.isDirectory(entry)) {
        jar = lib.resolve("starling-folder" + classPath.length() + ".jar");
        try (Stream<Path> files = Files.walk(entry).filter(Files::isRegularFile)) {
          write(jar, new Manifest(), entry, files.toList());
        }
      } else if (jar.getFileName().toString().startsWith("starling-")) {
        Files.copy(entry, jar);
      } else {
        Files.createSymbolicLink(jar, entry.toAbsolutePath());
      }
      classPath.append(jar.getFileName()).append(' ');
    }
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MAIN_CLASS, StarlingCommand.class.getName());
    attributes.putValue("Enable-Native-Access", "ALL-UNNAMED");
    attributes.put(Attributes.Name.CLASS_PATH, classPath.toString());
    List<String> command = java("-cp", System.getProperty("java.class.path"));
    command.addAll(List.of("../distribution/src/build/DirectCalls.java", lib.toString()));
    assertEquals(0, run(home, command), () -> "see " + home.resolve("said.txt"));
    write(home.resolve(JAR), manifest, home, List.of());
    archive(home);
  }

  private static void write(Path jar, Manifest manifest, Path folder, List<Path> files)
      throws IOException {
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(file, manifest)) {
      entries.setLevel(Deflater.NO_COMPRESSION);
      for (Path each : files) {
        entries.putNextEntry(new ZipEntry(folder.relativize(each).toString()));
        Files.copy(each, entries);
      }
    }
  }

  /** Keeps the classes that a process of {@link #main} loads; without them starts take longer. */
  private static void archive(Path home) throws IOException {
    List<String> command =
        java(home, TestInstallation.class, "-XX:ArchiveClassesAtExit=" + home.resolve(ARCHIVE));
    command.add(home.resolve("run").toString());
    run(home, command);
  }

  private static int run(Path home, List<String> command) throws IOException {
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      return builder.redirectOutput(home.resolve("said.txt").toFile()).start().waitFor();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs what many tests run, with its output in a folder. */
  public static void main(String[] args) {
    Cli.line("plan pion");
    for (String more : List.of("--threads=1", "--json")) {
      Cli.line(
          "run rho_pipi --data ../examples/data --separations 0,1 --backend cpu --overwrite %s --out %s",
          more, args[0]);
    }
    System.exit(0);
  }

  /** A process of the program in a folder, its output in files of that folder. */
  public static ProcessBuilder process(Path folder, String launcher, String... args) {
    ProcessBuilder builder = new ProcessBuilder(launcher);
    builder.command().addAll(Arrays.asList(args));
    builder.directory(folder.toFile());
    builder.redirectOutput(folder.resolve("out.txt").toFile());
    builder.redirectError(folder.resolve("err.txt").toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder;
  }

  /** Waits for a process of {@link #process}. */
  public static Cli finish(Process process, Path folder) throws IOException, InterruptedException {
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("the program hangs");
    }
    return new Cli(
        process.exitValue(),
        Files.readString(folder.resolve("out.txt"), StandardCharsets.UTF_8),
        Files.readString(folder.resolve("err.txt"), StandardCharsets.UTF_8));
  }
}
