package org.starlingqcd.graph.wick;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.QuarkPath;

/** Graphs as numbers against their canonical forms. */
class GraphTableTest {
  @Test
  void graph_hasTheComponentAndSignOfItsCanonicalForm() {
    SplittableRandom random = new SplittableRandom(11);
    DiagramSet set = new DiagramSet();
    GraphTable table = new GraphTable(set);
    for (int round = 0; round < 2000; round++) {
      int n = random.nextInt(8) == 0 ? 2 : 1;
      int[] ends = permutation(BaryonVertex.LEGS * n, random);
      int[] sinks = new int[n];
      int[] sources = new int[n];
      List<BaryonVertex> sinkVertices = vertices(sinks, table, random);
      List<BaryonVertex> sourceVertices = vertices(sources, table, random);
      int[] words = new int[ends.length];
      List<QuarkPath> paths = new ArrayList<>();
      for (int leg = 0; leg < ends.length; leg++) {
        int[] word = random.ints(1 + random.nextInt(2), 0, 3).toArray();
        words[leg] = table.word(word, word.length);
        paths.add(
            new QuarkPath(
                leg / BaryonVertex.LEGS,
                leg % BaryonVertex.LEGS,
                ends[leg] / BaryonVertex.LEGS,
                ends[leg] % BaryonVertex.LEGS,
                Arrays.stream(word).boxed().toList()));
      }
      BaryonGraph.Signed canonical =
          new BaryonGraph(sinkVertices, sourceVertices, paths).canonical();
      int graph = table.graph(n, sinks, sources, ends, words);
      assertEquals(canonical.graph(), set.baryonGraphAt(~table.component(graph)));
      assertEquals(canonical.sign(), table.sign(graph));
    }
  }

  private static List<BaryonVertex> vertices(
      int[] numbers, GraphTable table, SplittableRandom random) {
    List<BaryonVertex> vertices = new ArrayList<>();
    for (int k = 0; k < numbers.length; k++) {
      BaryonVertex vertex =
          new BaryonVertex(
              random.nextInt(4) == 0 ? "x" : "none",
              new Momentum(random.nextInt(2), 0, 0),
              random.nextInt(4),
              1,
              1 + random.nextInt(2),
              true);
      numbers[k] = table.vertex(vertex);
      vertices.add(vertex);
    }
    return vertices;
  }

  private static int[] permutation(int n, SplittableRandom random) {
    int[] order = new int[n];
    for (int k = 0; k < n; k++) {
      int j = random.nextInt(k + 1);
      order[k] = order[j];
      order[j] = k;
    }
    return order;
  }
}
