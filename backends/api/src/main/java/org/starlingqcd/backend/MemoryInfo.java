package org.starlingqcd.backend;

/**
 * A memory of a machine: a NUMA node.
 *
 * @param node its number
 * @param bytes its size
 * @param freeBytes what of it was free when it was looked at
 * @param processors whether processors belong to it
 * @param rate bytes a second that one copy reads and writes in it, measured or declared; 0: unknown
 */
public record MemoryInfo(int node, long bytes, long freeBytes, boolean processors, double rate) {}
