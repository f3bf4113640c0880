package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.List;

/**
 * A connected contraction graph of one or two tetraquarks, joined to themselves or to each other.
 * Its value is {@code Σ Π S K Π paths} over all spin and distillation indices; the sign of the
 * contraction is in the coefficient.
 *
 * @param vertices that at the sink first
 * @param paths one for each quark leg, ordered by vertex and leg, to the antiquark legs
 */
public record TetraquarkGraph(List<TetraquarkVertex> vertices, List<QuarkPath> paths) {
  /** Copies the lists and orders the paths. */
  public TetraquarkGraph {
    vertices = List.copyOf(vertices);
    paths = paths.stream().sorted(BaryonGraph.PATH_ORDER).toList();
  }

  /**
   * The products that this graph costs if it shares nothing: one for each meson on a path, and two
   * that join two tetraquarks.
   */
  public int productsAlone() {
    int mesons = paths.stream().mapToInt(path -> path.word().size() - 1).sum();
    return vertices.size() == 1 ? mesons : mesons + 2;
  }

  /** A graph and a sign, 0 where the value vanishes. */
  public record Signed(TetraquarkGraph graph, int sign) {}

  /**
   * The canonical form of this graph, and its sign: {@code value(this) = sign · value(graph)}.
   * Graphs that differ by exchanges of the two quarks or of the two antiquarks of a vertex have the
   * same.
   */
  public Signed canonical() {
    Signed best = new Signed(this, 1);
    for (int swaps = 1; swaps < 1 << (2 * vertices.size()); swaps++) {
      Signed other = exchanged(swaps);
      int c = BaryonGraph.PATHS_ORDER.compare(other.graph.paths, best.graph.paths);
      if (c < 0 || (c == 0 && other.sign != best.sign)) {
        best = c < 0 ? other : new Signed(best.graph, 0);
      }
    }
    return best;
  }

  /**
   * This graph with legs exchanged: bit {@code 2 v} of the number for the quarks of vertex v, the
   * next for its antiquarks.
   */
  public Signed exchanged(int swaps) {
    int sign = 1;
    for (int v = 0; v < vertices.size(); v++) {
      sign *= (swaps >> (2 * v) & 1) == 0 ? 1 : vertices.get(v).quarkSymmetry();
      sign *= (swaps >> (2 * v + 1) & 1) == 0 ? 1 : vertices.get(v).antiquarkSymmetry();
    }
    List<QuarkPath> moved = new ArrayList<>();
    for (QuarkPath p : paths) {
      moved.add(
          new QuarkPath(
              p.sink(),
              p.sinkLeg() ^ (swaps >> (2 * p.sink()) & 1),
              p.source(),
              p.sourceLeg() ^ (swaps >> (2 * p.source() + 1) & 1),
              p.word()));
    }
    return new Signed(new TetraquarkGraph(vertices, moved), sign);
  }
}
