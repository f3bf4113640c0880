package org.starlingqcd.backend.cpu;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.MeasuredRates;
import org.starlingqcd.backend.MemoryInfo;
import org.starlingqcd.backend.cpu.blas.CoreType;
import org.starlingqcd.backend.cpu.blas.KernelChoice;
import org.starlingqcd.backend.cpu.blas.OpenBlas;

/** The CPU as a device: OpenBLAS on a bounded part of the machine's memory. */
public final class CpuBackend implements BackendProvider {
  /** Called by the service loader. */
  public CpuBackend() {}

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
    try {
      OpenBlas blas = OpenBlas.load();
      PhysicalMemory memory = PhysicalMemory.now();
      return Availability.of(
          List.of(
              new DeviceInfo(
                  0,
                  blas.processor(),
                  memory.totalBytes(),
                  memory.availableBytes(),
                  blas.details(CpuDevice.defaultThreads(), ""),
                  MemoryNodes.present())));
    } catch (LinkageError | RuntimeException noLibrary) {
      return Availability.absent("OpenBLAS cannot be loaded: " + noLibrary);
    }
  }

  @Override
  public List<MemoryInfo> memories(boolean measure) {
    List<MemoryInfo> usable = MemoryNodes.usable();
    return measure ? MemoryNodes.measured(usable) : usable;
  }

  @Override
  public Device open(DeviceOptions options) {
    if (options.device() != 0) {
      throw new BackendException(
          "the CPU backend has one device, number 0: device=" + options.device());
    }
    OpenBlas blas = load();
    CoreType.checkVariable(blas.core());
    return new CpuDevice(options, blas, KernelChoice.asked());
  }

  @Override
  public void checkSettings() {
    CoreType.checkVariable(load().core());
    KernelChoice.asked();
  }

  @Override
  public void prepare(Consumer<String> announce) {
    OpenBlas blas = load();
    if (RateMeasurement.isPending(blas)) {
      announce.accept("measuring CPU kernels, once for this machine");
      RateMeasurement.measure(blas);
    }
  }

  @Override
  public List<String> calibrate() {
    OpenBlas blas = load();
    CoreType.checkVariable(blas.core());
    return RateMeasurement.measure(blas);
  }

  @Override
  public Optional<MeasuredRates> rates() {
    return RateMeasurement.mayBeStored()
        ? Optional.ofNullable(RateMeasurement.stored(load()))
        : Optional.empty();
  }

  private static OpenBlas load() {
    try {
      return OpenBlas.load();
    } catch (LinkageError | RuntimeException noLibrary) {
      throw new BackendException("OpenBLAS cannot be loaded: " + noLibrary, noLibrary);
    }
  }
}
