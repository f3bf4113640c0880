package org.starlingqcd.backend.gpu;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceOptions;

/** Finding and opening GPUs, the same for every vendor once its libraries are loaded. */
public abstract class GpuProvider implements BackendProvider {
  private final String vendor;

  /**
   * Creates the provider.
   *
   * @param vendor what its devices are called in messages: "CUDA", "HIP"
   */
  protected GpuProvider(String vendor) {
    this.vendor = vendor;
  }

  /**
   * Loads the vendor's libraries; called anew by every probe, so it keeps what it has loaded.
   *
   * @throws BackendException with the reason and the remedy when they cannot be used
   */
  protected abstract GpuPlatform load();

  @Override
  public final Availability probe() {
    try {
      GpuPlatform platform = load();
      int count = platform.deviceCount();
      if (count == 0) {
        return Availability.absent("no " + vendor + " device is visible");
      }
      List<DeviceInfo> devices = new ArrayList<>();
      for (int device = 0; device < count; device++) {
        devices.add(platform.describe(device));
      }
      return Availability.of(devices);
    } catch (BackendException | LinkageError e) {
      return Availability.absent(reason(e));
    }
  }

  @Override
  public final Device open(DeviceOptions options) {
    GpuPlatform platform;
    try {
      platform = load();
    } catch (LinkageError e) {
      throw new BackendException(reason(e), e);
    }
    int count = platform.deviceCount();
    if (options.device() >= count) {
      throw new BackendException(
          vendor
              + " device "
              + options.device()
              + " does not exist; visible: "
              + (count == 0 ? "none" : "0 to " + (count - 1)));
    }
    return GpuDevice.open(platform.open(options.device()), options);
  }

  private static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }
}
