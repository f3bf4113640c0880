package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.ReferenceRotation;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Profiles;
import org.starlingqcd.hadron.data.Displacement;

/**
 * The field of a meson as a definition names it: flavours, the octahedral irrep by which it
 * transforms at rest and in flight, and each row of the irrep as a sum of gammas times derivatives.
 * Local mesons, mesons with derivatives and the combinations of a definition are all of this form.
 *
 * @param name its name in a definition
 * @param local the meson without derivatives that it is, other flavours aside; null if it is none
 * @param multiplet its isospin multiplet
 * @param strange the flavour that stands where the multiplet has a strange quark
 * @param irrep the irrep at rest, with its parity sign; in flight it transforms by the same
 *     matrices
 * @param conjugation C of the neutral member; without meaning where there is none
 * @param rows the structures of each row
 * @param bounds lists of momenta; the field is meant for momenta equivalent to one of each list
 */
public record MesonField(
    String name,
    @Nullable Meson local,
    Multiplet multiplet,
    String strange,
    Irrep irrep,
    int conjugation,
    List<List<Structure>> rows,
    List<List<Momentum>> bounds) {
  private static final String STRANGE = "s";

  private static final Map<Meson, MesonField> LOCAL = new EnumMap<>(Meson.class);

  static {
    for (Meson meson : Meson.values()) {
      LOCAL.put(meson, local(meson));
    }
  }

  /** One bilinear structure of a row, with a displacement as elementals have it. */
  record Structure(Complex coefficient, Gamma gamma, String displacement) {}

  /**
   * A summand of a combination.
   *
   * @param profiles of antiquark and quark, as {@link Profiles} has them; may be empty
   */
  public record Part(Complex coefficient, MesonField field, List<String> profiles) {}

  /** The field of a meson without derivatives. */
  public static MesonField of(Meson meson) {
    return Objects.requireNonNull(LOCAL.get(meson));
  }

  private static MesonField local(Meson meson) {
    return new MesonField(
        meson.toString(),
        meson,
        meson.multiplet(),
        STRANGE,
        atRest(meson.irrep(), meson.parity()),
        meson.chargeConjugation(),
        IntStream.range(0, meson.polarized() ? 3 : 1)
            .mapToObj(axis -> List.of(structure(meson, Complex.ONE, axis, List.of())))
            .toList(),
        List.of());
  }

  /** The field of Γ coupled with derivatives. */
  static MesonField of(String name, Meson gamma, DerivativeCoupling coupling) {
    boolean changesC = coupling.derivativeSpin() == 1;
    return new MesonField(
        name,
        null,
        gamma.multiplet(),
        STRANGE,
        atRest(
            coupling.irrep(), coupling.derivatives() % 2 == 0 ? gamma.parity() : -gamma.parity()),
        changesC ? -gamma.chargeConjugation() : gamma.chargeConjugation(),
        coupling.rows().stream()
            .map(
                row ->
                    row.stream()
                        .map(
                            s ->
                                structure(
                                    gamma,
                                    new Complex(s.coefficient(), 0),
                                    s.gamma(),
                                    s.derivatives()))
                        .toList())
            .toList(),
        List.of());
  }

  private static Structure structure(
      Meson gamma, Complex coefficient, int axis, List<Integer> derivatives) {
    return new Structure(coefficient, gamma.gamma(axis), Displacement.derivative(derivatives));
  }

  private static Irrep atRest(String irrep, int parity) {
    return Irrep.of(irrep + (parity > 0 ? "+" : "-"), Momentum.ZERO);
  }

  /**
   * The same field with another flavour in the place of the strange quark.
   *
   * @throws IllegalArgumentException if it has no strange quark
   */
  public MesonField like(String newName, String flavour) {
    if (!multiplet.hasStrange()) {
      throw new IllegalArgumentException(
          name + " has no strange quark that another flavour could replace");
    }
    return new MesonField(newName, local, multiplet, flavour, irrep, conjugation, rows, bounds);
  }

  /**
   * A sum of fields that transform alike.
   *
   * @param momenta the combination is meant for momenta equivalent to these; empty for all
   * @throws IllegalArgumentException if two parts differ in multiplet, irrep, parity or charge
   *     conjugation
   */
  public static MesonField combination(String name, List<Part> parts, List<Momentum> momenta) {
    MesonField first = parts.get(0).field();
    List<List<Momentum>> bounds = new ArrayList<>();
    for (Part part : parts) {
      String difference = first.difference(part.field());
      if (!difference.isEmpty()) {
        throw new IllegalArgumentException(
            "the parts of a combination transform alike: %s, but %s; they differ in %s"
                .formatted(first.describe(), part.field().describe(), difference));
      }
      bounds.addAll(part.field().bounds);
    }
    if (!momenta.isEmpty()) {
      bounds.add(List.copyOf(momenta));
    }
    List<List<Structure>> rows = new ArrayList<>();
    for (int row = 0; row < first.rows.size(); row++) {
      List<Structure> sum = new ArrayList<>();
      for (Part part : parts) {
        for (Structure s : part.field().rows.get(row)) {
          Complex coefficient = part.coefficient().times(s.coefficient());
          String displacement = Profiles.of(s.displacement(), part.profiles());
          sum.add(new Structure(coefficient, s.gamma(), displacement));
        }
      }
      rows.add(List.copyOf(sum));
    }
    return new MesonField(
        name,
        null,
        first.multiplet,
        first.strange,
        first.irrep,
        first.conjugation,
        List.copyOf(rows),
        List.copyOf(bounds));
  }

  private String difference(MesonField other) {
    boolean strangeBoth = multiplet.hasStrange() && other.multiplet.hasStrange();
    boolean neutralBoth = multiplet.isNeutral() && other.multiplet.isNeutral();
    List<String> differences = new ArrayList<>();
    differences.add(multiplet == other.multiplet ? "" : "multiplet");
    differences.add(strangeBoth && !strange.equals(other.strange) ? "flavour" : "");
    differences.add(irrep.stem().equals(other.irrep.stem()) ? "" : "irrep");
    differences.add(irrep.parity() == other.irrep.parity() ? "" : "parity");
    differences.add(neutralBoth && conjugation != other.conjugation ? "C" : "");
    return differences.stream().filter(d -> !d.isEmpty()).collect(Collectors.joining(", "));
  }

  /** Multiplet, irrep, parity and C, for messages. */
  private String describe() {
    return name
        + " is "
        + multiplet.name().toLowerCase(Locale.ROOT).replace('_', ' ')
        + (multiplet.hasStrange() && !strange.equals(STRANGE)
            ? " (with " + strange + " for s)"
            : "")
        + " "
        + irrep.name()
        + (multiplet.isNeutral() ? " with C = " + (conjugation > 0 ? "+" : "-") : "");
  }

  /** Whether it is a combination that has profiles. */
  public boolean hasProfiles() {
    return rows.stream()
        .flatMap(List::stream)
        .anyMatch(structure -> !Profiles.in(structure.displacement()).isEmpty());
  }

  /** Whether it has a polarization, that is, its irrep more than one row. */
  public boolean polarized() {
    return irrep.dimension() > 1;
  }

  /** Names of the polarizations: the rows of its irrep at rest. */
  public List<String> polarizations() {
    return irrep.rows();
  }

  /** C of the neutral member of an isovector or isoscalar; 0 where there is none. */
  public int chargeConjugation() {
    return multiplet.isNeutral() ? conjugation : 0;
  }

  /** The flavours of an isospin component. */
  List<Multiplet.Flavours> component(int twiceThird) {
    return multiplet.component(twiceThird).stream()
        .map(f -> new Multiplet.Flavours(f.coefficient(), own(f.bar()), own(f.quark())))
        .toList();
  }

  private String own(String flavour) {
    return flavour.equals(STRANGE) ? strange : flavour;
  }

  /**
   * Momenta to which a combination is bound and to which this one is not equivalent; empty if it
   * may be used at this momentum.
   */
  public List<Momentum> boundsAgainst(Momentum momentum) {
    return bounds.stream()
        .filter(b -> b.stream().noneMatch(n -> ReferenceRotation.equivalent(n, momentum)))
        .findFirst()
        .orElse(List.of());
  }

  /** Leaves out the rows, because projections look products up by their hadrons. */
  @Override
  public int hashCode() {
    return Objects.hash(name, multiplet, strange);
  }

  @Override
  public String toString() {
    return name;
  }
}
