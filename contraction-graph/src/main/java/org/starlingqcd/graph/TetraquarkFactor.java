package org.starlingqcd.graph;

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
    implements Factor {}
