package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.plan.PairSum;
import org.starlingqcd.graph.plan.ReducerOptions;

/**
 * Decides which two lines of each baryon graph are contracted together and how, for all graphs at
 * once.
 *
 * <p>Deterministic. Work and memory are linear in graphs times their at most 15 choices of at most
 * 64 spin sums each.
 */
public final class PairSelection {
  /*
   * The cost of a choice depends on the choices of others: a first line attached to an elemental serves everything with that elemental and
   * line, both lines serve all elementals at the other end, and a closed block serves all graphs that need it. Each graph first takes the choice that would be cheapest if everything that can be shared were shared. Then each graph in turn is taken out and put back at the lowest cost, until none moves. In the first rounds the cost of attaching a line is divided among all graphs that could share it, so that one graph can move where others will follow; in the last rounds it counts in full.
   *
   * Graphs that differ only by components of w make one choice, for the spin sums that all of them together ask for.
   */

  private static final int PASSES = 8;

  private static final double LEAST_GAIN = 1e-9;

  /** A pair of baryons of some graph, for which one of several options is taken. */
  private static final class Demand {
    private final List<SharedCosts.Option> options;
    private SharedCosts.Option taken;

    Demand(List<SharedCosts.Option> options) {
      this.options = options;
      taken = options.get(0);
    }
  }

  /** A graph without its components of w, and the components of its pairs that occur. */
  private static final class Shape {
    private final List<List<PairChoice>> choices;
    private final double productsAlone;
    private final int[] components;
    // What is asked of the first of the graphs does not depend on its components.
    private final List<BaryonGraph> graphs = new ArrayList<>();
    private final List<GraphSums.Part> parts = new ArrayList<>();
    private final List<Demand> demands = new ArrayList<>();
    private @Nullable Decision decision;

    Shape(List<List<PairChoice>> choices, double productsAlone) {
      this.choices = choices;
      this.productsAlone = productsAlone;
      components = new int[choices.size()];
    }
  }

  private final List<Shape> shapes = new ArrayList<>();
  // By place of the graph in the set; null for one that no sum has.
  private final @Nullable Shape[] shapeOf;
  private final List<Shape> shapeOfRest = new ArrayList<>();
  private final SharedCosts costs;

  /** Decides for the graphs that are parts of sums. */
  public PairSelection(DiagramSet set, CutRings rings, GraphSums sums, ReducerOptions options) {
    costs = new SharedCosts(options.mixedComponents());
    shapeOf = new Shape[set.baryonGraphCount()];
    NumberedSums.Table alone = new NumberedSums.Table(false);
    GraphShapes keys = new GraphShapes();
    sums.parts()
        .forEach(
            (place, parts) -> {
              shapeOf[place] = use(rings.graph(place), parts, rings, keys, alone);
            });
    List<BaryonGraph> rests = rings.rests();
    for (int rest = 0; rest < rests.size(); rest++) {
      List<GraphSums.Part> own = List.of(new GraphSums.Part(~rest, Complex.ONE));
      shapeOfRest.add(use(rests.get(rest), own, rings, keys, alone));
    }
    if (shapes.isEmpty()) {
      return;
    }
    shapes.forEach(this::addDemands);
    forEachDemand(demand -> demand.taken = least(demand, SharedCosts::sharedCost));
    forEachDemand(demand -> costs.count(demand.taken, 1));
    settle(true);
    for (int pass = 0; pass < PASSES && vacate(); pass++) {
      settle(true);
    }
    settle(false);
  }

  /**
   * Tries to remove each block: all graphs that need it move to other blocks at once.
   *
   * @return whether any moved
   */
  private boolean vacate() {
    Map<AskedSums.Block, List<Demand>> tenants = new LinkedHashMap<>();
    forEachDemand(
        demand ->
            tenants.computeIfAbsent(demand.taken.closed, key -> new ArrayList<>()).add(demand));
    boolean moved = false;
    for (Map.Entry<AskedSums.Block, List<Demand>> entry : tenants.entrySet()) {
      AskedSums.Block closed = entry.getKey();
      List<Demand> leaving =
          entry.getValue().stream().filter(demand -> demand.taken.closed == closed).toList();
      List<SharedCosts.Option> before = leaving.stream().map(demand -> demand.taken).toList();
      if (leaving.isEmpty()
          || !leaving.stream()
              .allMatch(demand -> demand.options.stream().anyMatch(o -> o.closed != closed))) {
        continue;
      }
      leaving.forEach(demand -> costs.count(demand.taken, -1));
      double old = take(leaving, before);
      leaving.forEach(demand -> costs.count(demand.taken, -1));
      double now = 0;
      for (Demand demand : leaving) {
        SharedCosts.Option best =
            least(
                demand,
                option ->
                    option.closed == closed ? Double.POSITIVE_INFINITY : costs.cost(option, true));
        now += costs.cost(best, true);
        demand.taken = best;
        costs.count(best, 1);
      }
      if (now < old - LEAST_GAIN) {
        moved = true;
      } else {
        leaving.forEach(demand -> costs.count(demand.taken, -1));
        take(leaving, before);
      }
    }
    return moved;
  }

  /** Takes options for demands one after the other; returns their cost. */
  private double take(List<Demand> demands, List<SharedCosts.Option> options) {
    double cost = 0;
    for (int k = 0; k < demands.size(); k++) {
      cost += costs.cost(options.get(k), true);
      demands.get(k).taken = options.get(k);
      costs.count(options.get(k), 1);
    }
    return cost;
  }

  /** The shape of a graph, which is part of some sums. */
  private Shape use(
      BaryonGraph graph,
      List<GraphSums.Part> parts,
      CutRings rings,
      GraphShapes keys,
      NumberedSums.Table table) {
    int number = keys.of(graph);
    if (number == shapes.size()) {
      List<List<PairChoice>> choices = PairChoice.of(graph, rings::isOpen);
      shapes.add(new Shape(choices, productsAlone(graph, choices, table)));
    }
    Shape shape = shapes.get(number);
    for (int k = 0; k < shape.components.length; k++) {
      shape.components[k] |= NumberedSums.components(shape.choices.get(k).get(0), graph);
    }
    shape.graphs.addAll(Collections.nCopies(parts.size(), graph));
    shape.parts.addAll(parts);
    return shape;
  }

  /** The choices for the rests of rings, by number. */
  List<PairChoice> choicesOfRests() {
    return shapeOfRest.stream().map(shape -> shape.demands.get(0).taken.choice).toList();
  }

  private void forEachDemand(Consumer<Demand> action) {
    shapes.forEach(shape -> shape.demands.forEach(action));
  }

  private void settle(boolean attachedShared) {
    boolean moved = true;
    for (int pass = 0; pass < PASSES && moved; pass++) {
      moved = false;
      for (Shape shape : shapes) {
        for (Demand demand : shape.demands) {
          moved |= improve(demand, attachedShared);
        }
      }
    }
  }

  /**
   * What is decided for the graphs of one shape.
   *
   * @param chosen the choice for each pair of baryons, in ring order
   * @param productsAlone N⁴ work of a graph that shares nothing, with the choices that are cheapest
   *     for it and one component of w at either end
   */
  record Decision(List<PairChoice> chosen, double productsAlone) {}

  /** The decisions by place of the graph in the set; null for one that no sum has. */
  @Nullable Decision[] decisions() {
    shapes.forEach(
        shape -> {
          List<PairChoice> chosen = shape.demands.stream().map(d -> d.taken.choice).toList();
          shape.decision = new Decision(chosen, shape.productsAlone);
        });
    return Arrays.stream(shapeOf)
        .map(shape -> shape == null ? null : shape.decision)
        .toArray(Decision[]::new);
  }

  /** The options taken. */
  List<SharedCosts.Option> taken() {
    return shapes.stream().flatMap(shape -> shape.demands.stream()).map(d -> d.taken).toList();
  }

  /** Independent sums that span everything that some blocks have to hold. */
  List<PairSum> basis(Set<AskedSums.Block> blocks) {
    return costs.basis(blocks);
  }

  private static double productsAlone(
      BaryonGraph graph, List<List<PairChoice>> choices, NumberedSums.Table table) {
    double sum = 0;
    for (List<PairChoice> pair : choices) {
      double least = Double.POSITIVE_INFINITY;
      for (PairChoice choice : pair) {
        NumberedSums spins = table.of(choice, graph, NumberedSums.FIRST_COMPONENTS);
        double work = spins.allFirsts.length;
        for (int products : spins.products) {
          work += products + SharedCosts.closingCost(choice.other());
        }
        least = Math.min(least, work);
      }
      sum += least;
    }
    return sum;
  }

  private void addDemands(Shape shape) {
    for (int k = 0; k < shape.choices.size(); k++) {
      List<SharedCosts.Option> options = new ArrayList<>();
      for (PairChoice choice : shape.choices.get(k)) {
        options.add(costs.option(choice, shape.graphs, shape.components[k], shape.parts, k));
      }
      shape.demands.add(new Demand(options));
    }
  }

  private boolean improve(Demand demand, boolean attachedShared) {
    costs.count(demand.taken, -1);
    SharedCosts.Option best = demand.options.get(0);
    double least = Double.POSITIVE_INFINITY;
    double present = Double.POSITIVE_INFINITY;
    for (SharedCosts.Option option : demand.options) {
      double cost = costs.cost(option, attachedShared);
      if (cost < least - LEAST_GAIN) {
        least = cost;
        best = option;
      }
      present = option == demand.taken ? cost : present;
    }
    boolean moves = best != demand.taken && least < present - LEAST_GAIN;
    if (moves) {
      demand.taken = best;
    }
    costs.count(demand.taken, 1);
    return moves;
  }

  private static SharedCosts.Option least(
      Demand demand, ToDoubleFunction<SharedCosts.Option> costOf) {
    SharedCosts.Option best = demand.options.get(0);
    double least = Double.POSITIVE_INFINITY;
    for (SharedCosts.Option option : demand.options) {
      double cost = costOf.applyAsDouble(option);
      if (cost < least - LEAST_GAIN) {
        least = cost;
        best = option;
      }
    }
    return best;
  }
}
