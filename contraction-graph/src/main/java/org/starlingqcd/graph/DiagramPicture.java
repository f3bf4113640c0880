package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A quark-line diagram as a physicist would draw it, as SVG: the source on the left, the sink on
 * the right, a dot for every meson with its gamma and momentum, an arrow along every quark line,
 * one colour for each perambulator label.
 */
public final class DiagramPicture {
  private static final int SOURCE_X = 150;
  private static final int SINK_X = 450;
  private static final int WIDTH = 600;
  private static final int ROW = 90;
  private static final int TOP = 60;
  private static final List<String> COLOURS =
      List.of("#1f5fa8", "#b3261e", "#2e7d32", "#8e24aa", "#ef6c00", "#00838f");

  private record Meson(int x, int y, boolean sink, String text) {}

  private final DiagramSet set;
  private final Map<String, String> colourOf = new TreeMap<>();
  private final StringBuilder lines = new StringBuilder();
  private final StringBuilder mesons = new StringBuilder();
  private int sinkRows;
  private int sourceRows;

  private DiagramPicture(DiagramSet set) {
    this.set = set;
  }

  /**
   * Draws a diagram.
   *
   * @throws IllegalArgumentException if the diagram is unknown or has baryons
   */
  public static String svg(DiagramSet set, int diagram) {
    if (diagram < 0 || diagram >= set.diagramCount()) {
      throw new IllegalArgumentException(
          "must be >= 0 && < " + set.diagramCount() + ": diagram=" + diagram);
    }
    return new DiagramPicture(set).draw(set.diagramAt(diagram));
  }

  private String draw(int[] cycles) {
    for (int cycle : cycles) {
      if (cycle < 0) {
        throw new IllegalArgumentException("diagrams with baryons are not drawn");
      }
      draw(set.cycleAt(cycle), new ArrayList<>());
    }
    int height = 2 * TOP + ROW * Math.max(1, Math.max(sinkRows, sourceRows));
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " font-family=\"sans-serif\" font-size=\"13\">%n<defs>%n",
            WIDTH,
            height));
    for (String colour : colourOf.values()) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"4\" refY=\"4\" markerWidth=\"7\""
                  + " markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\""
                  + " fill=\"%s\"/></marker>%n",
              marker(colour),
              colour));
    }
    svg.append(String.format(Locale.ROOT, "</defs>%n"));
    title(svg, SOURCE_X, "source");
    title(svg, SINK_X, "sink");
    svg.append(lines).append(mesons);
    int x = 20;
    for (Map.Entry<String, String> label : colourOf.entrySet()) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>%n",
              x,
              height - 15,
              label.getValue(),
              escaped(label.getKey())));
      x += 110;
    }
    return svg.append("</svg>\n").toString();
  }

  private static void title(StringBuilder svg, int x, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"25\" text-anchor=\"middle\" font-style=\"italic\">%s</text>%n",
            x,
            text));
  }

  private void draw(int[] letters, List<Meson> placed) {
    for (int letter : letters) {
      NodeRef node = set.nodeAt(letter >> 4);
      boolean sink = node.time() == TimeSlot.SINK;
      int row = sink ? sinkRows++ : sourceRows++;
      ElementalRef phi = node.elemental();
      String displacement =
          phi.displacement().equals(ElementalRef.NO_DISPLACEMENT) ? "" : " " + phi.displacement();
      placed.add(
          new Meson(
              sink ? SINK_X : SOURCE_X,
              TOP + ROW * row + ROW / 2,
              sink,
              new Gamma(letter & 15, 1)
                  + " "
                  + phi.momentum()
                  + displacement
                  + (phi.adjoint() ? "†" : "")));
    }
    for (int k = 0; k < letters.length; k++) {
      // τ(t_k, t_next) brings the quark from the next meson to this one.
      line(
          placed.get((k + 1) % letters.length), placed.get(k), set.nodeAt(letters[k] >> 4).label());
      meson(placed.get(k));
    }
  }

  private void line(Meson from, Meson to, String label) {
    String colour =
        colourOf.computeIfAbsent(label, key -> COLOURS.get(colourOf.size() % COLOURS.size()));
    String path;
    if (from.equals(to)) {
      int out = from.sink() ? 70 : -70;
      path = path(from.x(), from.y(), out, -45, 0, 0, out, 45);
    } else if (from.x() == to.x()) {
      // The two lines between neighbours bend to either side.
      int bend = (from.y() < to.y() ? 45 : -45) * (from.sink() ? 1 : -1);
      path = path(from.x(), from.y(), bend, 0, 0, to.y() - from.y(), bend, 0);
    } else {
      int lift = from.x() < to.x() ? -28 : 28;
      int reach = (to.x() - from.x()) / 3;
      path =
          path(from.x(), from.y(), reach, lift, to.x() - from.x(), to.y() - from.y(), -reach, lift);
    }
    lines.append(
        String.format(
            Locale.ROOT,
            "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\""
                + " marker-mid=\"url(#%s)\"/>%n",
            path,
            colour,
            marker(colour)));
  }

  /** A cubic Bézier curve in two halves, so that its middle can carry the arrow. */
  private static String path(int x, int y, int dx1, int dy1, int dx, int dy, int dx2, int dy2) {
    double[] px = {x, x + dx1, x + dx + dx2, x + dx};
    double[] py = {y, y + dy1, y + dy + dy2, y + dy};
    double[] hx = halves(px);
    double[] hy = halves(py);
    return String.format(
        Locale.ROOT,
        "M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f",
        hx[0],
        hy[0],
        hx[1],
        hy[1],
        hx[2],
        hy[2],
        hx[3],
        hy[3],
        hx[4],
        hy[4],
        hx[5],
        hy[5],
        hx[6],
        hy[6]);
  }

  /** De Casteljau's subdivision at 1/2. */
  private static double[] halves(double[] p) {
    double a = (p[0] + p[1]) / 2;
    double b = (p[1] + p[2]) / 2;
    double c = (p[2] + p[3]) / 2;
    double ab = (a + b) / 2;
    double bc = (b + c) / 2;
    return new double[] {p[0], a, ab, (ab + bc) / 2, bc, c, p[3]};
  }

  private static String marker(String colour) {
    return "arrow" + colour.substring(1);
  }

  private void meson(Meson meson) {
    mesons.append(
        String.format(
            Locale.ROOT,
            "<circle cx=\"%d\" cy=\"%d\" r=\"5\"/>%n<text x=\"%d\" y=\"%d\""
                + " text-anchor=\"%s\">%s</text>%n",
            meson.x(),
            meson.y(),
            meson.x() + (meson.sink() ? 14 : -14),
            meson.y() - 10,
            meson.sink() ? "start" : "end",
            escaped(meson.text())));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
