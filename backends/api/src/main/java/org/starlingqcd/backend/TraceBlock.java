package org.starlingqcd.backend;

import java.util.List;

/**
 * Traces of every left element with every right element under one mapping, which a device runs as
 * one matrix product of (lefts × spins·N²) and (spins·N² × rights). Result {@code (l, r)} is a
 * complex number at complex index {@code resultIndex + l * rights + r} of the result buffer. With
 * no rights, the trace of each left element alone ({@code resultIndex + l}). Counts {@code 8 · N² ·
 * mapping.size()} flops for each result of two elements.
 *
 * @param lefts left elements
 * @param rights right elements, possibly none
 * @param mapping spin components that meet
 * @param extent number of eigenvectors N (elements are [spin][N][N])
 * @param resultIndex complex index of the first result
 */
public record TraceBlock(
    List<DeviceMemory> lefts,
    List<DeviceMemory> rights,
    SpinTraceMapping mapping,
    int extent,
    long resultIndex) {
  /** Copies the lists. */
  public TraceBlock {
    lefts = List.copyOf(lefts);
    rights = List.copyOf(rights);
  }
}
