package org.starlingqcd.backend;

import java.util.List;

/**
 * Traces of every left element with every right element under one mapping, which a device runs as
 * one matrix product of (lefts × spins·N²) and (spins·N² × rights). Result {@code (l, r)} is a
 * complex number at complex index {@code resultIndex + l * rights + r} of the result buffer.
 * Without rights, result {@code l} is the trace of left element {@code l} alone, at index {@code
 * resultIndex + l}. A result of two elements counts {@code 8 · N² · mapping.size()} flops.
 *
 * @param lefts left elements
 * @param rights right elements, possibly none
 * @param mapping pairs of spin components
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
