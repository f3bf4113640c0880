package org.starlingqcd.backend.cpu;

import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DiquarkContractTest;

class CpuDiquarkTest extends DiquarkContractTest {
  @Override
  protected BackendProvider provider() {
    return new CpuBackend();
  }
}
