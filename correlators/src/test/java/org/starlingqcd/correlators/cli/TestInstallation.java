package org.starlingqcd.correlators.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/**
 * An installation of the program as the distribution makes one, but with the classes under test:
 * the real launcher in {@code bin}, and in {@code lib} one jar that points to the class path.
 *
 * @param launcher the launcher
 */
public record TestInstallation(Path launcher) {
  public static TestInstallation make(Path folder) throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path lib = Files.createDirectories(folder.resolve("lib"));
    Path launcher = bin.resolve("starling");
    Files.copy(Path.of("../distribution/src/bin/starling"), launcher);
    if (!launcher.toFile().setExecutable(true)) {
      throw new IOException("cannot be made executable: " + launcher);
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, StarlingCommand.class.getName());
    manifest.getMainAttributes().putValue("Enable-Native-Access", "ALL-UNNAMED");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" ")));
    try (OutputStream file = Files.newOutputStream(lib.resolve("starling-distribution-0.jar"));
        JarOutputStream jar = new JarOutputStream(file, manifest)) {
      jar.flush();
    }
    return new TestInstallation(launcher);
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
