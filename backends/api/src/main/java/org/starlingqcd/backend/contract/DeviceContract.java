package org.starlingqcd.backend.contract;

import java.util.ArrayList;
import java.util.List;

/** The whole contract of a device, whatever its layout. */
public final class DeviceContract {
  private DeviceContract() {}

  /** All checks, the basic ones first. */
  public static List<ContractCheck> checks() {
    List<ContractCheck> checks = new ArrayList<>();
    checks.addAll(MemoryContract.checks());
    checks.addAll(ProductContract.checks());
    checks.addAll(TraceContract.checks());
    checks.addAll(PairContract.checks());
    checks.addAll(PairMatrixContract.checks());
    checks.addAll(MatrixContract.checks());
    return checks;
  }
}
