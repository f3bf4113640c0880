package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The tetraquark factor {@code Σ S[α,β,γ,δ] K(n,t)[i,j,k,l] q̄¹_αi q̄²_βj q³_γk q⁴_δl} with {@code
 * S[α,β,γ,δ] = D̄[α,β] D[γ,δ]}, {@code D = C · diquark} and {@code D̄[α,β] = Σ D'[α',β']* g4[α,α']
 * g4[β,β']}, {@code D' = C · antidiquark}. Its adjoint is the factor with the fields {@code q̄⁴ q̄³
 * q² q¹}, K† and the two matrices exchanged and transposed.
 *
 * @param colour which K
 * @param bar1 flavour of the first antiquark
 * @param bar2 flavour of the second antiquark
 * @param antidiquark the gammas after C of the diquark whose adjoint the antidiquark is, sign
 *     included
 * @param quark3 flavour of the first quark
 * @param quark4 flavour of the second quark
 * @param diquark the gammas after C, sign included
 * @param momentum n
 */
public record TetraquarkFactor(
    PairColour colour,
    String bar1,
    String bar2,
    Gamma antidiquark,
    String quark3,
    String quark4,
    Gamma diquark,
    Momentum momentum)
    implements Factor {

  /**
   * What a factor is multiplied by when both fields of a pair exchange their flavours: the fields
   * anticommute, and K and {@code CΓ}, of an antidiquark too, have the signs of theirs.
   *
   * @param gamma the gammas after C
   */
  public static int exchangeSign(PairColour colour, Gamma gamma) {
    return -colour.sign() * BaryonVertex.diquarkSymmetry(gamma.mask());
  }

  /**
   * The factor times {@link #sign}: flavours of each pair in alphabetical order, no minus signs.
   */
  public TetraquarkFactor canonical() {
    List<String> sorted = new ArrayList<>(flavours());
    Collections.sort(sorted.subList(0, 2));
    Collections.sort(sorted.subList(2, 4));
    return withFlavours(sorted).withSpin(antidiquark.unsigned(), diquark.unsigned(), momentum);
  }

  /** The factor relative to {@link #canonical}, 1 or -1; 0 if it vanishes. */
  public int sign() {
    return pairSign(bar1, bar2, antidiquark) * pairSign(quark3, quark4, diquark);
  }

  private int pairSign(String first, String second, Gamma gamma) {
    int order = first.compareTo(second);
    int exchanged = exchangeSign(colour, gamma);
    return gamma.sign() * (order < 0 ? 1 : order > 0 ? exchanged : Math.max(exchanged, 0));
  }

  /** The flavours in the order of the fields: two antiquarks, two quarks. */
  public List<String> flavours() {
    return List.of(bar1, bar2, quark3, quark4);
  }

  /** The factor with other flavours, in the order of the fields. */
  public TetraquarkFactor withFlavours(List<String> f) {
    return new TetraquarkFactor(
        colour, f.get(0), f.get(1), antidiquark, f.get(2), f.get(3), diquark, momentum);
  }

  /** The factor with other matrices and another momentum. */
  public TetraquarkFactor withSpin(Gamma ofAntidiquark, Gamma ofDiquark, Momentum n) {
    return new TetraquarkFactor(colour, bar1, bar2, ofAntidiquark, quark3, quark4, ofDiquark, n);
  }
}
