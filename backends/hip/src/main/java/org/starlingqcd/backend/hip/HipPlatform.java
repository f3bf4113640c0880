package org.starlingqcd.backend.hip;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.gpu.library.FailedCall;
import org.starlingqcd.backend.gpu.library.GpuCalls;
import org.starlingqcd.backend.gpu.library.GpuPlatform;

/** The loaded ROCm libraries. */
final class HipPlatform implements GpuPlatform {
  private static final int NAME_LENGTH = 256;

  private final RocmLibraries libraries;

  private HipPlatform(RocmLibraries libraries) {
    this.libraries = libraries;
  }

  /** Loads the first pair of libraries that can be opened; one thread at a time. */
  static synchronized HipPlatform load(List<RocmLibraries> candidates) {
    @Nullable String reason = null;
    for (RocmLibraries candidate : candidates) {
      String failure;
      try {
        failure = HipBinding.load(candidate.runtime(), candidate.blas());
      } catch (LinkageError e) {
        throw new BackendException(
            "the HIP binding cannot be loaded: " + loadersWords(e) + "; see docs/gpu.md", e);
      }
      if (failure == null || failure.isEmpty()) {
        return new HipPlatform(candidate);
      }
      // A reason other than "no such file" is more helpful than a list of missing files.
      boolean exists = !failure.contains("No such file");
      if (reason == null || exists) {
        reason = failure;
      }
      if (exists) {
        break;
      }
    }
    throw new BackendException(
        "the ROCm libraries cannot be used: "
            + reason
            + "; install the HIP runtime and hipBLAS of ROCm 5, 6 or 7, or set ROCM_PATH;"
            + " see docs/gpu.md");
  }

  /** The loader's message; from the second attempt on, Java wraps it. */
  private static String loadersWords(LinkageError failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }

  @Override
  public int deviceCount() {
    int[] count = new int[1];
    int status = HipBinding.deviceCount(count);
    if (status == GpuCalls.NO_DEVICE) {
      return 0;
    }
    check(status, "hipGetDeviceCount", "");
    return count[0];
  }

  @Override
  public DeviceInfo describe(int device) {
    setDevice(device);
    byte[] name = new byte[NAME_LENGTH];
    check(HipBinding.deviceName(name, NAME_LENGTH, device), "hipDeviceGetName", "device", device);
    byte[] bus = new byte[NAME_LENGTH];
    check(HipBinding.busId(bus, NAME_LENGTH, device), "hipDeviceGetPCIBusId", "device", device);
    int[] runtime = new int[1];
    check(HipBinding.runtimeVersion(runtime), "hipRuntimeGetVersion", "");
    int[] driver = new int[1];
    check(HipBinding.driverVersion(driver), "hipDriverGetVersion", "");
    long[] free = new long[1];
    long[] total = new long[1];
    check(HipBinding.memory(free, total), "hipMemGetInfo", "device", device);
    Map<String, String> details = new LinkedHashMap<>();
    details.put("HIP runtime", version(runtime[0]));
    details.put("HIP driver", version(driver[0]));
    details.put("PCI bus", text(bus));
    details.put("libraries", libraries.runtime() + ", " + libraries.blas());
    return new DeviceInfo(device, text(name), total[0], free[0], details);
  }

  @Override
  public GpuCalls calls(int device) {
    setDevice(device);
    return new HipCalls();
  }

  static void setDevice(int device) {
    check(HipBinding.setDevice(device), "hipSetDevice", "device", device);
  }

  /** HIP encodes versions as {@code major · 10⁷ + minor · 10⁵ + patch}. */
  static String version(int number) {
    return number / 10_000_000 + "." + number / 100_000 % 100 + "." + number % 100_000;
  }

  private static String text(byte[] characters) {
    int length = 0;
    while (length < characters.length && characters[length] != 0) {
      length++;
    }
    return new String(characters, 0, length, StandardCharsets.UTF_8);
  }

  private static void check(int status, String call, String names, Object... arguments) {
    if (status != GpuCalls.SUCCESS) {
      throw FailedCall.of(call, HipCalls.runtimeWords(status), names, arguments);
    }
  }
}
