package org.starlingqcd.analysis;

import java.awt.AWTError;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.hadron.text.Printable;

/**
 * A plot of points with error bars against the separation.
 *
 * @param lines dashed lines across the plot, by label
 */
public record AnalysisPlot(
    String title,
    String yTitle,
    String xTitle,
    boolean logarithmic,
    List<Series> series,
    Map<String, Double> lines) {
  /*
   * Points of several series at one separation are shifted slightly. A log axis cannot show values that are not
   * positive, or the part of an error bar below the axis; these are omitted.
   */

  /** What is along the horizontal axis. */
  static final String SEPARATION = "separation dt (lattice units)";

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

  /** Points with a larger error, relative to their value, do not widen the axis. */
  private static final double LARGEST_ERROR = 0.5;

  /** Pixels between the title and the frame. */
  private static final int TITLE_PADDING = 14;

  private static final int LARGEST_NUMBER_OF_TICKS = 20;

  AnalysisPlot(String title, String yTitle, boolean logarithmic) {
    this(title, yTitle, SEPARATION, logarithmic);
  }

  AnalysisPlot(String title, String yTitle, String xTitle, boolean logarithmic) {
    this(title, yTitle, xTitle, logarithmic, new ArrayList<>(), new LinkedHashMap<>());
  }

  /** An empty plot with the same axes. */
  AnalysisPlot titled(String other) {
    return new AnalysisPlot(other, yTitle, xTitle, logarithmic);
  }

  /** Ends of the vertical axis. */
  public record Range(double low, double high) {}

  /** Points of one label, and a value that a line across the plot shows, or null. */
  record Series(Curve curve, @Nullable Estimate line) {}

  /** Adds a series of the points that can be shown. */
  void add(Curve curve) {
    add(curve, null);
  }

  /** Adds several. */
  void addAll(List<Curve> curves) {
    curves.forEach(this::add);
  }

  /** Adds a series with a line at a value, and thin lines at the ends of its error. */
  void add(Curve curve, @Nullable Estimate line) {
    Curve shown =
        curve.part(point -> Double.isFinite(point.value()) && (point.value() > 0 || !logarithmic));
    if (!shown.points().isEmpty()) {
      series.add(new Series(shown, line));
    }
  }

  /** Whether there is no point to show. */
  boolean isEmpty() {
    return series.isEmpty();
  }

  /**
   * The bytes of a file.
   *
   * @param place what the plot is for, for messages
   * @param format {@code png} or {@code svg}
   * @param range of a vertical axis that is not logarithmic; null: that of the points
   * @throws ComputationException when Java cannot draw here, as on a machine without fonts
   */
  byte[] encoded(Object place, String format, @Nullable Range range) {
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    try {
      XYChart chart = chart();
      if (range != null && !logarithmic) {
        chart.getStyler().setYAxisMin(range.low).setYAxisMax(range.high);
      }
      ChartEncoder.saveChart(chart, encoded, format);
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

  private Stream<Estimate> points() {
    return series.stream().flatMap(s -> s.curve.points().stream());
  }

  /** The chart that {@link #encoded} draws. */
  XYChart chart() {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(Printable.of(title))
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
    if (logarithmic) {
      logarithmicAxis(style);
    } else {
      valueAxis(style);
    }
    double floor = logarithmic ? style.getYAxisMin() : Double.NEGATIVE_INFINITY;
    double[] across = {style.getXAxisMin(), style.getXAxisMax()};
    lines.forEach(
        (label, value) ->
            addLine(chart, label, across, 1, Color.GRAY, value, value)
                .setLineStyle(SeriesLines.DASH_DASH)
                .setShowInLegend(true));
    for (int k = 0; k < series.size(); k++) {
      double middle = 0.5 * (series.size() - 1);
      double shift = Math.min(STEP, LARGEST_SPREAD / series.size()) * (k - middle);
      Color color = COLORS.get(k % COLORS.size());
      add(chart, series.get(k).curve, k, shift, floor);
      Estimate at = series.get(k).line;
      if (at != null && at.isDefined()) {
        addLine(chart, k + " line", across, 1.5f, color, at.value(), at.value());
        if (at.hasError()) {
          addLine(chart, k + " low", across, 0.5f, color, at.low(), at.low());
          addLine(chart, k + " high", across, 0.5f, color, at.high(), at.high());
        }
      }
    }
    return chart;
  }

  private static XYSeries addLine(
      XYChart chart, String name, double[] x, float width, Color color, double... y) {
    XYSeries line = chart.addSeries(name, x, y);
    line.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Line);
    line.setShowInLegend(false);
    line.setMarker(SeriesMarkers.NONE);
    line.setLineColor(color);
    line.setLineWidth(width);
    line.setLineStyle(SeriesLines.SOLID);
    return line;
  }

  /**
   * The range of the values whose error is below half of them, or of all where there are none, with
   * error bars that are not much longer than it.
   */
  private void valueAxis(XYStyler style) {
    List<Estimate> known =
        points().filter(p -> p.error() <= LARGEST_ERROR * Math.abs(p.value())).toList();
    List<Estimate> chosen = known.isEmpty() ? points().toList() : known;
    DoubleSummaryStatistics values =
        chosen.stream().mapToDouble(Estimate::value).summaryStatistics();
    DoubleSummaryStatistics shown =
        lines.values().stream().mapToDouble(Double::doubleValue).summaryStatistics();
    double least = Math.min(values.getMin(), shown.getMin());
    double most = Math.max(values.getMax(), shown.getMax());
    double range = most > least ? most - least : Math.max(Math.abs(most), 1e-3);
    DoubleSummaryStatistics bars =
        chosen.stream()
            .filter(point -> point.error() <= LONGEST_BAR * range)
            .flatMapToDouble(point -> DoubleStream.of(point.low(), point.high()))
            .summaryStatistics();
    double low = Math.min(least, bars.getMin());
    double high = Math.max(most, bars.getMax());
    double margin = MARGIN * (high > low ? high - low : range);
    style.setYAxisMin(low - margin);
    style.setYAxisMax(high + margin);
  }

  private void separationAxis(XYStyler style) {
    IntSummaryStatistics separations =
        series.stream()
            .flatMap(s -> s.curve.separations().stream())
            .mapToInt(Integer::intValue)
            .summaryStatistics();
    int first = separations.getMin();
    int last = separations.getMax();
    style.setXAxisMin(first - 0.6);
    style.setXAxisMax(last + 0.6);
    int ticks = Math.min(LARGEST_NUMBER_OF_TICKS, last - first + 2);
    style.setXAxisTickMarkSpacingHint((int) (0.75 * WIDTH / ticks));
    // XChart draws no labels when those of both ends of the axis are equal, so these differ.
    style.setXAxisTickLabelsFormattingFunction(
        x -> x < first ? " " : x == Math.rint(x) ? Long.toString(Math.round(x)) : "  ");
  }

  /** From power of ten to power of ten, with error bars as far as they are positive. */
  private void logarithmicAxis(XYStyler style) {
    double least = points().mapToDouble(p -> Math.max(p.low(), 0.1 * p.value())).min().orElse(1);
    double most = points().mapToDouble(Estimate::high).max().orElse(1);
    double floor = Math.pow(10, Math.floor(Math.log10(least)));
    style.setYAxisMin(Math.max(Double.MIN_NORMAL, floor));
    style.setYAxisMax(Math.pow(10, Math.ceil(Math.log10(most))));
  }

  /** Adds the points of a series: filled with an error, hollow where the error is undefined. */
  private static void add(XYChart chart, Curve points, int number, double shift, double floor) {
    for (boolean hollow : new boolean[] {false, true}) {
      Curve chosen = points.part(point -> point.hasError() != hollow);
      int size = chosen.points().size();
      if (size == 0) {
        continue;
      }
      String name = number + (hollow ? " hollow" : "");
      Color color = COLORS.get(number % COLORS.size());
      double[] x = new double[size];
      double[] y = new double[size];
      double[] bar = new double[size];
      for (int k = 0; k < size; k++) {
        Estimate point = chosen.points().get(k);
        x[k] = chosen.separations().get(k) + shift;
        y[k] = point.value();
        boolean whole = point.hasError() && point.low() >= floor;
        bar[k] = whole ? point.error() : Double.NaN;
        if (point.hasError() && !whole) {
          // The error bar ends at the axis.
          double[] both = {x[k], x[k]};
          addLine(chart, name + " error " + k, both, 1, color, floor, point.high());
        }
      }
      // Labels need not be unique, names must be. XChart takes no error bars for an array of NaN.
      boolean bars = Arrays.stream(bar).anyMatch(b -> !Double.isNaN(b));
      XYSeries shown = bars ? chart.addSeries(name, x, y, bar) : chart.addSeries(name, x, y);
      shown.setLabel(Printable.of(points.label()));
      shown.setMarkerColor(color);
      shown.setLineColor(color);
      shown.setMarker(new PlotMarker(number, hollow));
      shown.setShowInLegend(!hollow || size == points.points().size());
    }
  }

  /** A symbol of a plot, filled, or hollow for a point whose error is undefined. */
  static final class PlotMarker extends Marker {
    /** Those of neighbouring series differ at a glance. */
    private static final List<Marker> SHAPES =
        List.of(
            SeriesMarkers.CIRCLE,
            SeriesMarkers.SQUARE,
            SeriesMarkers.TRIANGLE_UP,
            SeriesMarkers.DIAMOND,
            SeriesMarkers.TRIANGLE_DOWN,
            SeriesMarkers.TRAPEZOID);

    private final Marker shape;
    private final boolean hollow;

    /**
     * The symbol of a series.
     *
     * @param series number of the series, from 0
     */
    PlotMarker(int series, boolean hollow) {
      this.shape = SHAPES.get(series % SHAPES.size());
      this.hollow = hollow;
    }

    @Override
    public void paint(Graphics2D g, double x, double y, int size) {
      shape.paint(g, x, y, size);
      if (hollow) {
        // The error bars and grid lines behind a hollow symbol do not show through.
        Color color = g.getColor();
        g.setColor(Color.WHITE);
        shape.paint(g, x, y, size - 4);
        g.setColor(color);
      }
    }
  }
}
