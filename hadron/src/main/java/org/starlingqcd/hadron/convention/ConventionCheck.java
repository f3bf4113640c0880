package org.starlingqcd.hadron.convention;

import java.util.ArrayList;
import java.util.List;
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
      List.of(
          ElementalIdentities.unit(),
          ElementalIdentities.opposite(),
          new DerivativePhase(),
          new BaryonPhase(),
          new Gamma5Hermiticity(),
          new SpinIndices(),
          new EigenvectorIndices(),
          new TimeDirection(),
          new SourceTimes());

  /**
   * Adds a configuration.
   *
   * @throws org.starlingqcd.hadron.data.DistillationException when a block cannot be read
   */
  public void add(DistillationData data) {
    try (Blocks blocks = new Blocks(data)) {
      measurements.forEach(measurement -> measurement.add(blocks));
    }
  }

  /** One finding for each test, and for each label where the test is of perambulators. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    measurements.forEach(measurement -> findings.addAll(measurement.findings()));
    return findings;
  }
}
