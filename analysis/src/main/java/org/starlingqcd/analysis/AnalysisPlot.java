package org.starlingqcd.analysis;

import java.awt.AWTError;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.starlingqcd.correlators.ComputationException;

/** A plot of points with error bars against the separation. */
final class AnalysisPlot {
  /*
   * Points of several series at one separation are shifted slightly. A log axis cannot show values that are not
   * positive, or the part of an error bar below the axis; these are omitted.
   */

  private static final int WIDTH = 900;
  private static final int HEIGHT = 600;

  /** Largest shift between neighbouring series, and between the outermost, in separations. */
  private static final double STEP = 0.1;

  private static final double LARGEST_SPREAD = 0.6;

  /**
   * The colours of Okabe and Ito that are dark enough for points, which readers with any kind of
   * colour vision can tell apart (https://jfly.uni-koeln.de/color/).
   */
  private static final List<Color> COLORS =
      List.of(
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x56B4E9),
          new Color(0x000000));

  private static final int MARKER_SIZE = 9;

  /** Room between the outermost points and the frame, as a fraction of their range. */
  private static final double MARGIN = 0.06;

  /** An error bar longer than so many ranges of the values does not widen the axis. */
  private static final double LONGEST_BAR = 1;

  /** Pixels between the title and the frame. */
  private static final int TITLE_PADDING = 14;

  private static final int LARGEST_NUMBER_OF_TICKS = 20;

  private final String title;
  private final String yTitle;
  private final String xTitle;
  private final boolean logarithmic;
  private final List<Series> series = new ArrayList<>();

  AnalysisPlot(String title, String yTitle, boolean logarithmic) {
    this(title, yTitle, "separation dt (lattice units)", logarithmic);
  }

  AnalysisPlot(String title, String yTitle, String xTitle, boolean logarithmic) {
    this.title = title;
    this.yTitle = yTitle;
    this.xTitle = xTitle;
    this.logarithmic = logarithmic;
  }

  /** Points of one label, and a value that a line across the plot shows, or null. */
  private record Series(
      String label, List<Integer> separations, List<Estimate> points, @Nullable Estimate line) {}

  /** Adds a series of the points that can be shown. */
  void add(String label, List<Integer> separations, List<Estimate> points) {
    add(label, separations, points, null);
  }

  /** Adds a series with a line at a value, and thin lines at the ends of its error. */
  void add(
      String label, List<Integer> separations, List<Estimate> points, @Nullable Estimate line) {
    List<Integer> shownAt = new ArrayList<>();
    List<Estimate> shown = new ArrayList<>();
    for (int k = 0; k < points.size(); k++) {
      double value = points.get(k).value();
      if (logarithmic ? value > 0 && value < Double.POSITIVE_INFINITY : Double.isFinite(value)) {
        shownAt.add(separations.get(k));
        shown.add(points.get(k));
      }
    }
    if (!shown.isEmpty()) {
      series.add(new Series(label, shownAt, shown, line));
    }
  }

  /** Whether there is no point to show. */
  boolean isEmpty() {
    return series.isEmpty();
  }

  /**
   * Writes the plot.
   *
   * @param format {@code png} or {@code svg}
   * @throws ComputationException when Java cannot draw here, as on a machine without fonts
   */
  void write(Path file, String format) throws IOException {
    // Encoders do not report every failure to write to a file.
    Files.write(file, encoded(file, format));
  }

  /**
   * The bytes of {@link #write}.
   *
   * @param place what the plot is for, for messages
   */
  byte[] encoded(Object place, String format) {
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    try {
      ChartEncoder.saveChart(chart(), encoded, format);
    } catch (IOException | RuntimeException | LinkageError | AWTError | InternalError e) {
      throw new ComputationException(
          place
              + ": cannot be drawn, does this machine lack fonts (fontconfig, libfreetype)? "
              + e
              + "; --formats csv,hdf5 leaves plots out",
          e);
    }
    return encoded.toByteArray();
  }

  /** The chart that {@link #write} draws. */
  XYChart chart() {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .theme(Styler.ChartTheme.Matlab)
            .build();
    XYStyler style = chart.getStyler();
    style.setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
    style.setErrorBarsColorSeriesColor(true);
    style.setLegendPosition(Styler.LegendPosition.OutsideE);
    style.setPlotGridLinesStroke(new BasicStroke(0.5f));
    style.setPlotGridLinesColor(new Color(225, 225, 225));
    style.setPlotGridVerticalLinesVisible(false);
    style.setYAxisLogarithmic(logarithmic);
    style.setChartTitleBoxVisible(false);
    style.setChartTitlePadding(TITLE_PADDING);
    style.setMarkerSize(MARKER_SIZE);
    separationAxis(style);
    double floor = logarithmic ? floor() : Double.NEGATIVE_INFINITY;
    if (logarithmic) {
      style.setYAxisMin(floor);
      style.setYAxisMax(ceiling());
    } else {
      valueAxis(style);
    }
    for (int k = 0; k < series.size(); k++) {
      double middle = 0.5 * (series.size() - 1);
      double shift = Math.min(STEP, LARGEST_SPREAD / series.size()) * (k - middle);
      add(chart, series.get(k), k, x -> x + shift, floor);
      Estimate line = series.get(k).line;
      if (line != null && line.isDefined()) {
        addLine(chart, k + " line", line.value(), 1.5f, COLORS.get(k % COLORS.size()));
        if (line.hasError()) {
          addLine(
              chart, k + " low", line.value() - line.error(), 0.5f, COLORS.get(k % COLORS.size()));
          addLine(
              chart, k + " high", line.value() + line.error(), 0.5f, COLORS.get(k % COLORS.size()));
        }
      }
    }
    return chart;
  }

  private static void addLine(XYChart chart, String name, double value, float width, Color color) {
    XYStyler style = chart.getStyler();
    XYSeries line =
        chart.addSeries(
            name,
            new double[] {style.getXAxisMin(), style.getXAxisMax()},
            new double[] {value, value});
    line.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Line);
    line.setShowInLegend(false);
    line.setMarker(SeriesMarkers.NONE);
    line.setLineColor(color);
    line.setLineWidth(width);
    line.setLineStyle(SeriesLines.SOLID);
  }

  /** The range of the values, with error bars that are not much longer than it. */
  private void valueAxis(XYStyler style) {
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    for (Series s : series) {
      for (Estimate point : s.points) {
        least = Math.min(least, point.value());
        most = Math.max(most, point.value());
      }
    }
    double range = most > least ? most - least : Math.max(Math.abs(most), 1e-3);
    double low = least;
    double high = most;
    for (Series s : series) {
      for (Estimate point : s.points) {
        if (point.hasError() && point.error() <= LONGEST_BAR * range) {
          low = Math.min(low, point.value() - point.error());
          high = Math.max(high, point.value() + point.error());
        }
      }
    }
    double margin = MARGIN * (high > low ? high - low : range);
    style.setYAxisMin(low - margin);
    style.setYAxisMax(high + margin);
  }

  private void separationAxis(XYStyler style) {
    int first =
        series.stream().flatMap(s -> s.separations.stream()).min(Integer::compare).orElse(0);
    int last = series.stream().flatMap(s -> s.separations.stream()).max(Integer::compare).orElse(1);
    style.setXAxisMin(first - 0.6);
    style.setXAxisMax(last + 0.6);
    int ticks = Math.min(LARGEST_NUMBER_OF_TICKS, last - first + 2);
    style.setXAxisTickMarkSpacingHint((int) (0.75 * WIDTH / ticks));
    // XChart draws no labels when those of both ends of the axis are equal, so these differ.
    style.setXAxisTickLabelsFormattingFunction(
        x -> x < first ? " " : x == Math.rint(x) ? Long.toString(Math.round(x)) : "  ");
  }

  /**
   * The power of ten at or below the lowest point and, if positive, the lower end of its error bar.
   */
  private double floor() {
    double lowest = Double.POSITIVE_INFINITY;
    for (Series s : series) {
      for (Estimate point : s.points) {
        double end = point.hasError() ? point.value() - point.error() : point.value();
        lowest = Math.min(lowest, end > 0.1 * point.value() ? end : 0.1 * point.value());
      }
    }
    return Math.max(Double.MIN_NORMAL, Math.pow(10, Math.floor(Math.log10(lowest))));
  }

  /** The power of ten at or above the highest point and the upper end of its error bar. */
  private double ceiling() {
    double highest = 0;
    for (Series s : series) {
      for (Estimate point : s.points) {
        highest = Math.max(highest, point.value() + (point.hasError() ? point.error() : 0));
      }
    }
    return Math.pow(10, Math.ceil(Math.log10(highest)));
  }

  /** Adds the points of a series: filled with an error, hollow where the error is undefined. */
  private static void add(
      XYChart chart, Series points, int number, DoubleUnaryOperator index, double floor) {
    Color color = COLORS.get(number % COLORS.size());
    for (boolean hollow : new boolean[] {false, true}) {
      List<Integer> separations = new ArrayList<>();
      List<Estimate> chosen = new ArrayList<>();
      for (int k = 0; k < points.points.size(); k++) {
        if (points.points.get(k).hasError() != hollow) {
          separations.add(points.separations.get(k));
          chosen.add(points.points.get(k));
        }
      }
      if (!chosen.isEmpty()) {
        boolean first = chosen.size() == points.points.size() || !hollow;
        XYSeries shown =
            add(
                chart,
                new Series(points.label, separations, chosen, null),
                number + (hollow ? " hollow" : ""),
                index,
                floor,
                color);
        shown.setMarker(new PlotMarker(number, hollow));
        shown.setShowInLegend(first);
      }
    }
  }

  private static XYSeries add(
      XYChart chart,
      Series points,
      String name,
      DoubleUnaryOperator index,
      double floor,
      Color color) {
    int size = points.points.size();
    double[] x = new double[size];
    double[] y = new double[size];
    double[] bar = new double[size];
    for (int k = 0; k < size; k++) {
      Estimate point = points.points.get(k);
      x[k] = index.applyAsDouble(points.separations.get(k));
      y[k] = point.value();
      boolean whole = point.hasError() && point.value() - point.error() >= floor;
      bar[k] = whole ? point.error() : Double.NaN;
      if (point.hasError() && !whole) {
        // The error bar ends at the axis.
        XYSeries line =
            chart.addSeries(
                name + " error " + k,
                new double[] {x[k], x[k]},
                new double[] {floor, point.value() + point.error()});
        line.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Line);
        line.setShowInLegend(false);
        line.setMarker(SeriesMarkers.NONE);
        line.setLineColor(color);
        line.setLineWidth(1);
        line.setLineStyle(SeriesLines.SOLID);
      }
    }
    // Labels need not be unique, names must be. XChart takes no error bars for an array of NaN.
    boolean bars = Arrays.stream(bar).anyMatch(b -> !Double.isNaN(b));
    XYSeries shown = bars ? chart.addSeries(name, x, y, bar) : chart.addSeries(name, x, y);
    shown.setLabel(points.label);
    shown.setMarkerColor(color);
    shown.setLineColor(color);
    return shown;
  }
}
