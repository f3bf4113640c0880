package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starlingqcd.correlators.definition.symmetry.ClebschGordan;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.SignedRoot;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.TetraquarkFactor;
import org.starlingqcd.hadron.text.Quoted;

/**
 * The diquark or antidiquark of a tetraquark by name.
 *
 * @param flavours of the two fields; {@code l} is light with isospin: the doublets are (u, d) and,
 *     of antiquarks, (d̄, -ū)
 * @param kind spin and parity of two quarks
 * @param colour the colour of the tetraquark
 */
public record Diquark(boolean anti, List<String> flavours, Kind kind, PairColour colour) {
  /** The light flavour with isospin. */
  public static final String LIGHT = "l";

  /** A flavour structure of an isospin component. */
  record Flavours(SignedRoot coefficient, List<String> flavours) {}

  /** Spins and parities of two quarks. */
  public enum Kind {
    SCALAR("0+"),
    AXIAL_VECTOR("1+"),
    PSEUDOSCALAR("0-"),
    VECTOR("1-");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /**
     * The one of a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Kind named(String text) {
      for (Kind kind : values()) {
        if (kind.text.equals(text)) {
          return kind;
        }
      }
      throw new IllegalArgumentException(
          "expected 0+, 1+, 0- or 1-, spin and parity of two quarks, found " + Quoted.of(text));
    }

    int spin() {
      return text.charAt(0) - '0';
    }

    int parity() {
      return text.endsWith("+") ? 1 : -1;
    }

    /** The gammas after C, of an axis for spin 1. */
    Gamma gamma(int axis) {
      Gamma gamma = spin() == 0 ? Gamma.G5 : Gamma.g(axis + 1);
      return parity() > 0 ? gamma : gamma.times(Gamma.G5);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * Checks that it does not vanish.
   *
   * @throws IllegalArgumentException if it has two equal flavours that anticommute to nothing
   */
  public Diquark {
    flavours = List.copyOf(flavours);
    if (!flavours.get(0).equals(LIGHT)) {
      checkPair(anti, flavours, kind.gamma(0), kind.text, colour, kinds(colour, 1));
    }
  }

  /**
   * Refuses two equal flavours that vanish, as the fields anticommute.
   *
   * @param flavours of both fields
   * @param gamma the gammas after C
   * @param name how the definition calls the matrix
   * @param others those with which they do not vanish in this colour
   * @throws IllegalArgumentException if the pair vanishes
   */
  public static void checkPair(
      boolean anti,
      List<String> flavours,
      Gamma gamma,
      String name,
      PairColour colour,
      String others) {
    if (flavours.get(0).equals(flavours.get(1))
        && TetraquarkFactor.exchangeSign(colour, gamma) < 0) {
      throw new IllegalArgumentException(
          ("the %s (%s) vanish with %s in %s, because the fields anticommute; %s would do in %4$s, or"
                  + " %3$s in %s")
              .formatted(
                  anti ? "antiquarks" : "quarks",
                  String.join(" ", flavours),
                  name,
                  colour,
                  others,
                  other(colour)));
    }
  }

  /** All that do not vanish. */
  static List<Diquark> all(boolean anti, List<String> flavours, PairColour colour) {
    boolean equal = !flavours.get(0).equals(LIGHT) && flavours.get(0).equals(flavours.get(1));
    return Arrays.stream(Kind.values())
        .filter(kind -> !equal || TetraquarkFactor.exchangeSign(colour, kind.gamma(0)) > 0)
        .map(kind -> new Diquark(anti, flavours, kind, colour))
        .toList();
  }

  private static PairColour other(PairColour colour) {
    return colour == PairColour.TRIPLET ? PairColour.SEXTET : PairColour.TRIPLET;
  }

  private static String kinds(PairColour colour, int exchangeSign) {
    return HadronNames.oneOf(
        Arrays.stream(Kind.values())
            .filter(kind -> TetraquarkFactor.exchangeSign(colour, kind.gamma(0)) == exchangeSign)
            .toList());
  }

  /** Twice its isospin. Two light quarks have the one that exchange leaves them. */
  int twiceIsospin() {
    int light = isospin(0) + isospin(1);
    return light < 2 || TetraquarkFactor.exchangeSign(colour, kind.gamma(0)) > 0 ? light : 0;
  }

  /** Flavours, spin and isospin, for messages; with what two light ones have the other isospin. */
  String describe() {
    int twice = twiceIsospin();
    return "%s (%s) with %s in %s: isospin %s%s"
        .formatted(
            anti ? "antiquarks" : "quarks",
            String.join(" ", flavours),
            kind,
            colour,
            new HalfInteger(twice),
            isospin(0) + isospin(1) < 2
                ? ""
                : ", and isospin %d with %s in %s or %s in %s"
                    .formatted(
                        1 - twice / 2,
                        kinds(colour, twice == 0 ? 1 : -1),
                        colour,
                        kind,
                        other(colour)));
  }

  /** The flavour structures of an isospin component. */
  List<Flavours> component(int twiceThird) {
    List<Flavours> structures = new ArrayList<>();
    for (int first = isospin(0); first >= -isospin(0); first -= 2) {
      for (int second = isospin(1); second >= -isospin(1); second -= 2) {
        SignedRoot coupled =
            ClebschGordan.coefficient(
                isospin(0), first, isospin(1), second, twiceIsospin(), twiceThird);
        int sign = anti && (first < 0) != (second < 0) ? -1 : 1;
        if (coupled.sign() != 0) {
          structures.add(
              new Flavours(
                  coupled.times(SignedRoot.of(sign, 1, 1)),
                  List.of(flavour(0, first), flavour(1, second))));
        }
      }
    }
    return structures;
  }

  /** Twice the isospin of a field. */
  private int isospin(int field) {
    return flavours.get(field).equals(LIGHT) ? 1 : 0;
  }

  private String flavour(int field, int third) {
    return third == 0 ? flavours.get(field) : (third > 0) == anti ? "d" : "u";
  }
}
