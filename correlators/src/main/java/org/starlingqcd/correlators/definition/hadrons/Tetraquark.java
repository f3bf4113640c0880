package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.symmetry.ClebschGordan;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.SignedRoot;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.Profiles;
import org.starlingqcd.graph.TetraquarkFactor;

/**
 * A tetraquark that a definition names: a sum of antidiquarks coupled with diquarks, which have one
 * isospin, spin, irrep and parity.
 *
 * @param name its name in a definition
 * @param parts the summands
 */
public record Tetraquark(String name, List<Part> parts) {
  private static final List<String> TRAITS =
      List.of("flavours", "isospin", "spin", "irrep", "parity");

  /**
   * An antidiquark coupled with a diquark, in this order, with {@code Σ |coefficient|² = 1}.
   *
   * @param coefficient what the coupling is multiplied by
   * @param isospin total isospin
   * @param spin total spin J
   * @param irrep an irrep of J at rest, parity included
   * @param profiles of the four fields, as {@link Profiles} has them; may be empty
   */
  public record Part(
      Complex coefficient,
      Diquark antidiquark,
      Diquark diquark,
      HalfInteger isospin,
      int spin,
      Irrep irrep,
      List<String> profiles) {
    /**
     * The coupling to an isospin, a spin and an irrep without parity; null for what follows from
     * the diquarks.
     *
     * @throws IllegalArgumentException if something is missing, or they do not couple to it
     */
    public static Part of(
        Complex coefficient,
        Diquark antidiquark,
        Diquark diquark,
        @Nullable HalfInteger isospin,
        @Nullable String spin,
        @Nullable String irrep) {
      HalfInteger total =
          chosen(
              "isospin",
              isospin,
              couple(antidiquark.twiceIsospin(), diquark.twiceIsospin(), 2)
                  .mapToObj(HalfInteger::new)
                  .toList(),
              antidiquark.describe() + "; " + diquark.describe());
      String j =
          chosen(
              "spin",
              spin,
              couple(antidiquark.kind().spin(), diquark.kind().spin(), 1)
                  .mapToObj(Integer::toString)
                  .toList(),
              antidiquark.kind() + " and " + diquark.kind());
      String parity = antidiquark.kind().parity() == diquark.kind().parity() ? "+" : "-";
      List<String> irreps = DerivativeCoupling.irreps(Integer.parseInt(j));
      String stem = chosen("irrep", irrep, irreps, "spin " + j + ", parity " + parity);
      return new Part(
          coefficient,
          antidiquark,
          diquark,
          total,
          Integer.parseInt(j),
          Irrep.of(stem + parity, Momentum.ZERO),
          List.of());
    }

    /** The same with profiles of the four fields. */
    public Part withProfiles(List<String> some) {
      return new Part(coefficient, antidiquark, diquark, isospin, spin, irrep, some);
    }

    /** All couplings of antiquarks and quarks of these flavours to an isospin. */
    public static List<Part> all(
        List<String> antiquarks, List<String> quarks, HalfInteger isospin) {
      List<Part> all = new ArrayList<>();
      for (PairColour colour : PairColour.values()) {
        for (Diquark bar : Diquark.all(true, antiquarks, colour)) {
          for (Diquark pair : Diquark.all(false, quarks, colour)) {
            if (ClebschGordan.allowed(bar.twiceIsospin(), pair.twiceIsospin(), isospin.twice())) {
              for (int j : couple(bar.kind().spin(), pair.kind().spin(), 1).toArray()) {
                for (String irrep : DerivativeCoupling.irreps(j)) {
                  all.add(of(Complex.ONE, bar, pair, isospin, Integer.toString(j), irrep));
                }
              }
            }
          }
        }
      }
      return all;
    }

    private static IntStream couple(int a, int b, int step) {
      return IntStream.rangeClosed(Math.abs(a - b), a + b).filter(c -> (a + b - c) % step == 0);
    }

    private static <T> T chosen(String what, @Nullable T asked, List<T> possible, String of) {
      if (asked == null ? possible.size() > 1 : !possible.contains(asked)) {
        throw new IllegalArgumentException(
            "%s%s: expected %s%s (%s)"
                .formatted(
                    asked == null ? "missing " : "",
                    what,
                    HadronNames.oneOf(possible),
                    asked == null ? "" : ", found " + asked,
                    of));
      }
      return asked == null ? possible.get(0) : asked;
    }

    /** A row of the irrep: V of the antidiquark and W of the diquark, by their axes. */
    private List<DerivativeCoupling.Summand> row(int row) {
      int v = antidiquark.kind().spin();
      int w = diquark.kind().spin();
      return v > 0 && w > 0
          ? new DerivativeCoupling(1, 1, 1, spin, irrep.stem()).rows().get(row)
          : List.of(new DerivativeCoupling.Summand(1, v * row, List.of(w * row)));
    }

    private void add(int row, int twiceThird, Momentum n, List<HadronFactor.Part> sum) {
      int first = antidiquark.twiceIsospin();
      int second = diquark.twiceIsospin();
      for (int m = -first; m <= first; m += 2) {
        int rest = twiceThird - m;
        SignedRoot coupled =
            ClebschGordan.coefficient(first, m, second, rest, isospin.twice(), twiceThird);
        if (coupled.sign() == 0) {
          continue;
        }
        for (Diquark.Flavours bars : antidiquark.component(m)) {
          for (Diquark.Flavours quarks : diquark.component(rest)) {
            SignedRoot flavour = coupled.times(bars.coefficient()).times(quarks.coefficient());
            List<String> flavours =
                Stream.of(bars, quarks).flatMap(pair -> pair.flavours().stream()).toList();
            for (DerivativeCoupling.Summand s : row(row)) {
              sum.add(
                  new HadronFactor.Part(
                      coefficient.times(s.coefficient()),
                      flavour,
                      new TetraquarkFactor(
                          diquark.colour(),
                          flavours.get(0),
                          flavours.get(1),
                          antidiquark.kind().gamma(s.gamma()),
                          flavours.get(2),
                          flavours.get(3),
                          diquark.kind().gamma(s.derivatives().get(0)),
                          n,
                          profiles)));
            }
          }
        }
      }
    }

    /** What parts agree in, as {@link #TRAITS}. */
    private List<String> traits() {
      return List.of(
          "antiquarks (%s) and quarks (%s)".formatted(text(antidiquark), text(diquark)),
          "isospin " + isospin,
          "spin " + spin,
          "irrep " + irrep.stem(),
          "parity " + (irrep.parity() > 0 ? "+" : "-"));
    }

    private static String text(Diquark pair) {
      return String.join(" ", pair.flavours().stream().sorted().toList());
    }
  }

  /**
   * Checks that its parts can be added.
   *
   * @throws IllegalArgumentException if they differ in flavours, isospin, spin, irrep or parity
   */
  public Tetraquark {
    parts = List.copyOf(parts);
    List<String> first = parts.get(0).traits();
    for (int k = 1; k < parts.size(); k++) {
      List<String> other = parts.get(k).traits();
      if (!other.equals(first)) {
        throw new IllegalArgumentException(
            ("the parts of a tetraquark agree in flavours, isospin, spin, irrep and parity: part 1 has"
                    + " %s, but part %d has %s; they differ in %s")
                .formatted(
                    String.join(", ", first),
                    k + 1,
                    String.join(", ", other),
                    String.join(
                        ", ",
                        IntStream.range(0, TRAITS.size())
                            .filter(t -> !first.get(t).equals(other.get(t)))
                            .mapToObj(TRAITS::get)
                            .toList())));
      }
    }
  }

  /** Its isospin. */
  public HalfInteger isospin() {
    return parts.get(0).isospin();
  }

  /** The irrep by whose matrices it transforms at rest and in flight. */
  public Irrep irrep() {
    return parts.get(0).irrep();
  }

  /** Whether a part has profiles. */
  public boolean hasProfiles() {
    return parts.stream().anyMatch(part -> !part.profiles().isEmpty());
  }

  /** A row of an isospin component, written out. */
  public List<HadronFactor.Part> row(int row, int twiceThird, Momentum momentum) {
    List<HadronFactor.Part> sum = new ArrayList<>();
    parts.forEach(part -> part.add(row, twiceThird, momentum, sum));
    return sum;
  }

  /** Leaves out the parts, because projections look products up by their hadrons. */
  @Override
  public int hashCode() {
    return name.hashCode();
  }
}
