package org.starlingqcd.memhc.cache;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Seconds from bytes and flops. Without overlap they add up, as in SoftCache's model {@code P = Σ
 * DT(A, B) + KT + DT(C)}; with overlap the slowest part is the time of all. A part without a rate
 * takes no time.
 *
 * @param slowRate rate at which kernels reach memory that is not the device's, in bytes a second
 * @param fastRate rate at which kernels reach the device's memory, in bytes a second
 * @param busRate rate of copies between host and device, in bytes a second
 * @param flopRate rate of kernels, in floating-point operations a second
 * @param overlap whether the parts run at the same time
 */
public record TimeModel(
    double slowRate, double fastRate, double busRate, double flopRate, boolean overlap) {
  private static final Pattern RATE =
      Pattern.compile("([0-9]+(?:\\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)\\s*([KMGTP]?)(i?)(B|FLOP)/s");

  /** Checks that every rate is positive; infinite rates are allowed. */
  public TimeModel {
    if (!(slowRate > 0 && fastRate > 0 && busRate > 0 && flopRate > 0)) {
      throw new IllegalArgumentException(
          "must be > 0: slow="
              + slowRate
              + " fast="
              + fastRate
              + " bus="
              + busRate
              + " kernel="
              + flopRate);
    }
  }

  /**
   * Reads a model such as {@code bus=25GB/s,kernel=10TFLOP/s,overlap}; {@code fast} and {@code
   * slow} are memory rates. K, M, G, T and P are powers of 1000; with an i, as in GiB, of 1024.
   *
   * @throws IllegalArgumentException when the text is not a model
   */
  public static TimeModel parse(String text) {
    double[] rates = {
      Double.POSITIVE_INFINITY,
      Double.POSITIVE_INFINITY,
      Double.POSITIVE_INFINITY,
      Double.POSITIVE_INFINITY
    };
    boolean overlap = false;
    Set<String> seen = new HashSet<>();
    for (String part : text.split(",", -1)) {
      String[] pair = part.strip().split("=", 2);
      if (!seen.add(pair[0])) {
        throw new IllegalArgumentException("'" + pair[0] + "' is there twice: " + text);
      }
      if (part.strip().equals("overlap")) {
        overlap = true;
        continue;
      }
      int at =
          switch (pair[0]) {
            case "slow" -> 0;
            case "fast" -> 1;
            case "bus" -> 2;
            case "kernel" -> 3;
            default -> throw malformed(text);
          };
      Matcher found = pair.length == 2 ? RATE.matcher(pair[1].strip()) : RATE.matcher("");
      if (!found.matches() || found.group(4).equals("FLOP") != (at == 3)) {
        throw malformed(text);
      }
      double base = found.group(3).isEmpty() ? 1000 : 1024;
      rates[at] =
          Double.parseDouble(found.group(1))
              * Math.pow(base, found.group(2).isEmpty() ? 0 : 1 + "KMGTP".indexOf(found.group(2)));
    }
    return new TimeModel(rates[0], rates[1], rates[2], rates[3], overlap);
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        String.format(
            Locale.US,
            "'%s' is no time model: expected rates such as bus=25GB/s,kernel=10TFLOP/s, also fast="
                + " and slow= in B/s, and optionally overlap",
            text));
  }

  /**
   * The time of a workload.
   *
   * @param slowBytes bytes that kernels reach outside the device's memory
   * @param fastBytes bytes that kernels reach in the device's memory
   * @param busBytes bytes copied between host and device
   * @param flops floating-point operations of the kernels
   */
  public double seconds(double slowBytes, double fastBytes, double busBytes, double flops) {
    double slow = slowBytes / slowRate;
    double fast = fastBytes / fastRate;
    double bus = busBytes / busRate;
    double kernel = flops / flopRate;
    return overlap
        ? Math.max(Math.max(slow, fast), Math.max(bus, kernel))
        : slow + fast + bus + kernel;
  }

  /** The time of what a cache did, with kernels that reach all their operands on the device. */
  public double seconds(CacheStatistics cache, double flops) {
    return seconds(0, (double) cache.lookupBytes(), (double) cache.movedBytes(), flops);
  }
}
