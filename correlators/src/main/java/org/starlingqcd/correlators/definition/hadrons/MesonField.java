package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.ReferenceRotation;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.Displacement;

/**
 * The field of a meson as a definition names it: flavours, the octahedral irrep by which it
 * transforms at rest and in flight, and each row of the irrep as a sum of gammas times derivatives.
 *
 * <p>Local mesons, mesons with derivatives and the combinations that a definition makes of them are
 * all of this form. Immutable; two fields are equal if they say the same.
 */
public final class MesonField {
  private static final String STRANGE = "s";

  private static final Map<Meson, MesonField> LOCAL = new EnumMap<>(Meson.class);

  static {
    for (Meson meson : Meson.values()) {
      LOCAL.put(meson, local(meson));
    }
  }

  /**
   * One bilinear structure of a row.
   *
   * @param coefficient its weight
   * @param gamma Γ
   * @param displacement its displacement, as elementals have it
   */
  record Structure(Complex coefficient, Gamma gamma, String displacement) {}

  private final String name;

  /** The meson without derivatives that it is, other flavours aside; null when it is none. */
  private final @Nullable Meson local;

  private final Multiplet multiplet;
  private final String strange;
  private final Irrep irrep;
  private final int chargeConjugation;
  private final List<List<Structure>> rows;
  private final List<List<Momentum>> bounds;
  private final int hash;

  private MesonField(
      String name,
      @Nullable Meson local,
      Multiplet multiplet,
      String strange,
      Irrep irrep,
      int chargeConjugation,
      List<List<Structure>> rows,
      List<List<Momentum>> bounds) {
    this.name = name;
    this.local = local;
    this.multiplet = multiplet;
    this.strange = strange;
    this.irrep = irrep;
    this.chargeConjugation = chargeConjugation;
    this.rows = List.copyOf(rows);
    this.bounds = List.copyOf(bounds);
    hash = Objects.hash(name, multiplet, strange, irrep.name());
  }

  /** The field of a meson without derivatives. */
  public static MesonField of(Meson meson) {
    return Objects.requireNonNull(LOCAL.get(meson));
  }

  private static MesonField local(Meson meson) {
    List<List<Structure>> rows = new ArrayList<>();
    for (int axis = 0; axis < (meson.polarized() ? 3 : 1); axis++) {
      rows.add(
          List.of(
              new Structure(Complex.ONE, meson.gamma(axis), Displacement.derivative(List.of()))));
    }
    return new MesonField(
        meson.toString(),
        meson,
        meson.multiplet(),
        STRANGE,
        atRest(meson.irrep(), meson.parity()),
        meson.chargeConjugation(),
        rows,
        List.of());
  }

  /** The field of Γ coupled with derivatives. */
  static MesonField of(String name, Meson gamma, DerivativeCoupling coupling) {
    int derivatives = coupling.derivatives();
    boolean changesC = coupling.derivativeSpin() == 1;
    return new MesonField(
        name,
        null,
        gamma.multiplet(),
        STRANGE,
        atRest(coupling.irrep(), derivatives % 2 == 0 ? gamma.parity() : -gamma.parity()),
        changesC ? -gamma.chargeConjugation() : gamma.chargeConjugation(),
        coupling.rows().stream()
            .map(row -> row.stream().map(summand -> structure(gamma, summand)).toList())
            .toList(),
        List.of());
  }

  private static Structure structure(Meson gamma, DerivativeCoupling.Summand summand) {
    return new Structure(
        new Complex(summand.coefficient(), 0),
        gamma.gamma(summand.gamma()),
        Displacement.derivative(summand.derivatives()));
  }

  private static Irrep atRest(String irrep, int parity) {
    return Irrep.of(irrep + (parity > 0 ? "+" : "-"), Momentum.ZERO);
  }

  /**
   * The same field with another flavour in the place of the strange quark.
   *
   * @throws IllegalArgumentException when it has no strange quark
   */
  public MesonField like(String newName, String flavour) {
    if (!multiplet.hasStrange()) {
      throw new IllegalArgumentException(
          name + " has no strange quark that another flavour could replace");
    }
    return new MesonField(
        newName, local, multiplet, flavour, irrep, chargeConjugation, rows, bounds);
  }

  /**
   * A summand of a combination.
   *
   * @param coefficient its weight
   * @param field the field
   */
  public record Part(Complex coefficient, MesonField field) {}

  /**
   * A sum of fields that transform alike.
   *
   * @param momenta the combination is meant for momenta equivalent to these; empty for all
   * @throws IllegalArgumentException when two parts differ in multiplet, irrep, parity or charge
   *     conjugation
   */
  public static MesonField combination(String name, List<Part> parts, List<Momentum> momenta) {
    MesonField first = parts.get(0).field();
    List<List<Structure>> rows = new ArrayList<>();
    List<List<Momentum>> bounds = new ArrayList<>();
    for (int row = 0; row < first.rows.size(); row++) {
      rows.add(new ArrayList<>());
    }
    for (Part part : parts) {
      MesonField field = part.field();
      String difference = first.difference(field);
      if (!difference.isEmpty()) {
        throw new IllegalArgumentException(
            "the parts of a combination transform alike: "
                + first.describe()
                + ", but "
                + field.describe()
                + "; they differ in "
                + difference);
      }
      for (int row = 0; row < rows.size(); row++) {
        for (Structure s : field.rows.get(row)) {
          rows.get(row)
              .add(
                  new Structure(
                      part.coefficient().times(s.coefficient()), s.gamma(), s.displacement()));
        }
      }
      bounds.addAll(field.bounds);
    }
    if (!momenta.isEmpty()) {
      bounds.add(List.copyOf(momenta));
    }
    return new MesonField(
        name,
        null,
        first.multiplet,
        first.strange,
        first.irrep,
        first.chargeConjugation,
        rows.stream().map(List::copyOf).toList(),
        bounds);
  }

  private String difference(MesonField other) {
    List<String> differences = new ArrayList<>();
    if (multiplet != other.multiplet) {
      differences.add("multiplet");
    }
    if (multiplet.hasStrange() && other.multiplet.hasStrange() && !strange.equals(other.strange)) {
      differences.add("flavour");
    }
    if (!irrepName().equals(other.irrepName())) {
      differences.add("irrep");
    }
    if (parity() != other.parity()) {
      differences.add("parity");
    }
    if (multiplet.isNeutral()
        && other.multiplet.isNeutral()
        && chargeConjugation != other.chargeConjugation) {
      differences.add("C");
    }
    return String.join(", ", differences);
  }

  private String irrepName() {
    return irrep.name().substring(0, irrep.name().length() - 1);
  }

  private char parity() {
    return irrep.name().charAt(irrep.name().length() - 1);
  }

  /** Multiplet, irrep, parity and C, for messages. */
  private String describe() {
    return name
        + " is "
        + multiplet.name().toLowerCase(Locale.ROOT).replace('_', ' ')
        + (multiplet.hasStrange() && !strange.equals(STRANGE)
            ? " (with " + strange + " for s) "
            : " ")
        + irrep.name()
        + (multiplet.isNeutral() ? " with C = " + (chargeConjugation > 0 ? "+" : "-") : "");
  }

  /** Its name in a definition. */
  public String name() {
    return name;
  }

  /** The meson without derivatives that it is but for its flavours; empty when it is none. */
  Optional<Meson> local() {
    return Optional.ofNullable(local);
  }

  /** Its isospin multiplet. */
  public Multiplet multiplet() {
    return multiplet;
  }

  /** Whether it has a polarization, that is, its irrep more than one row. */
  public boolean polarized() {
    return irrep.dimension() > 1;
  }

  /** Names of the polarizations: the rows of its irrep at rest. */
  public List<String> polarizations() {
    return irrep.rows();
  }

  /** The irrep at rest, with its parity sign; in flight it transforms by the same matrices. */
  public Irrep irrep() {
    return irrep;
  }

  /**
   * Charge conjugation of the neutral member of an isovector or isoscalar; 0 where there is none.
   */
  public int chargeConjugation() {
    return multiplet.isNeutral() ? chargeConjugation : 0;
  }

  /** The flavour that stands where the multiplet has a strange quark. */
  public String strange() {
    return strange;
  }

  /** The structures of one row. */
  List<Structure> row(int row) {
    return rows.get(row);
  }

  /** The flavours of an isospin component. */
  List<Multiplet.Flavours> component(int twiceThird) {
    List<Multiplet.Flavours> flavours = multiplet.component(twiceThird);
    return strange.equals(STRANGE)
        ? flavours
        : flavours.stream()
            .map(
                f ->
                    new Multiplet.Flavours(f.coefficient(), replaced(f.bar()), replaced(f.quark())))
            .toList();
  }

  private String replaced(String flavour) {
    return flavour.equals(STRANGE) ? strange : flavour;
  }

  /**
   * Momenta to which a combination is bound and to which this one is not equivalent; empty when it
   * may be used at this momentum.
   */
  public List<Momentum> boundsAgainst(Momentum momentum) {
    for (List<Momentum> bound : bounds) {
      if (bound.stream().noneMatch(n -> ReferenceRotation.equivalent(n, momentum))) {
        return bound;
      }
    }
    return List.of();
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof MesonField that
            && hash == that.hash
            && name.equals(that.name)
            && multiplet == that.multiplet
            && strange.equals(that.strange)
            && irrep.name().equals(that.irrep.name())
            && chargeConjugation == that.chargeConjugation
            && rows.equals(that.rows)
            && bounds.equals(that.bounds));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return name;
  }
}
