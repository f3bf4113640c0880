package org.starlingqcd.correlators.run;

import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.correlators.MemorySize;

/**
 * How much RAM a run takes beside its device, and for what.
 *
 * <p>{@code --host-memory} bounds all of it. By default that is half of what is free when the run
 * begins: of what Slurm leaves to this task of the node, or of what the machine or the control
 * group of the process has, whichever is less; a device that computes in RAM has taken its memory
 * before. Half of the bound is for elements evicted from the device. Such a device, however, evicts
 * to a file unless the user names a bound. The rest is for the input store, for chunk caches and
 * for buffers. Half of it ({@code --read-ahead}) may be blocks of input that the present unit does
 * not load again: those that are read ahead or kept for a later source.
 */
final class HostMemoryShare {
  private static final String CPU = "cpu";
  private static final int PARTS = 2;

  private HostMemoryShare() {}

  /** The budget of a run. */
  static HostMemoryBudget budget(DeviceSettings settings, boolean computesInRam, long deviceBytes) {
    long free = freeBytes();
    MemorySize asked = settings.tiers().hostMemory();
    long beside = computesInRam ? Math.max(0, free - deviceBytes) : free;
    long bound = asked == null ? beside / PARTS : asked.of(free);
    boolean evictsToFile = computesInRam && asked == null;
    return new HostMemoryBudget(bound, evictsToFile ? 0 : bound / PARTS);
  }

  /**
   * Bound on blocks that are read ahead or kept for a later source, in bytes: a part of the budget,
   * whatever is asked.
   */
  static long readAheadBytes(RunSettings settings, HostMemoryBudget budget) {
    MemorySize asked = settings.input().readAhead();
    long most = budget.otherBytes();
    return asked == null ? most / PARTS : Math.min(most, asked.of(freeBytes()));
  }

  /** RAM in bytes that this process may take now; 8 GiB where the CPU backend does not work. */
  static long freeBytes() {
    return Backends.all().stream()
        .filter(provider -> provider.name().equals(CPU))
        .flatMap(provider -> provider.probe().devices().stream())
        .mapToLong(HostMemoryShare::freeBytes)
        .findFirst()
        .orElse(8L << 30);
  }

  /** Free memory of a device that computes in RAM, as far as this process may take it. */
  static long freeBytes(DeviceInfo ram) {
    return Math.min(
        ram.freeBytes(),
        new NodeShare(System.getenv()).bytes(ram.totalBytes()).orElse(Long.MAX_VALUE));
  }
}
