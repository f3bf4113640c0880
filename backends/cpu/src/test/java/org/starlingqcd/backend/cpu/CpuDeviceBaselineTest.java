package org.starlingqcd.backend.cpu;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.contract.DeviceContractTest;

/** The contract with vector loops for any processor of the architecture. */
@Tag("slow")
class CpuDeviceBaselineTest extends DeviceContractTest {
  @BeforeAll
  static void limit() {
    InstructionSets.limit(InstructionSets.BASELINE);
  }

  @AfterAll
  static void unlimit() {
    InstructionSets.limit(InstructionSets.AVX512);
  }

  @Override
  protected BackendProvider provider() {
    return new CpuBackend();
  }
}
