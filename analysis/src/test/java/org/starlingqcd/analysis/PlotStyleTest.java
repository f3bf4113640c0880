package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;

/** Series of a plot can be told apart, by any reader and in print. */
final class PlotStyleTest {
  /** Series before colours, and so pairs of colour and shape, are used again. */
  private static final int SERIES = 7;

  private static final int SHAPES = 6;

  /** Distances of CIELAB; 2.3 is just noticeable. */
  private static final double CLEARLY_DIFFERENT = 15;

  /** Linear sRGB to XYZ with the white of D65 (IEC 61966-2-1). */
  private static final double[][] XYZ = {
    {0.4124564, 0.3575761, 0.1804375},
    {0.2126729, 0.7151522, 0.0721750},
    {0.0193339, 0.1191920, 0.9503041}
  };

  /**
   * How readers see linear sRGB, at full severity: Machado, Oliveira, Fernandes,
   * doi:10.1109/TVCG.2009.113, table of matrices.
   */
  private enum Vision {
    NORMAL(new double[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}),
    PROTANOPIA(
        new double[][] {
          {0.152286, 1.052583, -0.204868},
          {0.114503, 0.786281, 0.099216},
          {-0.003882, -0.048116, 1.051998}
        }),
    DEUTERANOPIA(
        new double[][] {
          {0.367322, 0.860646, -0.227968},
          {0.280085, 0.672501, 0.047413},
          {-0.011820, 0.042940, 0.968881}
        }),
    TRITANOPIA(
        new double[][] {
          {1.255528, -0.076749, -0.178779},
          {-0.078411, 0.930809, 0.147602},
          {0.004733, 0.691367, 0.303900}
        });

    @SuppressWarnings("ImmutableEnumChecker") // written nowhere
    private final double[][] matrix;

    Vision(double[][] matrix) {
      this.matrix = matrix;
    }
  }

  private static XYChart chart() {
    AnalysisPlot plot = new AnalysisPlot("title", "y", false);
    for (int k = 0; k < SERIES; k++) {
      plot.add(
          new Curve("series " + k, List.of(0), List.of(new Estimate(k, 0.1, new double[0], ""))));
    }
    return plot.chart();
  }

  @ParameterizedTest
  @EnumSource(Vision.class)
  void colours_differForEveryReader(Vision vision) {
    List<double[]> seen =
        chart().getSeriesCollection().stream()
            .map(series -> lab(series.getMarkerColor(), vision))
            .toList();
    assertEquals(SERIES, seen.size());
    double[] paper = lab(Color.WHITE, vision);
    for (int i = 0; i < SERIES; i++) {
      assertTrue(distance(seen.get(i), paper) > 2 * CLEARLY_DIFFERENT, "series " + i);
      for (int j = 0; j < i; j++) {
        double distance = distance(seen.get(i), seen.get(j));
        assertTrue(distance > CLEARLY_DIFFERENT, i + " and " + j + " are at " + distance);
      }
    }
  }

  private static double[] lab(Color color, Vision vision) {
    double[] rgb = {linear(color.getRed()), linear(color.getGreen()), linear(color.getBlue())};
    double[] seen = times(vision.matrix, rgb);
    double[] xyz = times(XYZ, IntStream.range(0, 3).mapToDouble(k -> clamp(seen[k])).toArray());
    double[] white = times(XYZ, new double[] {1, 1, 1});
    double[] f = IntStream.range(0, 3).mapToDouble(k -> compressed(xyz[k] / white[k])).toArray();
    return new double[] {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
  }

  private static double linear(int value) {
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
  }

  private static double clamp(double value) {
    return Math.min(1, Math.max(0, value));
  }

  private static double compressed(double share) {
    return share > Math.pow(6.0 / 29, 3)
        ? Math.cbrt(share)
        : share / (3 * Math.pow(6.0 / 29, 2)) + 4.0 / 29;
  }

  private static double[] times(double[][] matrix, double[] vector) {
    return IntStream.range(0, 3)
        .mapToDouble(i -> IntStream.range(0, 3).mapToDouble(k -> matrix[i][k] * vector[k]).sum())
        .toArray();
  }

  private static double distance(double[] a, double[] b) {
    return Math.sqrt(IntStream.range(0, 3).mapToDouble(k -> Math.pow(a[k] - b[k], 2)).sum());
  }

  /** At least an eighth of the pixels of two symbols belongs to one of them alone. */
  @Test
  void symbols_differInShape() {
    for (boolean hollow : new boolean[] {false, true}) {
      for (int i = 0; i < SHAPES; i++) {
        for (int j = 0; j < i; j++) {
          BufferedImage one = symbol(i, hollow);
          BufferedImage other = symbol(j, hollow);
          int both = 0;
          int alone = 0;
          for (int k = 0; k < one.getWidth() * one.getHeight(); k++) {
            boolean a = isInked(one, k);
            boolean b = isInked(other, k);
            both += a && b ? 1 : 0;
            alone += a != b ? 1 : 0;
          }
          assertTrue(7 * alone > both, i + " and " + j + ": " + alone + " of " + (alone + both));
        }
      }
    }
  }

  private static BufferedImage symbol(int series, boolean hollow) {
    BufferedImage image = new BufferedImage(60, 60, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, 60, 60);
    graphics.setColor(Color.BLACK);
    new AnalysisPlot.PlotMarker(series, hollow).paint(graphics, 30, 30, 36);
    graphics.dispose();
    return image;
  }

  private static boolean isInked(BufferedImage image, int pixel) {
    int rgb = image.getRGB(pixel % image.getWidth(), pixel / image.getWidth());
    return (rgb & 0xff) < 128;
  }

  /** The definition rho with its operator rho was once labelled "rho rho". */
  @Test
  void labels_sayNothingTwice() {
    List<CorrelatorAnalysis> analyses = List.of(decaying("rho", "rho"), decaying("pion", "pi"));
    assertEquals(
        List.of("rho", "pion pi"),
        AnalysisPlots.together(analyses).chart().getSeriesCollection().stream()
            .map(XYSeries::getLabel)
            .toList());
  }

  /** One configuration of e^(-dt) with one operator. */
  private static CorrelatorAnalysis decaying(String name, String operator) {
    return CorrelatorAnalysis.of(
        FormulaData.data(
            name,
            "formula",
            List.of(operator),
            List.of(0, 1),
            OptionalInt.empty(),
            List.of(FormulaData.configuration(1, 1, 0, Math.exp(-1), 0))),
        FormulaData.OPTIONS);
  }
}
