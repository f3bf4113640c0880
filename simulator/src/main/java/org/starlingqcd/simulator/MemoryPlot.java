package org.starlingqcd.simulator;

import java.awt.AWTError;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.WritePolicy;
import org.starlingqcd.memhc.replay.Replay;

/** Plots of a memory trace; the extension of the file chooses PNG or SVG. */
public final class MemoryPlot {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 600;
  private static final double MEBIBYTE = 1 << 20;

  /** Points of a line over time, each the largest value of an interval. */
  private static final int POINTS = 1500;

  /** Capacities from the smallest budget to the peak. */
  private static final int CAPACITIES = 16;

  private MemoryPlot() {}

  /**
   * The format of a plot from the extension of its file.
   *
   * @throws InputException when it is neither .png nor .svg
   */
  public static String format(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".png") || name.endsWith(".svg")) {
      return name.substring(name.length() - 3);
    }
    throw new InputException(file + ": the name of a plot must end in .png or .svg");
  }

  /** Plots the bytes of elements on the device after every contraction, a line for each budget. */
  public static void residency(
      AccessTrace trace, List<Long> budgets, MemHCOptions options, Path file) throws IOException {
    XYChart chart =
        chart("Residency, " + options.policy(), "contraction", "elements on the device (MiB)");
    long steps = trace.queues().stream().mapToLong(queue -> queue.steps()).sum();
    long stretch = Math.max(1, (steps + POINTS - 1) / POINTS);
    Map<String, Long> named = new LinkedHashMap<>();
    budgets.forEach(budget -> named.putIfAbsent(MemorySize.text(budget), budget));
    for (Map.Entry<String, Long> line : named.entrySet()) {
      double[] most = new double[(int) ((steps + stretch - 1) / stretch)];
      Replay.run(
          trace,
          options.withBudget(line.getValue()),
          (step, residentBytes) -> {
            int at = (int) (step / stretch);
            most[at] = Math.max(most[at], residentBytes / MEBIBYTE);
          });
      double[] at = new double[most.length];
      for (int k = 0; k < at.length; k++) {
        at[k] = (double) k * stretch;
      }
      chart.addSeries(line.getKey(), at, most).setMarker(SeriesMarkers.NONE);
    }
    write(chart, file);
  }

  /** Plots misses against capacity, a line for each policy. */
  public static void misses(
      AccessTrace trace, List<String> policies, MemHCOptions options, Path file)
      throws IOException {
    ReplayComparison.Choices choices =
        new ReplayComparison.Choices(
            List.of(Organization.FULL), List.of(), policies, List.of(WritePolicy.BACK));
    XYChart chart = chart("Misses against capacity", "device memory (MiB)", "misses");
    byCapacity(chart, trace, choices, options, one -> (double) Replay.run(trace, one).misses());
    write(chart, file);
  }

  /**
   * Plots the byte hit ratio against capacity, a line for each policy; with several organizations
   * or write policies a line for each combination. The capacities are the given numbers of lines,
   * or amounts of device memory from the smallest budget to the peak.
   */
  public static void byteHits(
      AccessTrace trace, ReplayComparison.Choices choices, MemHCOptions options, Path file)
      throws IOException {
    XYChart chart =
        chart(
            "Byte hit ratio against capacity",
            choices.lines().isEmpty() ? "device memory (MiB)" : "lines",
            "byte hit ratio");
    byCapacity(
        chart,
        trace,
        choices,
        options,
        one -> Replay.run(trace, one.withPrefetch(0)).cache().byteHitRatio());
    chart.getStyler().setYAxisMin(null);
    write(chart, file);
  }

  /** Adds a line for each combination of choices. */
  private static void byCapacity(
      XYChart chart,
      AccessTrace trace,
      ReplayComparison.Choices choices,
      MemHCOptions options,
      ToDoubleFunction<MemHCOptions> value) {
    boolean byLines = !choices.lines().isEmpty();
    long smallest = Replay.smallestBudget(trace);
    long peak = Math.max(smallest, Replay.peakBytes(trace));
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    for (int k = 0; k < (byLines ? 1 : CAPACITIES); k++) {
      long budget =
          byLines
              ? ReplayComparison.UNBOUNDED
              : smallest + (peak - smallest) / (CAPACITIES - 1) * k;
      for (MemHCOptions one : choices.all(options.withBudget(budget), trace.largestBytes())) {
        String name = one.policy();
        if (choices.organizations().size() > 1) {
          name += ", " + one.organization().label();
        }
        if (choices.writes().size() > 1) {
          name += ", " + one.writePolicy().label();
        }
        lines
            .computeIfAbsent(name, added -> new ArrayList<>())
            .add(
                new double[] {byLines ? one.lines() : budget / MEBIBYTE, value.applyAsDouble(one)});
      }
    }
    lines.forEach(
        (name, points) ->
            chart.addSeries(
                name,
                points.stream().mapToDouble(point -> point[0]).toArray(),
                points.stream().mapToDouble(point -> point[1]).toArray()));
  }

  private static XYChart chart(String title, String x, String y) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .theme(Styler.ChartTheme.Matlab)
            .build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    chart.getStyler().setYAxisMin(0.0);
    return chart;
  }

  private static void write(XYChart chart, Path file) throws IOException {
    String format = format(file);
    try (OutputStream stream = Files.newOutputStream(file)) {
      ChartEncoder.saveChart(chart, stream, format);
    } catch (RuntimeException | LinkageError | AWTError | InternalError e) {
      Files.deleteIfExists(file);
      throw new ComputationException(
          file + ": cannot be drawn, does this machine lack fonts (fontconfig, libfreetype)? " + e,
          e);
    }
  }
}
