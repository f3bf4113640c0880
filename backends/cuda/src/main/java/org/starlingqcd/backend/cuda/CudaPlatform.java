package org.starlingqcd.backend.cuda;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import jcuda.LogLevel;
import jcuda.jcublas.JCublas2;
import jcuda.runtime.JCuda;
import jcuda.runtime.cudaDeviceProp;
import jcuda.runtime.cudaError;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.gpu.library.FailedCall;
import org.starlingqcd.backend.gpu.library.GpuCalls;
import org.starlingqcd.backend.gpu.library.GpuPlatform;

/** The CUDA runtime, which is part of JCuda, and cuBLAS, which the user installs. */
final class CudaPlatform implements GpuPlatform {
  /** The version of CUDA whose cuBLAS is used; empty while there is no device. */
  private String cublas = "";

  private CudaPlatform() {}

  /**
   * Checks and loads driver, device and cuBLAS in this order, so that the message about a missing
   * part is the most helpful one. One thread at a time.
   */
  static synchronized CudaPlatform load(CudaInstallation installation) {
    try {
      JCudaLibraries.load("JCudaRuntime", () -> JCuda.setExceptionsEnabled(false));
      JCuda.setLogLevel(LogLevel.LOG_QUIET);
    } catch (LinkageError e) {
      throw new BackendException(
          "JCuda has no native library for this platform, only for Linux on x86_64: "
              + firstLine(e),
          e);
    }
    CudaPlatform platform = new CudaPlatform();
    if (platform.deviceCount() > 0) {
      platform.loadCublas(installation);
    }
    return platform;
  }

  /** Takes cuBLAS of CUDA 12, or of CUDA 13 where there is no other. */
  private void loadCublas(CudaInstallation installation) {
    installation.preload();
    try {
      loadJCublas();
      cublas = "12";
    } catch (LinkageError without12) {
      try {
        installation.forward();
        loadJCublas();
        cublas = "13";
      } catch (LinkageError without13) {
        String reasons = firstLine(without12) + "; nor that of CUDA 13: " + firstLine(without13);
        throw new BackendException(installation.missing(reasons), without12);
      }
    }
    JCublas2.setLogLevel(LogLevel.LOG_QUIET);
  }

  private static void loadJCublas() {
    JCudaLibraries.load("JCublas2", () -> JCublas2.setExceptionsEnabled(false));
  }

  @Override
  public int deviceCount() {
    int[] count = new int[1];
    int status = JCuda.cudaGetDeviceCount(count);
    if (status == cudaError.cudaErrorNoDevice) {
      return 0;
    }
    if (status == cudaError.cudaErrorInsufficientDriver) {
      throw new BackendException(
          "no NVIDIA driver, or one older than CUDA 12.0 needs (525): cudaGetDeviceCount(): "
              + CudaCalls.runtimeWords(status));
    }
    check(status, "cudaGetDeviceCount", "");
    return count[0];
  }

  @Override
  public DeviceInfo describe(int device) {
    check(JCuda.cudaSetDevice(device), "cudaSetDevice", "device", device);
    cudaDeviceProp properties = new cudaDeviceProp();
    check(
        JCuda.cudaGetDeviceProperties(properties, device),
        "cudaGetDeviceProperties",
        "device",
        device);
    int[] driver = new int[1];
    check(JCuda.cudaDriverGetVersion(driver), "cudaDriverGetVersion", "");
    int[] runtime = new int[1];
    check(JCuda.cudaRuntimeGetVersion(runtime), "cudaRuntimeGetVersion", "");
    long[] free = new long[1];
    long[] total = new long[1];
    check(JCuda.cudaMemGetInfo(free, total), "cudaMemGetInfo", "device", device);
    Map<String, String> details = new LinkedHashMap<>();
    details.put("compute capability", properties.major + "." + properties.minor);
    details.put("multiprocessors", Integer.toString(properties.multiProcessorCount));
    details.put("CUDA driver", version(driver[0]));
    details.put("CUDA runtime", version(runtime[0]));
    details.put("cuBLAS", "of CUDA " + cublas);
    details.put(
        "PCI bus",
        String.format(Locale.US, "%04x:%02x", properties.pciDomainID, properties.pciBusID));
    return new DeviceInfo(device, properties.getName().trim(), total[0], free[0], details);
  }

  @Override
  public GpuCalls calls(int device) {
    check(JCuda.cudaSetDevice(device), "cudaSetDevice", "device", device);
    return new CudaCalls(device);
  }

  /** CUDA encodes versions as {@code 1000 · major + 10 · minor}. */
  static String version(int number) {
    return number / 1000 + "." + number % 1000 / 10;
  }

  private static String firstLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse(failure.toString());
  }

  private static void check(int status, String call, String names, Object... arguments) {
    if (status != GpuCalls.SUCCESS) {
      throw FailedCall.of(call, CudaCalls.runtimeWords(status), names, arguments);
    }
  }
}
