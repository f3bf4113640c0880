package org.starlingqcd.correlators.definition.hadrons;

import java.util.List;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.SignedRoot;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Momentum;

/**
 * A hadron in a product of hadrons: a name, a momentum and a spin state. The coupling chooses its
 * isospin component.
 *
 * <p>Equal hadrons are equal by {@link Object#equals}: projections merge products by it.
 */
public interface HadronFactor {
  /** Its name in a definition. */
  String name();

  /** Its momentum. */
  Momentum momentum();

  /** Its isospin. */
  HalfInteger isospin();

  /** Whether it is a baryon; baryons stand before mesons. */
  boolean isBaryon();

  /**
   * The name of its spin state: a polarization such as {@code z}, or a component such as {@code 2};
   * empty for spin 0.
   */
  String spin();

  /** The hadrons that differ from this one in the spin state only, itself among them. */
  List<HadronFactor> spinStates();

  /**
   * Applies a group element R; returns a sum of hadrons with momentum {@code R n}. Baryons use the
   * matrix U(R) of {@link CubicRotation#spinor}.
   */
  List<Image> images(CubicRotation rotation);

  /**
   * One isospin component written out.
   *
   * @param twiceThird twice I3
   */
  List<Part> parts(int twiceThird);

  /**
   * A summand of a rotated hadron.
   *
   * @param coefficient its weight
   * @param hadron the hadron
   */
  record Image(Complex coefficient, HadronFactor hadron) {}

  /**
   * A summand of a hadron written out.
   *
   * @param spin its weight in the sum over gammas, spin components and derivatives
   * @param flavour its weight in the sum over flavours, as a separate root, because products of its
   *     square are exact
   * @param factor a bilinear or a baryon factor
   */
  record Part(Complex spin, SignedRoot flavour, Factor factor) {}
}
