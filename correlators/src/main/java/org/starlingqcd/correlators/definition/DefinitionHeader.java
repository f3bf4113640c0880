package org.starlingqcd.correlators.definition;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.Momentum;

/**
 * The properties that all operators of a definition share, with defaults filled in.
 *
 * @param name name of the definition and of its result
 * @param isospin total isospin, if given
 * @param momentum total momentum of the hadrons as they are written
 * @param orientation the equivalent momentum to which operators are rotated, if given
 * @param target irrep and row at {@code momentum}, if given
 * @param charge the G or C parity that operators are projected to, if given
 * @param quarks flavour to perambulator label
 * @param onePoint whether one-point functions are computed
 * @param allowZero whether operators that cannot mix are allowed
 * @param stochastic which lines are estimated with noise
 */
public record DefinitionHeader(
    String name,
    @Nullable Isospin isospin,
    Momentum momentum,
    @Nullable Momentum orientation,
    @Nullable Target target,
    @Nullable Charge charge,
    Map<String, String> quarks,
    boolean onePoint,
    boolean allowZero,
    Stochastic stochastic) {
  /**
   * The irrep that products of hadrons are projected to.
   *
   * @param irrep its name, with the parity sign at rest
   * @param row index of the row, 0 for one dimension
   */
  public record Target(String irrep, int row) {}

  /**
   * G or C parity.
   *
   * @param symmetry which of the two
   * @param sign +1 or -1
   */
  public record Charge(ChargeParity symmetry, int sign) {}

  /** Copies the map, order kept. */
  public DefinitionHeader {
    quarks = Collections.unmodifiableMap(new LinkedHashMap<>(quarks));
  }

  /** The total momentum of the operators. */
  public Momentum total() {
    return orientation == null ? momentum : orientation;
  }

  /** The irrep, if given. */
  @Nullable Irrep irrep() {
    return target == null ? null : Irrep.of(target.irrep(), momentum);
  }

  /** Whether u and d have one label, so that isospin is a symmetry. */
  boolean isIsospinSymmetric() {
    return Objects.equals(quarks.get("u"), quarks.get("d"));
  }

  /**
   * Whether components of baryons are those of the DeGrand-Rossi basis, as they are where operators
   * are projected or rotated.
   */
  boolean deGrandRossi() {
    return target != null || orientation != null;
  }

  /** Returns the same header with one-point functions. */
  DefinitionHeader withOnePoint() {
    return with(quarks, true, allowZero, stochastic);
  }

  /** Returns the same header with other stochastic lines. */
  DefinitionHeader with(Stochastic other) {
    return with(quarks, onePoint, allowZero, other);
  }

  private DefinitionHeader with(
      Map<String, String> otherQuarks,
      boolean otherOnePoint,
      boolean otherAllowZero,
      Stochastic otherStochastic) {
    return new DefinitionHeader(
        name,
        isospin,
        momentum,
        orientation,
        target,
        charge,
        otherQuarks,
        otherOnePoint,
        otherAllowZero,
        otherStochastic);
  }

  /** Whether this header means the same correlators as another; {@code allow_zero} changes none. */
  boolean isSame(DefinitionHeader other) {
    return hasGrownFrom(other) && other.hasGrownFrom(this);
  }

  /** Whether this header differs from an earlier one only by flavours that it adds. */
  boolean hasGrownFrom(DefinitionHeader earlier) {
    return quarks.entrySet().containsAll(earlier.quarks.entrySet())
        && earlier.with(quarks, earlier.onePoint, allowZero, earlier.stochastic).equals(this);
  }

  /** The name of the row, if the irrep has more than one. */
  public Optional<String> rowName() {
    if (target == null) {
      return Optional.empty();
    }
    List<String> rows = Irrep.of(target.irrep(), momentum).rows();
    return rows.size() > 1 ? Optional.of(rows.get(target.row())) : Optional.empty();
  }
}
