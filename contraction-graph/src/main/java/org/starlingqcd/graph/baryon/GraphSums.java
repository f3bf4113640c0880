package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Interner;
import org.starlingqcd.graph.OutputSum;
import org.starlingqcd.graph.SequenceTable;
import org.starlingqcd.graph.plan.BaryonPart.SpinStructure;

/**
 * Baryon graphs that enter an output as parts of one sum: connected graphs of one baryon on either
 * side, beside equal other components of their diagrams. Their spin structures may differ: together
 * they are one spin tensor at the sink and one at the source. Blocks need not supply the graphs of
 * one sum separately. Any other graph is a sum by itself.
 */
public final class GraphSums {
  /** In place of the number of a key: the diagram is no part of a sum of several. */
  public static final int ALONE = -1;

  /**
   * A graph within a sum.
   *
   * @param sum number of the sum
   * @param coefficient the first graph of the sum has 1
   */
  record Part(int sum, Complex coefficient) {}

  private static final int NOT_SEEN = -2;

  private final boolean apart;
  private final CutRings rings;
  private final Map<Integer, List<Part>> parts = new LinkedHashMap<>();
  // What identifies a sum of an output: what the scales of the sink's and the source's spin
  // structures depend on, and the other components of the diagrams, ascending.
  private final SequenceTable keys = new SequenceTable();
  private final int[] keyOf;
  private final IdentityHashMap<BaryonVertex, Integer> scales = new IdentityHashMap<>();
  private final Interner<SpinStructure> scaleNumbers = new Interner<>();

  /**
   * Finds the sums.
   *
   * @param apart whether every graph is a sum by itself
   */
  public GraphSums(DiagramSet set, CutRings rings, boolean apart) {
    this.rings = rings;
    this.apart = apart;
    keyOf = new int[set.diagramCount()];
    Arrays.fill(keyOf, NOT_SEEN);
    int sums = 0;
    Set<Integer> alone = new HashSet<>();
    for (OutputSum output : rings.outputs()) {
      Map<Integer, Integer> numbers = new HashMap<>();
      Map<Integer, Complex> first = new HashMap<>();
      for (Map.Entry<Integer, Complex> term : output.terms().entrySet()) {
        int[] components = set.diagramAt(term.getKey());
        if (keyOf[term.getKey()] == NOT_SEEN) {
          keyOf[term.getKey()] = newKey(components);
        }
        int key = keyOf[term.getKey()];
        if (key == ALONE) {
          for (int component : components) {
            if (DiagramSet.isBaryons(component) && alone.add(~component)) {
              parts
                  .computeIfAbsent(~component, place -> new ArrayList<>())
                  .add(new Part(sums++, Complex.ONE));
            }
          }
          continue;
        }
        Complex coefficient = term.getValue().times(rings.sign(single(components)));
        Integer number = numbers.get(key);
        if (number == null) {
          number = sums++;
          numbers.put(key, number);
          first.put(key, inverse(coefficient));
        }
        parts
            .computeIfAbsent(single(components), place -> new ArrayList<>())
            .add(new Part(number, coefficient.times(first.getOrDefault(key, Complex.ONE))));
      }
    }
  }

  static Complex inverse(Complex c) {
    return c.conjugate().times(1 / (c.abs() * c.abs()));
  }

  /** Returns the index of every graph that is used, with the sums that contain it. */
  Map<Integer, List<Part>> parts() {
    return parts;
  }

  /**
   * The number of the key of the sum that the only baryon graph of a diagram belongs to in each
   * output, or {@link #ALONE} if it stands alone.
   */
  public int key(int diagram) {
    return keyOf[diagram];
  }

  /** The components of the diagrams with a key other than the baryon graph, ascending. */
  public int[] others(int key) {
    int[] others = new int[keys.length(key) - 2];
    for (int k = 0; k < others.length; k++) {
      others[k] = keys.letter(key, k + 2);
    }
    return others;
  }

  private int newKey(int[] components) {
    int place = single(components);
    if (apart || place < 0) {
      return ALONE;
    }
    BaryonGraph graph = rings.graph(place);
    if (graph.sinks().size() != 1) {
      return ALONE;
    }
    int[] key = new int[components.length + 1];
    key[0] = scaleNumber(graph.sinks().get(0));
    key[1] = scaleNumber(graph.sources().get(0));
    System.arraycopy(components, 1, key, 2, components.length - 1);
    return keys.intern(key, 0, key.length);
  }

  private int scaleNumber(BaryonVertex vertex) {
    return scales.computeIfAbsent(vertex, v -> scaleNumbers.of(scale(v)));
  }

  /**
   * What the data's basis may change the scale of: a row of its own parity projector. Structures
   * that count in the DeGrand-Rossi basis have one scale.
   */
  private static SpinStructure scale(BaryonVertex vertex) {
    return vertex.deGrandRossi()
        ? new SpinStructure(0, 1, 1, true)
        : new SpinStructure(0, vertex.parity(), vertex.component(), false);
  }

  /** The index of the only baryon graph of a diagram, or -1. */
  public static int single(int[] components) {
    // Graphs come first.
    return components.length > 0
            && DiagramSet.isBaryons(components[0])
            && (components.length == 1 || components[1] >= 0)
        ? ~components[0]
        : -1;
  }
}
