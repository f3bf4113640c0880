package org.starlingqcd.graph.wick;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.TetraquarkFactor;
import org.starlingqcd.graph.TetraquarkVertex;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.graph.wick.ProductContraction.Baryon;
import org.starlingqcd.graph.wick.ProductContraction.Factors;
import org.starlingqcd.graph.wick.ProductContraction.Meson;
import org.starlingqcd.graph.wick.ProductContraction.Tetraquark;

/**
 * Wick contraction of correlation matrices: every way of joining each quark field with an antiquark
 * field of its flavour, as products of meson cycles and baryon graphs with their signs.
 *
 * <p>Terms have no gluonic factors here. A term without quarks contracts with nothing, and with a
 * term of quarks gives the one-point function of that.
 *
 * <p>Flavours decide what contracts with what. The result contains only perambulator labels, so
 * diagrams that differ only by u ↔ d are one diagram. Contributions that cancel between terms are
 * removed.
 */
public final class WickContraction {
  /*
   * Two terms contract only if every flavour occurs as often as quark as it does as antiquark. Terms are therefore grouped by their
   * surplus of each flavour, and only pairs of one group are looked at: operators with hundreds of terms over dozens of flavours cost
   * what their non-vanishing pairs cost.
   */

  /**
   * Relative size below which a sum of coefficients counts as cancelled. The sums have at most a
   * few thousand terms of order one.
   */
  private static final double CANCELLED = 1e-12;

  private final DiagramSet scratch = new DiagramSet();
  private final GraphTable graphs = new GraphTable(scratch);

  private WickContraction() {}

  /**
   * Contracts every matrix element, and the one-point functions where asked for. Work and memory
   * grow with the number of distinct diagrams, not with the number of permutations.
   *
   * @throws IllegalArgumentException if a flavour has no label, or a product has more than 15
   *     hadrons
   */
  public static DiagramSet contract(List<CorrelationMatrix> matrices) {
    return of(matrices).diagrams();
  }

  /**
   * As {@link #contract}, for the sets of all matrices together and of the first alone. Several
   * threads may ask for sets at the same time.
   */
  public static WickContraction of(List<CorrelationMatrix> matrices) {
    WickContraction wick = new WickContraction();
    for (CorrelationMatrix matrix : matrices) {
      wick.contract(matrix);
    }
    wick.scratch.addUp();
    return wick;
  }

  /** The diagrams of all matrices. */
  public DiagramSet diagrams() {
    return survivors(IntStream.range(0, scratch.matrices().size()).toArray());
  }

  /** The diagrams of the first matrix, as if it had been contracted alone. */
  public DiagramSet firstDiagrams() {
    return survivors(0);
  }

  /** A term ready for one side of the correlator. */
  private record Side(Complex coefficient, Factors factors) {}

  /** The terms of each operator by their surplus of flavours. */
  private List<Map<Map<String, Integer>, List<Side>>> sides(
      List<Operator> operators, CorrelationMatrix.@Nullable Flavours current, TimeSlot time) {
    List<Map<Map<String, Integer>, List<Side>>> all = new ArrayList<>();
    for (Operator operator : operators) {
      Map<Map<String, Integer>, List<Side>> side = new LinkedHashMap<>();
      for (Term term : operator.terms()) {
        side.computeIfAbsent(surplus(operator, term, current), key -> new ArrayList<>())
            .add(side(term, time));
      }
      all.add(side);
    }
    return all;
  }

  private void contract(CorrelationMatrix matrix) {
    int number = scratch.addMatrix(matrix);
    // The adjoint at the source has the opposite surplus, so equal surplus of the terms themselves
    // is
    // what contracts.
    List<Map<Map<String, Integer>, List<Side>>> sinks =
        sides(matrix.operators(), matrix.current(), TimeSlot.SINK);
    List<Map<Map<String, Integer>, List<Side>>> sources =
        sides(matrix.sources(), null, TimeSlot.SOURCE);
    int n = matrix.operators().size();
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < sources.size(); j++) {
        for (Map.Entry<Map<String, Integer>, List<Side>> group : sinks.get(i).entrySet()) {
          for (Side source : sources.get(j).getOrDefault(group.getKey(), List.of())) {
            for (Side sink : group.getValue()) {
              element(matrix, number, i, j, sink, source);
            }
          }
        }
      }
      if (matrix.onePoint()) {
        for (Side sink : sinks.get(i).getOrDefault(Map.of(), List.of())) {
          if (sink.factors().hasQuarks()) {
            int row = i;
            new ProductContraction(
                    scratch, graphs, sink.factors(), Factors.NONE, List.of(), matrix.quarkLabels())
                .diagrams(
                    (diagram, weight) ->
                        scratch.addOnePoint(
                            number, row, diagram, sink.coefficient().times(weight)));
          }
        }
      }
    }
  }

  private void element(
      CorrelationMatrix matrix, int number, int row, int column, Side sink, Side source) {
    CorrelationMatrix.Flavours current = matrix.current();
    List<Meson> currents =
        current == null
            ? List.of()
            : List.of(
                new Meson(
                    ElementalRef.UNIT,
                    Gamma.ONE,
                    current.bar(),
                    current.quark(),
                    TimeSlot.INSERTION));
    if ((!sink.factors().hasQuarks() && !source.factors().hasQuarks())
        || sink.factors().baryons().size() != source.factors().baryons().size()) {
      return;
    }
    Complex coefficient = sink.coefficient().times(source.coefficient());
    try {
      new ProductContraction(
              scratch, graphs, sink.factors(), source.factors(), currents, matrix.quarkLabels())
          .diagrams(
              (diagram, weight) ->
                  scratch.add(number, row, column, diagram, coefficient.times(weight)));
    } catch (UnsupportedOperationException e) {
      throw new IllegalArgumentException(
          "definition '%s', operators '%s' and '%s': %s"
              .formatted(
                  matrix.name(),
                  matrix.operators().get(row).name(),
                  matrix.sources().get(column).name(),
                  e.getMessage()),
          e);
    }
  }

  private Side side(Term term, TimeSlot time) {
    boolean atSink = time == TimeSlot.SINK;
    Complex coefficient = atSink ? term.coefficient() : term.coefficient().conjugate();
    List<Meson> mesons = new ArrayList<>();
    List<Baryon> baryons = new ArrayList<>();
    List<Tetraquark> tetraquarks = new ArrayList<>();
    for (Factor factor : term.factors()) {
      if (factor instanceof Bilinear b) {
        ElementalRef elemental = ElementalRef.of(b.displacement(), b.momentum(), !atSink);
        mesons.add(
            atSink
                ? new Meson(elemental, b.gamma(), b.bar(), b.quark(), time)
                : new Meson(elemental, b.gamma().bar(), b.quark(), b.bar(), time));
      } else if (factor instanceof BaryonFactor b) {
        baryons.add(new Baryon(graphs.vertex(BaryonVertex.of(b)), b.flavours()));
        coefficient = coefficient.times(b.diquark().sign());
      } else if (factor instanceof TetraquarkFactor t) {
        TetraquarkFactor legs = atSink ? t : t.reversed();
        tetraquarks.add(new Tetraquark(TetraquarkVertex.of(legs, time), legs));
        coefficient = coefficient.times(TetraquarkVertex.sign(t, time));
      }
    }
    return new Side(coefficient, new Factors(mesons, baryons, tetraquarks));
  }

  /**
   * The net flavour of a term and, at the sink, of a current.
   *
   * @throws IllegalArgumentException if it is a product of too many hadrons
   */
  private static Map<String, Integer> surplus(
      Operator operator, Term term, CorrelationMatrix.@Nullable Flavours current) {
    if (2 * term.factors().size() > ProductContraction.MAX_FACTORS) {
      throw new IllegalArgumentException(
          "operator '%s' has a product of %s hadrons: at most %s can be contracted"
              .formatted(
                  operator.name(), term.factors().size(), ProductContraction.MAX_FACTORS / 2));
    }
    if (term.factors().stream().filter(f -> f instanceof TetraquarkFactor).count() > 1) {
      throw new IllegalArgumentException(
          "operator '"
              + operator.name()
              + "' has a product of two tetraquarks: one can be contracted");
    }
    Map<String, Integer> net = term.netFlavour();
    if (current != null) {
      net.merge(current.quark(), 1, Integer::sum);
      net.merge(current.bar(), -1, Integer::sum);
      net.values().removeIf(count -> count == 0);
    }
    return net;
  }

  /** Copies the diagrams that did not cancel, numbered by first appearance. */
  private DiagramSet survivors(int... which) {
    DiagramSet result = new DiagramSet();
    SetCopy copy = new SetCopy(scratch, result);
    List<CorrelationMatrix> matrices = scratch.matrices();
    for (int m : which) {
      CorrelationMatrix matrix = matrices.get(m);
      int number = result.addMatrix(matrix);
      List<Operator> operators = matrix.operators();
      for (int i = 0; i < operators.size(); i++) {
        double sinkSize = size(operators.get(i));
        for (int j = 0; j < matrix.sources().size(); j++) {
          double threshold = CANCELLED * sinkSize * size(matrix.sources().get(j));
          for (Map.Entry<Integer, Complex> e : scratch.element(m, i, j).terms().entrySet()) {
            if (e.getValue().abs() > threshold) {
              result.add(number, i, j, copy.diagram(e.getKey()), e.getValue());
            }
          }
        }
        if (matrix.onePoint()) {
          for (Map.Entry<Integer, Complex> e : scratch.onePoint(m, i).terms().entrySet()) {
            if (e.getValue().abs() > CANCELLED * sinkSize) {
              result.addOnePoint(number, i, copy.diagram(e.getKey()), e.getValue());
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
}
