package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.result.ResultAssert.numbers;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.run.CorrelatorRun;
import org.starlingqcd.correlators.run.DeviceSettings;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.RunListener;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Operators and separations that are added to a definition whose result exists. */
@Tag("slow")
final class GrowingBasisTest {
  private static final String DATA = "../examples/data";

  private static final List<String> SMALL = List.of("f0", "pipi");
  private static final List<String> LARGE = List.of("f0", "pipi1", "pipi");

  /** Of the largest number: other sums of the same few hundred products. */
  private static final double ROUNDING = 1e-12;

  @TempDir private Path folder;

  private Path definition(List<String> operators) throws IOException {
    Path file = folder.resolve("grow.yaml");
    StringBuilder text = new StringBuilder("name: grow\nisospin: [0, 0]\nirrep: A1+\noperators:\n");
    for (String name : operators) {
      text.append("  - name: ").append(name).append("\n    hadrons: ");
      text.append(
          switch (name) {
            case "f0" -> "[{meson: f0, momentum: [0, 0, 0]}]";
            case "pipi" -> "[{meson: pi, momentum: [0, 0, 0]}, {meson: pi, momentum: [0, 0, 0]}]";
            case "pipi1" -> "[{meson: pi, momentum: [0, 0, 1]}, {meson: pi, momentum: [0, 0, -1]}]";
            default -> "[{meson: f0_s, momentum: [0, 0, 0]}]";
          });
      text.append('\n');
    }
    return Files.writeString(file, text);
  }

  private JsonNode run(String out, List<String> operators, String... options) throws IOException {
    Cli result =
        Cli.run(
                Cli.words(
                    "run %s --data %s --sources 1,3 --json --out %s",
                    definition(operators), DATA, folder.resolve(out)),
                options)
            .ok();
    return result.json();
  }

  private Path file(String out) {
    return folder.resolve(out).resolve("grow.h5");
  }

  private Path earlier(String out) {
    return folder.resolve(out).resolve("grow.journal").resolve("earlier.h5");
  }

  /** Two operators at two separations among three at four, for both configurations. */
  private static void assertGrown(Path old, Path grown, Path whole) {
    int sources = 2;
    int[] places = {0, 2};
    for (String group : List.of("cfg_0001", "cfg_0002")) {
      double[] small = numbers(old, group + "/correlator");
      double[] large = numbers(grown, group + "/correlator");
      assertClose(numbers(whole, group + "/correlator"), large);
      assertClose(numbers(whole, group + "/vev"), numbers(grown, group + "/vev"));
      assertEquals(2 * sources * 4 * 9, large.length);
      for (int s = 0; s < sources; s++) {
        for (int d = 0; d < 2; d++) {
          for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
              int from = 2 * (((s * 2 + d) * 2 + i) * 2 + j);
              int to = 2 * (((s * 4 + 2 * d) * 3 + places[i]) * 3 + places[j]);
              assertEquals(small[from], large[to], 0.0, group + " " + s + d + i + j);
              assertEquals(small[from + 1], large[to + 1], 0.0);
            }
          }
        }
      }
    }
  }

  private static void assertClose(double[] expected, double[] actual) {
    double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
    assertArrayEquals(expected, actual, ROUNDING * largest);
  }

  @Test
  void addedOperatorsAndSeparations_areComputedAlone() throws IOException {
    run("old", SMALL, "--separations", "0,2");
    run("grown", SMALL, "--separations", "0,2");
    long whole = run("whole", LARGE, "--separations", "0-3").get("contractions").asLong();
    JsonNode more = run("grown", LARGE, "--separations", "0,2");
    long operators = more.get("contractions").asLong();
    assertEquals(4, more.get("units").get("computed").asInt());
    JsonNode rest = run("grown", LARGE, "--separations", "0-3");
    long separations = rest.get("contractions").asLong();
    assertTrue(operators > 0 && separations > 0, operators + " " + separations);
    assertTrue(separations < whole, separations + " < " + whole);
    assertGrown(file("old"), file("grown"), file("whole"));
    assertFalse(Files.exists(earlier("grown").getParent()));
    assertEquals(0, run("grown", LARGE, "--separations", "0-3").get("contractions").asLong());
    // Both at once.
    run("both", SMALL, "--separations", "0,2");
    long both = run("both", LARGE, "--separations", "0-3").get("contractions").asLong();
    assertTrue(both < whole, both + " < " + whole);
    assertGrown(file("old"), file("both"), file("whole"));
    Cli.run("inspect", "--verify", file("both").toString()).ok();
  }

  /** What is not asked for stays as it is, and grows when it is asked for. */
  @Test
  void otherConfigurations_growLater() throws IOException {
    run("old", SMALL, "--separations", "0,2");
    run("grown", SMALL, "--separations", "0,2");
    run("whole", LARGE, "--separations", "0-3");
    run("grown", LARGE, "--separations", "0-3", "--configurations", "2");
    assertTrue(Files.exists(earlier("grown")));
    Cli.line(
            "run %s --data %s --separations 0-3 --out %s",
            definition(List.of("f0", "pipi1", "pipi", "ss")), DATA, folder.resolve("grown"))
        .refused("some units lack them still");
    run("grown", LARGE, "--separations", "0-3");
    assertGrown(file("old"), file("grown"), file("whole"));
    assertFalse(Files.exists(earlier("grown")));
  }

  /** A run that is stopped loses nothing, and the next one continues. */
  @Test
  void stoppedHalfWay_nothingIsLost() throws IOException {
    run("old", SMALL, "--separations", "0,2");
    run("grown", SMALL, "--separations", "0,2");
    run("whole", LARGE, "--separations", "0-3");
    for (int after = 0; after < 2; after++) {
      stopped(LARGE, after);
      assertEquals(after == 1, Files.exists(earlier("grown")));
    }
    JsonNode rest = run("grown", LARGE, "--separations", "0-3");
    assertEquals(1, rest.get("units").get("finished_before").asInt());
    assertGrown(file("old"), file("grown"), file("whole"));
  }

  /** What a process leaves that is killed after it put the earlier result aside. */
  @Test
  void killedBeforeTheFirstUnit_theResultIsWhatItWas() throws IOException {
    run("old", SMALL, "--separations", "0,2");
    run("grown", SMALL, "--separations", "0,2");
    run("empty", LARGE, "--separations", "0-3", "--configurations", "1");
    Files.createDirectories(earlier("grown").getParent());
    Files.move(file("grown"), earlier("grown"));
    for (boolean begun : new boolean[] {false, true}) {
      if (begun) {
        Files.move(file("grown"), earlier("grown"));
        Files.copy(file("empty"), file("grown"));
        try (Hdf5File open = Hdf5File.openForUpdate(file("grown"))) {
          open.delete("cfg_0001");
        }
      }
      JsonNode again = run("grown", SMALL, "--separations", "0,2");
      assertEquals(0, again.get("contractions").asLong());
      assertArrayEquals(
          numbers(file("old"), "cfg_0002/correlator"),
          numbers(file("grown"), "cfg_0002/correlator"));
      Files.createDirectories(earlier("grown").getParent());
    }
  }

  /** Parts of a result grow each for itself, and join when all of them have. */
  @Test
  void shards_growAndMerge() throws IOException {
    run("old", SMALL, "--separations", "0,2");
    run("whole", LARGE, "--separations", "0-3");
    for (String shard : List.of("1/2", "2/2")) {
      run("parts", SMALL, "--separations", "0,2", "--shard", shard);
    }
    run("parts", LARGE, "--separations", "0-3", "--shard", "1/2");
    String merged = folder.resolve("grown").toString();
    Cli.run("merge", folder.resolve("parts").toString(), "--out", merged)
        .refused("grow.shard-2-of-2.h5");
    assertFalse(Files.exists(file("grown")));
    run("parts", LARGE, "--separations", "0-3", "--shard", "2/2");
    Cli.run("merge", folder.resolve("parts").toString(), "--out", merged).ok();
    assertGrown(file("old"), file("grown"), file("whole"));
  }

  /** A part that was stopped lacks units, which merging says; the next run completes it. */
  @Test
  void halfGrownPart_isMergedWhenItIsWhole() throws IOException {
    run("old", SMALL, "--separations", "0,2");
    run("whole", LARGE, "--separations", "0-3");
    run("parts", SMALL, "--separations", "0,2", "--shard", "1/1");
    run("parts", LARGE, "--separations", "0-3", "--shard", "1/1", "--configurations", "2");
    String merged = folder.resolve("grown").toString();
    Cli.run("merge", folder.resolve("parts").toString(), "--out", merged)
        .failed("2 units are missing");
    assertFalse(Files.exists(file("grown")));
    run("parts", LARGE, "--separations", "0-3", "--shard", "1/1");
    assertEquals(0, Cli.run("merge", folder.resolve("parts").toString(), "--out", merged).status());
    assertGrown(file("old"), file("grown"), file("whole"));
  }

  /** A process is killed while it adds operators; then two processes share what is left. */
  @Test
  void killedProcess_andTwoAtOnce_giveTheWhole() throws Exception {
    run("old", SMALL, "--separations", "0,2");
    run("grown", SMALL, "--separations", "0,2");
    run("whole", LARGE, "--separations", "0-3");
    Path launcher = TestInstallation.make(folder.resolve("program")).launcher();
    Process killed = process(launcher, LARGE, "killed");
    while (killed.isAlive() && !Files.exists(earlier("grown"))) {
      Thread.sleep(1);
    }
    killed.destroyForcibly().waitFor();
    Process first = process(launcher, LARGE, "first");
    Process second = process(launcher, LARGE, "second");
    for (String name : List.of("first", "second")) {
      Cli ended =
          TestInstallation.finish(name.equals("first") ? first : second, folder.resolve(name));
      ended.ok();
    }
    assertGrown(file("old"), file("grown"), file("whole"));
    assertFalse(Files.exists(earlier("grown")));
  }

  private Process process(Path launcher, List<String> operators, String name) throws IOException {
    return TestInstallation.process(
            Files.createDirectories(folder.resolve(name)),
            launcher.toString(),
            Cli.words(
                "run %s --data %s --sources 1,3 --separations 0-3 --threads 1 --out %s",
                definition(operators), Path.of(DATA).toAbsolutePath(), folder.resolve("grown")))
        .start();
  }

  private void stopped(List<String> operators, int afterUnits) throws IOException {
    CorrelatorRun[] run = new CorrelatorRun[1];
    RunSettings settings =
        RunSettings.of(
            List.of(definition(operators).toString()), List.of(DATA), folder.resolve("grown"));
    settings.sources = NumberSelection.parse("1,3");
    settings.separations = NumberSelection.parse("0-3");
    settings.device = DeviceSettings.of("cpu", 0);
    run[0] =
        new CorrelatorRun(
            settings,
            new RunListener() {
              private int started;

              @Override
              public void unitStarted(int configuration, int source) {
                if (started++ == afterUnits) {
                  run[0].cancel();
                }
              }
            });
    assertThrows(CancellationException.class, run[0]::execute);
  }

  @Test
  void removedOrChangedOperators_areRefused() throws IOException {
    run("grown", SMALL, "--separations", "0,2");
    byte[] before = Files.readAllBytes(file("grown"));
    for (List<String> other :
        List.of(List.of("f0", "pipi1"), List.of("pipi"), List.of("pipi", "f0", "ss"))) {
      Cli.line(
              "run %s --data %s --separations 0,2 --out %s",
              definition(other), DATA, folder.resolve("grown"))
          .refused("holds results of another definition of the name 'grow'");
    }
    assertArrayEquals(before, Files.readAllBytes(file("grown")));
  }
}
