package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.result.ResultAssert;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** {@code starling run} in this process, on the bundled data. */
final class RunCommandTest {
  private static final Path DATA = Path.of("../examples/data");
  private static final String ONE = DATA.resolve("quenched_4x8_cfg0001.h5").toString();

  @TempDir Path folder;

  private Cli run(String... args) {
    return Cli.run(Cli.words("run --out %s", folder.resolve("out")), args);
  }

  private Path result(String name) {
    return folder.resolve("out").resolve(name + ".h5");
  }

  private static JsonNode json(Cli result) throws IOException {
    result.ok();
    return result.json();
  }

  @Test
  void json_hasTheKeysOfTheFormat() throws IOException {
    JsonNode json = json(run("pion", "--data", DATA.toString(), "--sources", "0,3", "--json"));
    assertEquals("[\"pion\"]", json.get("definitions").toString());
    assertEquals("[1,2]", json.get("configurations").toString());
    for (String key : List.of("wall_seconds", "flops", "gflops", "contractions")) {
      assertTrue(json.get(key).asDouble() > 0, key);
    }
    JsonNode memory = json.get("memory");
    for (String key :
        ("device_bytes peak_device_bytes allocations pool_reuses hits misses evictions "
                + "evicted_bytes bytes_to_device bytes_to_host")
            .split(" ")) {
      assertTrue(memory.get(key).isIntegralNumber(), key);
    }
    assertTrue(memory.get("policy").isTextual());
    assertEquals(4, json.get("units").get("computed").asInt());
  }

  @Test
  void secondRun_computesOnlyWhatIsMissing() throws IOException {
    run("pion", "--data", ONE, "--sources", "2");
    JsonNode units =
        json(run("pion", "--data", DATA.toString(), "--sources", "0,2", "--json")).get("units");
    assertEquals(1, units.get("finished_before").asInt());
    assertEquals(3, units.get("computed").asInt());
    JsonNode again = json(run("pion", "--data", DATA.toString(), "--sources", "0,2", "--json"));
    assertEquals(0, again.get("contractions").asInt());
    run("pion", "--data", ONE, "--sources", "2", "--backend", "cdua")
        .refused("no backend is called 'cdua'; there are: ");
  }

  @Test
  void definitionAddedLater_givesTheNumbersOfOneRun() throws IOException {
    run("pion", "--data", ONE);
    JsonNode both = json(run("pion", "rho_pipi", "--data", ONE, "--json"));
    assertEquals(1, both.get("units").get("computed").asInt());
    Path together = folder.resolve("together");
    assertEquals(
        0,
        Cli.run("run", "rho_pipi", "pion", "--data", ONE, "--out", together.toString()).status());
    for (String name : List.of("pion", "rho_pipi")) {
      double[] expected = numbers(result(name));
      double[] actual = numbers(together.resolve(name + ".h5"));
      // The few units that one definition had and the other lacked are computed as a whole.
      assertArrayEquals(expected, actual, name);
    }
  }

  @Test
  void sourcesAtOnce_giveTheSameBitsFromFewerContractions() throws IOException {
    String[] what = {"sigma", "a1_rhopi", "--data", DATA.toString(), "--json"};
    run("sigma", "a1_rhopi", "--data", ONE, "--sources", "2");
    JsonNode alone = json(run(Cli.and(what, "--sources", "all")));
    Path together = folder.resolve("together");
    // One group of three is left with two sources, and source 5 was computed before.
    String[] grouped =
        Cli.and(what, "--out", together.toString(), "--sources-at-once", "3", "--sources");
    json(Cli.run(Cli.and(new String[] {"run"}, Cli.and(grouped, "5"))));
    JsonNode groups = json(Cli.run(Cli.and(new String[] {"run"}, Cli.and(grouped, "all"))));
    assertEquals(14, groups.get("units").get("computed").asInt());
    assertEquals(15, alone.get("units").get("computed").asInt());
    for (String name : List.of("sigma", "a1_rhopi")) {
      try (Hdf5File expected = Hdf5File.open(result(name));
          Hdf5File actual = Hdf5File.open(together.resolve(name + ".h5"))) {
        for (String configuration : List.of("cfg_0001/", "cfg_0002/")) {
          assertArrayEquals(
              expected.dataset(configuration + "correlator").readAll(),
              actual.dataset(configuration + "correlator").readAll(),
              name);
          if (name.equals("sigma")) {
            assertArrayEquals(
                expected.dataset(configuration + "vev").readAll(),
                actual.dataset(configuration + "vev").readAll());
          }
        }
      }
    }
    // Loops at the sink are traces of nodes that live there alone.
    double perUnit = alone.get("contractions").asDouble() / 15;
    assertTrue(groups.get("contractions").asDouble() / 14 < perUnit);
    assertRefused(
        "--sources-at-once must be at least 1, not 0", Cli.and(what, "--sources-at-once", "0"));
  }

  private static double[] numbers(Path file) {
    return ResultAssert.numbers(file, "cfg_0001/correlator");
  }

  @Test
  void rangePartlyThere_isSaid_andStrictRefuses() throws IOException {
    String missing = "--configurations 1-5: there are no data of configuration 3-5";
    String[] range = {"pion", "--data", DATA.toString(), "--configurations", "1-5"};
    assertRefused(
        missing + "; without --strict the others are computed", Cli.and(range, "--strict"));
    Cli result = run(Cli.and(range, "--json"));
    assertEquals("[1,2]", json(result).get("configurations").toString());
    result.notes("starling: " + missing + "\n");
  }

  @Test
  void unfinishedFiles_areNoData() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.copy(Path.of(ONE), data.resolve("x_cfg0001.h5"));
    Files.copy(Path.of(ONE), data.resolve("x_cfg0002.h5.part"));
    Files.writeString(data.resolve("x_cfg0002.h5.part.done"), "");
    for (String path : List.of(data.toString(), data + "/*")) {
      JsonNode json = json(run("pion", "--data", path, "--overwrite", "--json"));
      assertEquals("[1]", json.get("configurations").toString(), path);
    }
  }

  @Test
  void settingsAndEnvironment_areKeptInTheResult() throws IOException {
    assertEquals(
        0, run("pion", "--data", ONE, "--device-memory", "50%", "--threads", "1").status());
    try (Hdf5File hdf5 = Hdf5File.open(result("pion"))) {
      List<String> runs = hdf5.attributes("/").strings("runs");
      assertEquals(1, runs.size());
      JsonNode record = new ObjectMapper().readTree(runs.get(0));
      assertTrue(record.get("program").asText().startsWith("starling "), runs.get(0));
      assertEquals("cpu", record.get("backend").asText());
      assertEquals("50.0%", record.get("settings").get("device_memory").asText());
      assertEquals(1, record.get("settings").get("threads").asInt());
      assertTrue(record.get("memory").get("hits").asLong() > 0);
      assertTrue(record.hasNonNull("host"));
    }
  }

  @Test
  void settingsFile_describesTheRunAndTheCommandLineOverridesIt() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.copy(Path.of(ONE), data.resolve("one.h5"), StandardCopyOption.REPLACE_EXISTING);
    Path settings = folder.resolve("run.yaml");
    Files.writeString(
        settings,
        """
        definitions: [pion]
        data: data            # begins at the folder of this file
        sources: [1, 5]
        separations: 0-2
        out: elsewhere
        keep_going: true
        """);
    Cli result = Cli.run("run", "--settings", settings.toString(), "--sources", "3", "--json");
    assertEquals(1, json(result).get("units").get("computed").asInt());
    try (Hdf5File hdf5 = Hdf5File.open(folder.resolve("elsewhere/pion.h5"))) {
      assertArrayEquals(new long[] {3}, hdf5.attributes("cfg_0001").integers("source_times"));
      assertArrayEquals(new long[] {0, 1, 2}, hdf5.attributes("cfg_0001").integers("separations"));
    }
  }

  @Test
  void settingsFile_isRefusedByLine() throws IOException {
    Path settings = folder.resolve("run.yaml");
    Files.writeString(settings, "definitions: pion\ndat: data\n");
    assertRefused(
        settings
            + ":2: unknown key 'dat' in the settings: expected one of definitions, data, labels, mapping, configurations, sources,"
            + " sources_at_once, separations, insertion_separations, tetraquarks, out, backend, device, devices_per_unit, units_at_once,"
            + " device_memory, eviction, organization, lines, write, threads, fast_memory, slow_memory,"
            + " tiering, copy_threads, copy_chunk, memory, host_memory,"
            + " spill_directory, spill_limit, recompute, trace, exact, precision, plan, vector_size, order,"
            + " without, shard, overwrite, allow_changed_data, keep_noises, keep_going, strict, read_ahead, read_batch, block_cache,"
            + " block_cache_directory, block_cache_encrypt; did you mean data?",
        "--settings",
        settings.toString());
    Files.writeString(settings, "definitions:\n  - {a: b}\n");
    assertRefused(
        settings + ":2: expected definitions to be a single value, found a mapping",
        "--settings",
        settings.toString());
    for (String[] wrong :
        new String[][] {
          {
            "sources: x",
            "'sources': 'x' is not a number or a range; write them as 1,3,10-20 or all"
          },
          {"threads: 0", "'threads' must be between 1 and 4096, not 0"},
          {
            "device_memory: much",
            "'device_memory': not an amount of memory: 'much'; write it as 4GiB, 800MB or 80%"
          },
          {"exact: maybe", "'exact': expected true or false: maybe"},
          {"shard: 0/2", "'shard': expected k/n with 1 <= k <= n, such as 3/16: 0/2"},
          {"backend: [cpu, hip]", "expected backend to be a single value, found [cpu, hip]"},
        }) {
      Files.writeString(settings, "definitions: pion\n" + wrong[0] + "\n");
      assertRefused(settings + ":2: " + wrong[1], "--settings", settings.toString());
    }
    assertRefused(folder.resolve("none") + ": no such file", "--settings", folder + "/none");
  }

  @Test
  void wrongUsage_isOneMessageAndStatus2() {
    assertRefused(
        "no definitions given; name at least one, such as rho_pipi (`starling definitions` lists"
            + " those that come with the program)");
    assertRefused("no data given; name files, folders or globs with --data", "pion");
    assertRefused(
        "--sources 0,8: 8 is out of range; they go from 0 to 7 (T = 8 in ensemble 'quenched_4x8')",
        Cli.words("pion --data %s --sources 0,8", ONE));
    assertRefused(
        "--separations 5-9: 8 is out of range; they go from 0 to 7"
            + " (T = 8 in ensemble 'quenched_4x8')",
        Cli.words("pion --data %s --separations 5-9", ONE));
    assertRefused(
        "--sources: 'x' is not a number or a range; write them as 1,3,10-20 or all",
        Cli.words("pion --data %s --sources x", ONE));
    assertRefused(
        "--configurations 1,7: there are no data of configuration 7; the data have 1, 2",
        Cli.words("pion --data %s --configurations 1,7", DATA));
    assertRefused(
        "no configuration to compute: --configurations 5-9; the data have 1",
        Cli.words("pion --data %s --configurations 5-9", ONE));
    assertRefused(
        "--shard: expected k/n with 1 <= k <= n, such as 3/16: 3/2",
        Cli.words("pion --data %s --shard 3/2", ONE));
    assertRefused(
        "--threads: expected a whole number, not 'x'", "pion", "--data", ONE, "--threads", "x");
    assertFalse(Files.exists(folder.resolve("out")));
  }

  @Test
  void wrongDevice_isOneMessageAndStatus2() {
    Cli backend = run("pion", "--data", ONE, "--backend", "gpu");
    assertEquals(2, backend.status());
    assertTrue(
        backend.err().startsWith("starling: no backend is called 'gpu'; there are: auto, cpu"),
        backend.err());
    run("pion", "--data", ONE, "--eviction", "best")
        .refused("no eviction policy is called 'best'; there are: ")
        .notes("lru");
    run("pion", "--data", ONE, "--backend", "cpu", "--device-memory", "1000TiB")
        .refused("--device-memory 1000.00 TiB is more than the device has: ");
    assertRefused(
        "backend 'cpu' does not work on this machine (cpu: there is no device 3);"
            + " `starling backends` lists what is there",
        Cli.words("pion --data %s --backend cpu --device 3", ONE));
  }

  @Test
  void budgetTooSmall_namesOneThatDoes() {
    Cli result = run("rho_pipi", "--data", ONE, "--backend", "cpu", "--device-memory", "1000");
    assertEquals(2, result.status(), result.err());
    String said =
        result.err().replaceFirst("(?s).*\\(--device-memory (\\S+) would do\\)\\s*", "$1");
    assertTrue(said.matches("[0-9.]+[KMG]iB"), result.err());
    assertEquals(
        0, run("rho_pipi", "--data", ONE, "--backend", "cpu", "--device-memory", said).status());
  }

  @Test
  void badConfiguration_stopsBeforeAnythingIsComputedUnlessKeptGoing() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.copy(Path.of(ONE), data.resolve("one.h5"));
    byte[] two = Files.readAllBytes(DATA.resolve("quenched_4x8_cfg0002.h5"));
    Path bad = data.resolve("two.h5");
    Files.write(bad, Arrays.copyOf(two, two.length / 2));
    run("pion", "--data", data.toString()).refused(bad + ": is truncated");

    Cli kept = run("pion", "--data", data.toString(), "--keep-going");
    assertEquals(1, kept.status(), kept.err());
    kept.prints("left out");
    kept.prints(bad.toString());

    Files.write(bad, two);
    JsonNode retried = json(run("pion", "--data", data.toString(), "--keep-going", "--json"));
    assertEquals(1, retried.get("units").get("computed").asInt());
    assertEquals("[1,2]", retried.get("configurations").toString());
  }

  @Test
  void otherSeparations_areRefusedUnlessOverwritten() throws IOException {
    run("pion", "--data", ONE, "--separations", "0-3");
    assertRefused(
        result("pion")
            + ": holds results with separations [0, 1, 2, 3] instead of [0, 1]; give another"
            + " --out, or --overwrite to discard them",
        Cli.words("pion --data %s --separations 0,1", ONE));
    JsonNode units =
        json(run("pion", "--data", ONE, "--separations", "0,1", "--overwrite", "--json"))
            .get("units");
    assertEquals(1, units.get("computed").asInt());
  }

  @Test
  void sameDefinitionInOtherWords_isTheSame() throws IOException {
    Path first = folder.resolve("a.yaml");
    Path second = folder.resolve("b.yaml");
    Files.writeString(
        first,
        """
        name: mine
        operators:
          - {name: pi, terms: [{mesons: [{bar: u, gamma: g5, quark: d, momentum: [0, 0, 0]}]}]}
        """);
    Files.writeString(
        second,
        """
        # the same
        operators:
          - name: pi
            terms:
              - coefficient: 1
                mesons:
                  - {quark: d, gamma: g5, bar: u, momentum: [0, 0, 0], displacement: none}
        momentum: [0, 0, 0]
        name: mine
        """);
    run(first.toString(), "--data", ONE);
    JsonNode again = json(run(second.toString(), "--data", ONE, "--json"));
    assertEquals(1, again.get("units").get("finished_before").asInt());
    Files.writeString(second, Files.readString(second).replace("g5", "g5g4"));
    assertRefused(
        result("mine")
            + ": holds results of another definition of the name 'mine'; give another --out, or"
            + " --overwrite to discard them",
        second.toString(),
        "--data",
        ONE);
  }

  @Test
  void summary_saysWhatWasDone() {
    Cli result = run("pion", "--data", ONE).ok();
    for (String word :
        List.of("result", "units", "contractions", "GFLOP/s", "hidden", "evictions")) {
      assertTrue(result.out().contains(word), word + " in " + result.out());
    }
    result.notes("(1 of 1)");
  }

  private void assertRefused(String message, String... args) {
    Cli result = run(args);
    assertEquals(2, result.status(), result.err());
    List<String> lines =
        result.err().lines().filter(line -> !line.equals("starling: looking for data")).toList();
    assertEquals(List.of("starling: " + message), lines);
    assertEquals("", result.out());
  }
}
