package org.starlingqcd.backend.hip;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A library on the host with the C interface of HIP and hipBLAS. It is built once, where there is a
 * C++ compiler, and controlled by this class. See {@code src/test/native/fake_device.h} for what it
 * checks.
 */
public final class FakeHip {
  /** Memory of the fake device. */
  public static final long BYTES = 512L << 20;

  /** hipErrorUnknown, which calls to a lost device return. */
  static final int LOST = 999;

  private static @Nullable Path library;
  private static @Nullable String absent;

  private FakeHip() {}

  /** Starts again with new devices of this much memory, whose streams interleave by the seed. */
  public static native void reset(long bytes, int devices, long seed);

  /** Errors and resources that were not released; empty when there are none. */
  public static native String report();

  /** Makes a call (from 0), or it and all later ones, return a status. */
  static native void failAt(long call, int code, boolean forEver);

  /** Makes the next work fail; later calls report it. */
  static native void failLater(int code);

  /** Makes every call return a status from this call (from 0) on while the device is current. */
  static native void loseDevice(int device, long call, int code);

  /** Loses a device after so many calls of all devices. */
  public static void loseDevice(int device, long call) {
    loseDevice(device, call, LOST);
  }

  /** Number of calls since the reset. */
  static native long calls();

  /** Name of a call. */
  static native String callName(long call);

  /** Names of the calls since the reset, in their order. */
  public static List<String> callNames() {
    return LongStream.range(0, calls()).mapToObj(FakeHip::callName).toList();
  }

  /** A provider that finds only the fake library; skips the test without a compiler. */
  static HipProvider provider() {
    String file = library().toString();
    return new HipProvider(List.of(new RocmLibraries(file, file)));
  }

  /** The library's file; skips the test without a compiler. */
  public static synchronized Path library() {
    if (library == null && absent == null) {
      build();
    }
    Path file = library;
    Assumptions.assumeTrue(file != null, absent);
    return file;
  }

  /** A provider of a fresh device whose streams interleave by the seed. */
  public static HipProvider freshProvider(long seed) {
    HipProvider provider = provider();
    reset(BYTES, 1, seed);
    return provider;
  }

  /**
   * Checks that there were no errors so far; open resources do not count, since the fixture closes
   * them.
   */
  public static void assertNoErrors() {
    assertEquals(List.of(), report().lines().filter(line -> !line.startsWith("not ")).toList());
  }

  private static void build() {
    if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")) {
      absent = "the fake HIP library is built on Linux only";
      return;
    }
    try {
      Path sources = module().resolve(Path.of("src", "test", "native"));
      Path target = Path.of("target", "fake").toAbsolutePath();
      Files.createDirectories(target);
      Path file = target.resolve("libfakehip.so");
      if (!isNewer(file, sources) || !isNewer(file, kernels())) {
        Process compiler = compiler(sources, file).start();
        String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (compiler.waitFor() != 0) {
          throw new AssertionError("the fake HIP library does not compile:\n" + words);
        }
      }
      System.load(file.toString());
      library = file;
    } catch (IOException e) {
      absent = "no g++ for the fake HIP library: " + e.getMessage();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The folder of this module; tests of other modules use the library too. */
  private static Path module() {
    Path here = Path.of("src", "test", "native", "fake_device.h");
    return (Files.exists(here) ? Path.of("") : Path.of("..", "backends", "hip")).toAbsolutePath();
  }

  /** The folder of the kernels' source. */
  private static Path kernels() {
    return module()
        .resolveSibling("gpu")
        .resolve("src/main/resources/org/starlingqcd/backend/gpu/kernel");
  }

  private static ProcessBuilder compiler(Path sources, Path file) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "include");
    List<String> command =
        new ArrayList<>(
            List.of("g++", "-std=c++17", "-O3", "-march=native", "-fPIC", "-shared", "-pthread"));
    command.add("-I" + module().resolve(Path.of("src", "main", "native")));
    command.add("-I" + kernels());
    command.add("-I" + java);
    command.add("-I" + java.resolve("linux"));
    try (Stream<Path> files = Files.list(sources)) {
      files
          .map(Path::toString)
          .filter(name -> name.endsWith(".cpp"))
          .sorted()
          .forEach(command::add);
    }
    command.add("-o");
    command.add(file.toString());
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  private static boolean isNewer(Path file, Path sources) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    long built = Files.getLastModifiedTime(file).toMillis();
    try (Stream<Path> files = Files.list(sources)) {
      return files.allMatch(
          source -> {
            try {
              return Files.getLastModifiedTime(source).toMillis() <= built;
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }
}
