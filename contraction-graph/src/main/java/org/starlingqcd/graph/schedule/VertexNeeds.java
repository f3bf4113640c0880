package org.starlingqcd.graph.schedule;

import java.util.Arrays;
import org.starlingqcd.graph.SequenceTable;

/**
 * What the vertices of a {@link StepGraph} need: the elements that are made for each, and how often
 * each uses them. It belongs to the graph and is the same for all orders. Time and memory are
 * linear in the number of needs of all vertices.
 */
final class VertexNeeds {
  private final int[] position;
  private final int[] mostUses;
  private final int[][] dependents;
  private final int[][] consumers;

  VertexNeeds(StepGraph graph) {
    int[] vertices = graph.vertices();
    int n = graph.size();
    position = new int[n];
    Arrays.fill(position, -1);
    mostUses = new int[n];
    Closure closure = new Closure(graph);
    int[][] made = new int[vertices.length][];
    for (int k = 0; k < vertices.length; k++) {
      position[vertices[k]] = k;
      made[k] = closure.of(vertices[k]);
      closure.count(vertices[k], mostUses);
    }
    dependents = SequenceTable.inverted(made, n);
    for (int[] list : dependents) {
      Arrays.setAll(list, k -> vertices[list[k]]);
    }
    consumers = SequenceTable.inverted(graph.factors(), n);
  }

  /** The place of an element among the vertices, or -1. */
  int position(int element) {
    return position[element];
  }

  /** The most uses of an element that placing one other vertex can make. */
  int mostUses(int element) {
    return mostUses[element];
  }

  /** The vertices that an element is made for, itself among them; not to be changed. */
  int[] dependents(int element) {
    return dependents[element];
  }

  /** The elements that an element is a factor of, once for each use; not to be changed. */
  int[] consumers(int element) {
    return consumers[element];
  }

  /** Everything that is made for one vertex if nothing has been made before. */
  private static final class Closure {
    private final StepGraph graph;
    private final boolean[] seen;
    private final int[] uses;
    private int[] list = new int[64];
    private int size;

    Closure(StepGraph graph) {
      this.graph = graph;
      seen = new boolean[graph.size()];
      uses = new int[graph.size()];
    }

    int[] of(int vertex) {
      size = 0;
      make(vertex);
      return Arrays.copyOf(list, size);
    }

    private void make(int element) {
      if (seen[element]) {
        return;
      }
      seen[element] = true;
      if (size == list.length) {
        list = Arrays.copyOf(list, 2 * size);
      }
      list[size++] = element;
      for (int factor : graph.factors(element)) {
        make(factor);
        uses[factor]++;
      }
    }

    /** Raises the most uses to those of the last vertex, and forgets it. */
    void count(int vertex, int[] most) {
      int[] partners = graph.partners(vertex);
      for (int u : partners) {
        uses[u]++;
      }
      for (int u : partners) {
        if (u != vertex) {
          most[u] = Math.max(most[u], uses[u]);
        }
      }
      for (int k = 0; k < size; k++) {
        int e = list[k];
        if (e != vertex) {
          most[e] = Math.max(most[e], uses[e]);
        }
        uses[e] = 0;
        seen[e] = false;
      }
      for (int u : partners) {
        uses[u] = 0;
      }
    }
  }
}
