package org.starlingqcd.graph.plan;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.plan.BaryonPart.Legs;
import org.starlingqcd.graph.plan.BaryonPart.SpinStructure;
import org.starlingqcd.graph.plan.BaryonPart.SpinTerm;

/**
 * The spin components that a baryon's structure {@code S = CΓ ⊗ w} needs on two of its legs, in the
 * Dirac basis. There g4 = diag(1, 1, -1, -1), every CΓ has one entry in each row, and w has two
 * entries: the first two for parity +, the last two for parity -.
 *
 * <p>If the two legs are those of the diquark, S asks for one sum over them. Otherwise it asks for
 * each component of the one that belongs to the diquark with each of the two of w; the spin of the
 * open leg then follows from the first.
 *
 * <p>The basis is related to DeGrand-Rossi by the real symmetric matrix {@link #toDirac}. In any
 * other basis with {@code C g_μ C⁻¹ = -g_μᵀ}, CΓ differs by a phase and w by its two entries.
 */
public final class SpinLegs {
  /** Components of a spinor. */
  public static final int SPINS = 4;

  private static final int LAST_LEG = 2;

  // Monomial matrices of g1 … g4: column of the entry in each row, and which power of i it is.
  private static final int[][] COLUMN = {{3, 2, 1, 0}, {3, 2, 1, 0}, {2, 3, 0, 1}, {0, 1, 2, 3}};
  private static final int[][] POWER = {{3, 3, 1, 1}, {0, 2, 2, 0}, {3, 1, 1, 3}, {0, 0, 2, 2}};

  private static final Complex[] POWERS_OF_I = {
    Complex.ONE, new Complex(0, 1), new Complex(-1, 0), new Complex(0, -1)
  };

  private SpinLegs() {}

  /** Spins 0 … 3 of the two legs that take the first and the second line, and a factor. */
  public record Entry(int first, int second, Complex factor) {}

  /**
   * Element (a, b) of the matrix between the Dirac and the DeGrand-Rossi basis, its own inverse.
   */
  public static double toDirac(int a, int b) {
    if ((a & 1) != (b & 1)) {
      return 0;
    }
    return a >= 2 && b >= 2 ? -Math.sqrt(0.5) : Math.sqrt(0.5);
  }

  /**
   * Returns the sums over components of the two legs that a structure needs, in a fixed order.
   *
   * @param adjoint true for S̄, false for S
   */
  public static List<List<Entry>> needed(SpinStructure spin, Legs legs, boolean adjoint) {
    return needed(spin, legs, adjoint, false);
  }

  /**
   * As above; for data that do not mix components, only with the component of w that the structure
   * has where g4 of the data is diagonal or that of DeGrand-Rossi.
   */
  public static List<List<Entry>> needed(
      SpinStructure spin, Legs legs, boolean adjoint, boolean oneComponent) {
    List<List<Entry>> needed = new ArrayList<>();
    if (legs.open() == LAST_LEG) {
      List<Entry> sum = new ArrayList<>();
      for (int a = 0; a < SPINS; a++) {
        int b = partner(spin.diquarkMask(), a);
        boolean natural = legs.first() == 0;
        sum.add(
            new Entry(
                natural ? a : b, natural ? b : a, diquarkEntry(spin.diquarkMask(), a, adjoint)));
      }
      needed.add(List.copyOf(sum));
      return needed;
    }
    int sector = spin.parity() > 0 ? 0 : 2;
    for (int a = 0; a < SPINS; a++) {
      for (int u = 0; u < 2; u++) {
        if (!oneComponent || u == component(spin)) {
          boolean lastIsFirst = legs.first() == LAST_LEG;
          needed.add(
              List.of(
                  new Entry(
                      lastIsFirst ? sector + u : a, lastIsFirst ? a : sector + u, Complex.ONE)));
        }
      }
    }
    return needed;
  }

  /** Spin of an open leg, and a factor. */
  public record Open(int spin, Complex factor) {}

  /**
   * Returns the spin of the open leg that belongs to a sum over the other two. The structure has
   * its own component of w, with entry 1, or -1 where rows 3 and 4 of the projector in the
   * DeGrand-Rossi basis are minus rows 1 and 2.
   *
   * @param entry the first of the sum
   */
  public static Open open(SpinStructure spin, Legs legs, boolean adjoint, Entry entry) {
    Complex row = new Complex(spin.component() > 2 ? spin.parity() : 1, 0);
    if (legs.open() == LAST_LEG) {
      return new Open((spin.parity() > 0 ? 0 : 2) + component(spin), row);
    }
    int diquark = legs.first() == LAST_LEG ? entry.second() : entry.first();
    int first = legs.open() == 1 ? diquark : partner(spin.diquarkMask(), diquark);
    if (legs.open() == 0 && partner(spin.diquarkMask(), first) != diquark) {
      throw new AssertionError("not a symmetric permutation: mask=" + spin.diquarkMask());
    }
    return new Open(
        legs.open() == 0 ? first : partner(spin.diquarkMask(), first),
        diquarkEntry(spin.diquarkMask(), first, adjoint).times(row));
  }

  /** The component of w, 0 or 1, that a structure has in a basis that does not mix the two. */
  public static int component(SpinStructure spin) {
    return (spin.component() - 1) % 2;
  }

  /** A term with other components of w: 0 or 1. */
  public static SpinTerm withComponents(SpinTerm term, int sink, int source) {
    return new SpinTerm(
        new SpinStructure(
            term.sink().diquarkMask(), term.sink().parity(), 1 + sink, term.sink().deGrandRossi()),
        term.sinkLegs(),
        new SpinStructure(
            term.source().diquarkMask(),
            term.source().parity(),
            1 + source,
            term.source().deGrandRossi()),
        term.sourceLegs(),
        term.coefficient());
  }

  /** The column of the entry in row {@code a} of CΓ. */
  static int partner(int mask, int a) {
    return monomial(mask, a) >> 2;
  }

  private static Complex diquarkEntry(int mask, int a, boolean adjoint) {
    int entry = monomial(mask, a);
    Complex value = POWERS_OF_I[entry & 3];
    if (!adjoint) {
      return value;
    }
    // (g4 ⊗ g4) (CΓ)*
    boolean minus = a >= 2 != entry >> 2 >= 2;
    return value.conjugate().times(minus ? -1 : 1);
  }

  /** Row {@code a} of CΓ: {@code 4 · column + power of i}. */
  private static int monomial(int mask, int a) {
    Gamma gammas = Gamma.g(2).times(Gamma.G4).times(new Gamma(mask, 1));
    int column = a;
    int power = 1 - gammas.sign();
    for (int mu = 0; mu < COLUMN.length; mu++) {
      if ((gammas.mask() >> mu & 1) != 0) {
        power += POWER[mu][column];
        column = COLUMN[mu][column];
      }
    }
    return 4 * column + (power & 3);
  }
}
