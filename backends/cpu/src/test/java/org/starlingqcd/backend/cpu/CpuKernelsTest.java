package org.starlingqcd.backend.cpu;

import org.junit.jupiter.api.Nested;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceContractTest;
import org.starlingqcd.backend.DeviceOptions;

/** The contract again under choices that a calibration might make elsewhere. */
class CpuKernelsTest {
  @Nested
  class WholeMatrices extends DeviceContractTest {
    @Override
    protected BackendProvider provider() {
      return new Chosen(new KernelChoice(0, true));
    }
  }

  @Nested
  class ManySmallTiles extends DeviceContractTest {
    @Override
    protected BackendProvider provider() {
      return new Chosen(new KernelChoice(16, true));
    }
  }

  private record Chosen(KernelChoice choice) implements BackendProvider {
    @Override
    public String name() {
      return "cpu";
    }

    @Override
    public int priority() {
      return 0;
    }

    @Override
    public Availability probe() {
      return new CpuBackend().probe();
    }

    @Override
    public Device open(DeviceOptions options) {
      return new CpuDevice(options, OpenBlas.load(), Calibration.always(choice, "test"));
    }
  }
}
