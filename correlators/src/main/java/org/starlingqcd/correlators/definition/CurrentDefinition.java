package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.CurrentTerm;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Insertion;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.hadron.yaml.Place;

/**
 * The definition of three-point functions {@code ⟨O_i(t_f) J(t; q) O_j(t_i)†⟩}, checked and written
 * out. Immutable.
 *
 * <p>Two definitions are equal if they mean the same. Comments, the order of keys, defaults that
 * are written out, the form of an insertion, and the origin of the text make no difference.
 */
public final class CurrentDefinition implements AnyDefinition {
  private final Definition sink;
  private final Definition source;
  private final List<Insertion> insertions;
  private final List<Insertion> omitted;
  private final boolean disconnected;

  /**
   * Checks momenta and flavours, and leaves out the terms of insertions that contribute to nothing.
   *
   * @param sink its operators O_i
   * @param source its operators O_j; the same object as the sink where one serves for both
   * @param insertions all terms as they are written
   * @param places where each insertion stands
   * @param disconnected whether loops are added
   */
  CurrentDefinition(
      Definition sink,
      Definition source,
      List<Insertion> insertions,
      List<Place> places,
      boolean disconnected) {
    this.sink = sink;
    this.source = source;
    this.disconnected = disconnected;
    CurrentBalance balance = new CurrentBalance(sink, source, disconnected);
    List<Insertion> kept = new ArrayList<>();
    List<Insertion> rest = new ArrayList<>();
    for (int k = 0; k < insertions.size(); k++) {
      Insertion written = insertions.get(k);
      List<CurrentTerm> terms = balance.contributing(written, places.get(k));
      kept.add(new Insertion(written.name(), terms));
      rest.add(
          new Insertion(
              written.name(),
              written.terms().stream().filter(term -> !terms.contains(term)).toList()));
    }
    this.insertions = List.copyOf(kept);
    omitted = List.copyOf(rest);
  }

  @Override
  public String name() {
    return source.name();
  }

  /** The operators O_i at the time t_f. */
  public Definition sink() {
    return sink;
  }

  /** The operators O_j, whose adjoints stand at the time t_i. */
  public Definition source() {
    return source;
  }

  /** The currents, in the order of the file, with the terms that contribute to an element. */
  public List<Insertion> insertions() {
    return insertions;
  }

  /**
   * For every insertion the terms that were left out, because their flavours balance with no pair
   * of operators.
   */
  public List<Insertion> omitted() {
    return omitted;
  }

  /** Whether loops are added: diagrams in which both fields of the current are paired. */
  public boolean disconnected() {
    return disconnected;
  }

  /** The pairs of flavours that currents have, each once. */
  public List<CorrelationMatrix.Flavours> flavours() {
    return insertions.stream()
        .flatMap(insertion -> insertion.terms().stream())
        .map(term -> new CorrelationMatrix.Flavours(term.bar(), term.quark()))
        .distinct()
        .toList();
  }

  /** The vertices of currents with a pair of flavours, each once. */
  public List<CurrentVertex> vertices(CorrelationMatrix.Flavours flavours) {
    return insertions.stream()
        .flatMap(insertion -> insertion.terms().stream())
        .filter(t -> t.bar().equals(flavours.bar()) && t.quark().equals(flavours.quark()))
        .map(CurrentTerm::vertex)
        .distinct()
        .toList();
  }

  /** The terms of an insertion that have loops: those with one flavour. */
  public static List<CurrentTerm> loops(Insertion insertion) {
    return insertion.terms().stream().filter(term -> term.bar().equals(term.quark())).toList();
  }

  /** The names of the insertions with loops, if diagrams with loops are computed. */
  public List<String> loops() {
    return insertions.stream()
        .filter(insertion -> disconnected && !loops(insertion).isEmpty())
        .map(Insertion::name)
        .toList();
  }

  @Override
  public List<CorrelationMatrix> matrices() {
    List<Operator> sinks = sinkParts().operators();
    List<Operator> sources = sourceParts().operators();
    Map<String, String> labels = quarkLabels();
    List<CorrelationMatrix> matrices = new ArrayList<>();
    matrices.add(new CorrelationMatrix(name(), sinks, sources, labels, false, null));
    for (CorrelationMatrix.Flavours pair : flavours()) {
      matrices.add(new CorrelationMatrix(name(), sinks, sources, labels, false, pair));
    }
    return matrices;
  }

  @Override
  public OperatorParts sinkParts() {
    return sink.sinkParts();
  }

  @Override
  public OperatorParts sourceParts() {
    return source.sourceParts();
  }

  @Override
  public List<String> operatorNames() {
    return sink.operatorNames();
  }

  /** Flavour to perambulator label, for every flavour of the operators and the currents. */
  @Override
  public Map<String, String> quarkLabels() {
    Map<String, String> labels = new TreeMap<>(sink.toCorrelationMatrix().quarkLabels());
    labels.putAll(source.toCorrelationMatrix().quarkLabels());
    for (Insertion insertion : insertions) {
      for (CurrentTerm term : insertion.terms()) {
        for (String flavour : List.of(term.bar(), term.quark())) {
          labels.put(flavour, source.header().quarks().get(flavour));
        }
      }
    }
    return labels;
  }

  @Override
  public String origin() {
    return source.origin();
  }

  @Override
  public String text() {
    return source.text();
  }

  @Override
  public boolean hasGrownFrom(AnyDefinition other) {
    return other instanceof CurrentDefinition earlier
        && disconnected == earlier.disconnected
        && sink.hasGrownFrom(earlier.sink)
        && source.hasGrownFrom(earlier.source)
        && Definition.inOrder(earlier.insertions, insertions);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CurrentDefinition that
        && disconnected == that.disconnected
        && sink.equals(that.sink)
        && source.equals(that.source)
        && insertions.equals(that.insertions);
  }

  @Override
  public int hashCode() {
    return Objects.hash(sink, source, insertions);
  }

  @Override
  public String toString() {
    return name() + " (" + origin() + ")";
  }
}
