package org.starlingqcd.analysis;

import java.awt.Color;
import java.awt.Graphics2D;
import java.util.List;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A symbol of a plot, filled, or hollow for a point whose error is undefined. */
final class PlotMarker extends Marker {
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
