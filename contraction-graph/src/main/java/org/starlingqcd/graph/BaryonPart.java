package org.starlingqcd.graph;

import java.util.List;

/**
 * What a {@link ContractionPlan} needs beyond products and traces when there are baryons.
 *
 * <p>Two of the three lines between a sink baryon and a source baryon are contracted into a
 * <em>diquark block</em>, {@code G[(a1 b1)(a2 b2)][j][i] = Σ B[i][i1][i2] L1[a1 b1][i1][j1] L2[a2
 * b2][i2][j2] B*[j][j1][j2]}: 256 spin components, each N × N, with one open index at either
 * baryon. A <em>spin sum</em> contracts it with the spin structures S and S̄ and leaves a node that
 * runs like a quark line from the source's open leg to the sink's. With the third line, {@code
 * Tr[L3 G̃]} is a baryon correlator, and {@code Tr[L G̃ L' G̃']} the exchange of a quark between
 * two: from there on everything is a meson contraction. N⁴ work is done for diquark blocks alone,
 * whatever the spin structures, and mesons attached to the third line cost none.
 *
 * @param baryons elementals of rank 3
 * @param diquarks diquark blocks
 * @param spinSums spin sums
 * @param diquarksUnshared diquark blocks with every diagram on its own
 */
public record BaryonPart(
    List<BaryonElementalRef> baryons,
    List<Diquark> diquarks,
    List<SpinSum> spinSums,
    long diquarksUnshared) {

  /** No baryons. */
  public static final BaryonPart EMPTY = new BaryonPart(List.of(), List.of(), List.of(), 0);

  /** Copies the lists. */
  public BaryonPart {
    baryons = List.copyOf(baryons);
    diquarks = List.copyOf(diquarks);
    spinSums = List.copyOf(spinSums);
  }

  /**
   * Which leg of a baryon stays open, and which take the first and the second line: a permutation
   * of 0, 1, 2.
   */
  public record Legs(int open, int first, int second) {
    /** The natural order. */
    public static final Legs NATURAL = new Legs(0, 1, 2);

    /** Checks that it is a permutation. */
    public Legs {
      if ((1 << open | 1 << first | 1 << second) != 7) {
        throw new IllegalArgumentException(
            "legs must be a permutation of 0, 1, 2: " + open + " " + first + " " + second);
      }
    }

    /** The sign of the permutation. */
    public int sign() {
      return (first - open + 3) % 3 == 1 ? 1 : -1;
    }
  }

  /**
   * A baryon elemental as an element, {@code [open][first][second]}, an N × N × N tensor.
   * Undisplaced ones are totally antisymmetric and always in natural order, the sign being in the
   * coefficients.
   */
  public record BaryonElementalRef(
      String displacement, Momentum momentum, TimeSlot time, boolean conjugate, Legs legs) {}

  /**
   * A diquark block.
   *
   * @param destination an intermediate
   * @param sink place in {@link #baryons}
   * @param first element: the line between the first legs
   * @param second element: the line between the second legs
   * @param source place in {@link #baryons}, a conjugate elemental
   */
  public record Diquark(int destination, int sink, int first, int second, int source) {}

  /**
   * The spin structures of a sink and of a source baryon, and which of their legs the block's lines
   * take.
   */
  public record SpinTerm(
      SpinStructure sink,
      Legs sinkLegs,
      SpinStructure source,
      Legs sourceLegs,
      Complex coefficient) {}

  /** {@code S = C·diquark ⊗ w(parity, component)}; at the source its adjoint is meant. */
  public record SpinStructure(int diquarkMask, int parity, int component) {
    static SpinStructure of(BaryonVertex vertex) {
      return new SpinStructure(vertex.diquarkMask(), vertex.parity(), vertex.component());
    }
  }

  /**
   * {@code destination[b][a] = Σ_terms coefficient Σ S[a1,a2,a] S̄[b1,b2,b] block[(a1 b1)(a2 b2)]},
   * legs as each term says.
   */
  public record SpinSum(int destination, int diquark, List<SpinTerm> terms) {
    /** Copies the list. */
    public SpinSum {
      terms = List.copyOf(terms);
    }
  }
}
