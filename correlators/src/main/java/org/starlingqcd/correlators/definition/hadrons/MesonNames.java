package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.Suggestion;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.text.Quoted;

/**
 * Finds mesons by name: those without derivatives, {@code ΓxD1_J<J>_<Λ>} and {@code
 * ΓxD2_J<J_D>__J<J>_<Λ>} with Γ one of them, and the names of a definition's own.
 */
public final class MesonNames {
  /** Names of this form are of mesons with derivatives, right or wrong. */
  private static final Pattern DERIVATIVES = Pattern.compile("(.*)xD(\\d+)(?:_(.*))?");

  private static final Pattern ONE = Pattern.compile("J(\\d+)_(.+)");
  private static final Pattern TWO = Pattern.compile("J(\\d+)__J(\\d+)_(.+)");

  private static final String ONE_FORM = "<name>xD1_J<J>_<irrep>, as rhoxD1_J2_T2";
  private static final String TWO_FORM =
      "<name>xD2_J<J of the derivatives>__J<J>_<irrep>, as rhoxD2_J2__J3_A2";

  private final Map<String, MesonField> own;

  /**
   * Names besides those that are always known.
   *
   * @param own fields by name; later changes of the map count
   */
  public MesonNames(Map<String, MesonField> own) {
    this.own = own;
  }

  /** Whether a name is taken, or has the form of a meson with derivatives. */
  public boolean isTaken(String name) {
    return own.containsKey(name)
        || Meson.named(name).isPresent()
        || DERIVATIVES.matcher(name).matches();
  }

  /**
   * The meson of a name.
   *
   * @throws IllegalArgumentException when there is none, saying what there is
   */
  public MesonField named(String name) {
    MesonField known = own.get(name);
    if (known != null) {
      return known;
    }
    if (Meson.named(name).isPresent()) {
      return MesonField.of(Meson.named(name).get());
    }
    Matcher derivatives = DERIVATIVES.matcher(name);
    if (derivatives.matches()) {
      return withDerivatives(name, derivatives);
    }
    throw new IllegalArgumentException(
        "unknown meson "
            + Quoted.of(name)
            + ", expected one of "
            + String.join(", ", known())
            + ", or one with derivatives, as rhoxD1_J2_T2"
            + (Baryon.named(name).isPresent()
                ? "; " + name + " is a baryon"
                : Suggestion.text(name, known())));
  }

  private List<String> known() {
    List<String> known = new ArrayList<>(Meson.names());
    known.addAll(own.keySet());
    return known;
  }

  private MesonField withDerivatives(String name, Matcher parts) {
    String gammaName = parts.group(1);
    String count = parts.group(2);
    String rest = parts.group(3) == null ? "" : parts.group(3);
    MesonField field = own.get(gammaName);
    Meson gamma =
        (field == null ? Meson.named(gammaName) : field.local())
            .orElseThrow(
                () ->
                    error(
                        name,
                        "derivatives act on a meson without derivatives, and "
                            + Quoted.of(gammaName)
                            + " is none; expected one of "
                            + String.join(", ", Meson.names())
                            + Suggestion.text(gammaName, Meson.names())));
    if (!count.equals("1") && !count.equals("2")) {
      throw error(
          name,
          count
              + " derivatives; mesons have at most "
              + Displacement.MOST_DERIVATIVES
              + ": "
              + ONE_FORM
              + " or "
              + TWO_FORM);
    }
    int derivatives = Integer.parseInt(count);
    Matcher spins = (derivatives == 1 ? ONE : TWO).matcher(rest);
    if (!spins.matches()) {
      throw error(name, "expected " + (derivatives == 1 ? ONE_FORM : TWO_FORM));
    }
    String derivativeSpin = derivatives == 1 ? "1" : spins.group(1);
    List<Integer> derivativeSpins = DerivativeCoupling.derivativeSpins(derivatives);
    if (!contains(derivativeSpins, derivativeSpin)) {
      throw error(
          name,
          "two derivatives couple to spin " + join(derivativeSpins) + ", not " + derivativeSpin);
    }
    int jd = Integer.parseInt(derivativeSpin);
    MesonField coupled =
        coupled(
            name, gamma, derivatives, jd, spins.group(derivatives), spins.group(1 + derivatives));
    return field == null || !gamma.multiplet().hasStrange()
        ? coupled
        : coupled.like(name, field.strange());
  }

  private static MesonField coupled(
      String name, Meson gamma, int derivatives, int derivativeSpin, String spin, String irrep) {
    String what =
        gamma
            + (derivatives == 1
                ? " and a derivative couple"
                : " and two derivatives of spin " + derivativeSpin + " couple");
    List<Integer> spins = DerivativeCoupling.spins(gamma.spin(), derivativeSpin);
    if (!contains(spins, spin)) {
      throw error(
          name,
          what
              + " to "
              + spins.stream()
                  .map(
                      j ->
                          "J = " + j + " (" + String.join(", ", DerivativeCoupling.irreps(j)) + ")")
                  .collect(Collectors.joining(", "))
              + ", not J = "
              + spin);
    }
    int j = Integer.parseInt(spin);
    if (!DerivativeCoupling.irreps(j).contains(irrep)) {
      int parity = derivatives == 1 ? -gamma.parity() : gamma.parity();
      throw error(
          name,
          "J = "
              + j
              + " has the "
              + (DerivativeCoupling.irreps(j).size() == 1 ? "irrep " : "irreps ")
              + String.join(", ", DerivativeCoupling.irreps(j))
              + ", not "
              + Quoted.of(irrep)
              + (irrep.matches("[AET]\\d?[+-]")
                  ? "; the parity follows from the name and is " + (parity > 0 ? "+" : "-")
                  : ""));
    }
    return MesonField.of(
        name, gamma, new DerivativeCoupling(gamma.spin(), derivatives, derivativeSpin, j, irrep));
  }

  private static boolean contains(List<Integer> numbers, String text) {
    return numbers.stream().anyMatch(number -> Integer.toString(number).equals(text));
  }

  private static String join(List<Integer> numbers) {
    return IntStream.range(0, numbers.size())
        .mapToObj(k -> (k == 0 ? "" : k == numbers.size() - 1 ? " or " : ", ") + numbers.get(k))
        .collect(Collectors.joining());
  }

  private static IllegalArgumentException error(String name, String what) {
    return new IllegalArgumentException(Quoted.of(name) + ": " + what);
  }
}
