package org.starlingqcd.simulator.reproduce;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The papers by name. */
public final class PaperChecks {
  /** The names of all papers, built or not. */
  public static final List<String> NAMES =
      List.of("memhc", "softcache", "semcache", "stacked-dram", "bag");

  private PaperChecks() {}

  /** The check of a paper; empty if it is not built yet. */
  public static Optional<PaperCheck> find(String name) {
    for (PaperCheck check : ServiceLoader.load(PaperCheck.class)) {
      if (check.name().equals(name)) {
        return Optional.of(check);
      }
    }
    return Optional.empty();
  }
}
