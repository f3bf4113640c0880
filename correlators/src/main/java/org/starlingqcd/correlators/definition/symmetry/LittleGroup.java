package org.starlingqcd.correlators.definition.symmetry;

import java.util.List;
import org.starlingqcd.graph.Momentum;

/**
 * The elements of O_h that leave a total momentum as it is, {@code LG(P) = {R : RP = P}}.
 *
 * @param momentum P
 * @param kind its type, which decides the irreps
 * @param elements the group elements
 */
public record LittleGroup(Momentum momentum, Kind kind, List<CubicRotation> elements) {
  /** Types of little groups, named by their Schoenflies symbols. */
  public enum Kind {
    /** At rest. */
    OH(
        "O_h",
        "A1 A2 E T1 T2, each with + or -, and for an odd number of baryons G1 G2 H, each with g or u",
        "A1+ A2+ E+ T1+ T2+ A1- A2- E- T1- T2-",
        "G1g G1u G2g G2u Hg Hu"),
    /** Along an axis. */
    C4V("C4v", "A1 A2 B1 B2 E", "G1 G2"),
    /** Along a face diagonal. */
    C2V("C2v", "A1 A2 B1 B2", "G"),
    /** Along a body diagonal. */
    C3V("C3v", "A1 A2 E", "G F1 F2"),
    /** Any other momentum in a mirror plane. */
    CS("Cs", "A1 A2", "F1 F2"),
    /** A momentum without symmetry. */
    C1("C1", "A1 A2", "");

    private final String symbol;
    private final String irreps;

    /** Names, separated by spaces. */
    private final String single;

    private final String dual;

    Kind(String symbol, String single, String dual) {
      this(
          symbol,
          single
              + (dual.isEmpty()
                  ? " (without a parity sign), and none for an odd number of baryons"
                  : ", and for an odd number of baryons " + dual + " (without a parity sign)"),
          single,
          dual);
    }

    Kind(String symbol, String irreps, String single, String dual) {
      this.symbol = symbol;
      this.irreps = irreps;
      this.single = single;
      this.dual = dual;
    }

    /** Names of the irreps, for messages. */
    public String irreps() {
      return irreps;
    }

    /** Names of the irreps for an even number of baryons. */
    public List<String> singleValuedIrreps() {
      return List.of(single.split(" "));
    }

    /** Names of the irreps for an odd number of baryons. */
    public List<String> doubleValuedIrreps() {
      return dual.isEmpty() ? List.of() : List.of(dual.split(" "));
    }

    @Override
    public String toString() {
      return symbol;
    }
  }

  /** The little group of a total momentum. */
  public static LittleGroup of(Momentum momentum) {
    List<CubicRotation> elements =
        CubicRotation.all().stream().filter(r -> r.apply(momentum).equals(momentum)).toList();
    Kind kind =
        switch (elements.size()) {
          case 48 -> Kind.OH;
          case 8 -> Kind.C4V;
          case 6 -> Kind.C3V;
          case 4 -> Kind.C2V;
          case 2 -> Kind.CS;
          default -> Kind.C1;
        };
    return new LittleGroup(momentum, kind, elements);
  }
}
