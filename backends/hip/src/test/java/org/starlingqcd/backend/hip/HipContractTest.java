package org.starlingqcd.backend.hip;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceContractTest;

/** The contract on the fake HIP library, which watches what a GPU would not. */
@Tag("slow")
class HipContractTest extends DeviceContractTest {
  private boolean reset;

  @Override
  protected BackendProvider provider() {
    HipProvider provider = FakeHip.provider();
    if (!reset) {
      FakeHip.reset(FakeHip.BYTES, 1, random.nextLong());
      reset = true;
    }
    return provider;
  }

  /** Runs before the fixture closes the device, so only errors of the test itself are looked at. */
  @AfterEach
  void noErrors() {
    String errors =
        FakeHip.report().lines().filter(line -> !line.startsWith("not ")).toList().toString();
    assertEquals("[]", errors);
  }
}
