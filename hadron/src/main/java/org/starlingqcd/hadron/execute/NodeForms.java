package org.starlingqcd.hadron.execute;

import java.util.HashSet;
import java.util.Set;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.ExecutionQueue.Multiply;

/**
 * The gamma matrix that each element of a queue is multiplied by: a device keeps X as X' = F X.
 *
 * <p>A gamma matrix of the DeGrand-Rossi basis is a signed permutation times a power of i. F stands
 * for the signed permutation; the power of i goes into the coefficients of products and traces. So
 * X' is X with its rows of blocks in another order and with other signs, which costs nothing where
 * X is made.
 *
 * <p>A product D = L X Γ Y becomes D' = (F_D L F_X⁻¹) X' (Γ F_Y⁻¹) Y', and a trace Tr[L X Γ Y]
 * becomes Tr[L F_X⁻¹ X' Γ F_Y⁻¹ Y']. {@link FormSearch} chooses the matrices so that most brackets
 * are 1. Where products of one Y need different matrices, it can also ask for a copy of Y.
 */
public final class NodeForms {
  private static final int UNIT = Gamma.ONE.mask();
  private static final int MASKS = 16;

  // By gamma matrix and mask; millions of traces and products ask for them.
  private static final Factor[] PLAIN_FACTORS = plainFactors();

  /** A copy of an element for products with this gamma matrix before it. */
  public record Copy(int element, int mask) {}

  /**
   * A gamma matrix as the mappings of {@link SpinMappings} take it, which hold a real matrix.
   *
   * @param mask which gamma matrix
   * @param phase what its real matrix has to be multiplied by, a power of i
   */
  public record Factor(int mask, Complex phase) {}

  private final int[] masks;
  private final Set<Copy> copies;

  NodeForms(int[] masks, Set<Copy> copies) {
    this.masks = masks.clone();
    this.copies = new HashSet<>(copies);
  }

  /** Every element as it is. */
  public static NodeForms plain(ExecutionQueue queue) {
    return new NodeForms(new int[queue.elements().size()], Set.of());
  }

  /** The mask of the matrix that an element is kept with. */
  public int mask(int element) {
    return masks[element];
  }

  /** Whether products with this gamma matrix before an element take a copy of it. */
  public boolean isCopied(int element, int innerGamma) {
    return copies.contains(new Copy(element, innerGamma));
  }

  /** Number of copies in a run of the whole queue. */
  public int copies() {
    return copies.size();
  }

  /** How an element is built of its inputs. */
  public BatchSpinMapping build(int element) {
    return masks[element] == UNIT ? SpinMappings.build() : SpinMappings.build(masks[element]);
  }

  /** How a copy is made of its element. */
  public SpinSumMapping copy(Copy copy) {
    return SpinMappings.rows(masks[copy.element], copy.mask);
  }

  /** The matrix before the left factor of a product. */
  public Factor beforeLeft(Multiply product) {
    int made = masks[product.destination()];
    Gamma gamma = new Gamma(made, 1).times(new Gamma(product.leftGamma(), 1));
    Factor factor = factor(gamma, masks[product.left()]);
    return new Factor(factor.mask, factor.phase.times(SpinMappings.phase(made).conjugate()));
  }

  /** The matrix before the right factor of a product. */
  public Factor beforeRight(Multiply product) {
    int inner = product.innerGamma();
    return before(inner, isCopied(product.right(), inner) ? inner : masks[product.right()]);
  }

  /** The matrix before an operand that is kept with {@code mask}, for the gamma matrix before X. */
  public static Factor before(int gamma, int mask) {
    return PLAIN_FACTORS[MASKS * gamma + mask];
  }

  private static Factor[] plainFactors() {
    Factor[] all = new Factor[MASKS * MASKS];
    for (int k = 0; k < all.length; k++) {
      all[k] = factor(new Gamma(k / MASKS, 1), k % MASKS);
    }
    return all;
  }

  /** {@code gamma · F⁻¹}. */
  private static Factor factor(Gamma gamma, int mask) {
    Gamma product = gamma.times(new Gamma(mask, 1).adjoint());
    return new Factor(
        product.mask(),
        SpinMappings.phase(product.mask())
            .times(SpinMappings.phase(mask))
            .times(new Complex(product.sign(), 0)));
  }
}
