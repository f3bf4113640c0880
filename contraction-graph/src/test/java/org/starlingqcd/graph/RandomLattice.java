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
