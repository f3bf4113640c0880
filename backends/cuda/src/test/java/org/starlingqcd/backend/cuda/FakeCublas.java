package org.starlingqcd.backend.cuda;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A libcublas that computes on host memory, without a device. */
final class FakeCublas {
  private FakeCublas() {}

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
