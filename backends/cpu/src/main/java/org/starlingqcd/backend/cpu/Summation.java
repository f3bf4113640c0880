package org.starlingqcd.backend.cpu;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The distinct inputs whose real and imaginary parts are added up before the products, and where
 * their sums go in one block of memory. Offsets are in doubles.
 */
final class Summation {
  /** An input as a contraction sees it: {@code spins} components of {@code size} numbers. */
  private record Input(CpuMemory memory, long size, int spins) {}

  /**
   * One component to be summed.
   *
   * @param address its real part
   * @param size doubles of the real part
   * @param start where its sum goes
   */
  record Component(long address, long size, long start) {}

  private final Map<Input, Long> starts = new HashMap<>();
  private final List<Component> components = new ArrayList<>();
  private long doubles;

  /** Doubles that adding this input would need; none if it is there already. */
  long needed(CpuMemory memory, long size, long[] spins) {
    return starts.containsKey(new Input(memory, size, spins.length)) ? 0 : size * spins.length;
  }

  /** Adds an input with these addresses of its components and tells where its sums begin. */
  long add(CpuMemory memory, long size, long[] spins) {
    Input input = new Input(memory, size, spins.length);
    Long known = starts.get(input);
    if (known != null) {
      return known;
    }
    long start = doubles;
    starts.put(input, start);
    for (long address : spins) {
      components.add(new Component(address, size, doubles));
      doubles += size;
    }
    return start;
  }

  /** Components in the order in which they were added. */
  List<Component> components() {
    return components;
  }

  /** Doubles that all sums take. */
  long doubles() {
    return doubles;
  }
}
