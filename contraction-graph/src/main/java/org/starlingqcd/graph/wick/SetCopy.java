package org.starlingqcd.graph.wick;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.QuarkPath;
import org.starlingqcd.graph.TetraquarkGraph;

/**
 * Copies diagrams of a set into another, which numbers everything by first appearance in it. Every
 * node, cycle, graph and diagram is copied once.
 */
final class SetCopy {
  private static final int UNKNOWN = Integer.MIN_VALUE;

  private final DiagramSet from;
  private final DiagramSet to;
  private final int[] nodes;
  private final int[] cycles;
  private final int[] graphs;
  private final int[] diagrams;
  private final IdentityHashMap<List<Integer>, List<Integer>> words = new IdentityHashMap<>();
  private final IdentityHashMap<QuarkPath, QuarkPath> paths = new IdentityHashMap<>();

  SetCopy(DiagramSet from, DiagramSet to) {
    this.from = from;
    this.to = to;
    nodes = unknown(from.nodeCount());
    cycles = unknown(from.cycleCount());
    graphs = unknown(from.baryonGraphCount());
    diagrams = unknown(from.diagramCount());
  }

  private static int[] unknown(int length) {
    int[] numbers = new int[length];
    Arrays.fill(numbers, UNKNOWN);
    return numbers;
  }

  /** The number of a diagram's copy. */
  int diagram(int diagram) {
    if (diagrams[diagram] == UNKNOWN) {
      int[] given = from.diagramAt(diagram);
      int[] components = new int[given.length];
      for (int c = 0; c < components.length; c++) {
        components[c] = component(given[c]);
      }
      diagrams[diagram] = to.diagram(components);
    }
    return diagrams[diagram];
  }

  private int component(int component) {
    if (DiagramSet.isTetraquarks(component)) {
      TetraquarkGraph graph = from.tetraquarkGraphAt(component);
      return to.tetraquarkGraph(new TetraquarkGraph(graph.vertices(), paths(graph.paths())));
    }
    return component < 0 ? graph(~component) : cycle(component);
  }

  private int cycle(int cycle) {
    if (cycles[cycle] == UNKNOWN) {
      int[] given = from.cycleAt(cycle);
      int[] letters = new int[given.length];
      for (int k = 0; k < letters.length; k++) {
        letters[k] = letter(given[k]);
      }
      cycles[cycle] = to.cycle(letters);
    }
    return cycles[cycle];
  }

  private int graph(int place) {
    if (graphs[place] == UNKNOWN) {
      BaryonGraph graph = from.baryonGraphAt(place);
      graphs[place] =
          to.newBaryonGraph(new BaryonGraph(graph.sinks(), graph.sources(), paths(graph.paths())));
    }
    return graphs[place];
  }

  private List<QuarkPath> paths(List<QuarkPath> given) {
    List<QuarkPath> copies = new ArrayList<>(given.size());
    for (QuarkPath path : given) {
      copies.add(path(path));
    }
    return copies;
  }

  /** Paths that are one object remain one. */
  private QuarkPath path(QuarkPath path) {
    return paths.computeIfAbsent(
        path, p -> new QuarkPath(p.sink(), p.sinkLeg(), p.source(), p.sourceLeg(), word(p.word())));
  }

  /** Equal words that are one list remain one list. */
  private List<Integer> word(List<Integer> word) {
    List<Integer> copy = words.get(word);
    if (copy == null) {
      Integer[] letters = new Integer[word.size()];
      Arrays.setAll(letters, k -> letter(word.get(k)));
      copy = List.of(letters);
      words.put(word, copy);
    }
    return copy;
  }

  private int letter(int letter) {
    int node = letter / 16;
    if (nodes[node] == UNKNOWN) {
      nodes[node] = to.node(from.nodeAt(node));
    }
    return 16 * nodes[node] + letter % 16;
  }
}
