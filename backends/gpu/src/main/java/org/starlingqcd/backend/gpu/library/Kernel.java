package org.starlingqcd.backend.gpu.library;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The kernels of our own; {@code starling_kernels.h} says what each computes. All their parameters
 * are 64-bit numbers.
 */
public enum Kernel {
  /** Pieces of traces of two elements. */
  TRACE_PIECES("starling_trace_pieces", 256),
  /** Sums of the pieces. */
  TRACE_SUMS("starling_trace_sums", 64),
  /** Traces of one element. */
  DIAGONALS("starling_diagonals", 256),
  /** The pieces of elements in single precision. */
  TRACE_PIECES_SINGLE("starling_trace_pieces_single", 256),
  /** Traces of one element in single precision. */
  DIAGONALS_SINGLE("starling_diagonals_single", 256),
  /** Sums of components. */
  SPIN_SUMS("starling_spin_sums", 256),
  /** Sums of components in single precision. */
  SPIN_SUMS_SINGLE("starling_spin_sums_single", 256);

  private static final String SOURCE = "/org/starlingqcd/backend/gpu/kernel/starling_kernels.h";

  private final String function;
  private final int threads;

  Kernel(String function, int threads) {
    this.function = function;
    this.threads = threads;
  }

  /** Its name in the source. */
  public String function() {
    return function;
  }

  /** Threads of a block. */
  public int threads() {
    return threads;
  }

  /** The source of all kernels, for CUDA, HIP and C++ compilers. */
  public static String source() {
    return resource(Kernel.class, SOURCE);
  }

  /** A text that is part of the program. */
  public static String resource(Class<?> near, String path) {
    return new String(bytes(near, path), StandardCharsets.UTF_8);
  }

  /** A file that is part of the program. */
  public static byte[] bytes(Class<?> near, String path) {
    try (InputStream in = near.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("the program was built without " + path);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
