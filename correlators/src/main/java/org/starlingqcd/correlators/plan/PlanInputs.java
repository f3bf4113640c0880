package org.starlingqcd.correlators.plan;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.Input;

/** The data that a queue reads, in short: labels, and displacements with their largest momentum. */
final class PlanInputs {
  private PlanInputs() {}

  /**
   * The data for one source and one separation.
   *
   * @return {@code labels}; {@code meson_elementals} and {@code baryon_elementals}, the largest n²
   *     by displacement; {@code bytes} of all blocks
   */
  static Map<String, Object> describe(ExecutionQueue queue, int eigenvectors) {
    TreeSet<String> labels = new TreeSet<>();
    TreeMap<String, Integer> mesons = new TreeMap<>();
    TreeMap<String, Integer> baryons = new TreeMap<>();
    for (Input input : queue.inputs()) {
      if (input instanceof Input.Perambulator perambulator) {
        labels.add(perambulator.label());
      } else if (input instanceof Input.Elemental elemental) {
        mesons.merge(
            elemental.elemental().displacement(),
            squared(elemental.elemental().momentum()),
            Math::max);
      } else if (input instanceof Input.BaryonElemental elemental) {
        baryons.merge(elemental.displacement(), squared(elemental.momentum()), Math::max);
      }
    }
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("labels", labels);
    map.put("meson_elementals", mesons);
    map.put("baryon_elementals", baryons);
    map.put("bytes", bytes(queue, eigenvectors));
    return map;
  }

  /** Bytes of all blocks that are read, each counted once. */
  static long bytes(ExecutionQueue queue, int eigenvectors) {
    return queue.inputs().stream().mapToLong(input -> input.bytes(eigenvectors)).sum();
  }

  private static int squared(Momentum n) {
    return n.x() * n.x() + n.y() * n.y() + n.z() * n.z();
  }
}
