package org.starlingqcd.backend.hip;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Builds libraries of the fake device, or skips the test where there is no C++ compiler. */
public final class FakeLibrary {
  private FakeLibrary() {}

  /** The folder of a module of the backends, from the folder of any module. */
  public static Path module(String name) {
    Path beside = Path.of("..", name);
    Path found = Files.isDirectory(beside.resolve("src")) ? beside : Path.of("../backends", name);
    return found.toAbsolutePath().normalize();
  }

  /** The sources of the fake device, of HIP's interface and of the class that controls it. */
  public static Path sources() {
    return module("hip").resolve(Path.of("src", "test", "native"));
  }

  /**
   * The file of a library in the one folder where the tests of all modules build such libraries.
   */
  public static Path file(String library) {
    return module("hip").resolve(Path.of("target", "fake", library));
  }

  /**
   * What a library of the fake device is made of: the device, compiled once for HIP and CUDA, and
   * the source of what controls it.
   */
  public static List<String> device() throws IOException {
    try (Stream<Path> files = Files.list(sources())) {
      Map<Boolean, List<String>> parts =
          files
              .map(Path::toString)
              .filter(name -> name.endsWith(".cpp"))
              .collect(Collectors.partitioningBy(name -> name.endsWith("fake_control.cpp")));
      Path device = file("fakedevice.o");
      build(device, parts.get(false), List.of("-r"));
      return List.of(device.toString(), parts.get(true).get(0));
    }
  }

  /**
   * Builds a library unless it is newer than its sources. Other processes that want it meanwhile
   * wait.
   *
   * @param file the library
   * @param sources source files
   * @param options further options of the compiler, which say what the file is
   */
  public static synchronized void build(Path file, List<String> sources, List<String> options) {
    Assumptions.assumeTrue(
        System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux"),
        "fake libraries are built on Linux only");
    try {
      List<Path> read = new ArrayList<>(sources.stream().map(Path::of).toList());
      read.add(sources().resolve("fake_device.h"));
      read.add(kernels().resolve("starling_kernels.h"));
      Files.createDirectories(file.getParent());
      try (FileChannel turn =
              FileChannel.open(
                  file.resolveSibling(file.getFileName() + ".lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock held = turn.lock()) {
        if (held.isValid() && !isNewer(file, read)) {
          compile(file, sources, options);
        }
      }
    } catch (IOException e) {
      Assumptions.abort("no g++ for " + file.getFileName() + ": " + e.getMessage());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Writes the library under another name first, because others may have the older one in use. */
  private static void compile(Path file, List<String> sources, List<String> options)
      throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "include");
    List<String> command =
        new ArrayList<>(List.of("g++", "-std=c++17", "-O3", "-march=native", "-fPIC", "-pthread"));
    for (Path folder :
        List.of(
            sources(),
            module("hip").resolve(Path.of("src", "main", "native")),
            kernels(),
            java,
            java.resolve("linux"))) {
      command.add("-I" + folder);
    }
    command.addAll(sources);
    command.addAll(options);
    Path unfinished = file.resolveSibling(file.getFileName() + ".new");
    command.addAll(List.of("-o", unfinished.toString()));
    Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
    String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (compiler.waitFor() != 0) {
      throw new AssertionError(file.getFileName() + " does not compile:\n" + words);
    }
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The folder of the kernels' source. */
  private static Path kernels() {
    return module("gpu").resolve("src/main/resources/org/starlingqcd/backend/gpu/kernel");
  }

  private static boolean isNewer(Path file, List<Path> sources) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    long built = Files.getLastModifiedTime(file).toMillis();
    return sources.stream()
        .allMatch(
            source -> {
              try {
                return Files.getLastModifiedTime(source).toMillis() <= built;
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }
}
