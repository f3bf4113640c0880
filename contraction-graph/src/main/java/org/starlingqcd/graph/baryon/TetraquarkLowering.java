package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.OutputSum;
import org.starlingqcd.graph.QuarkPath;
import org.starlingqcd.graph.TetraquarkGraph;
import org.starlingqcd.graph.TetraquarkVertex;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.graph.baryon.BaryonLowering.PlanTarget;
import org.starlingqcd.graph.baryon.BaryonLowering.Weighted;
import org.starlingqcd.graph.plan.TetraquarkPart;
import org.starlingqcd.graph.plan.TetraquarkPart.Tetraquark;
import org.starlingqcd.graph.plan.TetraquarkPart.VertexSpin;

/** Turns tetraquark graphs into steps ({@link TetraquarkPart}), products and traces. */
public final class TetraquarkLowering {
  /** A line that touches one time only is bound once for many pairs of times. */
  private static final int TIMES_SAVED = 16;

  /** Coefficients of like operators differ by rounding: 2⁻⁴⁰ is far above that. */
  private static final double ROUNDING = 1L << 40;

  private final DiagramSet set;
  private final BaryonLowering lines;
  private final PlanTarget target;
  // Lines that are closed where a graph of one tetraquark leaves the choice of two.
  private final Set<Closing> closings = new LinkedHashSet<>();
  private final List<TetraquarkPart.Step> steps = new ArrayList<>();
  private final Map<List<Object>, Integer> elements = new HashMap<>();

  /** A tetraquark and a line that comes back to it. */
  private record Closing(Tetraquark tetraquark, List<Integer> line) {}

  /** What graphs share that differ in spin alone: each tetraquark closed, with the line from it. */
  private record Ring(List<Closing> closed, List<List<Integer>> open) {}

  private record Masks(int antidiquark, int diquark) {
    static final Masks NONE = new Masks(0, 0);

    static Masks of(TetraquarkVertex vertex) {
      return new Masks(vertex.antidiquarkMask(), vertex.diquarkMask());
    }
  }

  /**
   * Chooses which lines to close.
   *
   * @param lines what makes products of lines
   */
  public TetraquarkLowering(
      DiagramSet set, List<OutputSum> outputs, BaryonLowering lines, PlanTarget target) {
    this.set = set;
    this.lines = lines;
    this.target = target;
    Set<Integer> diagrams = new LinkedHashSet<>();
    for (OutputSum output : outputs) {
      diagrams.addAll(output.terms().keySet());
    }
    Set<Set<Closing>> choices = new LinkedHashSet<>();
    for (int diagram : diagrams) {
      for (int component : set.diagramAt(diagram)) {
        if (DiagramSet.isTetraquarks(component)) {
          TetraquarkGraph graph = set.tetraquarkGraphAt(component);
          for (int v = 0; v < graph.vertices().size(); v++) {
            Set<Closing> own = new LinkedHashSet<>();
            for (QuarkPath path : graph.paths()) {
              if (path.sink() == v && path.source() == v) {
                own.add(new Closing(tetraquark(graph.vertices().get(v)), path.word()));
              }
            }
            choices.add(own);
          }
        }
      }
    }
    if (choices.isEmpty()) {
      return;
    }
    choices.removeIf(Set::isEmpty);
    choices.stream().filter(choice -> choice.size() == 1).forEach(closings::addAll);
    choices.removeIf(choice -> choice.stream().anyMatch(closings::contains));
    while (!choices.isEmpty()) {
      Map<Closing, Integer> uses = new LinkedHashMap<>();
      choices.forEach(
          choice -> choice.forEach(closing -> uses.merge(closing, weight(closing), Integer::sum)));
      Closing best = choices.iterator().next().iterator().next();
      for (Map.Entry<Closing, Integer> use : uses.entrySet()) {
        best = use.getValue() > uses.getOrDefault(best, 0) ? use.getKey() : best;
      }
      Closing chosen = best;
      closings.add(chosen);
      choices.removeIf(choice -> choice.contains(chosen));
    }
  }

  private int weight(Closing closing) {
    for (int letter : closing.line) {
      NodeRef node = set.nodeAt(letter / 16);
      TimeSlot own = closing.tetraquark.time();
      if (node.time() != own || node.next() != own) {
        return 1;
      }
    }
    return TIMES_SAVED;
  }

  private static Tetraquark tetraquark(TetraquarkVertex vertex) {
    return new Tetraquark(vertex.colour(), vertex.momentum(), vertex.time());
  }

  /** The steps of all graphs lowered so far. */
  public TetraquarkPart part() {
    return new TetraquarkPart(steps);
  }

  /** The value of a sum of graphs, given as components with coefficients. */
  public List<Weighted> sum(Map<Integer, Complex> graphs) {
    List<Weighted> result = new ArrayList<>();
    // By ring: spins of the first tetraquark, of the second, coefficient.
    Map<Ring, Map<Masks, Map<Masks, Complex>>> rings = new LinkedHashMap<>();
    graphs.forEach(
        (component, coefficient) -> {
          TetraquarkGraph graph = set.tetraquarkGraphAt(component);
          if (graph.vertices().size() == 2 && graph.paths().stream().allMatch(this::passes)) {
            result.add(new Weighted(passing(graph), coefficient));
          } else {
            addTo(rings, graph, coefficient);
          }
        });
    rings.forEach((ring, spins) -> result.addAll(ring(ring, spins)));
    return result;
  }

  private boolean passes(QuarkPath path) {
    return path.sink() != path.source();
  }

  /** {@code Tr[K X K'† Y]}. In the canonical form first quarks go to first antiquarks. */
  private int passing(TetraquarkGraph graph) {
    return trace(pairsTimes(graph, 0), pairsTimes(graph, 1));
  }

  private int pairsTimes(TetraquarkGraph graph, int from) {
    TetraquarkVertex vertex = graph.vertices().get(from);
    TetraquarkVertex other = graph.vertices().get(1 - from);
    int first = lines.word(graph.paths().get(2 * from).word());
    int second = lines.word(graph.paths().get(2 * from + 1).word());
    int pairs =
        element(
            List.of(
                first,
                second,
                vertex.diquarkMask(),
                other.antidiquarkMask(),
                vertex.colour(),
                other.colour()),
            number ->
                new TetraquarkPart.Pairs(
                    number,
                    first,
                    second,
                    vertex.diquarkMask(),
                    other.antidiquarkMask(),
                    vertex.colour(),
                    other.colour()));
    return element(
        List.of(tetraquark(vertex), pairs),
        number -> new TetraquarkPart.PairsTimes(number, tetraquark(vertex), pairs, other.colour()));
  }

  /** Brings the lines that are closed to the second legs. */
  private void addTo(
      Map<Ring, Map<Masks, Map<Masks, Complex>>> rings,
      TetraquarkGraph graph,
      Complex coefficient) {
    List<Closing> closed = new ArrayList<>();
    List<List<Integer>> open = new ArrayList<>();
    int swaps = 0;
    for (int v = 0; v < graph.vertices().size(); v++) {
      List<QuarkPath> own = graph.paths().subList(2 * v, 2 * v + 2);
      Tetraquark tetraquark = tetraquark(graph.vertices().get(v));
      int place =
          own.get(1).source() == v && closings.contains(new Closing(tetraquark, own.get(1).word()))
              ? 1
              : 0;
      QuarkPath path = own.get(place);
      closed.add(new Closing(tetraquark, path.word()));
      open.add(own.get(1 - place).word());
      swaps |= (path.sinkLeg() == 0 ? 1 : 0) << (2 * v);
      swaps |= (path.sourceLeg() == 0 ? 2 : 0) << (2 * v);
    }
    List<TetraquarkVertex> vertices = graph.vertices();
    rings
        .computeIfAbsent(new Ring(closed, open), key -> new LinkedHashMap<>())
        .computeIfAbsent(Masks.of(vertices.get(0)), key -> new LinkedHashMap<>())
        .merge(
            vertices.size() == 1 ? Masks.NONE : Masks.of(vertices.get(1)),
            coefficient.times(graph.exchanged(swaps).sign()),
            Complex::plus);
  }

  /** Spins of the first tetraquark that meet the same sum over spins of the second are added up. */
  private List<Weighted> ring(Ring ring, Map<Masks, Map<Masks, Complex>> spins) {
    Map<List<Object>, List<VertexSpin>> firsts = new LinkedHashMap<>();
    Map<List<Object>, List<VertexSpin>> seconds = new HashMap<>();
    spins.forEach(
        (masks, row) -> {
          Complex scale = row.values().iterator().next();
          List<VertexSpin> second = scaled(row, scale);
          List<Object> key = rounded(second);
          seconds.putIfAbsent(key, second);
          firsts
              .computeIfAbsent(key, k -> new ArrayList<>())
              .add(new VertexSpin(masks.antidiquark, masks.diquark, scale));
        });
    List<Weighted> result = new ArrayList<>();
    firsts.forEach(
        (key, terms) -> {
          Map<Masks, Complex> row = new LinkedHashMap<>();
          terms.forEach(t -> row.put(new Masks(t.antidiquark(), t.diquark()), t.coefficient()));
          Complex scale = terms.get(0).coefficient();
          int node = opened(ring.closed.get(0), scaled(row, scale));
          int word = lines.word(ring.open.get(0));
          int trace;
          if (ring.closed.size() == 1) {
            trace = trace(word, node);
          } else {
            int other = opened(ring.closed.get(1), Objects.requireNonNull(seconds.get(key)));
            trace =
                trace(
                    lines.product(node, word), lines.product(other, lines.word(ring.open.get(1))));
          }
          result.add(new Weighted(trace, scale));
        });
    return result;
  }

  private static List<VertexSpin> scaled(Map<Masks, Complex> row, Complex scale) {
    Complex inverse = GraphSums.inverse(scale);
    List<VertexSpin> terms = new ArrayList<>();
    row.forEach(
        (masks, coefficient) ->
            terms.add(
                new VertexSpin(masks.antidiquark, masks.diquark, coefficient.times(inverse))));
    return terms;
  }

  private static List<Object> rounded(List<VertexSpin> terms) {
    List<Object> numbers = new ArrayList<>();
    for (VertexSpin term : terms) {
      numbers.add(16 * term.antidiquark() + term.diquark());
      numbers.add(Math.round(ROUNDING * term.coefficient().re()));
      numbers.add(Math.round(ROUNDING * term.coefficient().im()));
    }
    return numbers;
  }

  private int opened(Closing closing, List<VertexSpin> terms) {
    int line = lines.word(closing.line);
    int block =
        element(
            List.of(closing.tetraquark, line),
            number -> new TetraquarkPart.Closed(number, closing.tetraquark, line));
    return element(
        List.of(block, rounded(terms)), number -> new TetraquarkPart.Opened(number, block, terms));
  }

  private int trace(int left, int right) {
    return lines.trace(left, 0, right);
  }

  private int element(List<Object> key, IntFunction<TetraquarkPart.Step> made) {
    Integer known = elements.get(key);
    if (known == null) {
      known = target.newIntermediate();
      steps.add(made.apply(known));
      elements.put(key, known);
    }
    return known;
  }
}
