package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.QuarkPath;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.graph.plan.BaryonPart.BaryonElementalRef;
import org.starlingqcd.graph.plan.BaryonPart.Legs;
import org.starlingqcd.graph.plan.BaryonPart.SpinStructure;
import org.starlingqcd.graph.plan.BaryonPart.SpinTerm;
import org.starlingqcd.graph.plan.PairSum;
import org.starlingqcd.graph.plan.SpinLegs;

/**
 * One way of contracting two of the paths between a sink and a source baryon.
 *
 * @param atSink whether both lines are attached to the sink, else to the source
 * @param sinkPlace the sink within its graph
 * @param sourcePlace the source within its graph
 * @param sink its elemental
 * @param first word of the first line
 * @param second word of the second line
 * @param source its elemental
 * @param sinkLegs legs of the sink
 * @param sourceLegs legs of the source
 * @param sign sign from bringing the legs of antisymmetric elementals into natural order
 * @param openWord word of the path that leaves the sink's open leg
 */
public record PairChoice(
    boolean atSink,
    int sinkPlace,
    int sourcePlace,
    BaryonElementalRef sink,
    List<Integer> first,
    List<Integer> second,
    BaryonElementalRef source,
    Legs sinkLegs,
    Legs sourceLegs,
    int sign,
    List<Integer> openWord) {

  private static final Comparator<QuarkPath> BY_WORD =
      (a, b) ->
          a.word().equals(b.word())
              ? Integer.compare(a.sinkLeg(), b.sinkLeg())
              : compareWritten(a.word(), b.word());

  /** Compares words that differ as they are written, {@code [1, 2]}, without writing them. */
  private static int compareWritten(List<Integer> a, List<Integer> b) {
    int k = 0;
    while (k < a.size() - 1 && k < b.size() - 1 && a.get(k).equals(b.get(k))) {
      k++;
    }
    return written(a, k).compareTo(written(b, k));
  }

  private static String written(List<Integer> word, int k) {
    return word.get(k) + (k == word.size() - 1 ? "]" : ",");
  }

  /** The elemental that both lines are attached to. */
  BaryonElementalRef attached() {
    return atSink ? sink : source;
  }

  /** The elemental at the other end. */
  BaryonElementalRef other() {
    return atSink ? source : sink;
  }

  /** Whether one of the lines is the rest of a ring ({@link CutRings}). */
  boolean hasRest() {
    return first.get(0) < 0 || second.get(0) < 0;
  }

  /** Whether spin components of the two lines may be exchanged. */
  boolean isSymmetric() {
    return first.equals(second) && sink.isAntisymmetric() && source.isAntisymmetric();
  }

  /** The spin structures of a graph of this shape. */
  SpinTerm spin(BaryonGraph graph) {
    return new SpinTerm(
        SpinStructure.of(graph.sinks().get(sinkPlace)),
        sinkLegs,
        SpinStructure.of(graph.sources().get(sourcePlace)),
        sourceLegs,
        Complex.ONE);
  }

  /** The sums over spin components that spin structures ask for. */
  List<PairSum> spins(SpinTerm term, boolean oneComponent) {
    return PairSum.all(
        SpinLegs.needed(term.sink(), sinkLegs, false, oneComponent),
        SpinLegs.needed(term.source(), sourceLegs, true, oneComponent),
        isSymmetric());
  }

  /**
   * Returns the choices for each pair of baryons that share two or three lines; several pairs come
   * in ring order.
   *
   * @param hasCurrent whether a path has a current; it stays open, because everything else is
   *     computed for all currents at once
   * @throws IllegalArgumentException when a baryon shares a single line with each of three others,
   *     or when a current lies on one of two lines between two of several baryons and the graph was
   *     not cut ({@link CutRings})
   */
  static List<List<PairChoice>> of(BaryonGraph graph, Predicate<QuarkPath> hasCurrent) {
    List<List<PairChoice>> result = new ArrayList<>();
    if (graph.sinks().size() > 1) {
      for (Link link : ring(graph)) {
        if (link.pair().stream().anyMatch(hasCurrent)) {
          throw new IllegalArgumentException(
              "a current on a quark of a product of three baryons cannot be evaluated: products of"
                  + " at most two baryons are supported");
        }
        List<PairChoice> choices = new ArrayList<>();
        add(graph, link, choices);
        result.add(choices);
      }
      return result;
    }
    List<PairChoice> choices = new ArrayList<>();
    for (int open = 0; open < BaryonVertex.LEGS; open++) {
      List<QuarkPath> pair = new ArrayList<>(graph.paths());
      QuarkPath third = pair.remove(open);
      if (pair.stream().anyMatch(hasCurrent)) {
        continue;
      }
      add(graph, new Link(pair, third, third.sourceLeg()), choices);
    }
    result.add(choices);
    return result;
  }

  /** Two paths, the path that leaves their sink, and the leg of their source where another ends. */
  private record Link(List<QuarkPath> pair, QuarkPath leaving, int sourceOpen) {}

  private static List<Link> ring(BaryonGraph graph) {
    int n = graph.sinks().size();
    int[][] lines = new int[n][n];
    for (QuarkPath p : graph.paths()) {
      lines[p.sink()][p.source()]++;
    }
    List<Link> result = new ArrayList<>();
    int sink = 0;
    do {
      int source = 0;
      while (source < n && lines[sink][source] != 2) {
        source++;
      }
      if (source == n) {
        throw new IllegalArgumentException(
            "a connected graph of "
                + n
                + " baryons in which one shares a single line with each of three others"
                + " cannot be evaluated: products of at most two baryons are supported");
      }
      List<QuarkPath> pair = new ArrayList<>();
      QuarkPath leaving = null;
      QuarkPath arriving = null;
      for (QuarkPath p : graph.paths()) {
        if (p.sink() == sink && p.source() == source) {
          pair.add(p);
        } else if (p.sink() == sink) {
          leaving = p;
        } else if (p.source() == source) {
          arriving = p;
        }
      }
      if (leaving == null || arriving == null) {
        throw new AssertionError("not a ring: " + graph);
      }
      result.add(new Link(pair, leaving, arriving.sourceLeg()));
      int next = leaving.source();
      sink = 0;
      while (lines[sink][next] != 2) {
        sink++;
      }
    } while (sink != 0);
    return result;
  }

  private static void add(BaryonGraph graph, Link link, List<PairChoice> choices) {
    QuarkPath one = link.pair().get(0);
    QuarkPath other = link.pair().get(1);
    boolean inOrder = BY_WORD.compare(one, other) <= 0;
    QuarkPath first = inOrder ? one : other;
    QuarkPath second = inOrder ? other : one;
    for (boolean atSink : new boolean[] {true, false}) {
      choices.add(choice(graph, link, atSink, first, second));
      if (!first.word().equals(second.word())) {
        choices.add(choice(graph, link, atSink, second, first));
      }
    }
  }

  private static PairChoice choice(
      BaryonGraph graph, Link link, boolean atSink, QuarkPath first, QuarkPath second) {
    BaryonVertex sink = graph.sinks().get(first.sink());
    BaryonVertex source = graph.sources().get(first.source());
    Legs sinkLegs = new Legs(link.leaving().sinkLeg(), first.sinkLeg(), second.sinkLeg());
    Legs sourceLegs = new Legs(link.sourceOpen(), first.sourceLeg(), second.sourceLeg());
    return new PairChoice(
        atSink,
        first.sink(),
        first.source(),
        elemental(sink, TimeSlot.SINK, sinkLegs),
        first.word(),
        second.word(),
        elemental(source, TimeSlot.SOURCE, sourceLegs),
        sinkLegs,
        sourceLegs,
        (sink.isAntisymmetric() ? sinkLegs.sign() : 1)
            * (source.isAntisymmetric() ? sourceLegs.sign() : 1),
        link.leaving().word());
  }

  private static BaryonElementalRef elemental(BaryonVertex vertex, TimeSlot time, Legs legs) {
    return new BaryonElementalRef(
        vertex.displacement(),
        vertex.momentum(),
        time,
        time == TimeSlot.SOURCE,
        vertex.isAntisymmetric() ? Legs.NATURAL : legs);
  }
}
