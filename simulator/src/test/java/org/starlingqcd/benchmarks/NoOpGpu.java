package org.starlingqcd.benchmarks;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.bytedeco.javacpp.Pointer;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.gpu.GpuProvider;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuCalls;
import org.starlingqcd.backend.gpu.library.GpuPlatform;
import org.starlingqcd.backend.gpu.library.Kernel;
import org.starlingqcd.backend.gpu.library.MatrixCalls;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;
import org.starlingqcd.backend.gpu.library.VectorProduct;

/**
 * A GPU library that counts calls, flops and bytes and does nothing. What remains is the time that
 * the host takes for launching. The device reaches an event some calls after it is recorded. Device
 * addresses are numbers without memory behind them; host memory is real and zero.
 */
final class NoOpGpu implements GpuCalls {
  private static final List<Kernel> BY_HANDLE = List.of(Kernel.values());

  private static final long TOTAL = 1L << 37;
  private static final long ALIGNMENT = 256;
  private static final int NO_KERNELS = 500;

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
            return new DeviceInfo(0, "no-op", TOTAL, TOTAL, Map.of());
          }

          @Override
          public GpuCalls calls(int device) {
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

  @Override
  public String name(String call) {
    return call;
  }

  @Override
  public String words(int error) {
    return Integer.toString(error);
  }

  @Override
  public String blasWords(int status) {
    return words(status);
  }

  @Override
  public int clearError() {
    return SUCCESS;
  }

  @Override
  public int setDevice(int device) {
    return SUCCESS;
  }

  @Override
  public int setBlasStream(long handle, long stream) {
    return SUCCESS;
  }

  @Override
  public int setScalarsOnHost(long handle) {
    return SUCCESS;
  }

  @Override
  public int unloadKernels() {
    return SUCCESS;
  }

  @Override
  public Optional<MatrixCalls> matrixCalls() {
    return Optional.empty();
  }

  @Override
  public int allocate(long[] address, long bytes) {
    call("allocate");
    address[0] = next;
    next += (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    return SUCCESS;
  }

  @Override
  public int free(long address) {
    call("free");
    return SUCCESS;
  }

  @Override
  public int allocateMapped(long[] address, long bytes) {
    return allocate(address, bytes);
  }

  @Override
  public int allocateManaged(long[] address, long bytes) {
    return allocate(address, bytes);
  }

  @Override
  public int allocateHost(long[] address, long bytes) {
    call("allocateHost");
    address[0] = Pointer.calloc(1, bytes).address();
    return SUCCESS;
  }

  private static final class At extends Pointer {
    At(long address) {
      this.address = address;
    }
  }

  @Override
  public int freeHost(long address) {
    call("freeHost");
    Pointer.free(new At(address));
    return SUCCESS;
  }

  @Override
  public int copy(long target, long source, long bytes, CopyDirection direction, long stream) {
    call(COPIES, direction);
    copied += bytes;
    return SUCCESS;
  }

  @Override
  public int copyRows(
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
    return SUCCESS;
  }

  @Override
  public int clear(long target, long bytes, long stream) {
    call("clear");
    return SUCCESS;
  }

  @Override
  public int createStream(long[] stream) {
    stream[0] = handles++;
    return SUCCESS;
  }

  @Override
  public int destroyStream(long stream) {
    return SUCCESS;
  }

  @Override
  public int synchronizeStream(long stream) {
    call("synchronizeStream");
    reached = made;
    return SUCCESS;
  }

  @Override
  public int createEvent(long[] event, boolean timed) {
    event[0] = handles++;
    return SUCCESS;
  }

  @Override
  public int destroyEvent(long event) {
    return SUCCESS;
  }

  @Override
  public int recordEvent(long event, long stream) {
    call("recordEvent");
    if (event >= recorded.length) {
      recorded = Arrays.copyOf(recorded, 2 * (int) event);
    }
    recorded[(int) event] = made;
    return SUCCESS;
  }

  @Override
  public int elapsed(float[] milliseconds, long first, long second) {
    call("secondsBetween");
    return SUCCESS;
  }

  @Override
  public int queryEvent(long event) {
    call("isReached");
    return recorded[(int) event] <= Math.max(reached, made - LAG) ? SUCCESS : NOT_READY;
  }

  @Override
  public int synchronizeEvent(long event) {
    call("synchronizeEvent");
    reached = Math.max(reached, recorded[(int) event]);
    return SUCCESS;
  }

  @Override
  public int waitForEvent(long stream, long event) {
    call("waitForEvent");
    return SUCCESS;
  }

  @Override
  public int createBlas(long[] handle) {
    handle[0] = handles++;
    return SUCCESS;
  }

  @Override
  public int destroyBlas(long blas) {
    return SUCCESS;
  }

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
  public int multiply(long blas, MatrixProduct product, Operands operands) {
    product("multiply", product, 1);
    return SUCCESS;
  }

  @Override
  public int multiplyPointers(long blas, MatrixProduct product, Operands operands) {
    product("multiplyPointers", product, operands.count());
    return SUCCESS;
  }

  private void apply(String name, VectorProduct p, int count) {
    call(name);
    pointerBytes += 16.0 * p.rows() * p.columns() * count;
  }

  @Override
  public int applyPointers(long blas, VectorProduct product, Operands operands) {
    apply("applyPointers", product, operands.count());
    return SUCCESS;
  }

  @Override
  public int transpose(long blas, int rows, int columns, long a, int lda, long c, int ldc) {
    call("transpose");
    return SUCCESS;
  }

  @Override
  public int loadKernels(Map<Kernel, Long> functions) {
    for (int k = 0; k < BY_HANDLE.size(); k++) {
      functions.put(BY_HANDLE.get(k), (long) k);
    }
    return kernels ? SUCCESS : NO_KERNELS;
  }

  @Override
  public int launch(long function, int blocks, int threads, long stream, long[] arguments) {
    call(KERNELS, BY_HANDLE.get((int) function));
    return SUCCESS;
  }

  @Override
  public boolean fillUniform(long target, long count, long seed, long stream) {
    return true;
  }

  @Override
  public void close() {}
}
