package org.starlingqcd.analysis;

import java.awt.AWTError;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
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

  /** One for each round of colours. */
  private static final List<Marker> MARKERS =
      List.of(
          SeriesMarkers.CIRCLE,
          SeriesMarkers.SQUARE,
          SeriesMarkers.DIAMOND,
          SeriesMarkers.TRIANGLE_UP,
          SeriesMarkers.TRIANGLE_DOWN);

  private static final int LARGEST_NUMBER_OF_TICKS = 20;

  private final String title;
  private final String yTitle;
  private final boolean logarithmic;
  private final List<Series> series = new ArrayList<>();

  AnalysisPlot(String title, String yTitle, boolean logarithmic) {
    this.title = title;
    this.yTitle = yTitle;
    this.logarithmic = logarithmic;
  }

  private record Series(String label, List<Integer> separations, List<Estimate> points) {}

  /** Adds a series of the points that can be shown. */
  void add(String label, List<Integer> separations, List<Estimate> points) {
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
      series.add(new Series(label, shownAt, shown));
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
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    try {
      ChartEncoder.saveChart(chart(), encoded, format);
    } catch (RuntimeException | LinkageError | AWTError | InternalError e) {
      throw new ComputationException(
          file
              + ": cannot be drawn, does this machine lack fonts (fontconfig, libfreetype)? "
              + e
              + "; --formats csv,hdf5 leaves plots out",
          e);
    }
    Files.write(file, encoded.toByteArray());
  }

  private XYChart chart() {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("separation dt (lattice units)")
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
    separationAxis(style);
    double floor = logarithmic ? floor() : Double.NEGATIVE_INFINITY;
    if (logarithmic) {
      style.setYAxisMin(floor);
    }
    Color[] colors = style.getSeriesColors();
    for (int k = 0; k < series.size(); k++) {
      double middle = 0.5 * (series.size() - 1);
      double shift = Math.min(STEP, LARGEST_SPREAD / series.size()) * (k - middle);
      add(
          chart,
          series.get(k),
          k,
          x -> x + shift,
          floor,
          colors[k % colors.length],
          MARKERS.get(k / colors.length % MARKERS.size()));
    }
    return chart;
  }

  private void separationAxis(XYStyler style) {
    int first =
        series.stream().flatMap(s -> s.separations.stream()).min(Integer::compare).orElse(0);
    int last = series.stream().flatMap(s -> s.separations.stream()).max(Integer::compare).orElse(1);
    style.setXAxisMin(first - 1.0);
    style.setXAxisMax(last + 1.0);
    int ticks = Math.min(LARGEST_NUMBER_OF_TICKS, last - first + 2);
    style.setXAxisTickMarkSpacingHint((int) (0.75 * WIDTH / ticks));
    style.setXAxisTickLabelsFormattingFunction(
        x -> x == Math.rint(x) && x >= first ? Long.toString(Math.round(x)) : "");
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

  private static void add(
      XYChart chart,
      Series points,
      int number,
      DoubleUnaryOperator index,
      double floor,
      Color color,
      Marker marker) {
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
                number + " error " + k,
                new double[] {x[k], x[k]},
                new double[] {floor, point.value() + point.error()});
        line.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Line);
        line.setShowInLegend(false);
        line.setMarker(SeriesMarkers.NONE);
        line.setLineColor(color);
        line.setLineWidth(1);
      }
    }
    // Labels need not be unique, names must be.
    XYSeries shown = chart.addSeries(Integer.toString(number), x, y, bar);
    shown.setLabel(points.label);
    shown.setMarkerColor(color);
    shown.setLineColor(color);
    shown.setMarker(marker);
  }
}
