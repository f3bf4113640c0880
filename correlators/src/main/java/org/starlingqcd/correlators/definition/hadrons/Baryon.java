package org.starlingqcd.correlators.definition.hadrons;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.SignedRoot;

/**
 * A baryon by name.
 *
 * @param name its name in a definition
 * @param kind its isospin and spin
 * @param strange the flavour in the place of the strange quark of {@code kind}
 */
public record Baryon(String name, Kind kind, String strange) {
  /** The baryons known by name. */
  public enum Kind {
    N("N", 1, 1),
    DELTA("Delta", 3, 3),
    LAMBDA("Lambda", 0, 1),
    SIGMA("Sigma", 2, 1),
    XI("Xi", 1, 1),
    SIGMASTAR("Sigmastar", 2, 3),
    XISTAR("Xistar", 1, 3),
    OMEGA("Omega", 0, 3);

    private final String text;
    private final int twiceIsospin;
    private final int twiceSpin;

    Kind(String text, int twiceIsospin, int twiceSpin) {
      this.text = text;
      this.twiceIsospin = twiceIsospin;
      this.twiceSpin = twiceSpin;
    }

    /** Whether it contains a strange quark. */
    public boolean hasStrange() {
      return this != N && this != DELTA;
    }
  }

  /**
   * One flavour structure {@code (q1 q2) q3} of an isospin component.
   *
   * @param coefficient its weight
   * @param quarks the three flavours
   */
  public record Flavours(SignedRoot coefficient, List<String> quarks) {}

  /** The baryon of a name as it is written in a definition, if there is one. */
  public static Optional<Baryon> named(String name) {
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.text.equals(name))
        .map(kind -> new Baryon(name, kind, "s"))
        .findFirst();
  }

  /** All names. */
  public static List<String> names() {
    return Arrays.stream(Kind.values()).map(kind -> kind.text).toList();
  }

  /** Its isospin. */
  public HalfInteger isospin() {
    return new HalfInteger(kind.twiceIsospin);
  }

  /** Twice its spin: 1 or 3. */
  public int twiceSpin() {
    return kind.twiceSpin;
  }

  /** The flavour structures of the component with this twice I3. */
  List<Flavours> component(int twiceThird) {
    return switch (kind) {
      case N -> List.of(f(1, 1, twiceThird > 0 ? "udu" : "udd"));
      case DELTA ->
          switch (twiceThird) {
            case 3 -> List.of(f(1, 1, "uuu"));
            case 1 -> List.of(f(1, 3, "uud"), f(4, 3, "udu"));
            case -1 -> List.of(f(4, 3, "udd"), f(1, 3, "ddu"));
            default -> List.of(f(1, 1, "ddd"));
          };
      case LAMBDA -> List.of(f(1, 1, "uds"));
      case SIGMA ->
          switch (twiceThird) {
            case 2 -> List.of(f(1, 1, "usu"));
            case 0 -> List.of(f(1, 2, "usd"), f(1, 2, "dsu"));
            default -> List.of(f(1, 1, "dsd"));
          };
      case XI -> List.of(f(1, 1, twiceThird > 0 ? "uss" : "dss"));
      case SIGMASTAR ->
          switch (twiceThird) {
            case 2 -> List.of(f(1, 3, "uus"), f(4, 3, "usu"));
            case 0 -> List.of(f(2, 3, "uds"), f(2, 3, "usd"), f(2, 3, "dsu"));
            default -> List.of(f(1, 3, "dds"), f(4, 3, "dsd"));
          };
      case XISTAR ->
          twiceThird > 0
              ? List.of(f(1, 3, "ssu"), f(4, 3, "uss"))
              : List.of(f(1, 3, "ssd"), f(4, 3, "dss"));
      case OMEGA -> List.of(f(1, 1, "sss"));
    };
  }

  private Flavours f(int numerator, int denominator, String quarks) {
    return new Flavours(
        SignedRoot.of(1, numerator, denominator),
        quarks.chars().mapToObj(q -> q == 's' ? strange : Character.toString(q)).toList());
  }
}
