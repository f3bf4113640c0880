package org.starlingqcd.backend.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.GpuPlatform;

/** Finds and opens GPUs, in the same way for every vendor once its libraries are loaded. */
public abstract class GpuProvider implements BackendProvider {
  private static final Logger LOG = LoggerFactory.getLogger(GpuProvider.class);

  private final String vendor;
  private final AtomicBoolean refusalTold = new AtomicBoolean();
  private @Nullable GpuPlatform platform;

  /**
   * Creates the provider.
   *
   * @param vendor name of its devices in messages: "CUDA", "HIP"
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

  /** Returns all usable devices; one that cannot be used does not hide the others. */
  @Override
  public final Availability probe() {
    try {
      GpuPlatform ready = loaded();
      int count = ready.deviceCount();
      List<DeviceInfo> devices = new ArrayList<>();
      List<String> reasons = new ArrayList<>();
      for (int device = 0; device < count; device++) {
        try {
          devices.add(ready.describe(device));
        } catch (BackendException e) {
          LOG.warn("{} device {} cannot be used: {}", vendor, device, e.getMessage());
          reasons.add("device " + device + ": " + reason(e));
        }
      }
      return devices.isEmpty()
          ? Availability.absent(count == 0 ? noDevice() : String.join("; ", reasons))
          : Availability.of(devices);
    } catch (BackendException | LinkageError e) {
      return Availability.absent(reason(e));
    }
  }

  @Override
  public final Availability probe(int device) {
    try {
      GpuPlatform ready = loaded();
      int count = ready.deviceCount();
      return device < count
          ? Availability.of(List.of(ready.describe(device)))
          : Availability.absent(count == 0 ? noDevice() : missing(device, count));
    } catch (BackendException | LinkageError e) {
      return Availability.absent(reason(e));
    }
  }

  private String noDevice() {
    return "no " + vendor + " device is visible";
  }

  private String missing(int device, int count) {
    return vendor
        + " device "
        + device
        + " does not exist; visible: "
        + (count == 0 ? "none" : "0 to " + (count - 1));
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
      throw new BackendException(missing(options.device(), count));
    }
    return GpuDevice.open(new GpuLibrary(ready, options.device()), options);
  }

  @Override
  public final @Nullable HostMemory pageLocked(int device, long bytes) {
    GpuLibrary library;
    try {
      library = new GpuLibrary(loaded(), device);
    } catch (BackendException | LinkageError e) {
      LOG.debug("no page-locked memory: {}", e.toString());
      return null;
    }
    try {
      library.makeCurrent();
      return new HostMemory(
          library.allocateHost(bytes), bytes, address -> freeHost(library, address));
    } catch (BackendException refused) {
      library.close();
      if (!refusalTold.getAndSet(true)) {
        LOG.warn(
            "no more page-locked memory ({}); other data wait in ordinary memory and are copied"
                + " once more",
            refused.getMessage());
      }
      return null;
    }
  }

  private static void freeHost(GpuLibrary library, long address) {
    try (library) {
      library.makeCurrent();
      library.freeHost(address);
    } catch (BackendException e) {
      // The device is lost; its memory goes with the process.
      LOG.debug("while page-locked memory is freed: {}", e.getMessage());
    }
  }

  private static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }
}
