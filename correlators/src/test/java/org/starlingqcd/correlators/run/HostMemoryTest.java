package org.starlingqcd.correlators.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.StarlingCommand;
import org.starlingqcd.correlators.cli.TestInstallation;

/** Adds up the host memory that a run holds, in a process of its own, at its maximum. */
class HostMemoryTest {
  @TempDir Path folder;

  /** Runs a command and appends the most bytes that it held to a file. */
  public static void main(String[] args) throws IOException {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    List<String> command = List.of(args).subList(1, args.length);
    int status =
        StarlingCommand.execute(
            out, new PrintWriter(Writer.nullWriter()), command.toArray(String[]::new));
    out.flush();
    Files.writeString(Path.of(args[0]), Long.toString(HostMemory.peakBytes()));
    System.exit(status);
  }

  @Tag("slow")
  @ParameterizedTest
  @CsvSource({"160KiB, 8MiB", "400KiB, 8MiB", "1MiB, 100%"})
  void hostMemory_isBounded(String bound, String readAhead) throws Exception {
    Path peak = folder.resolve("peak");
    Path output = folder.resolve("summary.json");
    List<String> command = TestInstallation.java(HostMemoryTest.class);
    command.add(peak.toString());
    command.addAll(List.of("run", "a1_rhopi", "--sources", "0,3", "--json"));
    command.addAll(List.of("--data", "../examples/data/quenched_4x8_cfg0001.h5"));
    command.addAll(List.of("../examples/data/quenched_4x8_cfg0002.h5", "--backend", "cpu"));
    command.addAll(
        List.of("--device-memory", "96KiB", "--eviction", "lru", "--host-memory", bound));
    command.addAll(List.of("--read-ahead", readAhead));
    command.addAll(List.of("--recompute", "0", "--out", folder.resolve("out").toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertEquals(0, process.waitFor(), () -> read(output));
    long bytes = Long.parseLong(Files.readString(peak));
    JsonNode memory = new ObjectMapper().readTree(output.toFile()).get("memory");
    assertTrue(memory.get("evictions").asLong() > 0, memory.toString());
    long most = MemorySize.parse(bound).of(0);
    assertTrue(bytes <= most, bytes + " of " + most);
    // Elements and blocks really stay in host memory.
    assertTrue(memory.get("peak_host_bytes").asLong() > 0, memory.toString());
    assertTrue(memory.get("peak_host_bytes").asLong() < bytes, bytes + " " + memory);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
