package org.starlingqcd.graph;

import java.util.List;

/**
 * The baryon factor {@code Σ S[α,β,γ] B(n,t)[i,j,k] q¹_αi q²_βj q³_γk} with {@code S = D ⊗ w},
 * {@code D = C · diquark} and {@code w} a row of the parity projector.
 *
 * @param quark1 flavour of the first quark
 * @param quark2 flavour of the second quark
 * @param quark3 flavour of the third quark
 * @param diquark the gammas after C, sign included
 * @param parity +1 or -1
 * @param component 1 … 4
 * @param momentum n
 * @param displacement name of the displacement, {@code none}
 * @param deGrandRossi true if {@code component} is one of the DeGrand-Rossi basis, false if it is
 *     one of the data's own basis is
 */
public record BaryonFactor(
    String quark1,
    String quark2,
    String quark3,
    Gamma diquark,
    int parity,
    int component,
    Momentum momentum,
    String displacement,
    boolean deGrandRossi)
    implements Factor {

  /** A factor whose component is one of the data's own spin basis. */
  public BaryonFactor(
      String quark1,
      String quark2,
      String quark3,
      Gamma diquark,
      int parity,
      int component,
      Momentum momentum,
      String displacement) {
    this(quark1, quark2, quark3, diquark, parity, component, momentum, displacement, false);
  }

  @Override
  public List<String> flavours() {
    return List.of(quark1, quark2, quark3);
  }

  @Override
  public BaryonFactor withFlavours(List<String> f) {
    return new BaryonFactor(
        f.get(0),
        f.get(1),
        f.get(2),
        diquark,
        parity,
        component,
        momentum,
        displacement,
        deGrandRossi);
  }

  @Override
  public List<Gamma> gammas() {
    return List.of(diquark);
  }

  /** The factor with another spin structure and momentum, in the DeGrand-Rossi basis. */
  public BaryonFactor withSpin(Gamma otherDiquark, int otherComponent, Momentum otherMomentum) {
    return new BaryonFactor(
        quark1,
        quark2,
        quark3,
        otherDiquark,
        parity,
        otherComponent,
        otherMomentum,
        displacement,
        true);
  }
}
