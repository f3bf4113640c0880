package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
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
    SCALAR("0+", 0, 1),
    AXIAL_VECTOR("1+", 1, 1),
    PSEUDOSCALAR("0-", 0, -1),
    VECTOR("1-", 1, -1);

    private final String text;
    private final int spin;
    private final int parity;

    Kind(String text, int spin, int parity) {
      this.text = text;
      this.spin = spin;
      this.parity = parity;
    }

    /**
     * The one of a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Kind named(String text) {
      return Arrays.stream(values())
          .filter(kind -> kind.text.equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "expected 0+, 1+, 0- or 1-, spin and parity of two quarks, found "
                          + Quoted.of(text)));
    }

    int spin() {
      return spin;
    }

    int parity() {
      return parity;
    }

    /** The gammas after C, of an axis for spin 1. */
    Gamma gamma(int axis) {
      return switch (this) {
        case SCALAR -> Gamma.G5;
        case PSEUDOSCALAR -> Gamma.ONE;
        case AXIAL_VECTOR -> Gamma.g(axis + 1);
        case VECTOR -> Gamma.g(axis + 1).times(Gamma.G5);
      };
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
      checkPair(anti, flavours, kind.gamma(0), kind.text, colour, of -> kinds(of, 1));
    }
  }

  /** Names of matrices that are symmetric, or antisymmetric, for messages. */
  public interface Matrices {
    /** Those with which two equal flavours do not vanish in a colour. */
    String in(PairColour colour);
  }

  /**
   * Refuses two equal flavours that vanish, as the fields anticommute.
   *
   * @param flavours of both fields
   * @param gamma the gammas after C
   * @param name how the definition calls the matrix
   * @param others what would do in a colour, for the message
   * @throws IllegalArgumentException if the pair vanishes
   */
  public static void checkPair(
      boolean anti,
      List<String> flavours,
      Gamma gamma,
      String name,
      PairColour colour,
      Matrices others) {
    if (vanishes(flavours, gamma, colour)) {
      throw new IllegalArgumentException(
          "the %s (%s) vanish with %s in %s, because the fields anticommute; %s would do in %s, or %s in %s"
              .formatted(
                  anti ? "antiquarks" : "quarks",
                  String.join(" ", flavours),
                  name,
                  colour,
                  others.in(colour),
                  colour,
                  name,
                  other(colour)));
    }
  }

  private static boolean vanishes(List<String> flavours, Gamma gamma, PairColour colour) {
    return flavours.get(0).equals(flavours.get(1))
        && TetraquarkFactor.exchangeSign(colour, gamma) < 0;
  }

  /** Those with two flavours that do not vanish in a colour. */
  static List<Diquark> all(boolean anti, List<String> flavours, PairColour colour) {
    return Arrays.stream(Kind.values())
        .filter(kind -> flavours.get(0).equals(LIGHT) || !vanishes(flavours, kind.gamma(0), colour))
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
    int light = (int) flavours.stream().filter(LIGHT::equals).count();
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
            spin(0) + spin(1) < 2
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
    for (int first : thirds(0)) {
      for (int second : thirds(1)) {
        SignedRoot coupled =
            ClebschGordan.coefficient(spin(0), first, spin(1), second, twiceIsospin(), twiceThird);
        if (coupled.sign() != 0) {
          structures.add(
              new Flavours(
                  coupled.times(sign(first)).times(sign(second)),
                  List.of(flavour(0, first), flavour(1, second))));
        }
      }
    }
    return structures;
  }

  private int spin(int field) {
    return flavours.get(field).equals(LIGHT) ? 1 : 0;
  }

  private int[] thirds(int field) {
    return IntStream.of(1, 0, -1).filter(m -> Math.abs(m) == spin(field)).toArray();
  }

  private SignedRoot sign(int third) {
    return SignedRoot.of(anti && third < 0 ? -1 : 1, 1, 1);
  }

  private String flavour(int field, int third) {
    return third == 0 ? flavours.get(field) : (third > 0) == anti ? "d" : "u";
  }
}
