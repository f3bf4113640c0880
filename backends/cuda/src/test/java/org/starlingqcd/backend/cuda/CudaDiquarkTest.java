package org.starlingqcd.backend.cuda;

import org.junit.jupiter.api.Tag;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DiquarkContractTest;

/** Baryons on a GPU, where there is one. */
@Tag("slow")
class CudaDiquarkTest extends DiquarkContractTest {
  @Override
  protected BackendProvider provider() {
    return new CudaProvider();
  }
}
