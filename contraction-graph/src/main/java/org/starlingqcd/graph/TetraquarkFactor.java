package org.starlingqcd.graph;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

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
 * @param profiles of the four fields in their order, as {@link Profiles} has them; or none
 */
public record TetraquarkFactor(
    PairColour colour,
    String bar1,
    String bar2,
    Gamma antidiquark,
    String quark3,
    String quark4,
    Gamma diquark,
    Momentum momentum,
    List<String> profiles)
    implements Factor {
  /** Copies the profiles; four empty ones are none. */
  public TetraquarkFactor {
    profiles = profiles.stream().allMatch(String::isEmpty) ? List.of() : List.copyOf(profiles);
  }

  /** A factor without profiles. */
  public TetraquarkFactor(
      PairColour colour,
      String bar1,
      String bar2,
      Gamma antidiquark,
      String quark3,
      String quark4,
      Gamma diquark,
      Momentum momentum) {
    this(colour, bar1, bar2, antidiquark, quark3, quark4, diquark, momentum, List.of());
  }

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
   * The factor times {@link #sign}: flavours of each pair in alphabetical order, equal ones by
   * their profiles, no minus signs.
   */
  public TetraquarkFactor canonical() {
    int bars = order(0) > 0 ? 1 : 0;
    int quarks = order(2) > 0 ? 1 : 0;
    return withSpin(antidiquark.unsigned(), diquark.unsigned(), momentum)
        .permuted(bars, 1 - bars, 2 + quarks, 3 - quarks);
  }

  /** The factor relative to {@link #canonical}, 1 or -1; 0 if it vanishes. */
  public int sign() {
    return pairSign(order(0), antidiquark) * pairSign(order(2), diquark);
  }

  /** How a field compares with the one after it. */
  private int order(int field) {
    int flavour = flavours().get(field).compareTo(flavours().get(field + 1));
    return flavour != 0 || profiles.isEmpty()
        ? flavour
        : profiles.get(field).compareTo(profiles.get(field + 1));
  }

  private int pairSign(int order, Gamma gamma) {
    int exchanged = exchangeSign(colour, gamma);
    return gamma.sign() * (order < 0 ? 1 : order > 0 ? exchanged : Math.max(exchanged, 0));
  }

  @Override
  public List<String> flavours() {
    return List.of(bar1, bar2, quark3, quark4);
  }

  @Override
  public int antiquarks() {
    return 2;
  }

  @Override
  public List<Gamma> gammas() {
    return List.of(antidiquark, diquark);
  }

  /** The profiles in the order of the fields, empty ones where there are none. */
  public List<String> allProfiles() {
    return profiles.isEmpty() ? Collections.nCopies(4, "") : profiles;
  }

  @Override
  public TetraquarkFactor withFlavours(List<String> f) {
    return with(f, profiles);
  }

  /** The factor with other profiles. */
  public TetraquarkFactor withProfiles(List<String> other) {
    return with(flavours(), other);
  }

  /** The fields in opposite order with their matrices, as the adjoint has them. */
  public TetraquarkFactor reversed() {
    return withSpin(diquark, antidiquark, momentum).permuted(3, 2, 1, 0);
  }

  /** The factor with the flavours and profiles of these fields. */
  public TetraquarkFactor permuted(int... fields) {
    return with(
        IntStream.of(fields).mapToObj(flavours()::get).toList(),
        IntStream.of(fields).mapToObj(allProfiles()::get).toList());
  }

  private TetraquarkFactor with(List<String> f, List<String> p) {
    return new TetraquarkFactor(
        colour, f.get(0), f.get(1), antidiquark, f.get(2), f.get(3), diquark, momentum, p);
  }

  /** The factor with other matrices and another momentum. */
  public TetraquarkFactor withSpin(Gamma ofAntidiquark, Gamma ofDiquark, Momentum n) {
    return new TetraquarkFactor(
        colour, bar1, bar2, ofAntidiquark, quark3, quark4, ofDiquark, n, profiles);
  }
}
