package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultFixture;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;

/** A result of stochastic lines that kept its windows, against their spread written out. */
final class AnalyzeNoiseTest {
  private static final int WINDOWS = 4;
  private static final int CONFIGURATIONS = 6;
  private static final int[] SOURCES = {0, 3};
  private static final int[] SEPARATIONS = {0, 1, 2};

  @TempDir private Path folder;

  /** [configuration][window][source][dt][i][j], real. */
  private final double[][] numbers = new double[CONFIGURATIONS][];

  private static int at(int window, int source, int dt, int i, int j) {
    return (((window * SOURCES.length + source) * SEPARATIONS.length + dt) * 2 + i) * 2 + j;
  }

  private double mean(int c, int source, int dt, int i, int j) {
    return IntStream.range(0, WINDOWS)
        .mapToDouble(k -> numbers[c][at(k, source, dt, i, j)])
        .average()
        .orElseThrow();
  }

  private Path result(boolean onePoint) {
    SplittableRandom random = new SplittableRandom(5);
    Path path = folder.resolve("noisy.h5");
    ResultFixture fixture =
        ResultFixture.create(path, "noisy", "e", List.of("a", "b"), SEPARATIONS);
    fixture.file().attributes("/").put("noise_assignments", 12);
    fixture.file().attributes("/").put("noise_subsets", WINDOWS);
    for (int c = 0; c < CONFIGURATIONS; c++) {
      int configuration = c;
      int size = at(WINDOWS, 0, 0, 0, 0);
      double common = random.nextDouble();
      numbers[c] = random.doubles(size, 1, 2).map(x -> x + common).toArray();
      fixture.configuration(
          1 + c,
          SOURCES,
          (source, dt, i, j) -> new Complex(mean(configuration, source / 3, dt, i, j), 0));
      if (onePoint) {
        fixture.onePoint(1 + c, 0.1, 0, 1, 2, 3, 4, 5);
        write(fixture, c, "vev_by_subset", new double[2 * WINDOWS * 6 * 2], WINDOWS, 6, 2);
        fixture
            .file()
            .attributes("cfg_000%d/vev_by_subset".formatted(1 + c))
            .put("times", new int[] {0, 1, 2, 3, 4, 5});
      }
      double[] values = new double[2 * size];
      Arrays.setAll(values, k -> k % 2 == 0 ? numbers[configuration][k / 2] : 0);
      write(fixture, c, "by_subset", values, WINDOWS, SOURCES.length, SEPARATIONS.length, 2, 2);
    }
    fixture.close();
    return path;
  }

  private static void write(
      ResultFixture fixture, int c, String name, double[] values, long... extents) {
    String object = "cfg_000%d/%s".formatted(1 + c, name);
    try (Hdf5Dataset dataset =
        fixture
            .file()
            .createDataset(object, ElementType.COMPLEX, extents, DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(values);
    }
  }

  /** The square of the error of the mean over configurations, each a mean over windows. */
  private double noise(int dt, int i) {
    double square = 0;
    for (int c = 0; c < CONFIGURATIONS; c++) {
      double mean = (mean(c, 0, dt, i, i) + mean(c, 1, dt, i, i)) / 2;
      for (int k = 0; k < WINDOWS; k++) {
        double window = (numbers[c][at(k, 0, dt, i, i)] + numbers[c][at(k, 1, dt, i, i)]) / 2;
        square += (window - mean) * (window - mean) / (WINDOWS * (WINDOWS - 1));
      }
    }
    return Math.sqrt(square) / CONFIGURATIONS;
  }

  @Test
  void errorFromNoise_isTheSpreadOfWindows_inEveryOutput() throws Exception {
    Path result = result(false);
    Path page = folder.resolve("page.html");
    // Operator b alone, which is the second of the file.
    String[] arguments = {"analyze", result.toString(), "--operators", "b", "--report", page + ""};
    Cli text = Cli.run(arguments).ok();
    JsonNode found = Cli.run(arguments, "--json").ok().json().at("/correlators/0");
    for (int dt = 0; dt < SEPARATIONS.length; dt++) {
      double expected = noise(dt, 1);
      double share = expected / found.at("/correlator/" + dt + "/re_error").asDouble();
      assertEquals(expected, found.at("/noise/error/" + dt + "/value").asDouble(), 1e-14);
      assertEquals(share, found.at("/noise/share/" + dt + "/value").asDouble(), 1e-12);
      assertTrue(share > 0.05 && share < 1, "share " + share);
      String shown = "%4d  %.3g\n".formatted(dt, share);
      assertTrue(text.out().contains(shown), shown + " in " + text.out());
    }
    String lowerBound = "a lower bound, since windows share noises";
    text.prints(lowerBound);
    assertTrue(Files.readString(page).contains(lowerBound));
  }

  @Test
  void onePointFunctionsOfWindows_doNotMatter() throws Exception {
    JsonNode found =
        Cli.run("analyze", result(true).toString(), "--json").ok().json().at("/correlators/0");
    assertEquals(noise(1, 0), found.at("/noise/error/2/value").asDouble(), 1e-14);
    double mean = 0;
    for (int c = 0; c < CONFIGURATIONS; c++) {
      mean += (mean(c, 0, 0, 0, 1) + mean(c, 1, 0, 0, 1)) / 2 / CONFIGURATIONS;
    }
    assertEquals(mean - 0.1 * 0.1, found.at("/correlator/1/re").asDouble(), 1e-14);
  }

  @Test
  void withoutWindows_nothingIsSaid() {
    Path plain = folder.resolve("plain.h5");
    ResultFixture fixture = ResultFixture.create(plain, "plain", "e", List.of("a"), 0, 1);
    fixture.configuration(1, 1, 0).configuration(2, 1.1, 0).close();
    assertTrue(!Cli.run("analyze", plain.toString()).ok().out().contains("noise"));
  }
}
