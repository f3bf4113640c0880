package org.starlingqcd.backend.hip;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DiquarkContractTest;

/** Baryons on the fake HIP library. */
@Tag("slow")
class HipDiquarkTest extends DiquarkContractTest {
  private final HipProvider provider = FakeHip.freshProvider(20240301);

  @Override
  protected BackendProvider provider() {
    return provider;
  }

  @AfterEach
  void noErrors() {
    FakeHip.assertNoErrors();
  }
}
