package org.starlingqcd.correlators.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;

/**
 * The times of three-point functions: those that are asked for, or else those for which the data
 * have every generalized perambulator that a plan needs.
 *
 * @param separations t_f - t_i
 * @param insertions t - t_i modulo T
 * @param allSeparations whether all separations are asked for: those without data are left out
 * @param allInsertions whether all insertion separations are asked for
 */
public record CurrentTimes(
    List<Integer> separations,
    List<Integer> insertions,
    boolean allSeparations,
    boolean allInsertions) {
  /** Copies the lists. */
  public CurrentTimes {
    separations = List.copyOf(separations);
    insertions = List.copyOf(insertions);
  }

  /** A quark line with a current on it: where it ends and begins, and for which current. */
  record Line(NodeRef node, CurrentVertex vertex) {
    private CurrentName.Ends ends(int source, int sink) {
      return new CurrentName.Ends(
          node.time() == TimeSlot.SINK ? sink : source,
          node.next() == TimeSlot.SINK ? sink : source);
    }

    CurrentName name() {
      return new CurrentName(node.barLabel(), node.quarkLabel(), vertex);
    }
  }

  /**
   * Those of these times for which data have everything, where all are asked for.
   *
   * @throws InputException when the data have no separation
   */
  public CurrentTimes within(
      List<? extends AnyDefinition> definitions,
      ContractionPlan plan,
      DistillationData data,
      List<Integer> sources) {
    if (!allSeparations && !allInsertions) {
      return this;
    }
    int extent = data.header().temporalExtent();
    Set<Line> lines = lines(definitions, plan);
    List<Integer> complete = new ArrayList<>();
    BitSet common = new BitSet();
    insertions.forEach(common::set);
    int most = -1;
    int closest = 0;
    for (int separation : separations) {
      BitSet there = new BitSet();
      insertions.forEach(there::set);
      int found = 0;
      for (int source : sources) {
        for (Line line : lines) {
          BitSet its = insertions(data, line, source, (source + separation) % extent, extent);
          there.and(its);
          found += its.cardinality();
        }
      }
      closest = found > most ? separation : closest;
      most = Math.max(most, found);
      if (allInsertions ? !there.isEmpty() : there.cardinality() == insertions.size()) {
        complete.add(separation);
        common.and(there);
      }
    }
    if (allSeparations && complete.isEmpty()) {
      List<Input> inputs = new ArrayList<>();
      for (int source : sources) {
        for (Line line : lines) {
          for (int insertion : insertions) {
            inputs.add(
                new DataBlock.Generalized(
                        line.name(),
                        line.ends(source, (source + closest) % extent),
                        (source + insertion) % extent)
                    .input());
          }
        }
      }
      try {
        data.check(inputs);
      } catch (DistillationException e) {
        throw new InputException(
            ("no separation has all generalized perambulators for the sources %s; for separation %d,"
                    + " which comes closest, %s\n`starling inspect` lists what each configuration has")
                .formatted(sources, closest, e.getMessage()),
            e);
      }
    }
    return new CurrentTimes(
        allSeparations ? complete : separations,
        !allInsertions || complete.isEmpty() ? insertions : common.stream().boxed().toList(),
        false,
        false);
  }

  /** The quark lines that need a generalized perambulator. */
  static Set<Line> lines(List<? extends AnyDefinition> definitions, ContractionPlan plan) {
    Set<Line> lines = new LinkedHashSet<>();
    for (AnyDefinition definition : definitions) {
      if (definition instanceof CurrentDefinition currents) {
        Map<String, String> labels = currents.quarkLabels();
        for (CorrelationMatrix.Flavours pair : currents.flavours()) {
          for (NodeRef node : plan.nodes()) {
            if (node.isCurrent()
                && node.barLabel().equals(labels.get(pair.bar()))
                && node.quarkLabel().equals(labels.get(pair.quark()))) {
              currents.vertices(pair).forEach(vertex -> lines.add(new Line(node, vertex)));
            }
          }
        }
      }
    }
    return lines;
  }

  /** The insertion separations for which the block of a line is there. */
  private static BitSet insertions(
      DistillationData data, Line line, int source, int sink, int extent) {
    NodeRef node = line.node();
    BitSet relative = new BitSet();
    BitSet times =
        data.generalizedTimes(node.barLabel(), node.quarkLabel(), line.vertex())
            .get(line.ends(source, sink));
    if (times != null) {
      times.stream().forEach(t -> relative.set(Math.floorMod(t - source, extent)));
    }
    return relative;
  }
}
