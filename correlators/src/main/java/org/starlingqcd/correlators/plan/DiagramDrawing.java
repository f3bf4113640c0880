package org.starlingqcd.correlators.plan;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.QuarkPath;
import org.starlingqcd.graph.TetraquarkGraph;
import org.starlingqcd.graph.TetraquarkVertex;
import org.starlingqcd.graph.TimeSlot;

/**
 * Contraction graphs in the language of Graphviz: hadrons are vertices, filled at the source; quark
 * lines are edges that carry their perambulator label; each diagram is a cluster.
 */
final class DiagramDrawing {
  private static final int GAMMAS = 16;

  private final DiagramSet diagrams;
  private final Formatter text = new Formatter(Locale.US);
  private int vertices;

  private DiagramDrawing(DiagramSet diagrams) {
    this.diagrams = diagrams;
  }

  static String dot(DiagramSet diagrams) {
    return new DiagramDrawing(diagrams).draw();
  }

  private String draw() {
    text.format("digraph diagrams {\n  node [shape=ellipse];\n");
    for (int d = 0; d < diagrams.diagramCount(); d++) {
      text.format("  subgraph cluster_%d {%n    label=\"diagram %d\";%n", d, d);
      for (int component : diagrams.diagramAt(d)) {
        if (DiagramSet.isTetraquarks(component)) {
          tetraquarkGraph(diagrams.tetraquarkGraphAt(component));
        } else if (component < 0) {
          baryonGraph(diagrams.baryonGraphAt(~component));
        } else {
          cycle(diagrams.cycleAt(component));
        }
      }
      text.format("  }\n");
    }
    return text.format("}\n").toString();
  }

  private void cycle(int[] letters) {
    int first = vertices;
    for (int letter : letters) {
      meson(letter);
    }
    for (int k = 0; k < letters.length; k++) {
      edge(
          first + (k + 1) % letters.length,
          first + k,
          diagrams.nodeAt(letters[k] / GAMMAS).label());
    }
  }

  /** The quark line of a node runs from the next vertex to its own. */
  private void edge(int from, int to, String label) {
    text.format("    v%d -> v%d [label=\"%s\"];%n", from, to, label);
  }

  private int meson(int letter) {
    NodeRef node = diagrams.nodeAt(letter / GAMMAS);
    String adjoint = node.elemental().adjoint() ? "†" : "";
    return vertex(
        "%s %s%s %s"
            .formatted(
                new Gamma(letter % GAMMAS, 1),
                node.elemental().displacement(),
                adjoint,
                node.elemental().momentum()),
        node.time() == TimeSlot.SOURCE);
  }

  private void baryonGraph(BaryonGraph graph) {
    int sinks = vertices;
    graph.sinks().forEach(baryon -> baryon(baryon, false));
    int sources = vertices;
    graph.sources().forEach(baryon -> baryon(baryon, true));
    paths(graph.paths(), sinks, sources);
  }

  private void tetraquarkGraph(TetraquarkGraph graph) {
    int first = vertices;
    for (TetraquarkVertex tetraquark : graph.vertices()) {
      vertex(
          "tetraquark %s%s C%s C%s %s%s"
              .formatted(
                  tetraquark.colour(),
                  tetraquark.isAdjoint() ? "†" : "",
                  new Gamma(tetraquark.antidiquarkMask(), 1),
                  new Gamma(tetraquark.diquarkMask(), 1),
                  tetraquark.momentum(),
                  tetraquark.profiles().isEmpty() ? "" : " " + tetraquark.profiles()),
          tetraquark.isAdjoint());
    }
    paths(graph.paths(), first, first);
  }

  /** Draws paths between vertices, of which those with number 0 are given. */
  private void paths(List<QuarkPath> paths, int sinks, int sources) {
    for (QuarkPath path : paths) {
      int to = sinks + path.sink();
      // The word begins with the bare line and goes on with the mesons that the quark passes.
      String label = diagrams.nodeAt(path.word().get(0) / GAMMAS).label();
      for (int letter : path.word().subList(1, path.word().size())) {
        int meson = meson(letter);
        edge(meson, to, label);
        to = meson;
        label = diagrams.nodeAt(letter / GAMMAS).label();
      }
      edge(sources + path.source(), to, label);
    }
  }

  private void baryon(BaryonVertex baryon, boolean source) {
    vertex(
        "baryon C%s %s %s%s%s"
            .formatted(
                new Gamma(baryon.diquarkMask(), 1),
                baryon.displacement(),
                baryon.momentum(),
                baryon.parity() > 0 ? " +" : " -",
                baryon.component()),
        source);
  }

  private int vertex(String label, boolean source) {
    text.format(
        "    v%d [label=\"%s\"%s];%n",
        vertices, label.replace("\"", "\\\""), source ? ", style=filled" : "");
    return vertices++;
  }
}
