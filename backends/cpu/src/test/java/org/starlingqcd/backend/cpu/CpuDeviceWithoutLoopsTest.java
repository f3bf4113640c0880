package org.starlingqcd.backend.cpu;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.contract.DeviceContractTest;
import org.starlingqcd.backend.cpu.blas.OpenBlas;

/** The contract with BLAS calls only, as in a program built without a C++ compiler. */
@Tag("slow")
class CpuDeviceWithoutLoopsTest extends DeviceContractTest {
  @Override
  protected BackendProvider provider() {
    return new WithoutLoops();
  }

  private static final class WithoutLoops implements BackendProvider {
    private final CpuBackend backend = new CpuBackend();

    @Override
    public String name() {
      return backend.name();
    }

    @Override
    public int priority() {
      return backend.priority();
    }

    @Override
    public Availability probe() {
      return backend.probe();
    }

    @Override
    public Device open(DeviceOptions options) {
      OpenBlas blas = OpenBlas.load();
      return new CpuDevice(options, blas, null, false);
    }

    @Override
    public List<String> calibrate() {
      return backend.calibrate();
    }
  }
}
