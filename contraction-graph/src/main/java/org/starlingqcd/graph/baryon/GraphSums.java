package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.OutputSum;
import org.starlingqcd.graph.plan.BaryonPart.SpinStructure;

/**
 * Baryon graphs that enter an output as parts of one sum: connected graphs of one baryon on either
 * side, beside equal other components of their diagrams. Their spin structures may differ: together
 * they are one spin tensor at the sink and one at the source. Blocks need not supply the graphs of
 * one sum separately. Any other graph is a sum by itself.
 */
public final class GraphSums {
  /**
   * Identifies a sum of an output.
   *
   * @param others the other components of the diagrams, ascending
   * @param sink what the scale of the sink's spin structure depends on
   * @param source the same of the source's
   */
  public record Key(List<Integer> others, SpinStructure sink, SpinStructure source) {}

  /**
   * A graph within a sum.
   *
   * @param sum number of the sum
   * @param coefficient the first graph of the sum has 1
   */
  record Part(int sum, Complex coefficient) {}

  private final boolean apart;
  private final DiagramSet set;
  private final Map<Integer, List<Part>> parts = new LinkedHashMap<>();

  /**
   * Finds the sums.
   *
   * @param apart whether every graph is a sum by itself
   */
  public GraphSums(DiagramSet set, List<OutputSum> outputs, boolean apart) {
    this.set = set;
    this.apart = apart;
    int sums = 0;
    Set<Integer> alone = new HashSet<>();
    for (OutputSum output : outputs) {
      Map<Key, Integer> numbers = new LinkedHashMap<>();
      Map<Key, Complex> first = new LinkedHashMap<>();
      for (Map.Entry<Integer, Complex> term : output.terms().entrySet()) {
        int[] components = set.diagramAt(term.getKey());
        Key key = key(components);
        if (key == null) {
          for (int component : components) {
            if (component < 0 && alone.add(~component)) {
              parts
                  .computeIfAbsent(~component, place -> new ArrayList<>())
                  .add(new Part(sums++, Complex.ONE));
            }
          }
          continue;
        }
        Integer number = numbers.get(key);
        if (number == null) {
          number = sums++;
          numbers.put(key, number);
          first.put(key, inverse(term.getValue()));
        }
        parts
            .computeIfAbsent(single(components), place -> new ArrayList<>())
            .add(new Part(number, term.getValue().times(first.getOrDefault(key, Complex.ONE))));
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

  /** The sum that the only baryon graph of a diagram belongs to, or null if it stands alone. */
  public @Nullable Key key(int[] components) {
    int place = single(components);
    if (apart || place < 0) {
      return null;
    }
    BaryonGraph graph = set.baryonGraphAt(place);
    return graph.sinks().size() != 1
        ? null
        : new Key(cycles(components), scale(graph.sinks().get(0)), scale(graph.sources().get(0)));
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
            && components[0] < 0
            && (components.length == 1 || components[1] >= 0)
        ? ~components[0]
        : -1;
  }

  private static List<Integer> cycles(int[] components) {
    if (components.length == 1) {
      return List.of();
    }
    Integer[] cycles = new Integer[components.length - 1];
    Arrays.setAll(cycles, k -> components[k + 1]);
    return List.of(cycles);
  }
}
