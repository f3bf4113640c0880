package org.starlingqcd.graph;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Random elementals and perambulators that respect what real ones do: {@code Φ(-n) = Φ(n)†} without
 * displacement and {@code τ(t,t') = γ5 τ(t',t)† γ5} for the labels that are not ruled out.
 */
final class RandomLattice {
  /** Displacements of the elementals that make tetraquarks. */
  static final List<String> SITES = List.of("site a", "site b");

  final int extent;
  private final long seed;
  private final Set<String> labelsWithoutGamma5;
  private final Map<Object, SpinMatrix> known = new HashMap<>();

  RandomLattice(int extent, long seed, Set<String> labelsWithoutGamma5) {
    this.extent = extent;
    this.seed = seed;
    this.labelsWithoutGamma5 = labelsWithoutGamma5;
  }

  private Random random(Object... key) {
    return new Random(seed * 1_000_003 + Arrays.deepHashCode(key));
  }

  /** Φ in distillation space. */
  SpinMatrix elemental(ElementalRef ref, int time) {
    if (ref.adjoint()) {
      return elemental(ref.dagger(), time).adjoint();
    }
    if (!ref.displacement().equals(ElementalRef.NO_DISPLACEMENT)) {
      return SpinMatrix.random(extent, random(ref.displacement(), ref.momentum().toString(), time));
    }
    int sign = ref.momentum().compareTo(ref.momentum().negate());
    if (sign < 0) {
      return elemental(ref.dagger(), time).adjoint();
    }
    SpinMatrix m = SpinMatrix.random(extent, random(ref.momentum().toString(), time));
    return sign > 0 ? m : m.plus(m.adjoint());
  }

  /**
   * K, packed, in a square matrix as large as that of the other colour; made of random matrices,
   * the elementals of {@link #SITES}, as it is made of products of vectors at each site.
   */
  SpinMatrix tetraquark(PairColour colour, Momentum momentum, int time) {
    SpinMatrix k = new SpinMatrix(PairColour.SEXTET.pairs(extent));
    for (String site : SITES) {
      SpinMatrix p = elemental(ElementalRef.of(site, momentum, false), time);
      for (int j = 0; j < extent; j++) {
        for (int i = 0; i <= j; i++) {
          for (int d = 0; d < extent; d++) {
            for (int c = 0; c <= d; c++) {
              if (colour.sign(i, j) != 0 && colour.sign(c, d) != 0) {
                Complex sum =
                    p.at(i, c)
                        .times(p.at(j, d))
                        .plus(p.at(i, d).times(p.at(j, c)).times(colour.sign()));
                k.add(colour.place(i, j), colour.place(c, d), sum);
              }
            }
          }
        }
      }
    }
    return k;
  }

  /** τ in (spin ⊗ distillation) space. */
  SpinMatrix perambulator(String label, int sink, int source) {
    SpinMatrix m = SpinMatrix.random(4 * extent, random(label, sink, source));
    if (labelsWithoutGamma5.contains(label) || sink < source) {
      return m;
    }
    SpinMatrix g5 = SpinMatrix.gamma(15, extent);
    if (sink == source) {
      return m.plus(g5.times(m.adjoint()).times(g5));
    }
    return g5.times(perambulator(label, source, sink).adjoint()).times(g5);
  }

  /** Φ τ. */
  SpinMatrix node(ElementalRef elemental, int time, String label, int next) {
    return known.computeIfAbsent(
        List.of(elemental, time, label, next),
        key ->
            SpinMatrix.onAllSpins(elemental(elemental, time))
                .times(perambulator(label, time, next)));
  }

  SpinMatrix gamma(int mask) {
    return known.computeIfAbsent(mask, key -> SpinMatrix.gamma(mask, extent));
  }
}
