package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** The program in {@code examples/java} compiles, runs, and computes what its page says. */
@Tag("slow")
final class JavaExampleTest {
  private static final Path EXAMPLES = Path.of("..", "examples");

  @TempDir Path folder;

  @Test
  void optimizedPion_isACorrelatorOfTheSum() throws IOException, InterruptedException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                classPath,
                "-proc:none",
                "-d",
                folder.toString(),
                EXAMPLES.resolve(Path.of("java", "OptimizedPion.java")).toString());
    assertEquals(0, status);
    Path data = EXAMPLES.resolve("data-derivatives/quenched_4x8_derivatives_cfg0001.h5");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.bytedeco.javacpp.maxBytes=0",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "-cp",
                folder + File.pathSeparator + classPath,
                "OptimizedPion",
                data.toString(),
                folder.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), words);
    double[] sum = new double[2 * 64];
    try (Hdf5File file = Hdf5File.open(data)) {
      for (String name : new String[] {"none", "D_xD_x", "D_yD_y", "D_zD_z"}) {
        double[] part =
            file.dataset("elementals/meson/" + name + "/0_0_0")
                .read(new long[] {3, 0, 0}, new long[] {1, 8, 8});
        for (int k = 0; k < sum.length; k++) {
          sum[k] += (name.equals("none") ? 0.94 : 0.31) * part[k];
        }
      }
    }
    try (Hdf5File file = Hdf5File.open(folder.resolve("optimized.h5"))) {
      double[] made =
          file.dataset("elementals/meson/optimized/0_0_0")
              .read(new long[] {3, 0, 0}, new long[] {1, 8, 8});
      for (int k = 0; k < sum.length; k++) {
        assertEquals(sum[k], made[k], 1e-14);
      }
    }
    assertTrue(Files.exists(folder.resolve("optimized_pion.h5")), words);
  }
}
