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
    try {
      Path sources = Path.of("src", "test", "native").toAbsolutePath();
      Path target = Path.of("target", "fake").toAbsolutePath();
      Files.createDirectories(target);
      Path file = target.resolve("libcublas.so.12");
      List<String> command =
          List.of(
              "g++",
              "-std=c++17",
              "-O2",
              "-fPIC",
              "-shared",
              "-Wl,-soname,libcublas.so.12",
              "-Wl,--version-script=" + sources.resolve("fake_cublas.map"),
              sources.resolve("fake_cublas.cpp").toString(),
              "-o",
              file.toString());
      Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
      String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (compiler.waitFor() != 0) {
        throw new AssertionError("the fake cuBLAS does not compile:\n" + words);
      }
      return file;
    } catch (IOException e) {
      return Assumptions.abort("no g++ for the fake cuBLAS: " + e.getMessage());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
