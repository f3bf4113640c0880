package org.starlingqcd.backend.cpu;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.contract.DeviceContractTest;

/** The contract with vector loops of at most AVX2. */
@Tag("slow")
class CpuDeviceAvx2Test extends DeviceContractTest {
  @BeforeAll
  static void limit() {
    InstructionSets.limit(InstructionSets.AVX2);
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
