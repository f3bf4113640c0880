package org.starlingqcd.backend.cpu.memory;

import java.util.List;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/** Memory on NUMA nodes; a node that is full gives way to others. */
public final class NodeMemory {
  private static final long PROBE_BYTES = 4096;

  private NodeMemory() {}

  /**
   * Allocates memory for a device. Without nodes, and where the system does not allow to choose
   * them, it is ordinary memory.
   *
   * @param nodes numbers of the nodes
   * @throws OutOfMemoryError when the operating system refuses
   */
  public static HostMemory allocate(long bytes, List<Integer> nodes) {
    if (nodes.isEmpty() || MemoryNodes.areMadeUp() || !VectorLoops.isAvailable()) {
      return HostMemory.allocateForDevice(bytes);
    }
    long address = map(bytes, nodes);
    return address > 0
        ? HostMemory.mappedForDevice(address, bytes, at -> VectorLoops.unmapNodes(at, bytes))
        : HostMemory.allocateForDevice(bytes);
  }

  /** Whether memory can be placed on a node: the helper is there, and the system allows it. */
  static boolean isPossible(int node) {
    if (!VectorLoops.isAvailable()) {
      return false;
    }
    long address = map(PROBE_BYTES, List.of(node));
    if (address > 0) {
      VectorLoops.unmapNodes(address, PROBE_BYTES);
    }
    return address > 0;
  }

  private static long map(long bytes, List<Integer> nodes) {
    long[] numbers = nodes.stream().mapToLong(Integer::longValue).toArray();
    return VectorLoops.mapOnNodes(bytes, numbers, numbers.length);
  }
}
