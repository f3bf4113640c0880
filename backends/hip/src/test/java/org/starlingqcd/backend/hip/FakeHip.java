package org.starlingqcd.backend.hip;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A library on the host with the C interface of HIP and hipBLAS. It is built once, where there is a
 * C++ compiler, and controlled by this class. See {@code src/test/native/fake_device.h} for what it
 * checks.
 */
public final class FakeHip {
  /** Memory of the fake device. */
  public static final long BYTES = 512L << 20;

  /** hipErrorUnknown, which calls to a lost device return. */
  static final int LOST = 999;

  private static boolean loaded;

  private FakeHip() {}

  /** Starts again with new devices of this much memory, whose streams interleave by the seed. */
  public static native void reset(long bytes, int devices, long seed);

  /** Errors and resources that were not released; empty when there are none. */
  public static native String report();

  /** Makes a call (from 0), or it and all later ones, return a status. */
  static native void failAt(long call, int code, boolean forEver);

  /** Before each operation the device waits for a random time below this one. */
  public static native void delayWork(long microseconds);

  /** Makes the next work fail; later calls report it. */
  static native void failLater(int code);

  /** Makes every call return a status from this call (from 0) on while the device is current. */
  static native void loseDevice(int device, long call, int code);

  /** Bounds the page-locked memory that kernels can use, until the next reset. */
  public static native void limitPageLocked(long bytes);

  /** Loses a device after so many calls of all devices. */
  public static void loseDevice(int device, long call) {
    loseDevice(device, call, LOST);
  }

  /** Number of calls since the reset. */
  static native long calls();

  /** Name of a call. */
  static native String callName(long call);

  /** Names of the calls since the reset, in their order. */
  public static List<String> callNames() {
    return LongStream.range(0, calls()).mapToObj(FakeHip::callName).toList();
  }

  /** A provider that finds only the fake library; skips the test without a compiler. */
  static HipProvider provider() {
    String file = library().toString();
    return new HipProvider(List.of(new RocmLibraries(file, file)));
  }

  /** The fake libraries, loaded. */
  static HipPlatform platform() {
    return (HipPlatform) provider().load();
  }

  /** The library's file; skips the test without a compiler. */
  public static synchronized Path library() {
    Path file = FakeLibrary.file("libfakehip.so");
    if (!loaded) {
      try {
        FakeLibrary.build(file, FakeLibrary.device(), List.of("-shared"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      System.load(file.toString());
      loaded = true;
    }
    return file;
  }

  /** A provider of a fresh device whose streams interleave by the seed. */
  public static HipProvider freshProvider(long seed) {
    HipProvider provider = provider();
    reset(BYTES, 1, seed);
    return provider;
  }

  /**
   * Checks that there were no errors so far; open resources do not count, since the fixture closes
   * them.
   */
  public static void assertNoErrors() {
    assertEquals(List.of(), report().lines().filter(line -> !line.startsWith("not ")).toList());
  }
}
