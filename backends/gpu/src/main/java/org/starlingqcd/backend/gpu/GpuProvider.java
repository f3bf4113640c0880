package org.starlingqcd.backend.gpu;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceOptions;

/** Finding and opening GPUs, the same for every vendor once its libraries are loaded. */
public abstract class GpuProvider implements BackendProvider {
  private final String vendor;
  private @Nullable GpuPlatform platform;

  /**
   * Creates the provider.
   *
   * @param vendor what its devices are called in messages: "CUDA", "HIP"
   */
  protected GpuProvider(String vendor) {
    this.vendor = vendor;
  }

  /**
   * Loads the vendor's libraries; called until it succeeds once.
   *
   * @throws BackendException with the reason and the remedy when they cannot be used
   */
  protected abstract GpuPlatform load();

  private synchronized GpuPlatform loaded() {
    GpuPlatform ready = platform;
    if (ready == null) {
      ready = load();
      platform = ready;
    }
    return ready;
  }

  @Override
  public final Availability probe() {
    try {
      GpuPlatform ready = loaded();
      int count = ready.deviceCount();
      if (count == 0) {
        return Availability.absent("no " + vendor + " device is visible");
      }
      List<DeviceInfo> devices = new ArrayList<>();
      for (int device = 0; device < count; device++) {
        devices.add(ready.describe(device));
      }
      return Availability.of(devices);
    } catch (BackendException | LinkageError e) {
      return Availability.absent(reason(e));
    }
  }

  @Override
  public final Device open(DeviceOptions options) {
    GpuPlatform ready;
    try {
      ready = loaded();
    } catch (LinkageError e) {
      throw new BackendException(reason(e), e);
    }
    int count = ready.deviceCount();
    if (options.device() >= count) {
      throw new BackendException(
          vendor
              + " device "
              + options.device()
              + " does not exist; visible: "
              + (count == 0 ? "none" : "0 to " + (count - 1)));
    }
    return GpuDevice.open(ready.open(options.device()), options);
  }

  private static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }
}
