package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
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
import org.starlingqcd.graph.TetraquarkFactor;

/**
 * A tetraquark that a definition names: a sum of antidiquarks coupled with diquarks, which have one
 * isospin, spin, irrep and parity. Each is normalized to {@code Σ |coefficient|² = 1} before it is
 * multiplied by its own coefficient.
 *
 * @param name its name in a definition
 * @param summands the couplings with their coefficients
 */
public record Tetraquark(String name, List<Summand> summands) {
  /** A coupling and what it is multiplied by. */
  public record Summand(Complex coefficient, Coupling coupling) {}

  /**
   * An antidiquark coupled with a diquark, in this order.
   *
   * @param isospin total isospin
   * @param spin total spin J
   * @param irrep an irrep of J at rest, parity included
   */
  public record Coupling(
      Diquark antidiquark, Diquark diquark, HalfInteger isospin, int spin, Irrep irrep) {
    /**
     * The coupling of two diquarks to an isospin, a spin and an irrep; null for what follows from
     * the diquarks.
     *
     * @param irrep without parity
     * @throws IllegalArgumentException if something is missing, or they do not couple to it
     */
    public static Coupling of(
        Diquark antidiquark,
        Diquark diquark,
        @Nullable HalfInteger isospin,
        @Nullable String spin,
        @Nullable String irrep) {
      List<String> isospins =
          couple(antidiquark.twiceIsospin(), diquark.twiceIsospin(), 2)
              .mapToObj(twice -> new HalfInteger(twice).toString())
              .toList();
      String total =
          chosen(
              "isospin",
              isospin == null ? null : isospin.toString(),
              isospins,
              antidiquark.describe() + "; " + diquark.describe());
      List<String> spins =
          couple(antidiquark.kind().spin(), diquark.kind().spin(), 1)
              .mapToObj(Integer::toString)
              .toList();
      int j =
          Integer.parseInt(
              chosen("spin", spin, spins, antidiquark.kind() + " and " + diquark.kind()));
      int parity = antidiquark.kind().parity() * diquark.kind().parity();
      String sign = parity > 0 ? "+" : "-";
      List<String> irreps = DerivativeCoupling.irreps(j);
      String stem = chosen("irrep", irrep, irreps, "spin " + j + ", parity " + sign);
      return new Coupling(
          antidiquark,
          diquark,
          HalfInteger.parse(total).orElseThrow(),
          j,
          Irrep.of(stem + sign, Momentum.ZERO));
    }

    /** All couplings of antiquarks and quarks of these flavours to an isospin. */
    public static List<Coupling> all(
        List<String> antiquarks, List<String> quarks, HalfInteger isospin) {
      List<Coupling> all = new ArrayList<>();
      for (PairColour colour : PairColour.values()) {
        for (Diquark antidiquark : Diquark.all(true, antiquarks, colour)) {
          for (Diquark diquark : Diquark.all(false, quarks, colour)) {
            if (couple(antidiquark.twiceIsospin(), diquark.twiceIsospin(), 2)
                .anyMatch(twice -> twice == isospin.twice())) {
              couple(antidiquark.kind().spin(), diquark.kind().spin(), 1)
                  .mapToObj(Integer::toString)
                  .forEach(
                      spin ->
                          DerivativeCoupling.irreps(Integer.parseInt(spin))
                              .forEach(
                                  irrep ->
                                      all.add(of(antidiquark, diquark, isospin, spin, irrep))));
            }
          }
        }
      }
      return all;
    }

    private static IntStream couple(int a, int b, int step) {
      return IntStream.rangeClosed(Math.abs(a - b), a + b).filter(c -> (a + b - c) % step == 0);
    }

    private static String chosen(
        String what, @Nullable String asked, List<String> possible, String of) {
      String expected = HadronNames.oneOf(possible);
      if (asked == null && possible.size() > 1) {
        throw new IllegalArgumentException(
            "missing %s: expected %s (%s)".formatted(what, expected, of));
      }
      if (asked != null && !possible.contains(asked)) {
        throw new IllegalArgumentException(
            "%s: expected %s, found %s (%s)".formatted(what, expected, asked, of));
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

    private List<HadronFactor.Part> parts(
        Complex coefficient, int row, int twiceThird, Momentum momentum) {
      List<HadronFactor.Part> parts = new ArrayList<>();
      int first = antidiquark.twiceIsospin();
      int second = diquark.twiceIsospin();
      for (int m = -first; m <= first; m += 2) {
        SignedRoot coupled =
            ClebschGordan.coefficient(
                first, m, second, twiceThird - m, isospin.twice(), twiceThird);
        if (coupled.sign() == 0) {
          continue;
        }
        for (Diquark.Flavours bars : antidiquark.component(m)) {
          for (Diquark.Flavours quarks : diquark.component(twiceThird - m)) {
            for (DerivativeCoupling.Summand s : row(row)) {
              parts.add(
                  new HadronFactor.Part(
                      coefficient.times(s.coefficient()),
                      coupled.times(bars.coefficient()).times(quarks.coefficient()),
                      new TetraquarkFactor(
                          diquark.colour(),
                          bars.flavours().get(0),
                          bars.flavours().get(1),
                          antidiquark.kind().gamma(s.gamma()),
                          quarks.flavours().get(0),
                          quarks.flavours().get(1),
                          diquark.kind().gamma(s.derivatives().get(0)),
                          momentum)));
            }
          }
        }
      }
      return parts;
    }

    private List<String> flavours(Diquark pair) {
      return pair.flavours().stream().sorted().toList();
    }

    /** What parts agree in, for messages. */
    private String describe() {
      return "antiquarks (%s), quarks (%s), isospin %s, spin %d, %s"
          .formatted(
              String.join(" ", antidiquark.flavours()),
              String.join(" ", diquark.flavours()),
              isospin,
              spin,
              irrep.name());
    }

    private String difference(Coupling other) {
      List<String> differences = new ArrayList<>();
      differences.add(
          flavours(antidiquark).equals(flavours(other.antidiquark))
                  && flavours(diquark).equals(flavours(other.diquark))
              ? ""
              : "flavours");
      differences.add(isospin.equals(other.isospin) ? "" : "isospin");
      differences.add(spin == other.spin ? "" : "spin");
      differences.add(irrep.stem().equals(other.irrep.stem()) ? "" : "irrep");
      differences.add(irrep.parity() == other.irrep.parity() ? "" : "parity");
      return differences.stream().filter(d -> !d.isEmpty()).collect(Collectors.joining(", "));
    }
  }

  /**
   * Checks that its summands can be added.
   *
   * @throws IllegalArgumentException if they differ in flavours, isospin, spin, irrep or parity
   */
  public Tetraquark {
    summands = List.copyOf(summands);
    Coupling first = summands.get(0).coupling();
    for (int k = 1; k < summands.size(); k++) {
      Coupling other = summands.get(k).coupling();
      String difference = first.difference(other);
      if (!difference.isEmpty()) {
        throw new IllegalArgumentException(
            "the parts of a tetraquark agree in flavours, isospin, spin, irrep and parity: part 1 has"
                + " %s, but part %d has %s; they differ in %s"
                    .formatted(first.describe(), k + 1, other.describe(), difference));
      }
    }
  }

  /** Its isospin. */
  public HalfInteger isospin() {
    return summands.get(0).coupling().isospin();
  }

  /** The irrep by whose matrices it transforms at rest and in flight. */
  public Irrep irrep() {
    return summands.get(0).coupling().irrep();
  }

  /** The flavours of all fields, {@code l} among them. */
  public List<String> flavours() {
    Coupling first = summands.get(0).coupling();
    return Stream.of(first.antidiquark(), first.diquark())
        .flatMap(pair -> pair.flavours().stream())
        .toList();
  }

  /** A row of an isospin component, written out. */
  public List<HadronFactor.Part> parts(int row, int twiceThird, Momentum momentum) {
    return summands.stream()
        .flatMap(s -> s.coupling().parts(s.coefficient(), row, twiceThird, momentum).stream())
        .toList();
  }

  /** Leaves out the summands, because projections look products up by their hadrons. */
  @Override
  public int hashCode() {
    return Objects.hash(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
