package org.starlingqcd.correlators.definition.symmetry;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;

/** An irrep of a little group or of its double cover, with named rows and explicit matrices. */
public final class Irrep {
  /** What a name of an irrep, right or wrong, looks like: letter and digit, then a parity. */
  private static final Pattern NAME = Pattern.compile("([A-Za-z]\\d?)([-+gu])?.*");

  private final String name;
  private final LittleGroup group;
  private final List<String> rows;
  private final Function<CubicRotation, Complex[][]> representation;

  private Irrep(String name, LittleGroup group) {
    this.name = name;
    this.group = group;
    rows =
        switch (name.charAt(0)) {
          case 'T' -> List.of("x", "y", "z");
          case 'H' -> List.of("1", "2", "3", "4");
          case 'E', 'G' -> List.of("1", "2");
          default -> List.of("1");
        };
    representation = Representations.of(name, group);
  }

  /**
   * The irrep of a name for a total momentum. Single-valued: {@code A1+} … {@code T2-} at rest,
   * {@code A1}, {@code A2}, {@code B1}, {@code B2}, {@code E} in flight where the little group has
   * it. Double-valued: {@code G1g} … {@code Hu} at rest, {@code G}, {@code G1}, {@code G2}, {@code
   * F1}, {@code F2} in flight.
   *
   * @throws IllegalArgumentException for any other name, with a list of the valid ones
   */
  public static Irrep of(String name, Momentum momentum) {
    LittleGroup group = LittleGroup.of(momentum);
    LittleGroup.Kind kind = group.kind();
    if (!kind.singleValuedIrreps().contains(name) && !kind.doubleValuedIrreps().contains(name)) {
      throw new IllegalArgumentException(
          "the little group %s of the total momentum %s has %s"
              .formatted(kind, momentum, kind.irreps()));
    }
    return new Irrep(name, group);
  }

  /**
   * All irreps for a total momentum, of operators with an odd or with an even number of baryons.
   */
  public static List<Irrep> all(Momentum momentum, boolean oddBaryons) {
    LittleGroup group = LittleGroup.of(momentum);
    return (oddBaryons ? group.kind().doubleValuedIrreps() : group.kind().singleValuedIrreps())
        .stream().map(name -> new Irrep(name, group)).toList();
  }

  /**
   * The end of a message about an unknown irrep: {@code "; did you mean NAME?"}, or nothing if no
   * irrep of the little group is close. Signs of parity that are missing or do not belong there
   * count little: {@code T1u} is close to {@code T1-} at rest, {@code G1u} to {@code G1} in flight.
   */
  public static String suggestion(String unknown, Momentum momentum) {
    Matcher parts = NAME.matcher(unknown);
    if (!parts.matches()) {
      return "";
    }
    List<String> close =
        Stream.of(true, false)
            .flatMap(odd -> all(momentum, odd).stream())
            .filter(irrep -> irrep.stem().equalsIgnoreCase(parts.group(1)))
            .map(Irrep::name)
            .toList();
    List<String> closest = close.stream().filter(name -> sign(name) == sign(unknown)).toList();
    List<String> named = closest.isEmpty() ? close : closest;
    return named.isEmpty() ? "" : "; did you mean " + String.join(" or ", named) + "?";
  }

  /** Parity as the sign in a name says it, 0 if it has none. */
  private static int sign(String name) {
    Matcher parts = NAME.matcher(name);
    return !parts.matches() || parts.group(2) == null ? 0 : "+g".contains(parts.group(2)) ? 1 : -1;
  }

  /** Its name, parity sign included. */
  public String name() {
    return name;
  }

  /** Its name without the parity sign. */
  public String stem() {
    return name.replaceFirst("[-+gu]$", "");
  }

  /** Its parity, +1 or -1; 0 in flight. */
  public int parity() {
    return sign(name);
  }

  /** The little group it belongs to. */
  public LittleGroup group() {
    return group;
  }

  /** Number of rows. */
  public int dimension() {
    return rows.size();
  }

  /** Names of the rows; a single one is named {@code 1}. */
  public List<String> rows() {
    return rows;
  }

  /** Whether it belongs to operators with an odd number of baryons. */
  public boolean isDoubleValued() {
    return group.kind().doubleValuedIrreps().contains(name);
  }

  /**
   * {@code D[r][s]} for an element of the little group. In a double-valued irrep it is that of the
   * matrix U(R) of {@link CubicRotation#spinor}.
   */
  public Complex[][] matrix(CubicRotation rotation) {
    return representation.apply(rotation);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Irrep that
        && name.equals(that.name)
        && group.momentum().equals(that.group.momentum());
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + group.momentum().hashCode();
  }
}
