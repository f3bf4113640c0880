package org.starlingqcd.correlators.definition.hadrons;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.text.Suggestion;

/**
 * The hadrons that a definition can name: mesons without derivatives, {@code ΓxD1_J<J>_<Λ>} and
 * {@code ΓxD2_J<J_D>__J<J>_<Λ>} with Γ one of them, baryons, and the definition's own.
 */
public final class HadronNames {
  /** Names of this form are of mesons with derivatives, right or wrong. */
  private static final Pattern DERIVATIVES = Pattern.compile("(.*)xD(\\d+)(?:_(.*))?");

  private static final Pattern ONE = Pattern.compile("J(\\d+)_(.+)");
  private static final Pattern TWO = Pattern.compile("J(\\d+)__J(\\d+)_(.+)");

  private static final String ONE_FORM = "<name>xD1_J<J>_<irrep>, as rhoxD1_J2_T2";
  private static final String TWO_FORM =
      "<name>xD2_J<J of the derivatives>__J<J>_<irrep>, as rhoxD2_J2__J3_A2";

  /** Before version 0.1 K annihilated an antikaon, and Kbar a kaon. */
  private static final Pattern KAON = Pattern.compile("K(star)?(bar)?(xD.*)?");

  private final Map<String, MesonField> ownMesons = new LinkedHashMap<>();
  private final Map<String, Baryon> ownBaryons = new LinkedHashMap<>();
  private final Map<String, Tetraquark> tetraquarks = new LinkedHashMap<>();
  private final boolean earlierNames;

  /**
   * The built-in names.
   *
   * @param earlierNames whether kaons have the names that they had before version 0.1
   */
  public HadronNames(boolean earlierNames) {
    this.earlierNames = earlierNames;
  }

  /** Whether a name is that of a meson, or has the form of one with derivatives. */
  public boolean isMeson(String name) {
    return ownMesons.containsKey(name)
        || Meson.named(name).isPresent()
        || DERIVATIVES.matcher(name).matches();
  }

  /** Whether a name is that of a baryon. */
  public boolean isBaryon(String name) {
    return ownBaryons.containsKey(name) || Baryon.named(name).isPresent();
  }

  /**
   * The meson of a name.
   *
   * @throws IllegalArgumentException if there is none, with the known names
   */
  public MesonField meson(String written) {
    Matcher kaon = KAON.matcher(written);
    String name =
        earlierNames && kaon.matches()
            ? "K"
                + Objects.toString(kaon.group(1), "")
                + (kaon.group(2) == null ? "bar" : "")
                + Objects.toString(kaon.group(3), "")
            : written;
    MesonField own = ownMesons.get(name);
    if (own != null) {
      return own;
    }
    Matcher derivatives = DERIVATIVES.matcher(name);
    return Meson.named(name)
        .map(MesonField::of)
        .or(() -> derivatives.matches() ? withDerivatives(name, derivatives) : Optional.empty())
        .orElseThrow(
            () ->
                error(
                    "unknown meson %s, expected one of %s, or one with derivatives, as rhoxD1_J2_T2%s",
                    Quoted.of(name),
                    String.join(", ", with(Meson.names(), ownMesons.keySet())),
                    Baryon.named(name).isPresent()
                        ? "; " + name + " is a baryon"
                        : Suggestion.text(name, with(Meson.names(), ownMesons.keySet()))));
  }

  /**
   * The baryon of a name.
   *
   * @throws IllegalArgumentException if there is none, with the known names
   */
  public Baryon baryon(String name) {
    List<String> known = with(Baryon.names(), ownBaryons.keySet());
    return Optional.ofNullable(ownBaryons.get(name))
        .or(() -> Baryon.named(name))
        .orElseThrow(
            () ->
                error(
                    "unknown baryon %s, expected one of %s; or write the operator out in terms%s",
                    Quoted.of(name),
                    String.join(", ", known),
                    isMeson(name) ? "; " + name + " is a meson" : Suggestion.text(name, known)));
  }

  /**
   * The tetraquark of a name.
   *
   * @throws IllegalArgumentException if there is none, with the known names
   */
  public Tetraquark tetraquark(String name) {
    Tetraquark found = tetraquarks.get(name);
    if (found == null) {
      throw error(
          "unknown tetraquark %s; the definition's tetraquarks are %s%s",
          Quoted.of(name),
          tetraquarks.isEmpty() ? "none" : String.join(", ", tetraquarks.keySet()),
          Suggestion.text(name, List.copyOf(tetraquarks.keySet())));
    }
    return found;
  }

  private static List<String> with(List<String> known, Set<String> own) {
    List<String> all = new ArrayList<>(known);
    all.addAll(own);
    return all;
  }

  /**
   * Refuses a name that another hadron has, or that has the form of a meson with derivatives.
   *
   * @throws IllegalArgumentException if the name is taken
   */
  public void checkFree(String name) {
    if (isMeson(name) || isBaryon(name) || tetraquarks.containsKey(name)) {
      throw error(
          "the name %s is taken: it is that of a %s; choose another",
          Quoted.of(name), isMeson(name) ? "meson" : isBaryon(name) ? "baryon" : "tetraquark");
    }
  }

  /** Adds a meson under its name, which is free. */
  public void add(MesonField meson) {
    ownMesons.put(meson.name(), meson);
  }

  /** Adds a baryon under its name, which is free. */
  public void add(Baryon baryon) {
    ownBaryons.put(baryon.name(), baryon);
  }

  /** Adds a tetraquark under its name, which is free. */
  public void add(Tetraquark tetraquark) {
    tetraquarks.put(tetraquark.name(), tetraquark);
  }

  private Optional<MesonField> withDerivatives(String name, Matcher parts) {
    String gammaName = parts.group(1);
    String count = parts.group(2);
    MesonField field = ownMesons.get(gammaName);
    Optional<Meson> local =
        field == null ? Meson.named(gammaName) : Optional.ofNullable(field.local());
    Meson gamma =
        local.orElseThrow(
            () ->
                error(
                    "%s: derivatives act on a meson without derivatives, and %s is none; expected one"
                        + " of %s%s",
                    Quoted.of(name),
                    Quoted.of(gammaName),
                    String.join(", ", Meson.names()),
                    Suggestion.text(gammaName, Meson.names())));
    if (!count.equals("1") && !count.equals("2")) {
      throw error(
          "%s: %s derivatives; mesons have at most %d: %s or %s",
          Quoted.of(name), count, Displacement.MOST_DERIVATIVES, ONE_FORM, TWO_FORM);
    }
    int derivatives = Integer.parseInt(count);
    Matcher spins = (derivatives == 1 ? ONE : TWO).matcher(Objects.toString(parts.group(3), ""));
    if (!spins.matches()) {
      throw error("%s: expected %s", Quoted.of(name), derivatives == 1 ? ONE_FORM : TWO_FORM);
    }
    String derivativeSpin = derivatives == 1 ? "1" : spins.group(1);
    List<Integer> derivativeSpins = DerivativeCoupling.derivativeSpins(derivatives);
    if (!contains(derivativeSpins, derivativeSpin)) {
      throw error(
          "%s: two derivatives couple to spin %s, not %s",
          Quoted.of(name), oneOf(derivativeSpins), derivativeSpin);
    }
    int ofDerivatives = Integer.parseInt(derivativeSpin);
    MesonField coupled =
        coupled(
            name,
            gamma,
            derivatives,
            ofDerivatives,
            spins.group(derivatives),
            spins.group(1 + derivatives));
    return Optional.of(
        field == null || !gamma.multiplet().hasStrange()
            ? coupled
            : coupled.like(name, field.strange()));
  }

  private static MesonField coupled(
      String name, Meson gamma, int derivatives, int derivativeSpin, String spin, String irrep) {
    List<Integer> spins = DerivativeCoupling.spins(gamma.spin(), derivativeSpin);
    if (!contains(spins, spin)) {
      throw error(
          "%s: %s and %s to %s, not J = %s",
          Quoted.of(name),
          gamma,
          derivatives == 1
              ? "a derivative couple"
              : "two derivatives of spin " + derivativeSpin + " couple",
          spins.stream()
              .map(j -> "J = %d (%s)".formatted(j, irreps(j)))
              .collect(Collectors.joining(", ")),
          spin);
    }
    int j = Integer.parseInt(spin);
    if (!DerivativeCoupling.irreps(j).contains(irrep)) {
      int parity = derivatives == 1 ? -gamma.parity() : gamma.parity();
      throw error(
          "%s: J = %d has the %s %s, not %s%s",
          Quoted.of(name),
          j,
          DerivativeCoupling.irreps(j).size() == 1 ? "irrep" : "irreps",
          irreps(j),
          Quoted.of(irrep),
          irrep.matches("[AET]\\d?[+-]")
              ? "; the parity follows from the name and is " + (parity > 0 ? "+" : "-")
              : "");
    }
    return MesonField.of(
        name, gamma, new DerivativeCoupling(gamma.spin(), derivatives, derivativeSpin, j, irrep));
  }

  private static String irreps(int spin) {
    return String.join(", ", DerivativeCoupling.irreps(spin));
  }

  private static boolean contains(List<Integer> numbers, String text) {
    return numbers.stream().anyMatch(number -> Integer.toString(number).equals(text));
  }

  /** Alternatives in words: {@code x, y or z}. */
  public static String oneOf(List<?> all) {
    StringBuilder text = new StringBuilder();
    for (int k = 0; k < all.size(); k++) {
      text.append(k == 0 ? "" : k == all.size() - 1 ? " or " : ", ").append(all.get(k));
    }
    return text.toString();
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private static IllegalArgumentException error(String format, @Nullable Object... values) {
    return new IllegalArgumentException(format.formatted(values));
  }
}
