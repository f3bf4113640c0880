package org.starlingqcd.hadron.data;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;

/** An elemental as it is stored: displacement, or colour for a tetraquark, and momentum. */
public record ElementalName(String displacement, Momentum momentum)
    implements Comparable<ElementalName> {
  private static final Pattern MOMENTUM = Pattern.compile("(-?\\d{1,9})_(-?\\d{1,9})_(-?\\d{1,9})");

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

  /**
   * An elemental whose numbers are those of another, up to the adjoint and a sign.
   *
   * @param name the other
   * @param adjoint whether the matrix adjoint of its blocks is meant
   * @param sign +1 or -1
   */
  public record Alias(ElementalName name, boolean adjoint, int sign) {}

  /**
   * Whether the elemental is zero on every gauge field: {@code D_k(n)} with 2 n_k an odd multiple
   * of L, because the forward and the backward derivative cancel there. Such elementals are not
   * stored.
   *
   * @param spatialExtent L
   */
  public boolean vanishes(int spatialExtent) {
    Displacement d = Displacement.of(displacement);
    return d.kind() == Displacement.Kind.DERIVATIVE
        && d.axes().stream()
            .anyMatch(
                axis ->
                    Math.floorMod(2L * momentum.component(axis), 2L * spatialExtent)
                        == spatialExtent);
  }

  /**
   * The other elementals that have the same numbers on every gauge field:
   *
   * <ul>
   *   <li>{@code Φ(n) = Φ(-n)†} without displacement,
   *   <li>{@code Φ_{D_k}(n) = -Φ_{D_k}(-n)†},
   *   <li>{@code Φ_{D_jD_k}(n) = Φ_{D_kD_j}(-n)†},
   *   <li>{@code D_k = nabla_k} at momentum zero.
   * </ul>
   *
   * <p>K of a tetraquark, packed, obeys {@code K(n) = K(-n)†}.
   *
   * <p>An elemental that equals plus or minus its own adjoint, such as {@code D_x} at rest, is
   * among its own aliases. A displacement of any other name has no aliases.
   */
  public List<Alias> aliases() {
    Displacement d = Displacement.of(displacement);
    boolean atRest = momentum.equals(Momentum.ZERO);
    List<Alias> aliases = new ArrayList<>();
    switch (d.kind()) {
      case NONE -> aliases.add(opposite(displacement, 1));
      case DERIVATIVE -> {
        List<Integer> reversed = new ArrayList<>(d.axes());
        Collections.reverse(reversed);
        aliases.add(opposite(Displacement.derivative(reversed), d.axes().size() % 2 == 0 ? 1 : -1));
        if (atRest && d.axes().size() == 1) {
          aliases.add(here(Displacement.nabla(d.axes().get(0))));
        }
      }
      case NABLA -> {
        if (atRest) {
          aliases.add(opposite(displacement, -1));
          aliases.add(here(Displacement.derivative(d.axes())));
        }
      }
      default -> {
        if (PairColour.named(displacement).isPresent()) {
          aliases.add(opposite(displacement, 1));
        }
      }
    }
    return aliases;
  }

  /** The colour of a tetraquark. */
  public PairColour colour() {
    return PairColour.named(displacement).orElseThrow();
  }

  private Alias opposite(String name, int sign) {
    return new Alias(new ElementalName(name, momentum.negate()), true, sign);
  }

  private Alias here(String name) {
    return new Alias(new ElementalName(name, momentum), false, 1);
  }

  @Override
  public int compareTo(ElementalName other) {
    int c = displacement.compareTo(other.displacement);
    return c != 0 ? c : momentum.compareTo(other.momentum);
  }

  /** {@code displacement/nx_ny_nz}, as in a file. */
  @Override
  public String toString() {
    return displacement + "/" + momentum.fileName();
  }
}
