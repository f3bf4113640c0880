package org.starlingqcd.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import jcuda.runtime.JCuda;
import org.junit.jupiter.api.Assumptions;
import org.starlingqcd.backend.hip.FakeLibrary;

/**
 * CUDA on the host: the runtime behind JCuda's native methods, a {@code libcublas} and a {@code
 * libcuda.so.1}, all three on the fake device on which the fake HIP library runs. JCublas and
 * JCudaDriver are the real ones. See {@code fake_device.h} in the tests of HIP for what the device
 * checks.
 *
 * <p>Between {@link #use} and {@link #leave} all of JCuda in this process runs on the fake device.
 */
public final class FakeCuda {
  /** Memory of the fake device. */
  public static final long BYTES = 512L << 20;

  /** cudaErrorUnknown, which calls to a lost device return. */
  private static final int LOST = 999;

  private static boolean loaded;

  private FakeCuda() {}

  /** Starts again with new devices of this much memory, whose streams interleave by the seed. */
  public static native void reset(long bytes, int devices, long seed);

  /** Errors and resources that were not released; empty when there are none. */
  public static native String report();

  /** Makes a call (from 0), or it and all later ones, return a status. */
  static native void failAt(long call, int code, boolean forEver);

  /** Before each operation the device waits for a random time below this one. */
  public static native void delayWork(long microseconds);

  /** Makes every call return a status from this call (from 0) on while the device is current. */
  private static native void loseDevice(int device, long call, int code);

  /** Loses a device after so many calls of all devices. */
  public static void loseDevice(int device, long call) {
    loseDevice(device, call, LOST);
  }

  /** Number of calls since the reset. */
  static native long calls();

  /** Name of a call. */
  static native String callName(long call);

  /** Puts the fake runtime in the place of JCuda's own. */
  private static native int attach(Class<?> runtime);

  /** Gives JCuda's own runtime back. */
  private static native int detach(Class<?> runtime);

  /** Names of the calls since the reset, in their order. */
  public static List<String> callNames() {
    return LongStream.range(0, calls()).mapToObj(FakeCuda::callName).toList();
  }

  /** Runs JCuda on a fresh fake device, or skips the test with the reason. */
  public static synchronized void use(int devices, long seed) {
    load();
    JCudaLibraries.load("JCudaRuntime", () -> JCuda.setExceptionsEnabled(false));
    assertEquals(0, attach(JCuda.class));
    reset(BYTES, devices, seed);
  }

  /** Gives JCuda its own runtime back. */
  public static synchronized void leave() {
    if (loaded) {
      reset(BYTES, 1, 0);
      assertEquals(0, detach(JCuda.class));
    }
  }

  /** A provider that loads no library of CUDA from elsewhere. */
  public static CudaProvider provider() {
    return new CudaProvider(new CudaInstallation(List.of()));
  }

  /**
   * Checks that there were no errors so far; open resources do not count, since the fixture closes
   * them.
   */
  public static void assertNoErrors() {
    assertEquals(List.of(), report().lines().filter(line -> !line.startsWith("not ")).toList());
  }

  /**
   * The system properties {@code starling.fake.cublas} and {@code starling.fake.cublas.without}
   * choose another version of cuBLAS, and a function that it lacks.
   */
  private static void load() {
    if (loaded) {
      return;
    }
    Assumptions.assumeFalse(
        new CudaProvider().probe().isPresent(),
        "a CUDA device is here and keeps its own libraries");
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    Assumptions.assumeTrue(
        system.toLowerCase(Locale.ROOT).equals("linux amd64"),
        "JCuda has no library for " + system);
    Path here = FakeLibrary.module("cuda").resolve(Path.of("src", "test", "native"));
    Path device = FakeLibrary.file("libfakecuda.so");
    String version = System.getProperty("starling.fake.cublas", "12");
    String lacking = System.getProperty("starling.fake.cublas.without", "");
    Path cublas = FakeLibrary.file("cuda" + lacking + "/libcublas.so." + version);
    Path driver = FakeLibrary.file("cuda/libcuda.so.1");
    try {
      List<String> sources = new ArrayList<>(FakeLibrary.device());
      sources.add(here.resolve("fake_jcuda.cpp").toString());
      FakeLibrary.build(
          device,
          sources,
          List.of("-shared", "-DCONTROLLED_BY=cuda_FakeCuda", "-Wl,-soname,libfakecuda.so"));
      Path map = Files.createDirectories(cublas.getParent()).resolve("map" + version);
      String local = lacking.isEmpty() ? "" : " local: " + lacking + ";";
      Files.writeString(map, "libcublas.so." + version + " { global: cublas*;" + local + " };\n");
      FakeLibrary.build(
          cublas,
          List.of(here.resolve("fake_cublas.cpp").toString()),
          List.of(
              "-shared",
              device.toString(),
              "-Wl,-soname,libcublas.so." + version,
              "-Wl,--version-script=" + map));
      FakeLibrary.build(
          driver,
          List.of(here.resolve("fake_cuda_driver.cpp").toString()),
          List.of("-shared", device.toString(), "-Wl,-soname,libcuda.so.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // The others need the first, and JCuda's libraries need the others, by these names.
    for (Path file : List.of(device, cublas, driver)) {
      System.load(file.toString());
    }
    loaded = true;
  }
}
