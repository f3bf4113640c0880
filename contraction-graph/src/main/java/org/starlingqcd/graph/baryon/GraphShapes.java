package org.starlingqcd.graph.baryon;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Interner;
import org.starlingqcd.graph.QuarkPath;
import org.starlingqcd.graph.SequenceTable;

/**
 * Numbers the shapes of baryon graphs by first appearance. Graphs that differ only by components of
 * w have everything in common but spin sums: they are of one shape.
 */
final class GraphShapes {
  private final Interner<BaryonVertex> vertices = new Interner<>();
  // Graphs share their vertices, so each is looked up by value only once.
  private final IdentityHashMap<BaryonVertex, Integer> known = new IdentityHashMap<>();
  private final Interner<List<Integer>> words = new Interner<>();
  private final SequenceTable shapes = new SequenceTable();
  private int[] sequence = new int[64];

  /** The number of a graph's shape. */
  int of(BaryonGraph graph) {
    int n = graph.sinks().size();
    int length = 2 * n + 2 * graph.paths().size();
    if (length > sequence.length) {
      sequence = Arrays.copyOf(sequence, length);
    }
    int at = 0;
    for (int k = 0; k < n; k++) {
      sequence[at++] = vertex(graph.sinks().get(k));
      sequence[at++] = vertex(graph.sources().get(k));
    }
    // Paths are ordered by the legs of the sinks.
    for (QuarkPath path : graph.paths()) {
      sequence[at++] = BaryonVertex.LEGS * path.source() + path.sourceLeg();
      sequence[at++] = words.ofShared(path.word());
    }
    return shapes.intern(sequence, 0, length);
  }

  private int vertex(BaryonVertex vertex) {
    return known.computeIfAbsent(
        vertex,
        v ->
            vertices.of(
                new BaryonVertex(
                    v.displacement(),
                    v.momentum(),
                    v.diquarkMask(),
                    v.parity(),
                    1,
                    v.deGrandRossi())));
  }
}
