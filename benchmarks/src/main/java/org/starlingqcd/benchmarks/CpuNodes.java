package org.starlingqcd.benchmarks;

import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.cpu.CpuBackend;

/** Random elements on the CPU backend, for benchmarks. */
final class CpuNodes extends RandomNodes {
  CpuNodes(int threads, boolean exact) {
    super(new CpuBackend().open(new DeviceOptions(0, threads, 0, exact)));
  }
}
