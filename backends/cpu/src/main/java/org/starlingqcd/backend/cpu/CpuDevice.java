package org.starlingqcd.backend.cpu;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.cpu.baryon.PairBlocks;
import org.starlingqcd.backend.cpu.baryon.PairWork;
import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.KernelChoice;
import org.starlingqcd.backend.cpu.blas.OpenBlas;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.VectorLoops;
import org.starlingqcd.backend.cpu.blas.Workspace;
import org.starlingqcd.backend.cpu.memory.CpuMemory;
import org.starlingqcd.backend.cpu.memory.LayoutChange;
import org.starlingqcd.backend.cpu.product.ContractionKernel;
import org.starlingqcd.backend.cpu.product.Contractions;
import org.starlingqcd.backend.cpu.product.MappingPlan;
import org.starlingqcd.backend.cpu.product.ProductAccess;
import org.starlingqcd.backend.cpu.product.Scheme;
import org.starlingqcd.backend.cpu.product.SpinSums;
import org.starlingqcd.backend.cpu.trace.Traces;

/**
 * The processor as a device: blocks in a bounded arena, streams with a thread each, contractions
 * and traces on a team of threads with single-threaded BLAS.
 *
 * <p>An element lies spin by spin, each spin's real parts before its imaginary parts ({@link
 * Tiling}), so that blocks of single spins can be composed and products are those of real matrices;
 * a kernel that wants its inputs in another form ({@link Scheme}) makes that once for all
 * contractions of a vector pair. Contractions in two streams do not run at the same time; copies
 * overlap them.
 */
public final class CpuDevice implements Device, ProductAccess {
  /** Part of the memory available at opening that the arena takes unless told otherwise. */
  private static final double DEFAULT_SHARE = 0.6;

  private final OpenBlas blas;
  private final long capacityBytes;
  private final Team team;
  private final Workspace[] workspaces;
  private final int mostInPairLoops;
  private final ContractionKernel kernel;
  private final boolean exact;
  private final Calibration calibration;
  private final List<CpuStream> streams = new ArrayList<>();
  private final CpuStream compute;
  private final Map<BatchSpinMapping, MappingPlan> plans = new HashMap<>();
  private final Set<CpuMemory> allocated = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Memory that the work to be put into a stream next uses. */
  private final List<CpuMemory> inUse = new ArrayList<>();

  private long usedBytes;
  private boolean closed;

  public CpuDevice(DeviceOptions options, OpenBlas blas, Calibration calibration) {
    this(options, blas, calibration, VectorLoops.isAvailable());
  }

  /**
   * Chooses between ways of computing the same.
   *
   * @param vectorLoops whether {@link VectorLoops} are called
   */
  public CpuDevice(
      DeviceOptions options, OpenBlas blas, Calibration calibration, boolean vectorLoops) {
    this.blas = blas;
    capacityBytes =
        options.capacityBytes() > 0
            ? options.capacityBytes()
            : (long) (DEFAULT_SHARE * PhysicalMemory.now().availableBytes());
    exact = options.exact();
    team = new Team(options.threads() > 0 ? options.threads() : defaultThreads());
    workspaces = new Workspace[team.size()];
    for (int k = 0; k < workspaces.length; k++) {
      workspaces[k] = new Workspace(vectorLoops);
    }
    mostInPairLoops = vectorLoops ? PairBlocks.mostInLoops() : 0;
    kernel = new ContractionKernel(team, workspaces);
    this.calibration = calibration;
    compute = newStream();
  }

  /** Threads used unless told otherwise: as many as the process may use. */
  static int defaultThreads() {
    return Runtime.getRuntime().availableProcessors();
  }

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(
        0,
        blas.processor(),
        capacityBytes,
        capacityBytes - usedBytes,
        blas.details(team.size(), calibration.describe()));
  }

  @Override
  public DeviceMemory allocate(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("must be >= 1: bytes=" + bytes);
    }
    checkOpen();
    if (bytes > capacityBytes - usedBytes) {
      throw new OutOfDeviceMemoryException(
          String.format(
              Locale.ROOT,
              "the CPU's arena is full: requested=%d used=%d capacity=%d bytes",
              bytes,
              usedBytes,
              capacityBytes),
          bytes);
    }
    CpuMemory memory;
    try {
      memory = CpuMemory.of(this, HostMemory.allocate(bytes));
    } catch (OutOfMemoryError refused) {
      throw new OutOfDeviceMemoryException(
          "the operating system has no memory for the CPU's arena: " + refused.getMessage(), bytes);
    }
    usedBytes += bytes;
    allocated.add(memory);
    return memory;
  }

  @Override
  public void free(DeviceMemory memory) {
    CpuMemory block = check(memory);
    HostMemory host = block.block();
    if (host == null) {
      throw new IllegalStateException("composed memory is freed part by part: " + describe(block));
    }
    if (!allocated.remove(block)) {
      throw new IllegalStateException("memory freed twice: " + describe(block));
    }
    // Not for the end of what is in the streams: that would leave them empty when memory is short.
    for (int k = 0; k < streams.size(); k++) {
      streams.get(k).finish(block.lastUse(k));
    }
    host.close();
    usedBytes -= block.bytes();
  }

  @Override
  public DeviceMemory compose(List<DeviceMemory> spins) {
    if (spins.isEmpty()) {
      throw new IllegalArgumentException("must have a part: spins=0");
    }
    return CpuMemory.composed(this, spins.stream().map(this::check).toList());
  }

  @Override
  public HostMemory allocateHost(long bytes) {
    return HostMemory.allocate(bytes);
  }

  @Override
  public DeviceStream computeStream() {
    return compute;
  }

  @Override
  public DeviceStream openStream() {
    checkOpen();
    return newStream();
  }

  private CpuStream newStream() {
    CpuStream stream = new CpuStream(this, "starling-cpu-stream-" + streams.size());
    streams.add(stream);
    return stream;
  }

  @Override
  public DeviceEvent record(DeviceStream stream) {
    return own(stream).record();
  }

  @Override
  public void waitFor(DeviceStream stream, DeviceEvent event) {
    own(stream).waitFor(own(event));
  }

  @Override
  public boolean isReached(DeviceEvent event) {
    return own(event).isReached();
  }

  @Override
  public OptionalDouble secondsBetween(DeviceEvent first, DeviceEvent second) {
    return OptionalDouble.of(1e-9 * (own(second).reachedNanos() - own(first).reachedNanos()));
  }

  @Override
  public void synchronize(DeviceEvent event) {
    CpuEvent mark = own(event);
    mark.stream().synchronize(mark);
  }

  @Override
  public void synchronize(DeviceStream stream) {
    CpuStream work = own(stream);
    work.synchronize(work.record());
  }

  @Override
  public void upload(
      HostMemory source, long offset, DeviceMemory target, TensorShape shape, DeviceStream stream) {
    CpuStream queue = begin(stream);
    checkRange(source, offset, shape);
    CpuMemory element = own(target);
    Tiling tiling = tiling(shape);
    long componentBytes = TensorShape.COMPLEX_BYTES * shape.componentSize();
    long[] spins = element.spinAddresses(shape.spins(), componentBytes);
    element.tiling(tiling);
    long host = source.address() + offset;
    put(
        queue,
        () -> {
          Blas calls = new Blas();
          for (int s = 0; s < spins.length; s++) {
            LayoutChange.toDevice(
                calls, host + s * componentBytes, spins[s], shape.componentSize(), tiling);
          }
        });
  }

  @Override
  public void download(
      DeviceMemory source, HostMemory target, long offset, TensorShape shape, DeviceStream stream) {
    CpuStream queue = begin(stream);
    checkRange(target, offset, shape);
    CpuMemory element = own(source);
    long componentBytes = TensorShape.COMPLEX_BYTES * shape.componentSize();
    long[] spins = element.spinAddresses(shape.spins(), componentBytes);
    Tiling tiling = element.tiling();
    checkTiling(tiling, shape.rank() == 2 ? shape.extent() : 0);
    long host = target.address() + offset;
    put(
        queue,
        () -> {
          Blas calls = new Blas();
          for (int s = 0; s < spins.length; s++) {
            LayoutChange.toHost(
                calls, spins[s], host + s * componentBytes, shape.componentSize(), tiling);
          }
        });
  }

  @Override
  public void contract(ContractionBatch batch, DeviceStream stream) {
    CpuStream queue = begin(stream);
    // Contractions that differ in layout (tiled or plain inputs) or in what they are computed with
    // run one after the other.
    int from = 0;
    while (from < batch.size()) {
      Contractions next = Contractions.of(batch, from, this);
      put(queue, () -> kernel.run(next));
      from = next.end();
    }
  }

  @Override
  public void trace(List<TraceBlock> blocks, HostMemory results, DeviceStream stream) {
    CpuStream queue = begin(stream);
    Traces traces = new Traces();
    for (TraceBlock block : blocks) {
      traces.add(block, results, this);
    }
    traces.cut(team.size());
    put(
        queue,
        () -> {
          team.run(traces.parts(), (part, worker) -> traces.run(part, workspaces[worker]));
          traces.finish(results);
        });
  }

  @Override
  public void contractPairs(
      PairContraction contraction, PairContraction.Stage stage, DeviceStream stream) {
    CpuStream queue = begin(stream);
    PairWork work = PairBlocks.of(contraction, stage, this, exact);
    put(queue, () -> work.run(team, workspaces));
  }

  @Override
  public void sumSpins(
      DeviceMemory block,
      DeviceMemory node,
      SpinSumMapping mapping,
      int extent,
      DeviceStream stream) {
    CpuStream queue = begin(stream);
    SpinSums sums =
        new SpinSums(block, node, mapping, extent, tiling(TensorShape.mesonNode(extent)), this);
    put(
        queue,
        () -> team.run(sums.parts(), (part, worker) -> sums.run(part, workspaces[worker])));
  }

  @Override
  public void fillRandom(DeviceMemory target, TensorShape shape, long seed, DeviceStream stream) {
    CpuStream queue = begin(stream);
    CpuMemory element = own(target);
    Tiling tiling = tiling(shape);
    long size = shape.componentSize();
    long[] spins = element.spinAddresses(shape.spins(), TensorShape.COMPLEX_BYTES * size);
    element.tiling(tiling);
    put(
        queue,
        () -> {
          Blas calls = new Blas();
          double[] chunk = new double[(int) Math.min(2 * size, 1 << 12)];
          try (HostMemory host = HostMemory.allocate(TensorShape.COMPLEX_BYTES * size)) {
            for (int s = 0; s < spins.length; s++) {
              for (long done = 0; done < 2 * size; done += chunk.length) {
                int count = (int) Math.min(chunk.length, 2 * size - done);
                RandomNumbers.fill(seed, 2 * size * s + done, chunk, count);
                host.put(done, chunk, 0, count);
              }
              LayoutChange.toDevice(calls, host.address(), spins[s], size, tiling);
            }
          }
        });
  }

  private void put(CpuStream stream, CpuStream.Work work) {
    long number = stream.put(work);
    int place = streams.indexOf(stream);
    for (CpuMemory memory : inUse) {
      memory.usedBy(place, number);
    }
    inUse.clear();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (CpuStream stream : streams) {
      stream.stop();
    }
    team.close();
    kernel.close();
    for (Workspace workspace : workspaces) {
      workspace.close();
    }
    int left = allocated.size();
    for (CpuMemory block : allocated) {
      HostMemory host = block.block();
      if (host != null) {
        host.close();
      }
    }
    allocated.clear();
    if (left > 0) {
      throw new IllegalStateException(
          "blocks not freed before the device was closed: blocks=" + left + " bytes=" + usedBytes);
    }
  }

  /** Layout of an element of this shape: matrices are tiled, other ranks plain. */
  Tiling tiling(TensorShape shape) {
    return shape.rank() == 2
        ? calibration.choice(shape.extent()).tiling(shape.extent())
        : Tiling.PLAIN;
  }

  @Override
  public KernelChoice choice(int inner) {
    return calibration.choice(inner);
  }

  @Override
  public boolean isExact() {
    return exact;
  }

  @Override
  public int mostInPairLoops() {
    return mostInPairLoops;
  }

  @Override
  public int threads() {
    return team.size();
  }

  @Override
  public MappingPlan plan(BatchSpinMapping mapping) {
    return plans.computeIfAbsent(mapping, MappingPlan::new);
  }

  @Override
  public CpuMemory own(DeviceMemory memory) {
    CpuMemory mine = check(memory);
    inUse.add(mine);
    return mine;
  }

  private CpuMemory check(DeviceMemory memory) {
    checkOpen();
    if (memory instanceof CpuMemory mine && mine.owner() == this) {
      HostMemory block = mine.block();
      if (block != null && !allocated.contains(mine)) {
        throw new IllegalStateException("memory used after it was freed: " + describe(mine));
      }
      return mine;
    }
    throw new IllegalArgumentException("memory of another device: " + memory);
  }

  /**
   * The stream of an operation, which puts what the operation uses from now on into it. What an
   * operation used that failed before it put anything is forgotten.
   */
  private CpuStream begin(DeviceStream stream) {
    inUse.clear();
    return own(stream);
  }

  private CpuStream own(DeviceStream stream) {
    checkOpen();
    if (stream instanceof CpuStream mine && mine.owner() == this) {
      return mine;
    }
    throw new IllegalArgumentException("stream of another device: " + stream);
  }

  private CpuEvent own(DeviceEvent event) {
    checkOpen();
    if (event instanceof CpuEvent mine && mine.stream().owner() == this) {
      return mine;
    }
    throw new IllegalArgumentException("event of another device: " + event);
  }

  private void checkOpen() {
    if (closed) {
      throw new BackendException("the device is closed");
    }
  }

  private static void checkTiling(Tiling tiling, int extent) {
    if (tiling.isTiled() && tiling.extent() != extent) {
      throw new IllegalArgumentException(
          "the element was written with another shape: extent="
              + tiling.extent()
              + " asked="
              + extent);
    }
  }

  private static void checkRange(HostMemory host, long offset, TensorShape shape) {
    if (offset < 0 || offset % Double.BYTES != 0 || offset + shape.bytes() > host.bytes()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "must be a multiple of 8, >= 0 && <= %d: offset=%d",
              host.bytes() - shape.bytes(),
              offset));
    }
  }

  private static String describe(CpuMemory memory) {
    return "bytes=" + memory.bytes();
  }
}
