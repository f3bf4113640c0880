package org.starlingqcd.backend;

import java.util.List;

/**
 * Where a device that computes in RAM takes its two tiers of memory, and who copies between them;
 * or that a GPU takes managed memory, which its driver moves.
 *
 * @param fastNodes NUMA nodes of the fast tier; empty: wherever the operating system likes
 * @param slowNodes NUMA nodes of the slow tier
 * @param copyThreads threads that only copy, beside idle ones
 * @param chunkBytes bytes that a thread takes of a copy at a time; 0: a copy is one piece
 * @param managed whether all memory of elements is managed, of which there may be more than the
 *     device has; the capacity of the device is then what is left to it of its own memory
 */
public record TierOptions(
    List<Integer> fastNodes,
    List<Integer> slowNodes,
    int copyThreads,
    long chunkBytes,
    boolean managed) {
  /** Bytes of a chunk if nothing else is asked for. */
  public static final long DEFAULT_CHUNK = 1L << 20;

  /** Checks the ranges and copies the lists. */
  public TierOptions {
    if (copyThreads < 0 || chunkBytes < 0) {
      throw new IllegalArgumentException(
          "must be copyThreads >= 0, chunkBytes >= 0: copyThreads=%s chunkBytes=%s"
              .formatted(copyThreads, chunkBytes));
    }
    fastNodes = List.copyOf(fastNodes);
    slowNodes = List.copyOf(slowNodes);
  }

  /** One tier: no particular nodes, and copies are made by one thread each. */
  public static TierOptions none() {
    return new TierOptions(List.of(), List.of(), 0, 0, false);
  }

  /** Managed memory of a GPU. */
  public static TierOptions ofManagedMemory() {
    return new TierOptions(List.of(), List.of(), 0, 0, true);
  }
}
