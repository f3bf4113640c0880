package org.starlingqcd.hadron.convention;

import java.util.List;
import java.util.stream.Stream;
import org.starlingqcd.hadron.data.DistillationData;

/**
 * Tests distillation data for wrong index orders, phases, spin bases and directions of time.
 *
 * <p>Most of these errors leave pions and rho mesons at rest as they are, and γ5-hermiticity too:
 * it holds just as well when only the spin indices, only the eigenvector indices or only the times
 * of all perambulators are exchanged. Each test here compares two orders, or a sign, on the data
 * themselves. It uses at most {@link Blocks#MOST_VECTORS} eigenvectors and {@link
 * Blocks#MOST_TIMES} times, so time and memory do not grow with the data. Errors are those of the
 * mean over sources, times and configurations.
 *
 * <p>Use: {@link #add} for each configuration, then {@link #findings}.
 */
public final class ConventionCheck {
  private final List<Measurement> measurements =
      Stream.of(
              ElementalTests.all(),
              PerambulatorTests.all(),
              List.of(ElementalTests.eigenvalues()),
              NoiseTests.all())
          .flatMap(List::stream)
          .toList();

  /**
   * Adds a configuration.
   *
   * @throws org.starlingqcd.hadron.data.DistillationException when a block cannot be read
   */
  public void add(DistillationData data) {
    try (Blocks blocks = new Blocks(data)) {
      measurements.forEach(measurement -> measurement.adding().accept(measurement, blocks));
    }
  }

  /**
   * One finding for each test, and for each label where the test is of perambulators, generalized
   * or not, or each set where it is of quark sinks.
   */
  public List<Finding> findings() {
    return measurements.stream().flatMap(m -> m.findings().stream()).toList();
  }
}
