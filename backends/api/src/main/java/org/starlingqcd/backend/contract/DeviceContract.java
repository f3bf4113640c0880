package org.starlingqcd.backend.contract;

import java.util.ArrayList;
import java.util.List;

/** The whole contract of a device, whatever its layout. */
public final class DeviceContract {
  private DeviceContract() {}

  /** Where the parts of the contract put their checks. */
  interface Checks {
    void add(String name, ContractCheck.Body body);
  }

  /** All checks, the basic ones first. */
  public static List<ContractCheck> checks() {
    List<ContractCheck> all = new ArrayList<>();
    Checks checks = (name, body) -> all.add(new ContractCheck(name, body));
    MemoryContract.addTo(checks);
    ProductContract.addTo(checks);
    TraceContract.addTo(checks);
    PairContract.addTo(checks);
    PairMatrixContract.addTo(checks);
    MatrixContract.addTo(checks);
    return all;
  }
}
