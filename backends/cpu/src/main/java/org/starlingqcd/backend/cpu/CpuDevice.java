package org.starlingqcd.backend.cpu;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
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
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.MatrixOperations;
import org.starlingqcd.backend.MemoryKind;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.PairPacking;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.RowWork;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.cpu.baryon.PairBlocks;
import org.starlingqcd.backend.cpu.blas.CopyCrew;
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.blas.ElementAccess;
import org.starlingqcd.backend.cpu.blas.KernelChoice;
import org.starlingqcd.backend.cpu.blas.OpenBlas;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.VectorLoops;
import org.starlingqcd.backend.cpu.matrix.CpuMatrices;
import org.starlingqcd.backend.cpu.product.Contractions;
import org.starlingqcd.backend.cpu.product.MappingPlan;
import org.starlingqcd.backend.cpu.product.PairMatrices;
import org.starlingqcd.backend.cpu.product.SpinSums;
import org.starlingqcd.backend.cpu.trace.Traces;

/**
 * The processor as a device. Its blocks lie in a bounded arena, each stream has a thread, and
 * contractions and traces run on a team of threads with single-threaded BLAS.
 *
 * <p>An element lies spin by spin, each spin's real parts before its imaginary parts ({@link
 * Tiling}), so that blocks of single spins can be composed and products are those of real matrices.
 * A kernel that needs its inputs in another form ({@code product.Scheme}) converts them once for
 * all contractions of a vector pair. Contractions in two streams do not run at the same time;
 * copies overlap with them.
 */
public final class CpuDevice implements Device, ElementAccess {
  /** Default share of the memory available at opening that the arena takes. */
  private static final double DEFAULT_SHARE = 0.6;

  private final OpenBlas blas;
  private final CpuArena arena;
  private final Team team;
  private final CopyCrew crew;
  private final long chunkBytes;
  private final boolean vectorLoops;
  private final boolean wideLoops;
  private final int mostInPairLoops;
  private final boolean exact;
  private final Precision precision;
  private final @Nullable KernelChoice asked;
  private final List<CpuStream> streams = new ArrayList<>();
  private final CpuStream compute;
  private final CpuMatrices matrices;
  private final Map<BatchSpinMapping, MappingPlan> plans = new HashMap<>();

  /** Memory that the next work put into a stream uses. */
  private final List<CpuMemory> inUse = new ArrayList<>();

  private boolean closed;

  /**
   * Opens the device.
   *
   * @param asked the kernel for every extent; null to go by the rule
   */
  public CpuDevice(DeviceOptions options, OpenBlas blas, @Nullable KernelChoice asked) {
    this(options, blas, asked, VectorLoops.isAvailable());
  }

  /**
   * Opens the device with the vector loops or with BLAS calls in their place.
   *
   * @param vectorLoops whether {@link VectorLoops} are called
   */
  public CpuDevice(
      DeviceOptions options, OpenBlas blas, @Nullable KernelChoice asked, boolean vectorLoops) {
    this.blas = blas;
    arena =
        new CpuArena(
            this,
            options.capacityBytes() > 0
                ? options.capacityBytes()
                : (long) (DEFAULT_SHARE * PhysicalMemory.now().availableBytes()),
            options.tiers());
    exact = options.exact();
    precision = options.precision();
    int threads = options.threads() > 0 ? options.threads() : defaultThreads();
    team = new Team(threads, vectorLoops, precision);
    chunkBytes = options.tiers().chunkBytes();
    boolean together = chunkBytes > 0;
    crew =
        together
            ? new CopyCrew(options.tiers().copyThreads(), team::wake)
            : new CopyCrew(0, () -> {});
    if (together) {
      team.whenIdle(crew::helpOnce);
    }
    this.vectorLoops = vectorLoops;
    wideLoops = vectorLoops && VectorLoops.haveWideVectors();
    mostInPairLoops = vectorLoops ? PairBlocks.mostInLoops() : 0;
    this.asked = asked;
    compute = newStream();
    matrices = new CpuMatrices(this, vectorLoops);
  }

  /** Default number of threads: as many as the process may use. */
  static int defaultThreads() {
    return Runtime.getRuntime().availableProcessors();
  }

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(
        0,
        blas.processor(),
        arena.capacityBytes(),
        arena.freeBytes(),
        blas.details(team.size(), kernels()));
  }

  @Override
  public DeviceMemory allocate(long bytes) {
    return allocate(bytes, MemoryKind.FAST);
  }

  @Override
  public DeviceMemory allocate(long bytes, MemoryKind kind) {
    if (bytes < 1) {
      throw new IllegalArgumentException("must be >= 1: bytes=" + bytes);
    }
    checkOpen();
    return arena.allocate(bytes, kind);
  }

  @Override
  public boolean readsInPlace() {
    return true;
  }

  @Override
  public void move(DeviceMemory source, DeviceMemory target, DeviceStream stream) {
    begin(stream);
    CpuMemory from = own(source);
    CpuMemory to = own(target);
    HostMemory read = from.block();
    HostMemory written = to.block();
    if (read == null || written == null || from.bytes() != to.bytes()) {
      throw new IllegalArgumentException(
          "must be blocks of one size: from=" + from.bytes() + " to=" + to.bytes());
    }
    to.tiling(from.tiling());
    long bytes = from.bytes();
    long chunkOf = chunkBytes > 0 ? chunkBytes : bytes;
    int chunks = (int) Math.max(1, Math.min(Integer.MAX_VALUE, (bytes - 1) / chunkOf + 1));
    put(
        stream,
        () ->
            crew.copy(
                chunks,
                chunk -> {
                  long begin = chunk * chunkOf;
                  long count = chunk == chunks - 1 ? bytes - begin : chunkOf;
                  read.copyTo(begin, written, begin, count);
                }));
  }

  @Override
  public Optional<String> layout(TensorShape shape) {
    Tiling tiling = tiling(shape);
    return Optional.of("cpu " + shape + " planes, tiles " + (tiling.isTiled() ? tiling.edge() : 0));
  }

  @Override
  public void arrange(HostMemory source, HostMemory target, TensorShape shape) {
    checkPrecision(shape);
    Transfer.checkRange(source, 0, shape);
    Transfer.checkRange(target, 0, shape);
    Transfer.arrange(source.address(), target.address(), shape, tiling(shape));
  }

  @Override
  public DeviceMemory borrow(HostMemory memory, TensorShape shape) {
    checkOpen();
    checkPrecision(shape);
    CpuMemory block = arena.borrow(memory);
    block.tiling(tiling(shape));
    return block;
  }

  @Override
  public void free(DeviceMemory memory) {
    arena.free(check(memory), streams);
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
    mark.stream.synchronize(mark);
  }

  @Override
  public void synchronize(DeviceStream stream) {
    CpuStream work = own(stream);
    work.synchronize(work.record());
  }

  @Override
  public void upload(
      HostMemory source, long offset, DeviceMemory target, TensorShape shape, DeviceStream stream) {
    begin(stream);
    checkPrecision(shape);
    Transfer.checkRange(source, offset, shape);
    Transfer transfer = Transfer.to(own(target), shape, tiling(shape));
    long host = source.address() + offset;
    put(stream, () -> crew.copy(shape.spins(), spin -> transfer.upload(host, spin)));
  }

  @Override
  public void download(
      DeviceMemory source, HostMemory target, long offset, TensorShape shape, DeviceStream stream) {
    begin(stream);
    checkPrecision(shape);
    Transfer.checkRange(target, offset, shape);
    Transfer transfer = Transfer.from(own(source), shape);
    long host = target.address() + offset;
    put(stream, () -> transfer.download(host));
  }

  @Override
  public void contract(ContractionBatch batch, DeviceStream stream) {
    begin(stream);
    // Contractions that differ in layout (tiled or plain inputs) or in kernel run one after the
    // other.
    int from = 0;
    while (from < batch.size()) {
      Contractions next = Contractions.of(batch, from, this, plans);
      put(stream, next);
      from = next.end();
    }
  }

  @Override
  public void trace(List<TraceBlock> blocks, HostMemory results, DeviceStream stream) {
    begin(stream);
    put(stream, new Traces(blocks, results, this, vectorLoops));
  }

  @Override
  public void contractPairs(
      PairContraction contraction, PairContraction.Stage stage, DeviceStream stream) {
    begin(stream);
    put(stream, PairBlocks.of(contraction, stage, this, exact));
  }

  @Override
  public void sumSpins(
      DeviceMemory block,
      DeviceMemory node,
      SpinSumMapping mapping,
      int extent,
      DeviceStream stream) {
    begin(stream);
    Tiling tiling = tiling(TensorShape.mesonNode(extent).in(precision));
    put(stream, new SpinSums(block, node, mapping, extent, tiling, this));
  }

  @Override
  public void formPairs(
      DeviceMemory first,
      DeviceMemory second,
      LinePairSum sum,
      PairPacking rows,
      PairPacking columns,
      DeviceMemory pairs,
      DeviceMemory scratch,
      DeviceStream stream) {
    if (!vectorLoops) {
      Device.super.formPairs(first, second, sum, rows, columns, pairs, scratch, stream);
      return;
    }
    begin(stream);
    put(stream, new PairMatrices(rows, scratch, this).form(first, second, sum, columns, pairs));
  }

  @Override
  public void closePair(
      List<DeviceMemory> tetraquark,
      DeviceMemory line,
      PairPacking packing,
      DeviceMemory block,
      DeviceMemory scratch,
      DeviceStream stream) {
    if (!vectorLoops) {
      Device.super.closePair(tetraquark, line, packing, block, scratch, stream);
      return;
    }
    begin(stream);
    put(stream, new PairMatrices(packing, scratch, this).close(tetraquark, line, block));
  }

  @Override
  public void onHost(List<RowWork.Operand> operands, int parts, RowWork work, DeviceStream stream) {
    begin(stream);
    Tiling tiling = tiling(operands.get(operands.size() - 1).shape());
    put(stream, PairMatrices.onHost(operands, parts, work, tiling, this));
  }

  @Override
  public Optional<MatrixOperations> matrices() {
    return Optional.of(matrices);
  }

  @Override
  public void fillRandom(DeviceMemory target, TensorShape shape, long seed, DeviceStream stream) {
    begin(stream);
    Transfer transfer = Transfer.to(own(target), shape, tiling(shape));
    put(stream, () -> transfer.fillRandom(seed));
  }

  /** The kernels in one line for the user. */
  private String kernels() {
    String few = choice(1).format();
    String many = choice(KernelChoice.STRASSEN_FROM).format();
    return (asked == null ? "by rule: " : KernelChoice.VARIABLE + ": ")
        + few
        + (many.equals(few) ? "" : ", from N = " + KernelChoice.STRASSEN_FROM + " on " + many);
  }

  /** Nanoseconds that the thread of the compute stream has run. */
  long computeNanos() {
    return compute.nanos();
  }

  @Override
  public void put(DeviceStream stream, Runnable work) {
    long number = own(stream).put(work);
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
    crew.close();
    team.close();
    arena.close();
  }

  /** Layout of an element of this shape: matrices are tiled, other ranks plain. */
  Tiling tiling(TensorShape shape) {
    return shape.rank() == 2 ? choice(shape.extent()).tiling(shape.extent()) : Tiling.PLAIN;
  }

  @Override
  public KernelChoice choice(int inner) {
    KernelChoice given = asked;
    KernelChoice choice =
        given == null || (given.form().needsLoops() && !vectorLoops)
            ? KernelChoice.byRule(inner, blas.core(), wideLoops)
            : given;
    return exact ? choice.conventional() : choice;
  }

  @Override
  public Optional<String> kernel(int extent) {
    return Optional.of(choice(extent).format());
  }

  @Override
  public Precision precision() {
    return precision;
  }

  @Override
  public int mostInPairLoops() {
    return mostInPairLoops;
  }

  @Override
  public Team team() {
    return team;
  }

  @Override
  public CpuMemory own(DeviceMemory memory) {
    CpuMemory mine = check(memory);
    inUse.add(mine);
    return mine;
  }

  private CpuMemory check(DeviceMemory memory) {
    checkOpen();
    return arena.check(memory);
  }

  @Override
  public void begin(DeviceStream stream) {
    inUse.clear();
    own(stream);
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
    if (event instanceof CpuEvent mine && mine.stream.owner() == this) {
      return mine;
    }
    throw new IllegalArgumentException("event of another device: " + event);
  }

  private void checkPrecision(TensorShape shape) {
    if (shape.precision() != precision) {
      throw new IllegalArgumentException("must have precision " + precision + ": shape=" + shape);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new BackendException("the device is closed");
    }
  }
}
