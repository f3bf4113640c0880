package org.starlingqcd.backend.hip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.gpu.library.Kernel;

/** The binding and the kernels against AMD's headers and compiler, with {@code -Phip-toolchain}. */
@Tag("slow")
class HipToolchainTest {
  private static final Path TOOLS = Path.of("src", "test", "python", "hip_tools.py");

  @Test
  void declarations_areThoseOfTheHeaders() throws Exception {
    String include = setting("starling.hip.include");
    String words =
        run(
            "/usr/bin/python3",
            TOOLS.toString(),
            "signatures",
            Path.of("src", "main", "native", "hip_api.h").toAbsolutePath().toString(),
            include);
    System.out.print(words);
  }

  /** A code object's own notes and instructions, where LLVM's tools are there to show them. */
  @Test
  void kernels_compileWithoutSpillsAndGenericAddresses(@TempDir Path folder) throws Exception {
    String library = setting("starling.hip.library");
    Path source = Files.writeString(folder.resolve("kernels.hip"), Kernel.source());
    Path code = folder.resolve("kernels.co");
    System.out.print(
        run(
            "/usr/bin/python3",
            TOOLS.toString(),
            "hiprtc",
            library,
            source.toString(),
            "gfx90a",
            code.toString()));
    String notes;
    String instructions;
    try {
      notes = run("llvm-readelf", "--notes", code.toString());
      instructions = run("llvm-objdump", "-d", code.toString());
    } catch (IOException e) {
      System.out.println("nothing shows code objects here: " + e.getMessage());
      return;
    }
    assertFalse(Pattern.compile("\\bflat_(load|store)").matcher(instructions).find());
    List<String> names = new ArrayList<>();
    Pattern property =
        Pattern.compile(
            "\\.(name|vgpr_count|[sv]gpr_spill_count|group_segment_fixed_size): +(\\S+)");
    for (MatchResult found : property.matcher(notes).results().toList()) {
      String value = found.group(2);
      switch (found.group(1)) {
        case "name" -> names.add(value);
        case "vgpr_count" -> System.out.println(names.get(names.size() - 1) + ": VGPRs " + value);
        case "group_segment_fixed_size" -> assertEquals(true, Integer.parseInt(value) <= 32 << 10);
        default -> assertEquals("0", value, notes);
      }
    }
    names.removeIf(name -> !name.startsWith("starling_"));
    assertEquals(Kernel.values().length, names.size(), names.toString());
  }

  private static String setting(String name) {
    String value = System.getProperty(name, "");
    Assumptions.assumeFalse(value.isEmpty(), "needs AMD's compiler and headers: -Phip-toolchain");
    return value;
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), Arrays.toString(command) + "\n" + words);
    return words;
  }
}
