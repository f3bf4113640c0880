package org.starlingqcd.benchmarks;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.bytedeco.javacpp.Pointer;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.gpu.GpuProvider;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.GpuPlatform;
import org.starlingqcd.backend.gpu.library.Kernel;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;
import org.starlingqcd.backend.gpu.library.VectorProduct;

/**
 * A GPU library that counts calls, flops and bytes and does nothing. What remains is the time that
 * the host takes for launching. The device reaches an event some calls after it is recorded. Device
 * addresses are numbers without memory behind them; host memory is real and zero.
 */
final class NoOpGpu implements GpuLibrary {
  private static final long TOTAL = 1L << 37;
  private static final long ALIGNMENT = 256;

  private static final Map<CopyDirection, String> COPIES = names("copy ", CopyDirection.class);
  private static final Map<CopyDirection, String> COPIES_OF_ROWS =
      names("copyRows ", CopyDirection.class);
  private static final Map<Kernel, String> KERNELS = names("kernel ", Kernel.class);

  /**
   * Calls after which the device has reached an event. With 2 µs for a call that is about as long
   * as it takes to copy the largest input at N = 128.
   */
  private static final long LAG = 40;

  private final boolean kernels;
  private long[] recorded = new long[1024];
  private long made;
  private long reached;
  private final Map<String, long[]> calls = new HashMap<>();
  private long next = 1L << 40;
  private long handles = 1;
  private double flops;
  private double productBytes;
  private double copied;
  private double pointerBytes;

  private static <E extends Enum<E>> Map<E, String> names(String prefix, Class<E> type) {
    Map<E, String> names = new EnumMap<>(type);
    for (E value : type.getEnumConstants()) {
      names.put(value, prefix + value);
    }
    return names;
  }

  /** Creates a library that has kernels or has not. */
  NoOpGpu(boolean kernels) {
    this.kernels = kernels;
  }

  /** Counts since the last call of {@link #reset}. */
  record Counts(
      Map<String, Long> calls,
      double flops,
      double bytesOfProducts,
      double bytesCopied,
      double bytesOfVectorProducts) {
    /** Calls whose names start with one of the prefixes. */
    long of(String... prefixes) {
      long sum = 0;
      for (Map.Entry<String, Long> entry : calls.entrySet()) {
        for (String prefix : prefixes) {
          sum += entry.getKey().startsWith(prefix) ? entry.getValue() : 0;
        }
      }
      return sum;
    }
  }

  /** A provider that opens this library as its only device. */
  GpuProvider provider() {
    NoOpGpu library = this;
    return new GpuProvider("no-op") {
      @Override
      public String name() {
        return "no-op";
      }

      @Override
      public int priority() {
        return -1;
      }

      @Override
      protected GpuPlatform load() {
        return new GpuPlatform() {
          @Override
          public int deviceCount() {
            return 1;
          }

          @Override
          public DeviceInfo describe(int device) {
            return info();
          }

          @Override
          public GpuLibrary open(int device) {
            return library;
          }
        };
      }
    };
  }

  void reset() {
    calls.values().forEach(count -> count[0] = 0);
    flops = 0;
    productBytes = 0;
    copied = 0;
    pointerBytes = 0;
  }

  Counts counts() {
    Map<String, Long> counted = new TreeMap<>();
    calls.forEach(
        (name, count) -> {
          if (count[0] > 0) {
            counted.put(name, count[0]);
          }
        });
    return new Counts(counted, flops, productBytes, copied, pointerBytes);
  }

  private <E> void call(Map<E, String> names, E what) {
    call(Objects.requireNonNull(names.get(what)));
  }

  private void call(String name) {
    calls.computeIfAbsent(name, key -> new long[1])[0]++;
    made++;
  }

  private long handle() {
    return handles++;
  }

  @Override
  public void makeCurrent() {}

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(0, "no-op", TOTAL, TOTAL, Map.of());
  }

  @Override
  public long allocate(long bytes) {
    call("allocate");
    long address = next;
    next += (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    return address;
  }

  @Override
  public void free(long address) {
    call("free");
  }

  @Override
  public long allocateMapped(long bytes) {
    return allocate(bytes);
  }

  @Override
  public long allocateHost(long bytes) {
    call("allocateHost");
    return Pointer.calloc(1, bytes).address();
  }

  private static final class At extends Pointer {
    At(long address) {
      this.address = address;
    }
  }

  @Override
  public void freeHost(long address) {
    call("freeHost");
    Pointer.free(new At(address));
  }

  @Override
  public void copy(long target, long source, long bytes, CopyDirection direction, long stream) {
    call(COPIES, direction);
    copied += bytes;
  }

  @Override
  public void copyRows(
      long target,
      long targetPitch,
      long source,
      long sourcePitch,
      long width,
      long rows,
      CopyDirection direction,
      long stream) {
    call(COPIES_OF_ROWS, direction);
    copied += (double) width * rows;
  }

  @Override
  public void clear(long target, long bytes, long stream) {
    call("clear");
  }

  @Override
  public long createStream() {
    return handle();
  }

  @Override
  public void destroyStream(long stream) {}

  @Override
  public void synchronizeStream(long stream) {
    call("synchronizeStream");
    reached = made;
  }

  @Override
  public long createEvent() {
    return handle();
  }

  @Override
  public void destroyEvent(long event) {}

  @Override
  public void recordEvent(long event, long stream) {
    call("recordEvent");
    if (event >= recorded.length) {
      recorded = Arrays.copyOf(recorded, 2 * (int) event);
    }
    recorded[(int) event] = made;
  }

  @Override
  public double secondsBetween(long first, long second) {
    call("secondsBetween");
    return 0;
  }

  @Override
  public boolean isReached(long event) {
    call("isReached");
    return recorded[(int) event] <= Math.max(reached, made - LAG);
  }

  @Override
  public void synchronizeEvent(long event) {
    call("synchronizeEvent");
    reached = Math.max(reached, recorded[(int) event]);
  }

  @Override
  public void waitForEvent(long stream, long event) {
    call("waitForEvent");
  }

  @Override
  public long createBlas(long stream) {
    return handle();
  }

  @Override
  public void destroyBlas(long blas) {}

  private void product(String name, MatrixProduct p, int count) {
    call(name);
    flops += 8.0 * p.m() * p.n() * p.k() * count;
    double results = (p.beta() == 0 ? 1 : 2) * (double) p.m() * p.n();
    productBytes +=
        TensorShape.COMPLEX_BYTES
            * ((double) p.m() * p.k() + (double) p.k() * p.n() + results)
            * count;
  }

  @Override
  public void multiply(long blas, MatrixProduct product, Operands operands) {
    product("multiply", product, 1);
  }

  @Override
  public void multiplyStrided(long blas, MatrixProduct product, Operands operands) {
    product("multiplyStrided", product, operands.count());
  }

  @Override
  public void multiplyPointers(long blas, MatrixProduct product, Operands operands) {
    product("multiplyPointers", product, operands.count());
  }

  private void apply(String name, VectorProduct p, int count) {
    call(name);
    pointerBytes += 16.0 * p.rows() * p.columns() * count;
  }

  @Override
  public void applyStrided(long blas, VectorProduct product, Operands operands) {
    apply("applyStrided", product, operands.count());
  }

  @Override
  public void applyPointers(long blas, VectorProduct product, Operands operands) {
    apply("applyPointers", product, operands.count());
  }

  @Override
  public void transpose(long blas, int rows, int columns, long a, int lda, long c, int ldc) {
    call("transpose");
  }

  @Override
  public boolean loadKernels() {
    return kernels;
  }

  @Override
  public void launch(Kernel kernel, int blocks, long stream, long... arguments) {
    call(KERNELS, kernel);
  }

  @Override
  public boolean fillUniform(long target, long count, long seed, long stream) {
    return true;
  }

  @Override
  public void close() {}
}
