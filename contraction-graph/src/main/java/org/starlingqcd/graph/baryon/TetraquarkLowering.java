package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.OutputSum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.QuarkPath;
import org.starlingqcd.graph.TetraquarkGraph;
import org.starlingqcd.graph.TetraquarkVertex;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.graph.baryon.BaryonLowering.PlanTarget;
import org.starlingqcd.graph.baryon.BaryonLowering.Weighted;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.TetraquarkPart;
import org.starlingqcd.graph.plan.TetraquarkPart.Kind;
import org.starlingqcd.graph.plan.TetraquarkPart.Tetraquark;
import org.starlingqcd.graph.plan.TetraquarkPart.VertexSpin;

/** Turns tetraquark graphs into steps ({@link TetraquarkPart}), products and traces. */
public final class TetraquarkLowering {
  /** A line that touches one time only is bound once for many pairs of times. */
  private static final int TIMES_SAVED = 16;

  /** More than all uses of a line where there is a choice. */
  private static final int FORCED = 1 << 20;

  /** Coefficients of like operators differ by rounding: 2⁻⁴⁰ is far above that. */
  private static final double ROUNDING = 1L << 40;

  private final DiagramSet set;
  private final BaryonLowering lines;
  private final PlanTarget target;
  // Lines that are closed where a graph of one tetraquark leaves the choice of two.
  private final Set<Closing> closings = new LinkedHashSet<>();
  private final Map<TetraquarkPart.Step, Integer> elements = new HashMap<>();
  // By block and terms, of which equal ones may differ by rounding.
  private final Map<List<Object>, Integer> opened = new HashMap<>();

  /** A tetraquark and a line that comes back to it. */
  private record Closing(Tetraquark tetraquark, List<Integer> line) {}

  /** What graphs share that differ in spin alone: each tetraquark closed, with the line from it. */
  private record Ring(List<Closing> closed, List<List<Integer>> open) {}

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
            if (!own.isEmpty()) {
              choices.add(own);
            }
          }
        }
      }
    }
    Map<Closing, Integer> uses = new HashMap<>();
    for (Set<Closing> choice : choices) {
      for (Closing closing : choice) {
        uses.merge(closing, choice.size() == 1 ? FORCED : weight(closing), Integer::sum);
      }
    }
    for (Set<Closing> choice : choices) {
      if (Collections.disjoint(choice, closings)) {
        closings.add(Collections.max(choice, Comparator.comparingInt(uses::get)));
      }
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
    return new Tetraquark(vertex.colour(), vertex.momentum(), vertex.time(), vertex.profiles());
  }

  /** The value of a sum of graphs, given as components with coefficients. */
  public List<Weighted> sum(Map<Integer, Complex> graphs) {
    List<Weighted> result = new ArrayList<>();
    // By ring: masks of the first tetraquark, of the second, coefficient.
    Map<Ring, Map<Integer, Map<Integer, Complex>>> rings = new LinkedHashMap<>();
    graphs.forEach(
        (component, coefficient) -> {
          TetraquarkGraph graph = set.tetraquarkGraphAt(component);
          if (graph.vertices().size() == 2 && graph.paths().stream().allMatch(this::passes)) {
            // Tr[K X K'† Y]: in the canonical form first quarks go to first antiquarks.
            int trace = lines.trace(pairsTimes(graph, 0), 0, pairsTimes(graph, 1));
            result.add(new Weighted(trace, coefficient));
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

  private int pairsTimes(TetraquarkGraph graph, int from) {
    TetraquarkVertex vertex = graph.vertices().get(from);
    TetraquarkVertex other = graph.vertices().get(1 - from);
    int first = lines.word(graph.paths().get(2 * from).word());
    int second = lines.word(graph.paths().get(2 * from + 1).word());
    VertexSpin spin = new VertexSpin(other.antidiquarkMask(), vertex.diquarkMask(), Complex.ONE);
    String quarks = vertex.profiles().isEmpty() ? "" : vertex.profiles().get(1);
    String bars = other.profiles().isEmpty() ? "" : other.profiles().get(0);
    List<String> ofEnds = quarks.isEmpty() && bars.isEmpty() ? List.of() : List.of(quarks, bars);
    int pairs =
        element(
            new TetraquarkPart.Step(
                Kind.PAIRS,
                ContractionPlan.NONE,
                List.of(new Tetraquark(vertex.colour(), Momentum.ZERO, vertex.time(), ofEnds)),
                List.of(first, second),
                vertex.colour(),
                other.colour(),
                List.of(spin)));
    return element(step(Kind.PRODUCT, tetraquark(vertex), pairs, other.colour()));
  }

  /** Brings the lines that are closed to the second legs. */
  private void addTo(
      Map<Ring, Map<Integer, Map<Integer, Complex>>> rings,
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
        .computeIfAbsent(masks(vertices.get(0)), key -> new LinkedHashMap<>())
        .merge(
            vertices.size() == 1 ? 0 : masks(vertices.get(1)),
            coefficient.times(graph.exchanged(swaps).sign()),
            Complex::plus);
  }

  /** The masks of both gammas in one number. */
  private static int masks(TetraquarkVertex vertex) {
    return 16 * vertex.antidiquarkMask() + vertex.diquarkMask();
  }

  /** Spins of the first tetraquark that meet the same sum over spins of the second are added up. */
  private List<Weighted> ring(Ring ring, Map<Integer, Map<Integer, Complex>> spins) {
    Map<List<Object>, Map<Integer, Complex>> firsts = new LinkedHashMap<>();
    Map<List<Object>, List<VertexSpin>> seconds = new HashMap<>();
    spins.forEach(
        (masks, row) -> {
          List<VertexSpin> second = scaled(row);
          List<Object> key = rounded(second);
          seconds.putIfAbsent(key, second);
          firsts.computeIfAbsent(key, k -> new LinkedHashMap<>()).put(masks, first(row));
        });
    List<Weighted> result = new ArrayList<>();
    firsts.forEach(
        (key, column) -> {
          int line = lines.word(ring.open.get(0));
          int node = opened(ring.closed.get(0), scaled(column));
          if (ring.closed.size() == 2) {
            int other = opened(ring.closed.get(1), Objects.requireNonNull(seconds.get(key)));
            line = lines.product(other, lines.word(ring.open.get(1)));
            node = lines.product(node, lines.word(ring.open.get(0)));
          }
          result.add(new Weighted(lines.trace(node, 0, line), first(column)));
        });
    return result;
  }

  private static Complex first(Map<Integer, Complex> sum) {
    return sum.values().iterator().next();
  }

  /** A sum over spins whose first coefficient is 1. */
  private static List<VertexSpin> scaled(Map<Integer, Complex> sum) {
    Complex inverse = GraphSums.inverse(first(sum));
    return sum.entrySet().stream()
        .map(e -> new VertexSpin(e.getKey() / 16, e.getKey() % 16, e.getValue().times(inverse)))
        .toList();
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
    Tetraquark tetraquark = closing.tetraquark;
    int line = lines.word(closing.line);
    int block = element(step(Kind.CLOSED, tetraquark, line, tetraquark.colour()));
    return opened.computeIfAbsent(
        List.of(block, rounded(terms)),
        key ->
            element(
                new TetraquarkPart.Step(
                    Kind.OPENED,
                    ContractionPlan.NONE,
                    List.of(),
                    List.of(block),
                    tetraquark.colour(),
                    tetraquark.colour(),
                    terms)));
  }

  private static TetraquarkPart.Step step(
      Kind kind, Tetraquark tetraquark, int input, PairColour columns) {
    return new TetraquarkPart.Step(
        kind,
        ContractionPlan.NONE,
        List.of(tetraquark),
        List.of(input),
        tetraquark.colour(),
        columns,
        List.of());
  }

  /** The element that a step makes, given without destination. */
  private int element(TetraquarkPart.Step step) {
    return elements.computeIfAbsent(
        step,
        key -> target.make(made -> step.renumbered(e -> e == ContractionPlan.NONE ? made : e)));
  }
}
