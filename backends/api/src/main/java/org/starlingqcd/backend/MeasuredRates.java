package org.starlingqcd.backend;

import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How fast the kernels that a backend takes are on this machine, as an earlier calibration measured
 * it.
 */
public final class MeasuredRates {
  private final int threads;
  private final Map<Precision, NavigableMap<Integer, Rates>> rates;

  /**
   * The rates of one thread at some extents.
   *
   * @param contractions flops a second of contractions of two nodes, {@code 64 · 8N³} flops each
   * @param traces flops a second of traces of two nodes, {@code 16 · 8N²} flops each
   */
  public record Rates(double contractions, double traces) {
    /** Checks that both are positive. */
    public Rates {
      if (!(contractions > 0 && traces > 0)) {
        throw new IllegalArgumentException(
            "must be > 0: contractions=" + contractions + " traces=" + traces);
      }
    }

    /** The rates of this many threads that share the work. */
    Rates times(int threads) {
      return new Rates(threads * contractions, threads * traces);
    }
  }

  /**
   * Takes measurements.
   *
   * @param threads that a device uses unless it is told otherwise
   * @param rates of one thread for both precisions, by extent, each of at least one
   */
  public MeasuredRates(int threads, Map<Precision, ? extends Map<Integer, Rates>> rates) {
    this.threads = threads;
    this.rates = new EnumMap<>(Precision.class);
    for (Precision precision : Precision.values()) {
      Map<Integer, Rates> measured = rates.get(precision);
      if (measured == null || measured.isEmpty()) {
        throw new IllegalArgumentException("must be measured: precision=" + precision.label());
      }
      this.rates.put(precision, new TreeMap<>(measured));
    }
  }

  /** Threads that a device uses unless it is told otherwise. */
  public int threads() {
    return threads;
  }

  /** The rates of all threads at the measured extent that is nearest on a logarithmic scale. */
  public Rates of(Precision precision, int extent) {
    NavigableMap<Integer, Rates> measured = rates.getOrDefault(precision, new TreeMap<>());
    return nearest(measured, extent).times(threads);
  }

  /**
   * The value at the nearest extent on a logarithmic scale.
   *
   * @param values at least one
   */
  public static <T> T nearest(NavigableMap<Integer, T> values, int extent) {
    Map.Entry<Integer, T> below = values.floorEntry(extent);
    Map.Entry<Integer, T> above = values.ceilingEntry(extent);
    if (below == null) {
      return values.firstEntry().getValue();
    }
    if (above == null) {
      return below.getValue();
    }
    boolean nearerBelow = (double) extent / below.getKey() <= (double) above.getKey() / extent;
    return nearerBelow ? below.getValue() : above.getValue();
  }
}
