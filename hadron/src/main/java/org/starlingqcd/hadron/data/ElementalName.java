package org.starlingqcd.hadron.data;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starlingqcd.graph.Momentum;

/** An elemental as it is stored: displacement and momentum. */
public record ElementalName(String displacement, Momentum momentum)
    implements Comparable<ElementalName> {
  private static final Pattern MOMENTUM = Pattern.compile("(-?\\d{1,9})_(-?\\d{1,9})_(-?\\d{1,9})");

  private static final Comparator<ElementalName> ORDER =
      Comparator.comparing(ElementalName::displacement).thenComparing(ElementalName::momentum);

  /** The momentum named {@code nx_ny_nz}, if it is one. */
  static Optional<Momentum> parseMomentum(String name) {
    Matcher matcher = MOMENTUM.matcher(name);
    return matcher.matches()
        ? Optional.of(
            new Momentum(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3))))
        : Optional.empty();
  }

  /** The elemental at the opposite momentum. */
  ElementalName negate() {
    return new ElementalName(displacement, momentum.negate());
  }

  @Override
  public int compareTo(ElementalName other) {
    return ORDER.compare(this, other);
  }

  /** {@code displacement/nx_ny_nz}, as in a file. */
  @Override
  public String toString() {
    return displacement + "/" + momentum.fileName();
  }
}
