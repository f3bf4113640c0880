package org.starlingqcd.graph;

import com.google.common.collect.Collections2;
import com.google.common.collect.Comparators;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A connected contraction graph with baryons: as many sinks as sources, joined leg by leg. Its
 * value is {@code Σ Π S B Π S̄ B* Π paths} over all spin and distillation indices; the sign of the
 * contraction is in the coefficient.
 *
 * @param sinks baryons at the sink
 * @param sources adjoint baryons at the source
 * @param paths one for each leg, ordered by sink and leg
 */
public record BaryonGraph(
    List<BaryonVertex> sinks, List<BaryonVertex> sources, List<QuarkPath> paths) {

  private static final Comparator<BaryonVertex> VERTEX_ORDER =
      Comparator.comparing(BaryonVertex::displacement)
          .thenComparing(BaryonVertex::momentum)
          .thenComparingInt(BaryonVertex::diquarkMask)
          .thenComparingInt(BaryonVertex::parity)
          .thenComparingInt(BaryonVertex::component)
          .thenComparing(BaryonVertex::deGrandRossi);

  static final Comparator<QuarkPath> PATH_ORDER =
      Comparator.comparingInt(QuarkPath::sink)
          .thenComparingInt(QuarkPath::sinkLeg)
          .thenComparingInt(QuarkPath::source)
          .thenComparingInt(QuarkPath::sourceLeg)
          .thenComparing(
              QuarkPath::word, Comparators.lexicographical(Comparator.<Integer>naturalOrder()));

  static final Comparator<Iterable<QuarkPath>> PATHS_ORDER =
      Comparators.lexicographical(PATH_ORDER);

  /** Checks that every leg has one path. */
  public BaryonGraph {
    sinks = List.copyOf(sinks);
    sources = List.copyOf(sources);
    QuarkPath[] sorted = sortedBySink(paths, BaryonVertex.LEGS * sinks.size());
    if (sinks.size() != sources.size() || sorted == null) {
      throw new IllegalArgumentException(
          "every leg needs one path: sinks=%s sources=%s paths=%s"
              .formatted(sinks.size(), sources.size(), paths));
    }
    paths = List.of(sorted);
  }

  /** One path for each leg, ordered by sink and leg, or null where a leg has none or two. */
  private static QuarkPath @Nullable [] sortedBySink(List<QuarkPath> paths, int legs) {
    if (paths.size() != legs) {
      return null;
    }
    QuarkPath[] sorted = new QuarkPath[legs];
    boolean[] taken = new boolean[legs];
    for (QuarkPath path : paths) {
      int sink = BaryonVertex.LEGS * path.sink() + path.sinkLeg();
      int source = BaryonVertex.LEGS * path.source() + path.sourceLeg();
      if (sorted[sink] != null || taken[source]) {
        return null;
      }
      sorted[sink] = path;
      taken[source] = true;
    }
    return sorted;
  }

  /**
   * The matrix products that this graph costs if it shares nothing: one for the pair block of each
   * pair of baryons, one for each meson on a path, and those that join the blocks to a ring.
   */
  public int productsAlone() {
    int n = sinks.size();
    int mesons = 0;
    for (QuarkPath path : paths) {
      mesons += path.word().size() - 1;
    }
    return n + mesons + (n > 1 ? 2 * n - 2 : 0);
  }

  /** A graph and a sign. */
  public record Signed(BaryonGraph graph, int sign) {}

  /**
   * The canonical form of this graph, and its sign: {@code value(this) = sign · value(graph)}.
   * Graphs have the same canonical form if they differ only by the order of their baryons or by an
   * exchange of the first two legs of undisplaced baryons. Work {@code 4^n n!²} for n baryons on
   * each side.
   */
  public Signed canonical() {
    int n = sinks.size();
    Collection<List<Integer>> orders =
        Collections2.orderedPermutations(IntStream.range(0, n).boxed().toList());
    Signed best = null;
    for (List<Integer> sinkOrder : orders) {
      for (List<Integer> sourceOrder : orders) {
        for (int swaps = 0; swaps < (1 << (2 * n)); swaps++) {
          Signed candidate = transformed(sinkOrder, sourceOrder, swaps);
          if (candidate.sign() != 0
              && (best == null || compare(candidate.graph(), best.graph()) < 0)) {
            best = candidate;
          }
        }
      }
    }
    return Objects.requireNonNull(best);
  }

  /**
   * This graph with baryon k of the sink moved to place k of {@code sinkOrder}, likewise at the
   * source, and the first legs of baryon k exchanged where bit k (sinks, then sources) of {@code
   * swaps} is set. Sign 0 where a swap is no symmetry.
   */
  private Signed transformed(List<Integer> sinkOrder, List<Integer> sourceOrder, int swaps) {
    int n = sinks.size();
    BaryonVertex[] newSinks = new BaryonVertex[n];
    BaryonVertex[] newSources = new BaryonVertex[n];
    int sign = 1;
    for (int k = 0; k < n; k++) {
      newSinks[sinkOrder.get(k)] = sinks.get(k);
      newSources[sourceOrder.get(k)] = sources.get(k);
      sign *= swapSign(sinks.get(k), swaps >> k & 1);
      sign *= swapSign(sources.get(k), swaps >> (n + k) & 1);
    }
    List<QuarkPath> moved = new ArrayList<>();
    for (QuarkPath p : paths) {
      moved.add(
          new QuarkPath(
              sinkOrder.get(p.sink()),
              swapped(p.sinkLeg(), swaps >> p.sink() & 1),
              sourceOrder.get(p.source()),
              swapped(p.sourceLeg(), swaps >> (n + p.source()) & 1),
              p.word()));
    }
    return new Signed(new BaryonGraph(List.of(newSinks), List.of(newSources), moved), sign);
  }

  private static int swapSign(BaryonVertex vertex, int swap) {
    if (swap == 0) {
      return 1;
    }
    return vertex.isAntisymmetric() ? -vertex.diquarkSymmetry() : 0;
  }

  private static int swapped(int leg, int swap) {
    return swap == 1 && leg < 2 ? 1 - leg : leg;
  }

  private static int compare(BaryonGraph a, BaryonGraph b) {
    for (int k = 0; k < a.sinks.size(); k++) {
      int c = VERTEX_ORDER.compare(a.sinks.get(k), b.sinks.get(k));
      if (c == 0) {
        c = VERTEX_ORDER.compare(a.sources.get(k), b.sources.get(k));
      }
      if (c != 0) {
        return c;
      }
    }
    return PATHS_ORDER.compare(a.paths, b.paths);
  }
}
