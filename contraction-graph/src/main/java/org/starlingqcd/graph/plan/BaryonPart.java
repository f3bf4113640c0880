package org.starlingqcd.graph.plan;

import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Profiles;
import org.starlingqcd.graph.TimeSlot;

/**
 * The part of a {@link ContractionPlan} that only baryons need, beside products and traces.
 *
 * <p>Two of the three lines between a sink baryon and a source baryon are contracted with both
 * elementals: {@code G[(a1 b1)(a2 b2)][j][i] = Σ B[i][i1][i2] L1[a1 b1][i1][j1] L2[a2 b2][i2][j2]
 * B*[j][j1][j2]} has 256 spin components, each N × N, with one open index at either baryon. A
 * <em>pair block</em> holds those sums over them that the spin structures S and S̄ ask for.
 * Elementals have no spin: both lines are attached to one of them, once, and the result is closed
 * with every elemental at the other end. A <em>spin sum</em> contracts a pair block with the spin
 * structures and leaves a node that runs like a quark line from the source's open leg to the
 * sink's. With the third line, {@code Tr[L3 G̃]} is a baryon correlator, and {@code Tr[L G̃ L'
 * G̃']} the exchange of a quark between two: from there on everything is a meson contraction. Pair
 * blocks alone are N⁴ work; mesons attached to the third line cost none.
 *
 * @param baryons elementals of rank 3
 * @param pairs pair blocks
 * @param spinSums spin sums
 * @param unshared N⁴ work with every diagram on its own
 */
public record BaryonPart(
    List<BaryonElementalRef> baryons,
    List<PlannedPairs> pairs,
    List<SpinSum> spinSums,
    Unshared unshared) {

  /** No baryons. */
  public static final BaryonPart EMPTY =
      new BaryonPart(List.of(), List.of(), List.of(), new Unshared(0, 0));

  /**
   * Contractions of a block that shares nothing: one for the first line, one for the second, one
   * for the other end.
   */
  private static final int CONTRACTIONS_OF_A_BLOCK = 3;

  /**
   * N⁴ work with every diagram of every matrix element on its own.
   *
   * @param pairs pairs of a sink and a source baryon
   * @param products complex products {@code N² × N · N × N}, each diagram's pairs of lines chosen
   *     as is cheapest for it
   */
  public record Unshared(long pairs, double products) {
    /** N⁴ contractions: both lines attached and the block closed, for each pair of baryons. */
    public long contractions() {
      return CONTRACTIONS_OF_A_BLOCK * pairs;
    }
  }

  /** Copies the lists. */
  public BaryonPart {
    baryons = List.copyOf(baryons);
    pairs = List.copyOf(pairs);
    spinSums = List.copyOf(spinSums);
  }

  /** The components of the first line that occur in the sums of some branches, ascending. */
  public static List<Integer> firstSpins(List<Branch> branches) {
    BitSet found = new BitSet();
    for (Branch branch : branches) {
      for (PairSum spin : branch.spins()) {
        for (PairSum.Entry entry : spin.entries()) {
          found.set(entry.first());
        }
      }
    }
    return found.stream().boxed().toList();
  }

  /** N⁴ work: complex products {@code N² × N · N × N}. */
  public double products() {
    return pairs.stream().mapToDouble(PlannedPairs::products).sum();
  }

  /**
   * Number of N⁴ contractions. One contraction multiplies two tensors with all their spin
   * components, as a batched tensor contraction does: attaching the first line to an elemental is
   * one, attaching the second line is one, and closing with each elemental at the other end is one.
   */
  public long contractions() {
    return pairs.stream().mapToLong(PlannedPairs::contractions).sum();
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

    /** A number from 0 to 8, different for different legs. */
    public int number() {
      return 3 * open + first;
    }

    /** The sign of the permutation. */
    public int sign() {
      return (first - open + 3) % 3 == 1 ? 1 : -1;
    }
  }

  /**
   * A baryon elemental as an element, {@code [open][first][second]}, an N × N × N tensor.
   * Undisplaced elementals are totally antisymmetric and always in natural order; the sign is in
   * the coefficients.
   */
  public record BaryonElementalRef(
      String displacement, Momentum momentum, TimeSlot time, boolean conjugate, Legs legs) {
    /** Whether it changes sign when two of its legs are exchanged. */
    public boolean isAntisymmetric() {
      return Profiles.isAntisymmetric(displacement);
    }
  }

  /**
   * Lines attached to one elemental, closed with many.
   *
   * @param destination an intermediate: the components of the branches one after the other
   * @param attached place in {@link #baryons}, of the sink or of the source
   * @param first element: the line between the first legs
   * @param branches second lines
   */
  public record PlannedPairs(int destination, int attached, int first, List<Branch> branches)
      implements ContractionPlan.Made {
    /** Copies the list. */
    public PlannedPairs {
      branches = List.copyOf(branches);
    }

    @Override
    public void forEachInput(IntConsumer action) {
      action.accept(first);
      branches.forEach(branch -> action.accept(branch.second()));
    }

    @Override
    public PlannedPairs renumbered(IntUnaryOperator number) {
      return new PlannedPairs(
          number.applyAsInt(destination),
          attached,
          number.applyAsInt(first),
          branches.stream()
              .map(
                  b ->
                      new Branch(
                          number.applyAsInt(b.second()), b.spins(), b.others(), b.antisymmetric()))
              .toList());
    }

    /** The sums over spins that begin at a component: those of its branch. */
    public List<PairSum> spinsAt(int component) {
      int begin = 0;
      for (int b = 0; b < branches.size(); b++) {
        begin += branches.get(b).components();
        if (component < begin) {
          return branches.get(b).spins();
        }
      }
      throw new IllegalArgumentException("must be < " + components() + ": component=" + component);
    }

    /** Number of components of the first line that are attached. */
    public int firstSpins() {
      return BaryonPart.firstSpins(branches).size();
    }

    /** Complex products {@code N² × N · N × N}. */
    public double products() {
      return firstSpins() + branches.stream().mapToDouble(Branch::products).sum();
    }

    /**
     * Contractions of all spin components at once. A second line that several branches have is one:
     * they differ by the sums over its components.
     */
    public long contractions() {
      return 1
          + branches.stream().mapToInt(Branch::second).distinct().count()
          + branches.stream().mapToLong(branch -> branch.others().size()).sum();
    }

    /** Number of components of the destination. */
    public int components() {
      return branches.stream().mapToInt(Branch::components).sum();
    }
  }

  /**
   * A second line, attached too, and the elementals at the other end: for each of these a component
   * for each of {@code spins}.
   *
   * @param second element: the line between the second legs
   * @param spins sums over spin components of first and second line
   * @param others places in {@link #baryons}
   * @param antisymmetric whether the others are, so that half of them is enough
   */
  public record Branch(
      int second, List<PairSum> spins, List<Integer> others, boolean antisymmetric) {
    /** Copies the lists. */
    public Branch {
      spins = List.copyOf(spins);
      others = List.copyOf(others);
    }

    /** Number of components. */
    public int components() {
      return spins.size() * others.size();
    }

    /** Complex products {@code N² × N · N × N}, without those of the first line. */
    public double products() {
      int attaching = 0;
      for (PairSum spin : spins) {
        attaching += spin.products();
      }
      return attaching + (antisymmetric ? 0.5 : 1) * components();
    }
  }

  /**
   * The spin structures of a sink and a source baryon, and the legs to which the lines of the block
   * are attached.
   */
  public record SpinTerm(
      SpinStructure sink,
      Legs sinkLegs,
      SpinStructure source,
      Legs sourceLegs,
      Complex coefficient) {
    /** The same structures with another coefficient. */
    public SpinTerm withCoefficient(Complex other) {
      return new SpinTerm(sink, sinkLegs, source, sourceLegs, other);
    }
  }

  /** {@code S = C·diquark ⊗ w(parity, component)} at the sink; its adjoint at the source. */
  public record SpinStructure(int diquarkMask, int parity, int component, boolean deGrandRossi) {
    public static SpinStructure of(BaryonVertex vertex) {
      return new SpinStructure(
          vertex.diquarkMask(), vertex.parity(), vertex.component(), vertex.deGrandRossi());
    }
  }

  /**
   * {@code destination[b][a] = Σ_terms coefficient Σ S[a1,a2,a] S̄[b1,b2,b] block[(a1 b1)(a2 b2)]},
   * legs as each term says.
   *
   * @param destination an intermediate
   * @param block pair blocks
   * @param firstComponent component at which the block's part for this pair of baryons begins
   * @param symmetric whether the sums of the pair blocks take spins of the two lines in either
   *     order
   * @param terms spin structures
   */
  public record SpinSum(
      int destination, int block, int firstComponent, boolean symmetric, List<SpinTerm> terms)
      implements ContractionPlan.Made {
    /** Copies the list. */
    public SpinSum {
      terms = List.copyOf(terms);
    }

    @Override
    public void forEachInput(IntConsumer action) {
      action.accept(block);
    }

    @Override
    public SpinSum renumbered(IntUnaryOperator number) {
      return new SpinSum(
          number.applyAsInt(destination),
          number.applyAsInt(block),
          firstComponent,
          symmetric,
          terms);
    }
  }
}
