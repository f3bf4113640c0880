package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Interner;
import org.starlingqcd.graph.OutputSum;
import org.starlingqcd.graph.QuarkPath;

/**
 * Graphs of two baryons on either side with a current on one of the two lines that join a pair of
 * them. Without this line, everything but the pair is a line from its sink to its source, the
 * <em>rest</em> of the graph: {@code L G̃ L'}, with the other pair's G̃. So the graph is one of a
 * single pair, with three lines.
 *
 * <p>Graphs differ by their rests in the same way many times, because a rest knows little of the
 * flavours and legs of its pair. A rest that is needed only as a linear combination of others adds
 * to these, and its graphs are left out.
 */
public final class CutRings {
  /**
   * In the word of a rest's open line: where the line that leaves the first pair ends, and the line
   * that arrives there begins.
   */
  static final int JOIN = Integer.MIN_VALUE;

  /** A graph of one pair, times a sign. A rest is a line of the one letter {@code ~number}. */
  private record Cut(BaryonGraph graph, int sign, int rest) {}

  private final DiagramSet set;
  private final Map<Integer, Cut> cuts = new HashMap<>();
  private final Interner<BaryonGraph> rests = new Interner<>();
  private final Map<Integer, Map<Integer, Complex>> combinations = new HashMap<>();
  private final List<OutputSum> outputs;

  /**
   * Cuts the graphs of some sums.
   *
   * @param combine whether to leave out graphs with dependent rests
   */
  public CutRings(DiagramSet set, List<OutputSum> outputs, boolean combine) {
    this.set = set;
    if (IntStream.range(0, set.nodeCount()).anyMatch(node -> set.nodeAt(node).isCurrent())) {
      outputs.stream()
          .flatMap(output -> output.terms().keySet().stream())
          .flatMapToInt(diagram -> Arrays.stream(set.diagramAt(diagram)))
          .filter(DiagramSet::isBaryons)
          .distinct()
          .forEach(component -> cut(~component));
    }
    for (int rest = 0; rest < rests.size(); rest++) {
      combinations.put(rest, Map.of(rest, Complex.ONE));
    }
    this.outputs = combine && !cuts.isEmpty() ? combined(outputs) : outputs;
  }

  /** The sums without the graphs that are left out. */
  public List<OutputSum> outputs() {
    return outputs;
  }

  /** The graph at a place of the set, cut if it has to be. */
  BaryonGraph graph(int place) {
    Cut cut = cuts.get(place);
    return cut == null ? set.baryonGraphAt(place) : cut.graph;
  }

  /** The value of the graph at a place is this sign times that of {@link #graph}. */
  int sign(int place) {
    Cut cut = cuts.get(place);
    return cut == null ? 1 : cut.sign;
  }

  /** The rests by their numbers, as graphs of one pair with an open line of two joined words. */
  List<BaryonGraph> rests() {
    return rests.all();
  }

  /** The rests, with coefficients, that the letter {@code ~number} stands for. */
  Map<Integer, Complex> combination(int number) {
    return combinations.getOrDefault(number, Map.of());
  }

  /** Whether a current lies on a path of a graph that is not cut any more. */
  boolean isOpen(QuarkPath path) {
    return path.word().stream()
        .anyMatch(l -> l == JOIN || (l >= 0 && set.nodeAt(l / 16).isCurrent()));
  }

  private void cut(int place) {
    BaryonGraph ring = set.baryonGraphAt(place);
    QuarkPath current = ring.paths().stream().filter(this::isOpen).findFirst().orElse(null);
    if (ring.sinks().size() != 2 || current == null) {
      return;
    }
    List<QuarkPath> pair = new ArrayList<>();
    List<QuarkPath> others = new ArrayList<>();
    QuarkPath leaving = current;
    QuarkPath arriving = current;
    for (QuarkPath path : ring.paths()) {
      boolean atSink = path.sink() == current.sink();
      boolean atSource = path.source() == current.source();
      if (atSink == atSource) {
        (atSink ? pair : others)
            .add(new QuarkPath(0, path.sinkLeg(), 0, path.sourceLeg(), path.word()));
      } else if (atSink) {
        leaving = path;
      } else {
        arriving = path;
      }
    }
    if (pair.size() != 2) {
      return;
    }
    List<Integer> word = new ArrayList<>(leaving.word());
    word.add(JOIN);
    word.addAll(arriving.word());
    others.add(new QuarkPath(0, arriving.sinkLeg(), 0, leaving.sourceLeg(), word));
    BaryonGraph.Signed rest =
        new BaryonGraph(
                List.of(ring.sinks().get(arriving.sink())),
                List.of(ring.sources().get(leaving.source())),
                others)
            .canonical();
    int number = rests.of(rest.graph());
    pair.add(new QuarkPath(0, leaving.sinkLeg(), 0, arriving.sourceLeg(), List.of(~number)));
    BaryonGraph.Signed graph =
        new BaryonGraph(
                List.of(ring.sinks().get(current.sink())),
                List.of(ring.sources().get(current.source())),
                pair)
            .canonical();
    cuts.put(place, new Cut(graph.graph(), rest.sign() * graph.sign(), number));
  }

  private @Nullable Cut cutOf(int[] components) {
    // Graphs come first, and one of them at most has the current.
    for (int k = 0; k < components.length && components[k] < 0; k++) {
      if (cuts.containsKey(~components[k])) {
        return cuts.get(~components[k]);
      }
    }
    return null;
  }

  /** What multiplies a rest in an output: everything else, whatever the rest. */
  private static List<Object> row(int output, int[] components, Cut cut) {
    List<Object> row = new ArrayList<>();
    row.add(output);
    row.add(cut.graph.sinks());
    row.add(cut.graph.sources());
    for (QuarkPath p : cut.graph.paths()) {
      row.add(p.sourceLeg());
      row.add(p.word().get(0) < 0 ? List.of() : p.word());
    }
    Arrays.stream(components).filter(c -> c >= 0).forEach(row::add);
    return row;
  }

  private List<OutputSum> combined(List<OutputSum> all) {
    // Only rests of the same baryons may replace each other.
    Map<List<List<BaryonVertex>>, Map<List<Object>, Map<Integer, Complex>>> groups =
        new LinkedHashMap<>();
    for (int o = 0; o < all.size(); o++) {
      for (Map.Entry<Integer, Complex> term : all.get(o).terms().entrySet()) {
        int[] components = set.diagramAt(term.getKey());
        Cut cut = cutOf(components);
        if (cut != null) {
          BaryonGraph rest = rests.at(cut.rest);
          groups
              .computeIfAbsent(List.of(rest.sinks(), rest.sources()), key -> new LinkedHashMap<>())
              .computeIfAbsent(row(o, components, cut), key -> new LinkedHashMap<>())
              .merge(cut.rest, term.getValue().times(cut.sign), Complex::plus);
        }
      }
    }
    groups.values().forEach(rows -> combine(rows.values()));
    return all.stream().map(this::kept).toList();
  }

  /** Finds the independent ones of some rests by their coefficients in every row. */
  private void combine(Collection<Map<Integer, Complex>> rows) {
    List<Integer> columns =
        rows.stream().flatMap(row -> row.keySet().stream()).distinct().sorted().toList();
    VectorSpan span = new VectorSpan();
    for (Map<Integer, Complex> row : rows) {
      double[] vector = new double[2 * columns.size()];
      row.forEach(
          (rest, coefficient) -> {
            int at = 2 * Collections.binarySearch(columns, rest);
            vector[at] = coefficient.re();
            vector[at + 1] = coefficient.im();
          });
      span.add(vector);
    }
    columns.forEach(combinations::remove);
    span.independentPlaces()
        .forEach(
            (place, row) -> {
              Map<Integer, Complex> terms = new TreeMap<>();
              for (int k = 0; k < columns.size(); k++) {
                Complex coefficient = new Complex(row[2 * k], row[2 * k + 1]);
                if (coefficient.abs() > VectorSpan.TOLERANCE) {
                  terms.put(columns.get(k), coefficient);
                }
              }
              combinations.put(columns.get(place), terms);
            });
  }

  private OutputSum kept(OutputSum output) {
    Map<Integer, Complex> terms = new TreeMap<>(output.terms());
    terms
        .keySet()
        .removeIf(
            diagram -> {
              Cut cut = cutOf(set.diagramAt(diagram));
              return cut != null && !combinations.containsKey(cut.rest);
            });
    return new OutputSum(
        output.matrix(), output.row(), output.column(), terms, output.negligible());
  }
}
