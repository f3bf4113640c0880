package org.starlingqcd.analysis;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.Stroke;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.function.DoubleFunction;
import org.knowm.xchart.style.markers.Marker;

/** A symbol of a plot: a shape, filled, or hollow for a point whose error is undefined. */
final class PlotMarker extends Marker {
  private static final float LINE = 1.4f;

  /** Shapes by half their width. Those of neighbouring series differ at a glance. */
  private static final List<DoubleFunction<Shape>> SHAPES =
      List.of(
          r -> new Ellipse2D.Double(-r, -r, 2 * r, 2 * r),
          r -> new Rectangle2D.Double(-0.9 * r, -0.9 * r, 1.8 * r, 1.8 * r),
          r -> polygon(0, -1.2 * r, 1.1 * r, 0.8 * r, -1.1 * r, 0.8 * r),
          r -> polygon(0, -1.3 * r, 1.1 * r, 0, 0, 1.3 * r, -1.1 * r, 0),
          r -> polygon(0, 1.2 * r, 1.1 * r, -0.8 * r, -1.1 * r, -0.8 * r),
          r -> cross(r));

  private final DoubleFunction<Shape> shape;
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

  private static Shape polygon(double... xy) {
    Path2D path = new Path2D.Double();
    path.moveTo(xy[0], xy[1]);
    for (int k = 2; k < xy.length; k += 2) {
      path.lineTo(xy[k], xy[k + 1]);
    }
    path.closePath();
    return path;
  }

  private static Shape cross(double r) {
    double w = 0.4 * r;
    return polygon(
        -w, -r, w, -r, w, -w, r, -w, r, w, w, w, w, r, -w, r, -w, w, -r, w, -r, -w, -w, -w);
  }

  @Override
  public void paint(Graphics2D g, double x, double y, int size) {
    // The shape is moved, not the coordinates: XChart's SVG draws what follows in moved ones.
    Shape outline =
        AffineTransform.getTranslateInstance(x, y).createTransformedShape(shape.apply(0.5 * size));
    Stroke stroke = g.getStroke();
    Color color = g.getColor();
    g.setStroke(new BasicStroke(LINE));
    // The error bars and grid lines behind a hollow symbol do not show through.
    g.setColor(hollow ? Color.WHITE : color);
    g.fill(outline);
    g.setColor(color);
    g.draw(outline);
    g.setStroke(stroke);
  }
}
