package org.starlingqcd.backend.hip;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.contract.DeviceContractTest;

/** The contract on the fake HIP library, which detects mistakes that a GPU does not report. */
@Tag("slow")
class HipContractTest extends DeviceContractTest {
  private final HipProvider provider = FakeHip.freshProvider(20240229);

  @Override
  protected BackendProvider provider() {
    return provider;
  }

  @AfterEach
  void noErrors() {
    FakeHip.assertNoErrors();
  }
}
