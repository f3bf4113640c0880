package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.cli.PlanCommand.PlanText;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

final class PlanCommandTest {
  private static final String TCC = "../examples/definitions/tcc_flight.yaml";

  @TempDir Path folder;

  private static JsonNode plan(String... args) throws IOException {
    Cli result = Cli.run(args).ok();
    return result.json();
  }

  @ParameterizedTest
  @CsvSource({"rho_pipi,20", "a1_rhopi,28", "pipi_i2,362"})
  void products_areSharedAtLeastThisWell(String definition, long most) throws IOException {
    JsonNode plan = plan("plan", definition, "--json");
    assertEquals(definition, plan.get("definition").asText());
    assertTrue(plan.get("products").asLong() <= most, plan.toString());
    assertEquals(
        plan.get("products").asLong() + plan.get("traces").asLong(),
        plan.get("contractions").asLong());
  }

  /** One pion: two nodes Φτ of 16 products each, and their trace over 16 pairs of spins. */
  @Test
  void pion_isCountedByHand() throws IOException {
    JsonNode plan = plan("plan", "pion", "--json", "--tensor-size", "10");
    assertEquals(1, plan.get("operators").asInt());
    assertEquals(1, plan.get("diagrams").asInt());
    assertEquals(0, plan.get("products").asInt());
    assertEquals(1, plan.get("traces").asInt());
    assertEquals(2, plan.get("initial_nodes").asInt());
    assertEquals(2 * 16 * 8 * 1000 + 16 * 8 * 100, plan.get("flops").asDouble());
    // Both perambulators and both nodes (16 spins each), Φ at two times; 16 bytes a number.
    long bytes = plan.get("peak_bytes").asLong();
    assertTrue(bytes >= 3 * 16 * 1600 && bytes <= (4 * 16 + 2) * 1600, plan.toString());
  }

  /** Tests choose a kernel themselves, so nothing that was measured says how fast it is. */
  @Test
  void time_withoutCalibration_saysHowToGetOne() throws IOException {
    assertTrue(plan("plan", "pion", "--json").get("estimated_time").isNull());
    String text = Cli.run("plan", "pion").out();
    assertTrue(text.contains("No time is estimated: `starling backends --calibrate`"), text);
  }

  /** A current on either line of a ρ that turns into a pion, which is a loop for each. */
  @Test
  void currents_areListedWithTheirBytes() throws IOException {
    JsonNode inputs = plan("plan", "rho_to_pi", "--json", "--tensor-size", "10").get("inputs");
    JsonNode block = inputs.get("generalized_perambulators").get("light-light/g1/none/0_0_1");
    assertEquals("[\"sink-source\",\"source-sink\"]", block.get("ends").toString());
    assertEquals(2 * 16 * 1600, block.get("bytes").asLong());
    assertEquals(1, inputs.get("generalized_perambulators").size());
    assertEquals(
        "[\"light/g1/none/0_0_1\",\"strange/g1/none/0_0_1\"]", inputs.get("loops").toString());
    assertEquals("[\"light\"]", inputs.get("labels").toString());
    // Two perambulators, two blocks with the current, and an elemental at source and sink.
    assertEquals(16 * (4 * 1600 + 2 * 100), inputs.get("bytes").asLong());
    String text = Cli.run("plan", "rho_to_pi", "--tensor-size", "16").out();
    assertTrue(
        text.contains("  light-light/g1/none/0_0_1        sink-source, source-sink: 128.00 KiB\n"),
        text);
    assertTrue(text.contains("  strange/g1/none/0_0_1            loop\n"), text);
  }

  @Test
  void text_hasSizesAndTimesForPeople_andSaysWhatARunNeeds() {
    String text = Cli.run("plan", "rho_pipi", "nucleon", "--tensor-size", "16").out();
    assertTrue(
        text.contains(
            "A run needs perambulators light; meson elementals none up to n^2 = 2; baryon"
                + " elementals none up to n^2 = 0."),
        text);
    assertTrue(text.lines().anyMatch(line -> line.matches("data to read .*[KM]iB")), text);
    assertEquals(1, text.lines().filter(line -> line.contains("at the peak")).count(), text);
    assertTrue(text.lines().anyMatch(line -> line.startsWith("planning took (s)")), text);
    assertEquals("0.016 ms", PlanText.seconds(1.6e-5));
    assertEquals("15 ms", PlanText.seconds(0.01512));
    assertEquals("1.5 s", PlanText.seconds(1.52));
    assertEquals("24 s", PlanText.seconds(24.2));
    assertEquals("50 min", PlanText.seconds(3000));
    assertEquals("28 h", PlanText.seconds(1e5));
  }

  /** One elemental, whose K X and K† Y are products, and traces of these with all signs. */
  @Test
  void tetraquarks_costsAreGivenForAllThreeOrders() throws IOException {
    int n = 64;
    double pairs = 0.5 * n * (n - 1);
    JsonNode plan = plan("plan", TCC, "--json", "--tensor-size", Integer.toString(n));
    assertEquals(
        2 * 8 * Math.pow(pairs, 3) + 2 * 128 * Math.pow(n, 4) + 8 * pairs * pairs,
        plan.get("tetraquark_pairs_flops").asDouble());
    assertEquals(
        2 * 256 * pairs * Math.pow(n, 3) + 8 * pairs * pairs,
        plan.get("tetraquark_legs_flops").asDouble());
    assertEquals(1152 * n * 2 + 2 * 128 * 36 + 72, plan.get("tetraquark_sites_flops").asDouble());
    assertEquals("{\"3bar3\":1}", plan.get("inputs").get("tetraquark_elementals").toString());
    String text = Cli.run("plan", TCC).out();
    assertTrue(text.contains("; tetraquark elementals 3bar3 up to n^2 = 1."), text);
    assertTrue(text.contains("tetraquarks (flop) by pairs"), text);
  }

  @Test
  void severalDefinitions_shareAndAreCountedApartToo() throws IOException {
    JsonNode plan = plan("plan", "pion", "rho_pipi", "--json");
    assertEquals("[\"pion\",\"rho_pipi\"]", plan.get("definition").toString());
    long nodes = 0;
    for (JsonNode one : plan.get("separately")) {
      nodes += one.get("initial_nodes").asLong();
    }
    assertTrue(plan.get("initial_nodes").asLong() <= nodes, plan.toString());
    assertEquals(4, plan.get("operators").asInt());
  }

  @Test
  void deviceMemory_saysWhatIsCutAndTheRunGivesTheSame() throws IOException {
    String[] plan = {"plan", "npi_i12", "--tensor-size", "8", "--json", "--device-memory"};
    JsonNode ample = plan(Cli.and(plan, "100%")).get("memory");
    assertEquals(0, ample.get("evictions").asLong());
    assertEquals(0, ample.get("sliced").size());
    assertEquals(ample.get("peak_device_bytes"), ample.get("device_bytes"));
    long smallest = ample.get("smallest_device_bytes").asLong();
    JsonNode least = plan(Cli.and(plan, "" + smallest)).get("memory");
    assertTrue(least.get("evictions").asLong() > 0, least.toString());
    assertTrue(least.get("sliced").get(0).get("contractions").asInt() > 0, least.toString());
    assertTrue(least.get("sliced").get(0).get("slices").asInt() > 1, least.toString());
    Cli tooLittle = Cli.run(Cli.and(plan, "" + (smallest - 1)));
    assertEquals(2, tooLittle.status());
    String explained =
        "device memory of \\S+ \\w+ is too small for these definitions at N = 8: the largest"
            + " contraction"
            + " needs %d bytes \\(--device-memory \\S+ would do\\)\n".formatted(smallest);
    assertTrue(tooLittle.err().matches("starling: " + explained), tooLittle.err());
    double[] whole = run(ample.get("peak_device_bytes").asLong());
    double[] cut = run(smallest);
    double largest = Arrays.stream(whole).map(Math::abs).max().orElseThrow();
    // Slices sum in another order: N² terms of order one, relative to the largest element.
    assertArrayEquals(whole, cut, 1e-12 * largest);
  }

  @Test
  void fastMemory_saysWhatTiersMoveAndWhetherTheyActAsOne() throws IOException {
    String[] plan = {"plan", "f0d2", "--tensor-size", "4", "--json", "--fast-memory"};
    JsonNode quarter = plan(Cli.and(plan, "25%")).get("tiers");
    long one = quarter.get("one_tier_bytes").asLong();
    assertTrue(one > 0 && quarter.get("guided_bytes").asLong() <= one, quarter.toString());
    assertTrue(quarter.get("as_one_tier").isBoolean(), quarter.toString());
    JsonNode none = plan(Cli.and(plan, "1")).get("tiers");
    assertTrue(none.get("one_tier_bytes").isNull(), none.toString());
  }

  /** One separation of npi_i12 on the bundled data with so much memory. */
  private double[] run(long bytes) {
    Path out = folder.resolve("run" + bytes);
    Cli.line(
            "run npi_i12 --data %s --separations 3 --backend cpu --device-memory %s --out " + "%s",
            Engine.data(1), "" + bytes, out)
        .ok();
    try (Hdf5File file = Hdf5File.open(out.resolve("npi_i12.h5"));
        Hdf5Dataset correlator = file.dataset("cfg_0001/correlator")) {
      return correlator.readAll();
    }
  }

  @Test
  void runWithoutData_isCountedByHand() throws IOException {
    JsonNode run =
        plan(
                "plan",
                "pion",
                "--configurations=1-10",
                "--sources=0,4",
                "--separations=0-7",
                "--shards=3",
                "--tensor-size=8",
                "--json")
            .get("run");
    assertEquals(3, run.get("tasks").asInt());
    assertEquals(20, run.get("whole_run").get("units").asInt());
    assertEquals(7, run.get("task").get("units").asInt());
    assertEquals(20 * 8 * 16, run.get("whole_run").get("result_bytes").asLong());
    assertTrue(run.get("whole_run").get("estimated_seconds").isNull());
    // Two sources and eight sinks each: 30 perambulators both ways, elementals at 12 times. One
    // configuration is divided between two tasks, which both read four elementals.
    long elemental = 16 * 8 * 8;
    assertEquals(
        (10 * (30 * 16 + 12) + 4) * elemental, run.get("whole_run").get("bytes_read").asLong());
    String text =
        Cli.run("plan", "pion", "--sources=0-3", "--separations=0-7", "--shard=2/2").out();
    assertTrue(text.contains("whole run") && text.contains("task 2/2"), text);
    Cli unknown = Cli.run("plan", "pion", "--sources=all");
    assertEquals("starling: --sources all: only --data say how many there are\n", unknown.err());
  }

  @Test
  void dryRun_saysWhatThePlanSaysAndTheRunDoes() throws IOException {
    String out = folder.resolve("out").toString();
    String[] run = {
      "run",
      "rho_pipi",
      "pion",
      "--data=" + Engine.data(1),
      "--sources=0,4",
      "--separations=0-3",
      "--backend=cpu",
      "--out=" + out,
      "--json"
    };
    JsonNode dry = plan(Cli.and(run, "--dry-run")).get("run");
    assertFalse(Files.exists(Path.of(out)));
    JsonNode planned =
        plan(
                "plan",
                "rho_pipi",
                "pion",
                "--data=" + Engine.data(1),
                "--sources=0,4",
                "--separations=0-3",
                "--json")
            .get("run");
    assertEquals(planned, dry);
    JsonNode whole = dry.get("whole_run");
    assertEquals(2, whole.get("units").asInt());
    assertEquals(2, plan(run).get("units").get("computed").asInt());
    long bytes = 0;
    for (String name : List.of("rho_pipi", "pion")) {
      try (Hdf5File file = Hdf5File.open(folder.resolve("out/" + name + ".h5"));
          Hdf5Dataset correlator = file.dataset("cfg_0001/correlator")) {
        bytes += 8L * correlator.readAll().length;
      }
    }
    assertEquals(bytes, whole.get("result_bytes").asLong());
    String[] little = Cli.and(Cli.and(run, "--device-memory=4KiB"), "--overwrite");
    Cli tooLittle = Cli.run(little);
    assertEquals(2, tooLittle.status());
    String explained = Cli.run(Cli.and(little, "--dry-run")).err();
    assertTrue(tooLittle.err().endsWith(explained), tooLittle.err() + explained);
  }

  @Test
  void dot_hasOneClusterForEachDiagramAndOneEdgeForEachQuarkLine() throws IOException {
    Path file = folder.resolve("graphs.dot");
    JsonNode plan = plan("plan", "rho_pipi", "nucleon", "--json", "--dot", file.toString());
    String text = Files.readString(file);
    assertEquals(
        plan.get("unique_diagrams").asLong(),
        text.lines().filter(line -> line.contains("subgraph cluster_")).count());
    assertTrue(text.contains("style=filled") && text.contains("[label=\"light\"]"), text);
    assertEquals(
        text.chars().filter(c -> c == '{').count(), text.chars().filter(c -> c == '}').count());
  }

  @Test
  void compare_saysWhatEachOptimizationSavesAndEachOrderNeeds() throws IOException {
    JsonNode plan = plan("plan", "a1_rhopi", "--json", "--compare");
    JsonNode comparison = plan.get("comparison");
    long products = comparison.get("with_all_optimizations").get("products").asLong();
    assertTrue(products <= 21, comparison.toString());
    assertTrue(
        comparison.get("without").get("gamma5_hermiticity").get("products").asLong() > products);
    long bound = comparison.get("products_lower_bound").asLong();
    assertTrue(bound > 0 && bound <= products, comparison.toString());
    JsonNode orders = comparison.get("orders");
    assertTrue(
        orders.get("searched").get("peak_bytes").asLong()
            <= orders.get("given").get("peak_bytes").asLong());
  }

  @Test
  void save_writesAPlan() throws IOException {
    Path saved = folder.resolve("plan.txt");
    plan("plan", "rho_pipi", "--json", "--save", saved.toString());
    assertTrue(
        Files.readString(saved).startsWith("starling-plan 8\n{\"definitions\":[\"rho_pipi\"]"));
  }

  /** The numbers that docs/planning.md gives. */
  @ParameterizedTest
  @ValueSource(strings = {"f0d2", "f0d4"})
  @Tag("slow")
  void compare_searchedOrder_needsHalfTheMemoryAndAFourthOfTheEvictions(String name)
      throws IOException {
    JsonNode orders = plan("plan", name, "--json", "--compare").get("comparison").get("orders");
    JsonNode given = orders.get("given");
    JsonNode searched = orders.get("searched");
    assertEquals(5, orders.size());
    assertTrue(
        given.get("peak_bytes").asDouble() > 2.1 * searched.get("peak_bytes").asDouble(),
        orders.toString());
    assertTrue(
        given.get("pre_protected_lru").get("evictions").asDouble()
            > 4.2 * searched.get("furthest_next_use").get("evictions").asDouble(),
        orders.toString());
  }

  @Test
  void savedPlan_givesTheSameReportWithoutPlanning() throws IOException {
    String saved = folder.resolve("plan.txt").toString();
    JsonNode made = plan("plan", "rho_pipi", "npi_i12", "--json", "--save", saved);
    JsonNode read = plan("plan", "rho_pipi", "npi_i12", "--json", "--plan", saved);
    made.fieldNames()
        .forEachRemaining(
            key -> {
              if (!key.equals("planning_seconds") && !key.equals("separately")) {
                assertEquals(made.get(key), read.get(key), key);
              }
            });
    assertTrue(
        read.get("planning_seconds").has("reading")
            && !read.get("planning_seconds").has("reduction"));
  }

  @Test
  void savedPlan_ofLabelsWithoutGamma5_isForThoseOnly() throws IOException {
    String saved = folder.resolve("plan.txt").toString();
    JsonNode with = plan("plan", "pipi_i2", "--json");
    JsonNode without =
        plan("plan", "pipi_i2", "--json", "--without-gamma5", "light", "--save", saved);
    assertTrue(without.get("products").asLong() > with.get("products").asLong());
    Cli.run("plan", "pipi_i2", "--plan", saved)
        .refused(saved + ": made with the options gamma5_hermiticity=true");
    Cli.run("plan", "pipi_i2", "--without-gamma5", "charm")
        .refusedAs(
            "no quark of these definitions has the perambulator label 'charm'; there are:"
                + " light");
    Cli.run("plan", "pipi_i2", "--mixed-components")
        .refusedAs("--mixed-components: there is no baryon in these definitions");
  }

  @Test
  void switchesOrderAndVectorSize_changeWhatIsPlanned() throws IOException {
    JsonNode all = plan("plan", "a1_rhopi", "--json");
    JsonNode some =
        plan("plan", "a1_rhopi", "--json", "--without", "gamma5_hermiticity,accumulation");
    assertTrue(some.get("products").asLong() > all.get("products").asLong());
    assertEquals(
        all.get("traces_without_accumulation").asLong() > all.get("traces").asLong(),
        some.get("traces_without_accumulation").asLong() == some.get("traces").asLong());
    JsonNode single = plan("plan", "a1_rhopi", "--json", "--vector-size", "1");
    assertTrue(single.get("vectors").asLong() > all.get("vectors").asLong());
    JsonNode given = plan("plan", "f0d2", "--json", "--order", "given");
    assertTrue(
        given.get("peak_bytes").asLong()
            > plan("plan", "f0d2", "--json").get("peak_bytes").asLong());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--order|best|--order best: expected auto, given, tree, sibling, greedy or searched",
        "--vector-size|0|--vector-size 0: expected auto or a number from 1 to 4096",
        "--vector-size|many|--vector-size many: expected auto or a number from 1 to 4096",
        "--without|all|--without all: expected some of gamma5_hermiticity, end_gammas,"
            + " accumulation, search, trace_blocks, node_rebuilding",
        "--plan|no_such_plan|--plan no_such_plan: no such file"
      })
  void wrongPlanning_isOneMessage(String option, String value, String message) {
    Cli.run("plan", "pion", option, value).refusedAs(message);
  }

  @Test
  void wrongInput_isOneMessage() {
    Cli.run("plan", "pion", "--tensor-size", "0")
        .refusedAs("--tensor-size must be between 1 and 16384, not 0");
    Cli dot = Cli.run("plan", "pion", "--dot", folder.toString());
    assertEquals(2, dot.status());
    assertTrue(
        dot.err().startsWith("starling: --dot " + folder + ": cannot be written"), dot.err());
    Cli.run("plan", "no_such_definition").refused("no definition");
  }
}
