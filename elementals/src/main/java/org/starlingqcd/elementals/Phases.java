package org.starlingqcd.elementals;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.arrays.HostArray;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.graph.Momentum;

/** The phases e^{-ip·x} of all sites for some momenta, one array each. They serve all times. */
final class Phases {
  private final Map<Momentum, HostArray> arrays = new LinkedHashMap<>();

  Phases(ArrayCache cache, List<Momentum> momenta, int extent) {
    int volume = extent * extent * extent;
    for (Momentum momentum : momenta) {
      double[] numbers = new double[2 * volume];
      for (int site = 0; site < volume; site++) {
        long turns =
            (long) momentum.x() * (site % extent)
                + (long) momentum.y() * (site / extent % extent)
                + (long) momentum.z() * (site / extent / extent);
        Scalar phase = phase(-turns, extent);
        numbers[2 * site] = phase.re();
        numbers[2 * site + 1] = phase.im();
      }
      HostArray array = cache.array("phases " + momentum, NumberKind.COMPLEX, volume);
      array.put(0, numbers, volume);
      arrays.put(momentum, array);
    }
  }

  /** e^{2πi·turns/extent}, exact for multiples of a quarter turn. */
  static Scalar phase(long turns, int extent) {
    long rest = Math.floorMod(turns, extent);
    if (4 * rest % extent == 0) {
      return switch ((int) (4 * rest / extent)) {
        case 0 -> new Scalar(1, 0);
        case 1 -> new Scalar(0, 1);
        case 2 -> new Scalar(-1, 0);
        default -> new Scalar(0, -1);
      };
    }
    double angle = 2 * Math.PI * rest / extent;
    return new Scalar(Math.cos(angle), Math.sin(angle));
  }

  HostArray of(Momentum momentum) {
    return Objects.requireNonNull(arrays.get(momentum));
  }
}
