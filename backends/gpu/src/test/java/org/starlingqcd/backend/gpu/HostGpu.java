package org.starlingqcd.backend.gpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuCalls;
import org.starlingqcd.backend.gpu.library.GpuPlatform;
import org.starlingqcd.backend.gpu.library.Kernel;
import org.starlingqcd.backend.gpu.library.MatrixCalls;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;
import org.starlingqcd.backend.gpu.library.VectorProduct;

/**
 * A GPU library on the host that runs every call at once. It checks that every access lies inside a
 * live block and that everything is released at {@link #close}; any call can be made to fail.
 */
public class HostGpu implements GpuCalls, GpuPlatform {
  private static final int COMPLEX = 16;
  private static final int NO_KERNELS = 500;

  /** A freed block of each size, since new pages cost more than filling old ones. */
  private static final Map<Long, Pointer> SPARE = new ConcurrentHashMap<>();

  private final long totalBytes;
  private final boolean hasRandom;
  private final TreeMap<Long, Block> blocks = new TreeMap<>();
  private final Set<Long> mapped = new HashSet<>();
  private final Set<Long> handles = new HashSet<>();
  private final List<String> calls = new ArrayList<>();
  private long nextHandle = 1;
  private int failAt = -1;
  private boolean closed;

  /** Another one, whose memory and events are used too. */
  private @Nullable HostGpu peer;

  private record Block(Pointer memory, long bytes, boolean onDevice) {}

  /** Creates a device with this much memory, with or without a random number generator. */
  public HostGpu(long totalBytes, boolean hasRandom) {
    this.totalBytes = totalBytes;
    this.hasRandom = hasRandom;
  }

  /** Names of the calls so far. */
  public List<String> calls() {
    return calls;
  }

  /** Makes call number {@code call} (from 0) fail. */
  public void failAt(int call) {
    failAt = call;
  }

  /** Resources that were not released. */
  public String leaks() {
    return blocks.size() + " blocks, " + handles.size() + " handles" + (closed ? "" : ", open");
  }

  private void call(String name) {
    calls.add(name);
    if (calls.size() - 1 == failAt) {
      throw new BackendException(name + ": injected failure");
    }
  }

  private long freeNow() {
    long used = 0;
    for (Block block : blocks.values()) {
      used += block.onDevice ? block.bytes : 0;
    }
    return totalBytes - used;
  }

  private long allocate(long bytes, boolean onDevice) {
    if (onDevice && bytes > freeNow()) {
      throw new OutOfDeviceMemoryException("no room for " + bytes, bytes);
    }
    Pointer memory = SPARE.remove(bytes);
    if (memory == null) {
      memory = Pointer.malloc(bytes);
    }
    Pointer.memset(memory, 0xff, bytes); // every double is NaN until it is written
    blocks.put(memory.address(), new Block(memory, bytes, onDevice));
    return memory.address();
  }

  private void release(long address, boolean onDevice) {
    Block block = blocks.remove(address);
    if (block == null || block.onDevice != onDevice) {
      throw new BackendException("not an allocation: 0x" + Long.toHexString(address));
    }
    Pointer spare = SPARE.put(block.bytes, block.memory);
    if (spare != null) {
      Pointer.free(spare);
    }
  }

  private boolean holds(long address, long bytes) {
    Map.Entry<Long, Block> entry = blocks.floorEntry(address);
    return entry != null && address + bytes <= entry.getKey() + entry.getValue().bytes;
  }

  private void check(long address, long bytes) {
    if (!holds(address, bytes) && (peer == null || !peer.holds(address, bytes))) {
      throw new BackendException(
          "access outside any allocation: 0x" + Long.toHexString(address) + " bytes=" + bytes);
    }
  }

  private void checkDevice(long address, long bytes) {
    check(address, bytes);
    Map.Entry<Long, Block> entry = blocks.floorEntry(address);
    if (!entry.getValue().onDevice && !mapped.contains(entry.getKey())) {
      throw new BackendException("a kernel reads host memory: 0x" + Long.toHexString(address));
    }
  }

  private long handle() {
    handles.add(nextHandle);
    return nextHandle++;
  }

  private void checkHandle(long handle) {
    if (!handles.contains(handle) && (peer == null || !peer.handles.contains(handle))) {
      throw new BackendException("no such handle: " + handle);
    }
  }

  private void drop(long handle) {
    checkHandle(handle);
    handles.remove(handle);
  }

  private static Pointer at(long address) {
    return new At(address);
  }

  private static final class At extends Pointer {
    At(long address) {
      this.address = address;
    }
  }

  @Override
  public int deviceCount() {
    return 1;
  }

  @Override
  public GpuCalls calls(int device) {
    return this;
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
  public int loadKernels(Map<Kernel, Long> functions) {
    return NO_KERNELS;
  }

  @Override
  public int unloadKernels() {
    return SUCCESS;
  }

  @Override
  public int launch(long function, int blocks, int threads, long stream, long[] arguments) {
    throw new IllegalStateException("there are no kernels here");
  }

  @Override
  public int setBlasStream(long handle, long stream) {
    checkHandle(handle);
    checkHandle(stream);
    return SUCCESS;
  }

  @Override
  public int setScalarsOnHost(long handle) {
    return SUCCESS;
  }

  @Override
  public DeviceInfo describe(int device) {
    return new DeviceInfo(0, "host", totalBytes, freeNow(), Map.of("seam", "host"));
  }

  @Override
  public int allocate(long[] address, long bytes) {
    call("allocate");
    address[0] = allocate(bytes, true);
    return SUCCESS;
  }

  @Override
  public int allocateManaged(long[] address, long bytes) {
    return allocate(address, bytes);
  }

  @Override
  public int free(long address) {
    call("free");
    release(address, true);
    return SUCCESS;
  }

  @Override
  public int allocateHost(long[] address, long bytes) {
    call("allocateHost");
    address[0] = allocate(bytes, false);
    return SUCCESS;
  }

  @Override
  public int allocateMapped(long[] address, long bytes) {
    call("allocateMapped");
    address[0] = allocate(bytes, false);
    mapped.add(address[0]);
    return SUCCESS;
  }

  @Override
  public int freeHost(long address) {
    call("freeHost");
    mapped.remove(address);
    release(address, false);
    return SUCCESS;
  }

  @Override
  public int copy(long target, long source, long bytes, CopyDirection direction, long stream) {
    copyRows(target, bytes, source, bytes, bytes, 1, direction, stream);
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
    call("copy");
    checkHandle(stream);
    for (long row = 0; row < rows; row++) {
      check(source + row * sourcePitch, width);
      check(target + row * targetPitch, width);
      Pointer.memcpy(at(target + row * targetPitch), at(source + row * sourcePitch), width);
    }
    return SUCCESS;
  }

  /** Uses the memory and the events of another one, and it of this. */
  void reach(HostGpu other) {
    peer = other;
    other.peer = this;
  }

  @Override
  public int clear(long target, long bytes, long stream) {
    call("clear");
    checkHandle(stream);
    checkDevice(target, bytes);
    Pointer.memset(at(target), 0, bytes);
    return SUCCESS;
  }

  @Override
  public int createStream(long[] stream) {
    call("createStream");
    stream[0] = handle();
    return SUCCESS;
  }

  @Override
  public int destroyStream(long stream) {
    call("destroyStream");
    drop(stream);
    return SUCCESS;
  }

  @Override
  public int synchronizeStream(long stream) {
    call("synchronizeStream");
    checkHandle(stream);
    return SUCCESS;
  }

  @Override
  public int createEvent(long[] event, boolean timed) {
    call(timed ? "createTimedEvent" : "createEvent");
    event[0] = handle();
    return SUCCESS;
  }

  @Override
  public int destroyEvent(long event) {
    call("destroyEvent");
    drop(event);
    return SUCCESS;
  }

  @Override
  public int recordEvent(long event, long stream) {
    call("recordEvent");
    checkHandle(event);
    checkHandle(stream);
    return SUCCESS;
  }

  /** Every interval is a second long, so that tests can count them. */
  @Override
  public int elapsed(float[] milliseconds, long first, long second) {
    checkHandle(first);
    checkHandle(second);
    milliseconds[0] = 1000;
    return SUCCESS;
  }

  @Override
  public int queryEvent(long event) {
    call("queryEvent");
    checkHandle(event);
    return SUCCESS;
  }

  @Override
  public int synchronizeEvent(long event) {
    call("synchronizeEvent");
    checkHandle(event);
    return SUCCESS;
  }

  @Override
  public int waitForEvent(long stream, long event) {
    call("waitForEvent");
    checkHandle(event);
    checkHandle(stream);
    return SUCCESS;
  }

  @Override
  public int createBlas(long[] handle) {
    call("createBlas");
    handle[0] = handle();
    return SUCCESS;
  }

  @Override
  public int destroyBlas(long blas) {
    call("destroyBlas");
    drop(blas);
    return SUCCESS;
  }

  @Override
  public int multiply(long blas, MatrixProduct product, Operands o) {
    call("multiply");
    checkHandle(blas);
    product(product, o.a(), o.b(), o.c());
    return SUCCESS;
  }

  @Override
  public int multiplyPointers(long blas, MatrixProduct product, Operands operands) {
    call("multiplyPointers");
    checkHandle(blas);
    pointers(operands, new RepeatedProduct(product));
    return SUCCESS;
  }

  @Override
  public int applyPointers(long blas, VectorProduct product, Operands operands) {
    call("applyPointers");
    checkHandle(blas);
    pointers(operands, (a, x, y) -> apply(product, a, x, y));
    return SUCCESS;
  }

  private interface Each {
    void run(long a, long b, long c);
  }

  private void pointers(Operands o, Each each) {
    long[] a = pointers(o.a(), o.count());
    long[] b = pointers(o.b(), o.count());
    long[] c = pointers(o.c(), o.count());
    for (int i = 0; i < o.count(); i++) {
      each.run(a[i], b[i], c[i]);
    }
  }

  private long[] pointers(long array, int count) {
    checkDevice(array, (long) count * Long.BYTES);
    long[] pointers = new long[count];
    new LongPointer(at(array)).get(pointers);
    return pointers;
  }

  private double[] read(long address, long complexNumbers) {
    checkDevice(address, complexNumbers * COMPLEX);
    double[] numbers = new double[(int) (2 * complexNumbers)];
    new DoublePointer(at(address)).get(numbers);
    return numbers;
  }

  private void product(MatrixProduct p, long addressA, long addressB, long addressC) {
    store(p, sums(p, addressA, addressB), addressC);
  }

  /** Products of one shape; those that fill up a batch repeat their operands. */
  private final class RepeatedProduct implements Each {
    private final MatrixProduct product;
    private final boolean copies;
    private double[] sums = {};
    private double[] result = {};
    private long left;
    private long right;

    RepeatedProduct(MatrixProduct product) {
      this.product = product;
      copies = product.beta() == 0 && product.ldc() == product.m();
    }

    @Override
    public void run(long a, long b, long c) {
      if (sums.length == 0 || a != left || b != right) {
        sums = sums(product, a, b);
        left = a;
        right = b;
        result = store(product, sums, c);
      } else if (copies) {
        checkDevice(c, result.length * (long) Double.BYTES);
        new DoublePointer(at(c)).put(result);
      } else {
        store(product, sums, c);
      }
    }
  }

  /** Sums of products, column after column, each with its real parts first. */
  private double[] sums(MatrixProduct p, long addressA, long addressB) {
    boolean t = p.transposed();
    double[] a = read(addressA, extent(t ? p.k() : p.m(), t ? p.m() : p.k(), p.lda()));
    double[] b = read(addressB, extent(p.k(), p.n(), p.ldb()));
    // Real and imaginary parts apart and columns of A innermost: the compiler makes vector
    // instructions of it.
    double[][] columnsRe = new double[p.k()][p.m()];
    double[][] columnsIm = new double[p.k()][p.m()];
    for (int l = 0; l < p.k(); l++) {
      for (int i = 0; i < p.m(); i++) {
        int ia = 2 * (t ? l + i * p.lda() : i + l * p.lda());
        columnsRe[l][i] = a[ia];
        columnsIm[l][i] = a[ia + 1];
      }
    }
    double[] sums = new double[2 * p.m() * p.n()];
    double[] re = new double[p.m()];
    double[] im = new double[p.m()];
    for (int j = 0; j < p.n(); j++) {
      Arrays.fill(re, 0);
      Arrays.fill(im, 0);
      for (int l = 0; l < p.k(); l++) {
        int ib = 2 * (l + j * p.ldb());
        addScaled(columnsRe[l], columnsIm[l], b[ib], b[ib + 1], re, im);
      }
      System.arraycopy(re, 0, sums, 2 * j * p.m(), p.m());
      System.arraycopy(im, 0, sums, (2 * j + 1) * p.m(), p.m());
    }
    return sums;
  }

  /** Stores multiples of sums and returns what is then there. */
  private double[] store(MatrixProduct p, double[] sums, long addressC) {
    double[] c = read(addressC, extent(p.m(), p.n(), p.ldc()));
    for (int j = 0; j < p.n(); j++) {
      for (int i = 0; i < p.m(); i++) {
        double re = sums[2 * j * p.m() + i];
        double im = sums[(2 * j + 1) * p.m() + i];
        int ic = 2 * (i + j * p.ldc());
        double oldRe = p.beta() == 0 ? 0 : p.beta() * c[ic];
        double oldIm = p.beta() == 0 ? 0 : p.beta() * c[ic + 1];
        c[ic] = p.alphaRe() * re - p.alphaIm() * im + oldRe;
        c[ic + 1] = p.alphaRe() * im + p.alphaIm() * re + oldIm;
      }
    }
    new DoublePointer(at(addressC)).put(c);
    return c;
  }

  /** Adds a complex multiple of x to y, real and imaginary parts apart. */
  private static void addScaled(
      double[] xRe, double[] xIm, double factorRe, double factorIm, double[] yRe, double[] yIm) {
    for (int i = 0; i < yRe.length; i++) {
      yRe[i] += xRe[i] * factorRe - xIm[i] * factorIm;
      yIm[i] += xRe[i] * factorIm + xIm[i] * factorRe;
    }
  }

  private void apply(VectorProduct p, long addressA, long addressX, long addressY) {
    boolean t = p.transposed();
    int lengthX = t ? p.rows() : p.columns();
    int lengthY = t ? p.columns() : p.rows();
    double[] a = read(addressA, extent(p.rows(), p.columns(), p.lda()));
    double[] x = read(addressX, (lengthX - 1L) * p.stepX() + 1);
    double[] y = read(addressY, (lengthY - 1L) * p.stepY() + 1);
    for (int i = 0; i < lengthY; i++) {
      double re = 0;
      double im = 0;
      for (int l = 0; l < lengthX; l++) {
        int ia = 2 * (t ? l + i * p.lda() : i + l * p.lda());
        int ix = 2 * l * p.stepX();
        re += a[ia] * x[ix] - a[ia + 1] * x[ix + 1];
        im += a[ia] * x[ix + 1] + a[ia + 1] * x[ix];
      }
      int iy = 2 * i * p.stepY();
      double oldRe = p.beta() == 0 ? 0 : p.beta() * y[iy];
      double oldIm = p.beta() == 0 ? 0 : p.beta() * y[iy + 1];
      y[iy] = p.alphaRe() * re - p.alphaIm() * im + oldRe;
      y[iy + 1] = p.alphaRe() * im + p.alphaIm() * re + oldIm;
    }
    new DoublePointer(at(addressY)).put(y);
  }

  private static long extent(int rows, int columns, int leading) {
    if (columns > 1 && (leading < 1 || (leading < rows && rows > 1))) {
      throw new BackendException("leading dimension " + leading + " of " + rows + " rows");
    }
    return (columns - 1L) * leading + rows;
  }

  @Override
  public int transpose(long blas, int rows, int columns, long a, int lda, long c, int ldc) {
    call("transpose");
    checkHandle(blas);
    double[] from = read(a, extent(columns, rows, lda));
    double[] to = read(c, extent(rows, columns, ldc));
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        to[2 * (i + j * ldc)] = from[2 * (j + i * lda)];
        to[2 * (i + j * ldc) + 1] = from[2 * (j + i * lda) + 1];
      }
    }
    new DoublePointer(at(c)).put(to);
    return SUCCESS;
  }

  @Override
  public Optional<MatrixCalls> matrixCalls() {
    return Optional.of(
        new HostMatrixCalls(
            new HostMatrixCalls.Memory() {
              @Override
              public void call(String name, long handle) {
                HostGpu.this.call(name);
                checkHandle(handle);
              }

              @Override
              public double get(long address) {
                checkDevice(address, Double.BYTES);
                return new DoublePointer(at(address)).get();
              }

              @Override
              public void put(long address, double number) {
                checkDevice(address, Double.BYTES);
                new DoublePointer(at(address)).put(number);
              }
            }));
  }

  @Override
  public boolean fillUniform(long target, long count, long seed, long stream) {
    call("fillUniform");
    checkHandle(stream);
    if (hasRandom) {
      checkDevice(target, count * Double.BYTES);
      double[] numbers = new SplittableRandom(seed).doubles(count).map(x -> 1 - x).toArray();
      new DoublePointer(at(target)).put(numbers);
    }
    return hasRandom;
  }

  @Override
  public void close() {
    closed = true;
  }
}
