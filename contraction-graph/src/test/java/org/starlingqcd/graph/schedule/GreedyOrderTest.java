package org.starlingqcd.graph.schedule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Channels;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.wick.WickContraction;

/** The greedy order against one that reckons the cost of every vertex anew at every step. */
class GreedyOrderTest {
  private static final double[] WEIGHTS = {0, 0.006, 0.3};

  @ParameterizedTest
  @ValueSource(strings = {"rho_pipi", "a1_rhopi", "pipi_i2"})
  void of_mesons_isTheNaiveOrder(String channel) {
    check(graph(Channels.diagrams(channel)));
  }

  @Test
  void of_nucleonAndPion_isTheNaiveOrder() {
    List<Operator> operators = new ArrayList<>();
    for (int p = -1; p <= 1; p++) {
      Momentum momentum = new Momentum(p, 0, 0);
      operators.add(
          new Operator(
              "Npi" + p,
              List.of(
                  new Term(
                      Complex.ONE,
                      List.of(
                          new BaryonFactor("u", "d", "u", Gamma.G5, 1, 1, momentum, "none"),
                          new Bilinear("d", Gamma.G5, "d", momentum.negate(), "none"))),
                  new Term(
                      new Complex(-1, 0),
                      List.of(
                          new BaryonFactor("u", "d", "d", Gamma.G5, 1, 2, momentum, "none"),
                          new Bilinear("d", Gamma.G5, "u", momentum.negate(), "none"))))));
    }
    Map<String, String> labels = Map.of("u", "light", "d", "light");
    check(
        graph(
            WickContraction.contract(
                List.of(new CorrelationMatrix("Npi", operators, labels, false)))));
  }

  private static StepGraph graph(DiagramSet set) {
    BoundTimes times = new BoundTimes(4, List.of(0), List.of(1), List.of());
    return new StepGraph(
        TimeBinding.bind(
            new PlanParts(Reducer.reduce(set), QueueOptions.standard()), times, new int[0], true),
        16);
  }

  private static void check(StepGraph graph) {
    VertexNeeds needs = new VertexNeeds(graph);
    for (double weight : WEIGHTS) {
      Naive naive = new Naive(graph, weight);
      assertArrayEquals(
          naive.order, GreedyOrder.of(graph, needs, weight, Long.MAX_VALUE).orElseThrow());
      assertArrayEquals(
          naive.order, GreedyOrder.of(graph, needs, weight, naive.most).orElseThrow());
      assertEquals(Optional.empty(), GreedyOrder.of(graph, needs, weight, naive.most - 1));
    }
  }

  /** Simulates every vertex at every step. */
  private static final class Naive {
    private final StepGraph graph;
    private final int[] order;
    private final Set<Integer> made = new HashSet<>();
    private final Set<Integer> placed = new HashSet<>();
    private final Set<Integer> inPlay = new HashSet<>();
    private final int[] left;
    private long most;

    Naive(StepGraph graph, double weight) {
      this.graph = graph;
      int[] vertices = graph.vertices();
      order = new int[vertices.length];
      left = new int[graph.size()];
      for (int e = 0; e < left.length; e++) {
        left[e] = graph.uses(e);
      }
      long resident = 0;
      for (int k = 0; k < order.length; k++) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int v : vertices) {
          if (!placed.contains(v)) {
            double cost = gain(v, new HashSet<>(), new HashMap<>()) + weight * idle(v);
            if (cost < least) {
              least = cost;
              best = v;
            }
          }
        }
        Set<Integer> fresh = new HashSet<>();
        Map<Integer, Integer> used = new HashMap<>();
        resident += gain(best, fresh, used);
        most = Math.max(most, resident);
        made.addAll(fresh);
        used.forEach((e, uses) -> left[e] -= uses);
        placed.add(best);
        inPlay.add(best);
        for (int u : graph.partners(best)) {
          inPlay.add(u);
        }
        order[k] = best;
      }
    }

    private long idle(int vertex) {
      long bytes = 0;
      for (int u : graph.partners(vertex)) {
        bytes += inPlay.contains(u) ? 0 : graph.bytes(u);
      }
      return bytes;
    }

    /** Bytes made less bytes freed. */
    private long gain(int vertex, Set<Integer> fresh, Map<Integer, Integer> used) {
      make(vertex, fresh, used);
      for (int u : graph.partners(vertex)) {
        if (placed.contains(u) || u == vertex) {
          used.merge(vertex, 1, Integer::sum);
          if (u != vertex) {
            used.merge(u, 1, Integer::sum);
          }
        }
      }
      long bytes = 0;
      for (int e : fresh) {
        bytes += graph.bytes(e);
      }
      for (Map.Entry<Integer, Integer> use : used.entrySet()) {
        bytes -= use.getValue() == left[use.getKey()] ? graph.bytes(use.getKey()) : 0;
      }
      return bytes;
    }

    private void make(int element, Set<Integer> fresh, Map<Integer, Integer> used) {
      if (!made.contains(element) && fresh.add(element)) {
        for (int factor : graph.factors(element)) {
          make(factor, fresh, used);
          used.merge(factor, 1, Integer::sum);
        }
      }
    }
  }
}
