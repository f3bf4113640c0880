package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.Meson;
import org.starlingqcd.correlators.definition.hadrons.MesonHadron;
import org.starlingqcd.graph.Momentum;

/** Seeded random products of mesons. */
public final class RandomHadrons {
  private static final List<Meson> MESONS = List.of(Meson.values());

  private final Random random;

  /** Seeded. */
  public RandomHadrons(long seed) {
    random = new Random(seed);
  }

  /** A momentum with components -1, 0, 1. */
  public Momentum momentum() {
    return new Momentum(component(), component(), component());
  }

  /** A product of mesons with this total momentum. */
  public List<HadronFactor> product(int count, Momentum total) {
    List<HadronFactor> hadrons = new ArrayList<>();
    Momentum rest = total;
    for (int k = 0; k < count; k++) {
      Meson meson = MESONS.get(random.nextInt(MESONS.size()));
      Momentum n = k == count - 1 ? rest : momentum();
      rest = rest.plus(n.negate());
      hadrons.add(new MesonHadron(meson, n, meson.polarized() ? random.nextInt(3) : 0));
    }
    return hadrons;
  }

  /** A number from 0 to bound - 1. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  private int component() {
    return random.nextInt(3) - 1;
  }
}
