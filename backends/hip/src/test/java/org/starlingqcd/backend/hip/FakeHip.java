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
 * The host library with HIP's and hipBLAS's C interface: built once where there is a C++ compiler,
 * controlled from here. See {@code src/test/native/fake_device.h} for what it checks.
 */
public final class FakeHip {
  /** Memory of the fake device. */
  public static final long BYTES = 512L << 20;

  /** hipErrorUnknown, which a lost device answers. */
  static final int LOST = 999;

  private static @Nullable Path library;
  private static @Nullable String absent;

  private FakeHip() {}

  /** Forgets everything; a new device of so much memory, with streams interleaved by the seed. */
  public static native void reset(long bytes, int devices, long seed);

  /** What went wrong and what was not given back; empty when all is well. */
  public static native String report();

  /** Lets a call (from 0), or it and all later ones, return a status. */
  static native void failAt(long call, int code, boolean forEver);

  /** Lets the next work that runs fail; later calls report it. */
  static native void failLater(int code);

  /** Number of calls since the reset. */
  static native long calls();

  /** Name of a call. */
  static native String callName(long call);

  /** Names of the calls since the reset, in their order. */
  public static List<String> callNames() {
    return LongStream.range(0, calls()).mapToObj(FakeHip::callName).toList();
  }

  /** The provider that finds the fake library and nothing else; skips the test without compiler. */
  static HipProvider provider() {
    String file = library().toString();
    return new HipProvider(List.of(new RocmLibraries(file, file)));
  }

  /** The library's file; skips the test without compiler. */
  public static synchronized Path library() {
    if (library == null && absent == null) {
      build();
    }
    Path file = library;
    Assumptions.assumeTrue(file != null, absent);
    return file;
  }

  /** A provider of a device as new, whose streams interleave by the seed. */
  static HipProvider freshProvider(long seed) {
    HipProvider provider = provider();
    reset(BYTES, 1, seed);
    return provider;
  }

  /** Whether nothing went wrong so far; what is still open is the fixture's to close. */
  static void assertNoErrors() {
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
      if (!isNewer(file, sources)) {
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

  private static ProcessBuilder compiler(Path sources, Path file) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "include");
    List<String> command =
        new ArrayList<>(
            List.of("g++", "-std=c++17", "-O3", "-march=native", "-fPIC", "-shared", "-pthread"));
    command.add("-I" + module().resolve(Path.of("src", "main", "native")));
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
