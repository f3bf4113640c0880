package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.cli.Cli.words;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.analysis.Written;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultFixture;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Fits to correlators whose energies are known. */
final class FitCommandTest {
  private static final int T = 16;

  @TempDir private Path folder;

  /** Measurements of two states of energies 0.23 and 0.8 on a periodic lattice, with noise. */
  private String measurements(int count, double autocorrelation) throws IOException {
    Random random = new Random(3);
    StringBuilder text = new StringBuilder();
    double shared = 0;
    for (int c = 0; c < count; c++) {
      shared =
          autocorrelation * shared
              + Math.sqrt(1 - autocorrelation * autocorrelation) * random.nextGaussian();
      text.append("pion");
      for (int t = 0; t < T; t++) {
        double value =
            Math.exp(-0.23 * t)
                + Math.exp(-0.23 * (T - t))
                + 0.6 * (Math.exp(-0.8 * t) + Math.exp(-0.8 * (T - t)));
        text.append(' ').append(value * (1 + 0.02 * shared + 0.005 * random.nextGaussian()));
      }
      text.append('\n');
    }
    return Files.writeString(folder.resolve("pion.txt"), text).toString();
  }

  private static Cli analyze(String... args) {
    return Cli.run(new String[] {"analyze"}, args);
  }

  @Test
  @Tag("slow")
  void fit_findsTheEnergies_inEveryOutput() throws IOException {
    String file = measurements(60, 0);
    Path out = folder.resolve("out");
    Cli cli =
        analyze(words("%s --temporal-extent 16 --fit --fit-form cosh --json --out %s", file, out))
            .ok();
    JsonNode node = cli.json().get("correlators").get(0);
    JsonNode fit = node.get("fits").get(0);
    double energy = fit.get("energy").asDouble();
    double error = fit.get("energy_error").asDouble();
    double statistical = fit.get("statistical").asDouble();
    assertEquals(Math.hypot(statistical, fit.get("spread").asDouble()), error, 1e-9);
    assertEquals(0.23, energy, 3 * error);
    assertTrue(error < 0.005, fit.get("energy_error") + ", " + fit.get("spread"));
    double weights = 0;
    JsonNode best = null;
    for (JsonNode window : node.get("fit_windows")) {
      weights += window.get("weight").asDouble();
      if (window.get("states").asInt() == 2
          && (best == null || window.get("aic").asDouble() < best.get("aic").asDouble())) {
        best = window;
      }
    }
    assertEquals(1, weights, 1e-12);
    assertTrue(best != null && best.get("second").asDouble() > 0.6, String.valueOf(best));
    assertEquals(T, node.get("autocorrelation_time").size());
    String csv = Files.readString(out.resolve("pion.csv"));
    assertTrue(csv.contains("\nfits/energy,,,,pion,,," + energy + ","), csv);
    assertTrue(csv.contains("\nautocorrelation_time,3,,,pion,"), csv);
    assertTrue(Files.size(out.resolve("pion_fit_stability.png")) > 10_000);
    try (Hdf5File opened = Hdf5File.open(out.resolve("pion_analysis.h5"))) {
      assertEquals(energy, Written.numbers(opened, "fits/energy/mean", 1)[0]);
      Written.numbers(opened, "fits/energy/samples", 60, 1);
    }
  }

  @Test
  void autocorrelated_measurements_askForBins() throws IOException {
    analyze(measurements(300, 0.8), "--fit", "--fit-covariance", "svd", "--bin", "100")
        .ok()
        .prints("suggested bin size: ")
        .prints("one and two exponentials, SVD cut 0.01");
    analyze(measurements(300, 0.8), "--fit", "--bin", "2", "--configurations", "1-200")
        .notes("autocorrelation times suggest bins of");
  }

  /** The windows of every fit of a state or an operator, as first and last separations. */
  private static List<String> windows(JsonNode fits) {
    List<String> windows = new ArrayList<>();
    for (JsonNode window : fits) {
      windows.add(
          "%d:%d-%d"
              .formatted(
                  window.get("states").asInt(),
                  window.get("first").asInt(),
                  window.get("last").asInt()));
    }
    return windows;
  }

  @Test
  void windows_lieWhereTheyAreAllowed() throws IOException {
    String file = measurements(60, 0);
    String options = "%s --fit --t0 3 --fit-from 2 --fit-to 9 --json";
    Cli cli = analyze(words(options, file)).ok();
    JsonNode node = cli.json().get("correlators").get(0);
    List<String> ofCorrelator = windows(node.get("fit_windows"));
    List<String> ofState = windows(node.get("gevp").get("fit_windows"));
    assertTrue(ofCorrelator.contains("1:2-9"), ofCorrelator.toString());
    assertTrue(ofState.contains("1:4-9"), ofState.toString());
    assertTrue(
        ofCorrelator.stream().allMatch(w -> w.matches("[12]:[2-7]-9")), ofCorrelator.toString());
    assertTrue(ofState.stream().allMatch(w -> w.matches("[12]:[4-7]-9")), ofState.toString());
    cli = analyze(words(options + " --fit-states 1", file));
    node = cli.json().get("correlators").get(0);
    assertTrue(
        windows(node.get("fit_windows")).stream().allMatch(w -> w.startsWith("1:")), cli.out());
  }

  /** Two operators, two states and a third that has died out at t = 3. */
  @Test
  void t0_isTheFirstAfterWhichTheStatesDescribeTheMatrix() throws IOException {
    double[] energies = {0.3, 0.6, 2.5};
    double[][] overlaps = {{1, 0.5, 0.9}, {-0.4, 1, 0.8}};
    StringBuilder text = new StringBuilder();
    for (int c = 0; c < 150; c++) {
      for (int pair = 0; pair < 4; pair++) {
        text.append("m.").append("ab".charAt(pair / 2)).append("ab".charAt(pair % 2));
        Random noise = new Random(1000L * c + (pair == 2 ? 1 : pair));
        noise.nextGaussian();
        for (int t = 0; t < 12; t++) {
          double value = 0;
          for (int k = 0; k < 3; k++) {
            value += overlaps[pair / 2][k] * overlaps[pair % 2][k] * Math.exp(-energies[k] * t);
          }
          text.append(' ').append(value + 0.02 * Math.exp(-0.3 * t) * noise.nextGaussian());
        }
        text.append('\n');
      }
    }
    String file = Files.writeString(folder.resolve("m.txt"), text).toString();
    Path out = folder.resolve("scan");
    Cli cli =
        analyze(file, "--t0", "auto", "--json", "--out", out.toString(), "--formats", "svg").ok();
    JsonNode node = cli.json().get("correlators").get(0);
    int t0 = node.get("t0").asInt();
    assertTrue(t0 >= 2 && t0 <= 4, "t0 = " + t0);
    JsonNode first = node.get("gevp").get("t0_scan").get(0);
    assertEquals(1, first.get("t0").asInt());
    assertTrue(first.get("chi_squared").asDouble() > 2 * first.get("dof").asDouble(), cli.out());
    for (JsonNode energy : node.get("gevp").get("t0_energies")) {
      if (energy.get("t0").asInt() == t0) {
        double truth = energies[energy.get("state").asInt()];
        assertEquals(truth, energy.get("value").asDouble(), 4 * energy.get("error").asDouble());
      }
    }
    assertTrue(Files.size(out.resolve("m_t0_scan.svg")) > 5000);
    assertTrue(Files.size(out.resolve("m_t0_energies.svg")) > 5000);
    cli = analyze(file, "--t0", "first");
    cli.notes("--t0 must be a separation or auto, not first");
  }

  @Test
  void fewConfigurations_haveNoFit_butAReason() {
    analyze(ResultFixture.reference("pion.h5").toString(), "--fit")
        .ok()
        .prints("pi: no fit with fewer than three samples");
    String json = analyze(ResultFixture.reference("pion.h5").toString(), "--fit", "--json").out();
    assertTrue(json.contains("\"chi_squared\" : null") && !json.contains("NaN"), json);
  }

  @Test
  void wrongOptions_areRefused() throws IOException {
    String file = measurements(4, 0);
    Map.of(
            "--fit-form needs --fit or --fit-window", "--fit-form exp",
            "--svd-cut needs --fit or --fit-window", "--svd-cut 0.1",
            "--fit-from needs --fit", "--fit-from 2",
            "--fit-to must not be before --fit-from: 4 and 3", "--fit --fit-from 4 --fit-to 3",
            "--fit-states must be 1, 2 or 1,2, not [3]", "--fit --fit-states 3",
            "--svd-cut needs --fit-covariance svd", "--fit --svd-cut 0.1",
            "--svd-cut must lie between 0 and 1, not at 2.0",
                "--fit --fit-covariance svd --svd-cut 2",
            "a fit of a cosh needs the temporal extent", "--fit --fit-form cosh")
        .forEach((message, options) -> analyze(words("%s " + options, file)).refused(message));
  }

  /**
   * The data of corrfitter (github.com/gplepage/corrfitter, folder examples) have another licence
   * than this program and are not part of it: {@code -Dstarling.corrfitter=DIR} names a folder with
   * them. One exponential is fitted at t = 10 to 20, where others and the way around T = 64 are
   * below errors; corrfitter prints 0.41620(12) in etas.out for its fit of three terms.
   */
  @Test
  @EnabledIfSystemProperty(
      named = "starling.corrfitter",
      matches = ".+",
      disabledReason = "-Dstarling.corrfitter names no folder with corrfitter's examples")
  void etas_hasThePublishedEnergy() throws IOException {
    List<String> lines =
        Files.readAllLines(Path.of(System.getProperty("starling.corrfitter"), "etas.data")).stream()
            .filter(line -> line.startsWith("etas "))
            .map(
                line -> "etas " + String.join(" ", Arrays.asList(line.split(" +")).subList(11, 22)))
            .toList();
    Path part = Files.write(folder.resolve("part.data"), lines);
    Cli cli = Cli.run("analyze", part.toString(), "--fit", "--fit-form", "exp", "--json").ok();
    JsonNode fit = cli.json().findValue("fits").get(0);
    double value = fit.get("energy").asDouble();
    double error = fit.get("energy_error").asDouble();
    assertTrue(error < 5e-4, cli.out());
    assertEquals(0.41620, value, 2 * Math.hypot(error, 0.00012), cli.out());
  }
}
