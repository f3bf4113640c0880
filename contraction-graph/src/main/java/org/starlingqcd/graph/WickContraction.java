package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Wick contraction of correlation matrices: every way of joining the quark field of each bilinear
 * with the antiquark field of another (or its own) of the same flavour, as products of cycles with
 * the sign {@code (-1)^cycles}.
 *
 * <p>Flavours decide what contracts with what; in the result only perambulator labels are left, so
 * diagrams that differ in u ↔ d alone are one diagram. Contributions that cancel between terms
 * leave nothing behind.
 */
public final class WickContraction {
  /*
   * The sum over permutations σ with quark(k) = bar(σ(k)) is a sum over covers of the factors by directed cycles. It is built
   * recursively: the first factor not yet covered lies on some cycle within the uncovered factors; for each such cycle, the rest is the
   * same problem on fewer factors. The result for a set of uncovered factors is kept, with equal diagrams merged, so a set is expanded
   * once however many ways lead to it. Cycles that flavour forbids are never walked, since a walk follows allowed lines only and stops
   * when no line of the right flavour is left to close it.
   *
   * Two terms contract only if every flavour occurs as often as quark as it does as antiquark. Terms are therefore grouped by their
   * surplus of each flavour, and only pairs of one group are looked at: operators with hundreds of terms over dozens of flavours cost
   * what their non-vanishing pairs cost.
   */

  /**
   * Relative size below which a sum of coefficients counts as cancelled; the sums have a few
   * thousand terms of order one at most.
   */
  private static final double CANCELLED = 1e-12;

  /** Factors of one product, sink and source together; a set of them is a bit mask. */
  private static final int MAX_FACTORS = 30;

  private final DiagramSet scratch = new DiagramSet();

  private WickContraction() {}

  /**
   * Contracts every matrix element, and the one-point functions where asked for. Work and memory
   * grow with the number of distinct diagrams, not with the number of permutations.
   *
   * @throws IllegalArgumentException if a flavour has no label, or a product has more than 30
   *     factors
   */
  public static DiagramSet contract(List<CorrelationMatrix> matrices) {
    WickContraction wick = new WickContraction();
    for (CorrelationMatrix matrix : matrices) {
      wick.contract(matrix);
    }
    return wick.survivors();
  }

  /**
   * One factor of a product with its place in time: what it contributes to a node, and its two
   * flavours.
   */
  private record Vertex(
      ElementalRef elemental, Gamma gamma, String bar, String quark, TimeSlot time) {}

  /** A term ready for one side of the correlator. */
  private record Side(Complex coefficient, List<Vertex> vertices) {}

  private void contract(CorrelationMatrix matrix) {
    int number = scratch.addMatrix(matrix);
    List<Map<Map<String, Integer>, List<Side>>> sinks = new ArrayList<>();
    List<Map<Map<String, Integer>, List<Side>>> sources = new ArrayList<>();
    for (Operator operator : matrix.operators()) {
      Map<Map<String, Integer>, List<Side>> sink = new LinkedHashMap<>();
      Map<Map<String, Integer>, List<Side>> source = new LinkedHashMap<>();
      for (Term term : operator.terms()) {
        // The adjoint at the source has the opposite surplus, so equal surplus of the terms
        // themselves is what contracts.
        Map<String, Integer> surplus = surplus(operator, term);
        sink.computeIfAbsent(surplus, key -> new ArrayList<>())
            .add(new Side(term.coefficient(), vertices(term, TimeSlot.SINK)));
        source
            .computeIfAbsent(surplus, key -> new ArrayList<>())
            .add(new Side(term.coefficient().conjugate(), vertices(term, TimeSlot.SOURCE)));
      }
      sinks.add(sink);
      sources.add(source);
    }
    int n = matrix.operators().size();
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (Map.Entry<Map<String, Integer>, List<Side>> group : sinks.get(i).entrySet()) {
          for (Side source : sources.get(j).getOrDefault(group.getKey(), List.of())) {
            for (Side sink : group.getValue()) {
              List<Vertex> all = new ArrayList<>(sink.vertices());
              all.addAll(source.vertices());
              Complex coefficient = sink.coefficient().times(source.coefficient());
              int row = i;
              int column = j;
              contract(
                  all,
                  matrix.quarkLabels(),
                  (diagram, weight) ->
                      scratch.add(number, row, column, diagram, coefficient.times(weight)));
            }
          }
        }
      }
      if (matrix.onePoint()) {
        int row = i;
        for (Side sink : sinks.get(i).getOrDefault(Map.of(), List.of())) {
          contract(
              sink.vertices(),
              matrix.quarkLabels(),
              (diagram, weight) ->
                  scratch.addOnePoint(number, row, diagram, sink.coefficient().times(weight)));
        }
      }
    }
  }

  private static List<Vertex> vertices(Term term, TimeSlot time) {
    List<Vertex> result = new ArrayList<>();
    for (Factor factor : term.factors()) {
      Bilinear b = bilinear(factor);
      result.add(
          time == TimeSlot.SINK
              ? new Vertex(
                  ElementalRef.of(b.displacement(), b.momentum(), false),
                  b.gamma(),
                  b.bar(),
                  b.quark(),
                  time)
              : new Vertex(
                  ElementalRef.of(b.displacement(), b.momentum(), true),
                  b.gamma().bar(),
                  b.quark(),
                  b.bar(),
                  time));
    }
    return result;
  }

  private static Bilinear bilinear(Factor factor) {
    if (factor instanceof Bilinear bilinear) {
      return bilinear;
    }
    throw new IllegalArgumentException("correlators with baryons are not supported: " + factor);
  }

  /** Quarks less antiquarks of each flavour, flavours in balance left out. */
  private static Map<String, Integer> surplus(Operator operator, Term term) {
    if (2 * term.factors().size() > MAX_FACTORS) {
      throw new IllegalArgumentException(
          "operator '"
              + operator.name()
              + "' has a product of "
              + term.factors().size()
              + " hadrons: at most "
              + MAX_FACTORS / 2
              + " can be contracted");
    }
    Map<String, Integer> surplus = new TreeMap<>();
    for (Factor factor : term.factors()) {
      Bilinear b = bilinear(factor);
      surplus.merge(b.quark(), 1, Integer::sum);
      surplus.merge(b.bar(), -1, Integer::sum);
    }
    surplus.values().removeIf(count -> count == 0);
    return surplus;
  }

  /** Receives each diagram of a product once, with the sum of its signs. */
  private interface Sink {
    void accept(int diagram, double weight);
  }

  private void contract(List<Vertex> vertices, Map<String, String> labels, Sink sink) {
    int n = vertices.size();
    if (n == 0) {
      return;
    }
    new Cover(vertices, labels)
        .of((1 << n) - 1)
        .forEach((cycles, weight) -> sink.accept(scratch.diagram(cycles.numbers), weight));
  }

  /** Sums over covers of subsets of one product's factors. */
  private final class Cover {
    private final int n;
    // letters[k][t]: letter of factor k when its quark line begins on a factor at time t; signs are
    // apart.
    private final int[][] letters;
    private final double[] signs;
    private final int[] time;
    // lines[k]: the factors whose antiquark factor k's quark may contract with.
    private final int[] lines;
    private final Map<Integer, Map<Cycles, Double>> known = new HashMap<>();

    Cover(List<Vertex> vertices, Map<String, String> labels) {
      n = vertices.size();
      letters = new int[n][2];
      signs = new double[n];
      time = new int[n];
      lines = new int[n];
      for (int k = 0; k < n; k++) {
        Vertex v = vertices.get(k);
        String label = labels.get(v.quark());
        if (label == null) {
          throw new IllegalArgumentException("flavour has no perambulator label: " + v.quark());
        }
        time[k] = slot(v.time());
        signs[k] = v.gamma().sign();
        for (int l = 0; l < n; l++) {
          if (v.quark().equals(vertices.get(l).bar())) {
            lines[k] |= 1 << l;
            TimeSlot next = vertices.get(l).time();
            letters[k][slot(next)] =
                16 * scratch.node(new NodeRef(v.elemental(), v.time(), label, next))
                    + v.gamma().mask();
          }
        }
      }
    }

    /** Every cover of the factors in {@code set}, with the sum of the signs of equal ones. */
    Map<Cycles, Double> of(int set) {
      if (set == 0) {
        return Map.of(Cycles.NONE, 1.0);
      }
      Map<Cycles, Double> result = known.get(set);
      if (result == null) {
        result = new LinkedHashMap<>();
        int first = Integer.numberOfTrailingZeros(set);
        walk(set, first, first, 1 << first, new int[n], 0, signs[first], result);
        known.put(set, result);
      }
      return result;
    }

    /**
     * Extends the path from {@code first} that stands at factor {@code at}, closing it wherever
     * flavour allows.
     */
    private void walk(
        int set,
        int first,
        int at,
        int used,
        int[] path,
        int length,
        double sign,
        Map<Cycles, Double> result) {
      if ((lines[at] >> first & 1) != 0) {
        path[length] = letters[at][time[first]];
        int cycle = scratch.cycle(Arrays.copyOf(path, length + 1));
        for (Map.Entry<Cycles, Double> rest : of(set & ~used).entrySet()) {
          result.merge(rest.getKey().with(cycle), -sign * rest.getValue(), Double::sum);
        }
      }
      for (int open = lines[at] & set & ~used; open != 0; open &= open - 1) {
        int next = Integer.numberOfTrailingZeros(open);
        path[length] = letters[at][time[next]];
        walk(set, first, next, used | 1 << next, path, length + 1, sign * signs[next], result);
      }
    }
  }

  private static int slot(TimeSlot time) {
    return time == TimeSlot.SINK ? 0 : 1;
  }

  /** Cycle numbers in ascending order, as a key. */
  private static final class Cycles {
    static final Cycles NONE = new Cycles(new int[0]);

    private final int[] numbers;

    private Cycles(int[] numbers) {
      this.numbers = numbers;
    }

    Cycles with(int cycle) {
      int n = numbers.length;
      int[] more = Arrays.copyOf(numbers, n + 1);
      int k = n;
      while (k > 0 && more[k - 1] > cycle) {
        more[k] = more[k - 1];
        k--;
      }
      more[k] = cycle;
      return new Cycles(more);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Cycles that && Arrays.equals(numbers, that.numbers);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(numbers);
    }
  }

  /** Copies what did not cancel, numbered by first appearance. */
  private DiagramSet survivors() {
    DiagramSet result = new DiagramSet();
    int[] diagrams = new int[scratch.diagramCount()];
    Arrays.fill(diagrams, -1);
    List<CorrelationMatrix> matrices = scratch.matrices();
    for (int m = 0; m < matrices.size(); m++) {
      CorrelationMatrix matrix = matrices.get(m);
      int number = result.addMatrix(matrix);
      List<Operator> operators = matrix.operators();
      for (int i = 0; i < operators.size(); i++) {
        double sinkSize = size(operators.get(i));
        for (int j = 0; j < operators.size(); j++) {
          double threshold = CANCELLED * sinkSize * size(operators.get(j));
          for (Map.Entry<Integer, Complex> e : scratch.element(m, i, j).terms().entrySet()) {
            if (e.getValue().abs() > threshold) {
              result.add(number, i, j, copy(e.getKey(), diagrams, result), e.getValue());
            }
          }
        }
        if (matrix.onePoint()) {
          for (Map.Entry<Integer, Complex> e : scratch.onePoint(m, i).terms().entrySet()) {
            if (e.getValue().abs() > CANCELLED * sinkSize) {
              result.addOnePoint(number, i, copy(e.getKey(), diagrams, result), e.getValue());
            }
          }
        }
      }
    }
    return result;
  }

  private static double size(Operator operator) {
    return operator.terms().stream().mapToDouble(term -> term.coefficient().abs()).max().orElse(0);
  }

  private int copy(int diagram, int[] known, DiagramSet result) {
    if (known[diagram] < 0) {
      int[] cycles = scratch.diagramAt(diagram).clone();
      for (int c = 0; c < cycles.length; c++) {
        int[] letters = scratch.cycleAt(cycles[c]).clone();
        for (int k = 0; k < letters.length; k++) {
          letters[k] = 16 * result.node(scratch.nodeAt(letters[k] / 16)) + letters[k] % 16;
        }
        cycles[c] = result.cycle(letters);
      }
      known[diagram] = result.diagram(cycles);
    }
    return known[diagram];
  }
}
