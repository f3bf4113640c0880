package org.starlingqcd.backend.cuda;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;

/** A libcublas.so.12 that computes on the host, loaded before JCublas asks for one. */
final class FakeCublas {
  private static boolean loaded;

  private FakeCublas() {}

  /** Loads it, or skips the test with the reason. */
  static synchronized void load() {
    Assumptions.assumeFalse(
        new CudaProvider().probe().isPresent(), "a CUDA device is here and keeps its own cuBLAS");
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    Assumptions.assumeTrue(
        system.toLowerCase(Locale.ROOT).equals("linux amd64"),
        "JCublas has no library for " + system);
    if (!loaded) {
      System.load(build().toString());
      loaded = true;
    }
  }

  private static Path build() {
    Path file = Path.of("target", "fake").toAbsolutePath().resolve("libcublas.so.12");
    build(file, "12");
    return file;
  }

  /** Builds it as the cuBLAS of a major version of CUDA; skips the test where there is no g++. */
  static void build(Path file, String version) {
    try {
      Path sources = Path.of("src", "test", "native").toAbsolutePath();
      Files.createDirectories(file.getParent());
      String library = "libcublas.so." + version;
      Path map = file.resolveSibling(library + ".map");
      Files.writeString(map, library + " {\n  global: *;\n};\n");
      List<String> command =
          List.of(
              "g++",
              "-std=c++17",
              "-O2",
              "-fPIC",
              "-shared",
              "-Wl,-soname," + library,
              "-Wl,--version-script=" + map,
              sources.resolve("fake_cublas.cpp").toString(),
              "-o",
              file.toString());
      Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
      String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (compiler.waitFor() != 0) {
        throw new AssertionError("the fake cuBLAS does not compile:\n" + words);
      }
    } catch (IOException e) {
      Assumptions.abort("no g++ for the fake cuBLAS: " + e.getMessage());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
