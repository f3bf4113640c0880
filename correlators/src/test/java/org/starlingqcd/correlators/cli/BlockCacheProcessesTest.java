package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Whole runs at the same time, each a process, on one block cache. */
@Tag("slow")
final class BlockCacheProcessesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DATA = "../examples/data/quenched_4x8_cfg0001.h5";

  @TempDir Path folder;

  private Path cache() {
    return folder.resolve("cache");
  }

  /** The arguments of a run whose result goes to a folder of its own. */
  private List<String> arguments(String out, String... more) {
    List<String> arguments = new ArrayList<>(List.of("run"));
    arguments.addAll(List.of(more));
    arguments.addAll(List.of("--backend", "cpu", "--threads", "1", "--json"));
    arguments.addAll(List.of("--out", folder.resolve(out).toString()));
    return arguments;
  }

  private List<String> cached(List<String> arguments, Path cache) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of("--block-cache", "64MiB", "--block-cache-directory", cache.toString()));
    return all;
  }

  private static Cli call(List<String> arguments) {
    Cli done = Cli.run(arguments.toArray(String[]::new)).ok();
    return done;
  }

  private static Process start(List<String> arguments, Path output) throws IOException {
    List<String> command = TestInstallation.java(StarlingCommand.class, "-Xmx256m");
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectOutput(output.toFile())
        .redirectError(ProcessBuilder.Redirect.to(new File(output + ".err")))
        .start();
  }

  private static void assertEnds(Process process, Path output) throws Exception {
    assertTrue(process.waitFor(120, TimeUnit.SECONDS), "hangs");
    String said = Files.readString(Path.of(output + ".err"));
    assertEquals(0, process.exitValue(), said);
    assertTrue(!said.contains("WARN") || !said.contains("block cache"), said);
  }

  private List<double[]> correlators(String out, String name) {
    List<double[]> correlators = new ArrayList<>();
    try (Hdf5File file = Hdf5File.open(folder.resolve(out).resolve(name + ".h5"))) {
      for (String group : file.children("/")) {
        if (group.startsWith("cfg")) {
          try (Hdf5Dataset dataset = file.dataset(group + "/correlator")) {
            correlators.add(dataset.readAll());
          }
        }
      }
    }
    return correlators;
  }

  private void assertSameResults(String expected, String out, String name) {
    List<double[]> values = correlators(expected, name);
    List<double[]> found = correlators(out, name);
    assertTrue(!values.isEmpty());
    assertEquals(values.size(), found.size());
    for (int k = 0; k < values.size(); k++) {
      assertArrayEquals(values.get(k), found.get(k));
    }
  }

  private static long count(JsonNode run, String what) {
    return run.get("block_cache").get(what).asLong();
  }

  private void assertClean() {
    Cli.run("cache", "audit", "--block-cache-directory", cache().toString()).ok();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 8})
  void processes_readEachBlockOnceInAll_resultsAreThoseWithoutTheCache(int processes)
      throws Exception {
    String[] run = {"a1_rhopi", "--data", DATA, "--sources", "0,3", "--separations", "0,1"};
    call(arguments("without", run));
    JsonNode alone =
        JSON.readTree(call(cached(arguments("alone", run), folder.resolve("other"))).out());
    // What one process alone uses, and how many of it are different.
    long distinct = count(alone, "from_files");
    long uses = distinct + count(alone, "from_cache");
    assertTrue(distinct > 10, alone.toString());

    List<Process> started = new ArrayList<>();
    for (int k = 0; k < processes; k++) {
      Path output = folder.resolve("out" + k + ".json");
      started.add(start(cached(arguments("out" + k, run), cache()), output));
    }
    long fromFiles = 0;
    long fromCache = 0;
    for (int k = 0; k < processes; k++) {
      Path output = folder.resolve("out" + k + ".json");
      assertEnds(started.get(k), output);
      JsonNode json = JSON.readTree(output.toFile());
      fromFiles += count(json, "from_files");
      fromCache += count(json, "from_cache");
      assertSameResults("without", "out" + k, "a1_rhopi");
    }
    assertEquals(distinct, fromFiles);
    assertEquals(processes * uses - distinct, fromCache);
    assertClean();
  }

  @Test
  void evacuation_duringARun_losesNothing() throws Exception {
    String[] run = {"f0d2", "--data", DATA, "--sources", "0-7", "--separations", "0,1"};
    call(arguments("without", run));
    // The blocks are there, and the run needs them.
    call(cached(arguments("filled", run), cache()));
    Path output = folder.resolve("out.json");
    Process process = start(cached(arguments("out", run), cache()), output);
    int removed = 0;
    while (process.isAlive()) {
      JsonNode status = JSON.readTree(look("status").out());
      if (status.get("processes").toString().contains(Long.toString(process.pid()))) {
        Cli evacuated = look("evacuate", "64KiB").ok();
        removed += JSON.readTree(evacuated.out()).get("freed_bytes").asLong() > 0 ? 1 : 0;
      }
      Thread.sleep(5);
    }
    assertEnds(process, output);
    assertTrue(removed > 0, "nothing was evacuated while the run went on");
    assertSameResults("without", "out", "f0d2");
    JsonNode json = JSON.readTree(output.toFile());
    assertTrue(count(json, "from_files") > 0, json.toString());
    assertClean();
  }

  private Cli look(String... command) {
    List<String> arguments = new ArrayList<>(List.of("cache"));
    arguments.addAll(List.of(command));
    arguments.addAll(List.of("--json", "--block-cache-directory", cache().toString()));
    return Cli.run(arguments.toArray(String[]::new));
  }
}
