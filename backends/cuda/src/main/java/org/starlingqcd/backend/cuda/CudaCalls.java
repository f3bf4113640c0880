package org.starlingqcd.backend.cuda;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import jcuda.LogLevel;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import jcuda.jcublas.JCublas2;
import jcuda.jcublas.cublasHandle;
import jcuda.jcublas.cublasOperation;
import jcuda.jcublas.cublasPointerMode;
import jcuda.jcublas.cublasStatus;
import jcuda.runtime.JCuda;
import jcuda.runtime.cudaDeviceAttr;
import jcuda.runtime.cudaEvent_t;
import jcuda.runtime.cudaStream_t;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuCalls;
import org.starlingqcd.backend.gpu.library.Kernel;
import org.starlingqcd.backend.gpu.library.MatrixCalls;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;
import org.starlingqcd.backend.gpu.library.VectorProduct;

/**
 * The vendor's calls in JCuda and JCublas. cuBLAS reads scalars within the call and one thread uses
 * a device at a time, so a single block of host memory serves all calls.
 */
final class CudaCalls implements GpuCalls {
  private static final int N = cublasOperation.CUBLAS_OP_N;
  private static final int T = cublasOperation.CUBLAS_OP_T;

  /** alpha and beta of products, then one and zero. */
  private static final int SCALARS = 8;

  /** Place of beta among scalars in single precision, at the same address. */
  private static final int BETA = 4;

  private static final String CODE = "/org/starlingqcd/backend/cuda/starling_kernels";
  private static final int MAJOR = cudaDeviceAttr.cudaDevAttrComputeCapabilityMajor;
  private static final int MINOR = cudaDeviceAttr.cudaDevAttrComputeCapabilityMinor;

  // Of all devices: a stream of one device waits for events of another.
  private static final Handles<cudaStream_t> STREAMS = new Handles<>();
  private static final Handles<cudaEvent_t> EVENTS = new Handles<>();
  private static final Handles<cublasHandle> BLAS = new Handles<>();

  /** GPUs for which the program has the kernels as machine code. */
  static final List<String> CUBINS = List.of("sm_80", "sm_90", "sm_100");

  /** cudaErrorNotSupported, where JCuda's library for the driver cannot be loaded. */
  private static final int JCUDA_UNAVAILABLE = 801;

  /** Most arguments of a kernel. */
  private static final int ARGUMENTS = 16;

  // Whoever calls first, JCuda must not look for its library where other users may write.
  static {
    JCudaLibraries.load("JCudaRuntime", () -> JCuda.setExceptionsEnabled(false));
  }

  private final int device;
  private final Handles<CUfunction> kernels = new Handles<>();
  private String origin = "";
  private @Nullable CUmodule module;

  /** Arguments of a kernel, then their addresses. */
  private final LongPointer arguments =
      new LongPointer(Pointer.malloc(2L * ARGUMENTS * Long.BYTES));

  private final DoublePointer scalars = new DoublePointer(Pointer.malloc(SCALARS * Double.BYTES));
  private final FloatPointer singles = new FloatPointer(scalars);
  private final Address alpha = new Address(scalars.address());
  private final Address beta = new Address(scalars.address() + 2 * Double.BYTES);
  private final Address one = new Address(scalars.address() + 4 * Double.BYTES);
  private final CudaRandom random = new CudaRandom();
  private final Address zero = new Address(scalars.address() + 6 * Double.BYTES);

  /** The calls of a device. */
  CudaCalls(int device) {
    this.device = device;
    scalars.put(0, 0, 0, 0, 1, 0, 0, 0);
    for (int k = 0; k < ARGUMENTS; k++) {
      arguments.put(ARGUMENTS + k, arguments.address() + (long) k * Long.BYTES);
    }
  }

  @Override
  public void close() {
    try {
      random.close();
    } finally {
      Pointer.free(scalars);
      Pointer.free(arguments);
    }
  }

  @Override
  public boolean fillUniform(long target, long count, long seed, long stream) {
    return random.fill(target, count, seed, STREAMS.get(stream));
  }

  @Override
  public String name(String call) {
    return switch (call) {
      case "HostMalloc" -> "cudaHostAlloc";
      case "HostFree" -> "cudaFreeHost";
      case "ModuleLaunchKernel", "ModuleUnload" -> "cu" + call.replace("ModuleL", "L");
      default -> call.startsWith("blas") ? "cu" + call : "cuda" + call;
    };
  }

  @Override
  public String words(int error) {
    return runtimeWords(error);
  }

  /** Code, name and description of a runtime error; this works without driver or device. */
  static String runtimeWords(int error) {
    return error + " " + JCuda.cudaGetErrorName(error) + ", " + JCuda.cudaGetErrorString(error);
  }

  @Override
  public String blasWords(int status) {
    return blasStatusWords(status);
  }

  /** Code and name of a status of cuBLAS. */
  static String blasStatusWords(int status) {
    return status + " " + cublasStatus.stringFor(status);
  }

  @Override
  public Optional<MatrixCalls> matrixCalls() {
    return Optional.of(new CudaMatrixCalls(BLAS, scalars));
  }

  @Override
  public int clearError() {
    return JCuda.cudaGetLastError();
  }

  @Override
  public int setDevice(int device) {
    return JCuda.cudaSetDevice(device);
  }

  @Override
  public int allocate(long[] address, long bytes) {
    Address block = new Address(0);
    int status = JCuda.cudaMalloc(block, bytes);
    address[0] = block.value();
    return status;
  }

  @Override
  public int allocateManaged(long[] address, long bytes) {
    Address block = new Address(0);
    int status = JCuda.cudaMallocManaged(block, bytes, JCuda.cudaMemAttachGlobal);
    address[0] = block.value();
    return status;
  }

  @Override
  public int free(long address) {
    return JCuda.cudaFree(new Address(address));
  }

  @Override
  public int allocateHost(long[] address, long bytes) {
    return allocateHost(address, bytes, JCuda.cudaHostAllocPortable);
  }

  /** With 64-bit addresses, kernels use the memory under its host address. */
  @Override
  public int allocateMapped(long[] address, long bytes) {
    return allocateHost(address, bytes, JCuda.cudaHostAllocPortable | JCuda.cudaHostAllocMapped);
  }

  /**
   * JCuda wraps the block in a byte buffer, whose size is an int. For a larger block it allocates
   * the memory and sets the address, but then throws because it cannot create the buffer.
   */
  private static int allocateHost(long[] address, long bytes, int flags) {
    Address block = new Address(0);
    int status;
    try {
      status = JCuda.cudaHostAlloc(block, bytes, flags);
    } catch (IllegalArgumentException e) {
      status = block.value() == 0 ? OUT_OF_MEMORY : SUCCESS;
    }
    address[0] = block.value();
    return status;
  }

  @Override
  public int freeHost(long address) {
    return JCuda.cudaFreeHost(new Address(address));
  }

  @Override
  public int copy(long target, long source, long bytes, CopyDirection direction, long stream) {
    return JCuda.cudaMemcpyAsync(
        new Address(target), new Address(source), bytes, direction.code(), STREAMS.get(stream));
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
    return JCuda.cudaMemcpy2DAsync(
        new Address(target),
        targetPitch,
        new Address(source),
        sourcePitch,
        width,
        rows,
        direction.code(),
        STREAMS.get(stream));
  }

  @Override
  public int loadKernels(Map<Kernel, Long> functions) {
    try {
      JCudaLibraries.load("JCudaDriver", () -> JCudaDriver.setExceptionsEnabled(false));
    } catch (LinkageError e) {
      return JCUDA_UNAVAILABLE;
    }
    JCudaDriver.setLogLevel(LogLevel.LOG_QUIET);
    int status = JCudaDriver.cuInit(0);
    if (status == SUCCESS) {
      status = loadModule();
    }
    for (Kernel kernel : Kernel.values()) {
      if (status == SUCCESS) {
        CUfunction function = new CUfunction();
        status = JCudaDriver.cuModuleGetFunction(function, module, kernel.function());
        functions.put(kernel, kernels.add(function));
      }
    }
    return status;
  }

  /** Loads the machine code for the device, or else the PTX text, which the driver compiles. */
  private int loadModule() {
    CUmodule loaded = new CUmodule();
    String target = cubin(capability(MAJOR), capability(MINOR));
    int status = JCUDA_UNAVAILABLE;
    if (!target.isEmpty()) {
      origin = "cubin for " + target;
      byte[] code = Kernel.bytes(CudaCalls.class, CODE + "." + target + ".cubin");
      status = JCudaDriver.cuModuleLoadData(loaded, code);
    }
    if (status != SUCCESS) {
      origin = "PTX, compiled by the driver";
      status =
          JCudaDriver.cuModuleLoadData(loaded, Kernel.resource(CudaCalls.class, CODE + ".ptx"));
    }
    module = status == SUCCESS ? loaded : null;
    return status;
  }

  private int capability(int attribute) {
    int[] value = new int[1];
    int status = JCuda.cudaDeviceGetAttribute(value, attribute, device);
    return status == SUCCESS ? value[0] : 0;
  }

  /** The GPU whose code also runs on one of this compute capability; empty if there is none. */
  static String cubin(int major, int minor) {
    for (String target : CUBINS) {
      int number = Integer.parseInt(target.substring("sm_".length()));
      if (number / 10 == major && number % 10 <= minor) {
        return target;
      }
    }
    return "";
  }

  @Override
  public String origin() {
    return origin;
  }

  @Override
  public int unloadKernels() {
    CUmodule loaded = module;
    module = null;
    return loaded == null ? SUCCESS : JCudaDriver.cuModuleUnload(loaded);
  }

  @Override
  public int launch(long function, int blocks, int threads, long stream, long[] values) {
    arguments.put(values, 0, values.length);
    return JCudaDriver.cuLaunchKernel(
        kernels.get(function),
        blocks,
        1,
        1,
        threads,
        1,
        1,
        0,
        new CUstream(STREAMS.get(stream)),
        new Address(arguments.address() + (long) ARGUMENTS * Long.BYTES),
        null);
  }

  @Override
  public int enablePeer(int device) {
    return JCuda.cudaDeviceEnablePeerAccess(device, 0);
  }

  @Override
  public int clear(long target, long bytes, long stream) {
    return JCuda.cudaMemsetAsync(new Address(target), 0, bytes, STREAMS.get(stream));
  }

  @Override
  public int createStream(long[] stream) {
    cudaStream_t created = new cudaStream_t();
    int status = JCuda.cudaStreamCreateWithFlags(created, JCuda.cudaStreamNonBlocking);
    stream[0] = STREAMS.add(created);
    return status;
  }

  @Override
  public int destroyStream(long stream) {
    return JCuda.cudaStreamDestroy(STREAMS.remove(stream));
  }

  @Override
  public int synchronizeStream(long stream) {
    return JCuda.cudaStreamSynchronize(STREAMS.get(stream));
  }

  @Override
  public int waitForEvent(long stream, long event) {
    return JCuda.cudaStreamWaitEvent(
        STREAMS.get(stream), EVENTS.get(event), JCuda.cudaEventWaitDefault);
  }

  @Override
  public int createEvent(long[] event, boolean timed) {
    cudaEvent_t created = new cudaEvent_t();
    int flags = timed ? JCuda.cudaEventDefault : JCuda.cudaEventDisableTiming;
    int status = JCuda.cudaEventCreateWithFlags(created, flags);
    event[0] = EVENTS.add(created);
    return status;
  }

  @Override
  public int destroyEvent(long event) {
    return JCuda.cudaEventDestroy(EVENTS.remove(event));
  }

  @Override
  public int recordEvent(long event, long stream) {
    return JCuda.cudaEventRecord(EVENTS.get(event), STREAMS.get(stream));
  }

  @Override
  public int elapsed(float[] milliseconds, long first, long second) {
    return JCuda.cudaEventElapsedTime(milliseconds, EVENTS.get(first), EVENTS.get(second));
  }

  @Override
  public int queryEvent(long event) {
    return JCuda.cudaEventQuery(EVENTS.get(event));
  }

  @Override
  public int synchronizeEvent(long event) {
    return JCuda.cudaEventSynchronize(EVENTS.get(event));
  }

  @Override
  public int createBlas(long[] handle) {
    cublasHandle created = new cublasHandle();
    int status = JCublas2.cublasCreate(created);
    handle[0] = BLAS.add(created);
    return status;
  }

  @Override
  public int destroyBlas(long handle) {
    return JCublas2.cublasDestroy(BLAS.remove(handle));
  }

  @Override
  public int setBlasStream(long handle, long stream) {
    return JCublas2.cublasSetStream(BLAS.get(handle), STREAMS.get(stream));
  }

  @Override
  public int setScalarsOnHost(long handle) {
    return JCublas2.cublasSetPointerMode(
        BLAS.get(handle), cublasPointerMode.CUBLAS_POINTER_MODE_HOST);
  }

  private static int op(boolean transposed) {
    return transposed ? T : N;
  }

  private static boolean isSingle(Precision precision) {
    return precision == Precision.SINGLE;
  }

  private void setScalars(double alphaRe, double alphaIm, double betaRe, Precision precision) {
    if (isSingle(precision)) {
      singles.put(0, (float) alphaRe).put(1, (float) alphaIm).put(BETA, (float) betaRe);
      singles.put(BETA + 1, 0);
    } else {
      scalars.put(0, alphaRe).put(1, alphaIm).put(2, betaRe).put(3, 0);
    }
  }

  @Override
  public int multiply(long handle, MatrixProduct p, Operands o) {
    setScalars(p.alphaRe(), p.alphaIm(), p.beta(), p.precision());
    ComplexCalls.Gemm call =
        isSingle(p.precision()) ? JCublas2::cublasCgemm : JCublas2::cublasZgemm;
    return call.call(
        BLAS.get(handle),
        op(p.transposed()),
        N,
        p.m(),
        p.n(),
        p.k(),
        alpha,
        new Address(o.a()),
        p.lda(),
        new Address(o.b()),
        p.ldb(),
        beta,
        new Address(o.c()),
        p.ldc());
  }

  @Override
  public int multiplyPointers(long handle, MatrixProduct p, Operands o) {
    setScalars(p.alphaRe(), p.alphaIm(), p.beta(), p.precision());
    ComplexCalls.BatchedGemm call =
        isSingle(p.precision()) ? JCublas2::cublasCgemmBatched : JCublas2::cublasZgemmBatched;
    return call.call(
        BLAS.get(handle),
        op(p.transposed()),
        N,
        p.m(),
        p.n(),
        p.k(),
        alpha,
        new Address(o.a()),
        p.lda(),
        new Address(o.b()),
        p.ldb(),
        beta,
        new Address(o.c()),
        p.ldc(),
        o.count());
  }

  @Override
  public int applyPointers(long handle, VectorProduct p, Operands o) {
    setScalars(p.alphaRe(), p.alphaIm(), p.beta(), p.precision());
    ComplexCalls.BatchedGemv call =
        isSingle(p.precision()) ? JCublas2::cublasCgemvBatched : JCublas2::cublasZgemvBatched;
    return call.call(
        BLAS.get(handle),
        op(p.transposed()),
        p.rows(),
        p.columns(),
        alpha,
        new Address(o.a()),
        p.lda(),
        new Address(o.b()),
        p.stepX(),
        beta,
        new Address(o.c()),
        p.stepY(),
        o.count());
  }

  /** The operand B has factor zero; A stands in for it, since it adds no NaN where A has none. */
  @Override
  public int transpose(long handle, int rows, int columns, long a, int lda, long c, int ldc) {
    Address matrix = new Address(a);
    return JCublas2.cublasZgeam(
        BLAS.get(handle),
        T,
        T,
        rows,
        columns,
        one,
        matrix,
        lda,
        zero,
        matrix,
        lda,
        new Address(c),
        ldc);
  }
}
