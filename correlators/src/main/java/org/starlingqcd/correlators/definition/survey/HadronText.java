package org.starlingqcd.correlators.definition.survey;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.hadrons.Baryon;
import org.starlingqcd.correlators.definition.hadrons.BaryonHadron;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.HadronNames;
import org.starlingqcd.correlators.definition.hadrons.Meson;
import org.starlingqcd.correlators.definition.hadrons.MesonHadron;
import org.starlingqcd.correlators.definition.hadrons.TetraquarkHadron;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.text.Suggestion;

/**
 * Hadrons as text: {@code N(0,0,1) pi(0,0,-1)} for products, {@code N}, {@code N-} for names, where
 * the minus sign is the parity of a baryon.
 */
public final class HadronText {
  private static final Pattern HADRON =
      Pattern.compile(
          "\\s*([^\\s()]+)\\(\\s*(-?\\d{1,6})\\s*,\\s*(-?\\d{1,6})\\s*,\\s*(-?\\d{1,6})\\s*\\)\\s*");

  private HadronText() {}

  /**
   * A product of hadrons, each in its first spin state.
   *
   * @param names the hadrons that are known
   * @throws InputException if the text is no product, with what is expected
   */
  public static List<HadronFactor> product(String text, HadronNames names) {
    List<HadronFactor> product = new ArrayList<>();
    Matcher matcher = HADRON.matcher(text);
    int end = 0;
    while (end < text.length()) {
      if (!matcher.find(end) || matcher.start() != end) {
        break;
      }
      Momentum n =
          new Momentum(
              Integer.parseInt(matcher.group(2)),
              Integer.parseInt(matcher.group(3)),
              Integer.parseInt(matcher.group(4)));
      product.add(hadron(matcher.group(1), n, names));
      end = matcher.end();
    }
    if (product.isEmpty() || end < text.length()) {
      throw new InputException(
          "'" + text + "': expected hadrons with their momenta, such as \"N(0,0,1) pi(0,0,-1)\"");
    }
    checkOrder(product);
    return product;
  }

  private static void checkOrder(List<HadronFactor> product) {
    long baryons = product.stream().filter(HadronFactor::isBaryon).count();
    if (baryons > 2) {
      throw new InputException(
          "a product of " + baryons + " baryons: products of at most two baryons are supported");
    }
    if (!product.stream().limit(baryons).allMatch(HadronFactor::isBaryon)) {
      throw new InputException("a baryon after a meson: baryons come before mesons");
    }
  }

  /**
   * A hadron by name, in its first spin state.
   *
   * @throws InputException for an unknown name, with the known ones
   */
  public static HadronFactor hadron(String name, Momentum momentum, HadronNames names) {
    boolean minus = name.endsWith("-");
    String plain = minus || name.endsWith("+") ? name.substring(0, name.length() - 1) : name;
    if (names.isBaryon(plain)) {
      return new BaryonHadron(names.baryon(plain), momentum, 1, minus ? -1 : 1, true);
    }
    if (!names.isMeson(name)) {
      List<String> known = Stream.of(Baryon.names(), Meson.names()).flatMap(List::stream).toList();
      throw InputException.of(
          "unknown hadron %s, expected one of the baryons %s or of the mesons %s, or a meson with"
              + " derivatives, as rhoxD1_J2_T2%s",
          Quoted.of(name),
          String.join(", ", Baryon.names()),
          String.join(", ", Meson.names()),
          Suggestion.text(plain, known));
    }
    try {
      return new MesonHadron(names.meson(name), momentum, 0);
    } catch (IllegalArgumentException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  /** A product as text, in the form in which it is read. */
  static String of(List<HadronFactor> product) {
    return product.stream()
        .map(
            hadron -> {
              Momentum n = hadron.momentum();
              boolean minus = hadron instanceof BaryonHadron b && b.parity() < 0;
              return "%s%s(%d,%d,%d)"
                  .formatted(hadron.name(), minus ? "-" : "", n.x(), n.y(), n.z());
            })
        .collect(Collectors.joining(" "));
  }

  /**
   * A hadron, with a profile if it has one, under the keys of the definition format in one line.
   */
  static String yaml(HadronFactor hadron, String profile) {
    String kind =
        hadron.isBaryon() ? "baryon" : hadron instanceof TetraquarkHadron ? "tetraquark" : "meson";
    StringBuilder text = new StringBuilder("{").append(kind).append(": ").append(hadron.name());
    text.append(", momentum: ").append(hadron.momentum());
    if (!hadron.spin().isEmpty()) {
      text.append(hadron.isBaryon() ? ", component: " : ", polarization: ").append(hadron.spin());
    }
    if (hadron instanceof BaryonHadron b && b.parity() < 0) {
      text.append(", parity: minus");
    }
    if (!profile.isEmpty()) {
      text.append(", profile: ").append(profile);
    }
    return text.append('}').toString();
  }
}
