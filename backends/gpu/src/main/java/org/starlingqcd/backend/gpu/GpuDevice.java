package org.starlingqcd.backend.gpu;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MatrixOperations;
import org.starlingqcd.backend.MemoryKind;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.gpu.launch.ContractionLauncher;
import org.starlingqcd.backend.gpu.launch.PairLauncher;
import org.starlingqcd.backend.gpu.launch.SpinSumLauncher;
import org.starlingqcd.backend.gpu.launch.TraceLauncher;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.memory.Closing;
import org.starlingqcd.backend.gpu.memory.ElementAccess;
import org.starlingqcd.backend.gpu.memory.ElementLayout;
import org.starlingqcd.backend.gpu.memory.GpuEvent;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.gpu.memory.Slabs;
import org.starlingqcd.backend.gpu.memory.StagingRing;
import org.starlingqcd.backend.gpu.memory.StreamOrder;
import org.starlingqcd.backend.gpu.memory.Workspace;

/**
 * A GPU behind a {@link GpuLibrary}. Only the synchronizing calls, the first use of a larger
 * workspace and an allocation that finds the device full wait for the device.
 *
 * <p>Beyond the memory that {@link #allocate} hands out, the device keeps a workspace for traces (a
 * 32nd of its memory, 64 MiB to 2 GiB, and at most an eighth of a requested capacity), 1 MiB for
 * the pointer arrays of a stream, and a vector of ones. Products are always conventional, even
 * without {@link DeviceOptions#exact}: on GPUs 3M gains nothing at the sizes of interest.
 *
 * <p>In managed memory elements take no part of the capacity, of which there is then so much left
 * on the device.
 */
final class GpuDevice implements Device, ElementAccess {
  private static final Logger LOG = LoggerFactory.getLogger(GpuDevice.class);
  private static final long MIB = 1L << 20;

  /** About two milliseconds of the largest GPUs. */
  private static final double WORTH_LAUNCHING = 1.2e11;

  private static final long LEAST_WORKSPACE = 4 * MIB;

  private final GpuLibrary library;
  private final long capacity;
  private final Precision precision;
  private final SlowMemory slow;
  private final Ownership mine = new Ownership(this);
  private final Closing closing = new Closing();
  private final Set<GpuMemory> blocks = Collections.newSetFromMap(new IdentityHashMap<>());
  private final StreamOrder order = new StreamOrder();
  private final Set<GpuDevice> peers = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Slabs slabs;
  private final GpuStream compute;
  private final ContractionLauncher contractions;
  private final TraceLauncher traces;
  private final SpinSumLauncher spinSums;
  private final PairLauncher pairs;
  private final RandomFill random;
  private final Optional<MatrixOperations> matrices;
  private long allocated;
  private int launches;
  private boolean ordinaryMemoryTold;
  private boolean closed;

  private GpuDevice(GpuLibrary library, DeviceOptions options, long workspaceBytes) {
    this.library = library;
    this.slow = new SlowMemory(library);
    this.precision = options.precision();
    boolean managed = options.tiers().managed();
    boolean unbounded = managed || options.capacityBytes() == 0;
    this.capacity = unbounded ? Long.MAX_VALUE : options.capacityBytes();
    closing.add(library::close);
    slabs = new Slabs(library, order, capacity, managed);
    closing.add(() -> slabs.close(closing));
    try {
      library.makeCurrent();
      compute = stream();
      compute.pointers();
      compute.putBlas();
      StagingRing staging = new StagingRing(library, GpuStream.POINTER_BYTES);
      closing.add(() -> staging.close(closing));
      long ones = onesOnDevice();
      Workspace workspace = workspace(workspaceBytes);
      closing.add(() -> workspace.close(closing));
      if (managed && options.capacityBytes() > 0) {
        holdAllBut(options.capacityBytes());
      }
      contractions = new ContractionLauncher(this, library, staging, workspace);
      traces = new TraceLauncher(this, library, staging, workspace, ones);
      spinSums =
          new SpinSumLauncher(this, library, traces.hasKernels() ? staging : null, contractions);
      closing.add(spinSums::close);
      pairs = new PairLauncher(this, library, staging, workspace, spinSums);
      random = new RandomFill(this, library, ones);
      closing.add(random::close);
      matrices = library.matrixCalls().map(calls -> new GpuMatrices(this, library, calls));
    } catch (RuntimeException e) {
      closing.failed(e);
      closing.runAll();
      throw e;
    }
  }

  /**
   * Opens the device on a library. The device closes the library when it is closed itself or when
   * opening fails.
   */
  static GpuDevice open(GpuLibrary library, DeviceOptions options) {
    long workspace;
    try {
      library.makeCurrent();
      long total = library.info().totalBytes();
      workspace = Math.max(64 * MIB, Math.min(2048 * MIB, total / 32));
    } catch (RuntimeException e) {
      library.close();
      throw e;
    }
    if (options.capacityBytes() > 0) {
      workspace = Math.min(workspace, Math.max(LEAST_WORKSPACE, options.capacityBytes() / 8));
    }
    return open(library, options, workspace);
  }

  /**
   * Opens the device with a workspace of the given size, or a smaller one where that does not fit.
   */
  static GpuDevice open(GpuLibrary library, DeviceOptions options, long workspaceBytes) {
    return new GpuDevice(library, options, workspaceBytes);
  }

  private GpuStream stream() {
    GpuStream stream = new GpuStream(this, library, order);
    closing.add(() -> stream.close(closing));
    return stream;
  }

  private long onesOnDevice() {
    long bytes = (long) TraceLauncher.ONES * TensorShape.COMPLEX_BYTES;
    long address = library.allocate(bytes);
    closing.add(() -> library.free(address));
    double[] ones = new double[2 * TraceLauncher.ONES];
    for (int i = 0; i < ones.length; i += 2) {
      ones[i] = 1;
    }
    try (HostMemory host = allocateHost(bytes)) {
      host.put(0, ones, 0, ones.length);
      library.copy(address, host.address(), bytes, CopyDirection.UP, compute.put());
      compute.synchronize();
    }
    return address;
  }

  /**
   * Leaves so much of the device's memory to managed memory, for comparisons at one size, and some
   * for buffers of streams.
   */
  private void holdAllBut(long bytes) {
    long held = library.info().freeBytes() - bytes - 64 * MIB;
    if (held > 0) {
      long ballast = library.allocate(held);
      closing.add(() -> library.free(ballast));
    }
  }

  private Workspace workspace(long wanted) {
    long bytes = wanted;
    while (true) {
      try {
        return new Workspace(library, bytes);
      } catch (OutOfDeviceMemoryException e) {
        if (bytes / 2 < LEAST_WORKSPACE) {
          throw e;
        }
        LOG.warn("workspace of {} bytes does not fit, trying half", bytes);
        bytes /= 2;
      }
    }
  }

  @Override
  public DeviceInfo info() {
    library.makeCurrent();
    return library.info();
  }

  @Override
  public Precision precision() {
    return precision;
  }

  @Override
  public DeviceMemory allocate(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("must be >= 0: bytes=" + bytes);
    }
    if (bytes > capacity - allocated) {
      throw new OutOfDeviceMemoryException(
          "allocate: bytes=%s exceeds the rest of the budget: capacity=%s allocated=%s"
              .formatted(bytes, capacity, allocated),
          bytes);
    }
    library.makeCurrent();
    GpuMemory memory = slabs.allocate(this, bytes);
    blocks.add(memory);
    allocated += bytes;
    return memory;
  }

  @Override
  public DeviceMemory allocate(long bytes, MemoryKind kind) {
    if (kind == MemoryKind.FAST) {
      return allocate(bytes);
    }
    library.makeCurrent();
    GpuMemory memory = slow.allocate(this, bytes);
    blocks.add(memory);
    return memory;
  }

  @Override
  public boolean readsInPlace() {
    return true;
  }

  /** Products read their operands several times, so page-locked memory has to be fast for that. */
  @Override
  public boolean multipliesInPlace() {
    library.makeCurrent();
    return slow.isFast(compute);
  }

  @Override
  public void move(DeviceMemory source, DeviceMemory target, DeviceStream stream) {
    GpuStream on = begin(stream);
    GpuMemory from = mine.use(source, on);
    GpuMemory to = mine.use(target, on);
    if (from.isComposed() || to.isComposed() || from.bytes() != to.bytes()) {
      throw new IllegalArgumentException(
          "must be blocks of one size: from=" + from.bytes() + " to=" + to.bytes());
    }
    to.copied(from);
    CopyDirection direction = CopyDirection.between(from.isSlow(), to.isSlow());
    library.copy(to.address(), from.address(), from.bytes(), direction, on.put());
  }

  @Override
  public void free(DeviceMemory memory) {
    GpuMemory block = mine.own(memory);
    if (block.isComposed()) {
      throw new IllegalArgumentException("a composed element is freed part by part");
    }
    library.makeCurrent();
    if (block.isSlow()) {
      slabs.await(block);
    } else {
      allocated -= block.bytes();
    }
    release(block);
    block.markFreed();
    blocks.remove(block);
  }

  private void release(GpuMemory block) {
    if (block.isSlow()) {
      slow.free(block.address());
    } else {
      slabs.free(block);
    }
  }

  @Override
  public boolean freesInOrder() {
    return true;
  }

  @Override
  public DeviceMemory compose(List<DeviceMemory> spins) {
    if (spins.isEmpty()) {
      throw new IllegalArgumentException("an element has at least one spin: spins=0");
    }
    List<GpuMemory> parts = new ArrayList<>();
    for (DeviceMemory spin : spins) {
      parts.add(mine.own(spin));
    }
    return new GpuMemory(this, parts);
  }

  @Override
  public HostMemory allocateHost(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("must be >= 0: bytes=" + bytes);
    }
    library.makeCurrent();
    long atLeast = Math.max(1, bytes);
    try {
      return new HostMemory(library.allocateHost(atLeast), bytes, this::freeHost);
    } catch (OutOfDeviceMemoryException e) {
      return ordinaryMemory(atLeast, bytes, e);
    }
  }

  /**
   * Memory that is not page-locked: copies are slower, and the host waits for those to it, but
   * their order in the stream is the same.
   */
  private HostMemory ordinaryMemory(long atLeast, long bytes, OutOfDeviceMemoryException reason) {
    Pointer block = Pointer.malloc(atLeast);
    if (block == null || block.isNull()) {
      throw reason;
    }
    if (!ordinaryMemoryTold) {
      ordinaryMemoryTold = true;
      LOG.warn(
          "no more page-locked memory ({}); further copies use ordinary memory, which is slower",
          reason.getMessage());
    }
    return new HostMemory(block.address(), bytes, address -> Pointer.free(block));
  }

  /**
   * Frees host memory. Any thread may call this, so it makes this device current first, lest the
   * call initialize another one.
   */
  private void freeHost(long address) {
    try {
      library.makeCurrent();
    } finally {
      library.freeHost(address);
    }
  }

  @Override
  public DeviceStream computeStream() {
    return compute;
  }

  @Override
  public DeviceStream openStream() {
    library.makeCurrent();
    return stream();
  }

  @Override
  public DeviceEvent record(DeviceStream stream) {
    library.makeCurrent();
    return mine.own(stream).end().record();
  }

  @Override
  public DeviceEvent recordTime(DeviceStream stream) {
    library.makeCurrent();
    return mine.own(stream).end().recordTime();
  }

  @Override
  public void waitFor(DeviceStream stream, DeviceEvent event) {
    library.makeCurrent();
    mine.own(stream).end().waitFor(mine.own(event));
  }

  @Override
  public boolean isReached(DeviceEvent event) {
    library.makeCurrent();
    GpuEvent mark = mine.own(event);
    return mark.stream().isReached(mark);
  }

  @Override
  public OptionalDouble secondsBetween(DeviceEvent first, DeviceEvent second) {
    GpuEvent from = mine.own(first);
    GpuEvent to = mine.own(second);
    return from.stream() == to.stream() && from.seconds().isPresent() && to.seconds().isPresent()
        ? OptionalDouble.of(to.seconds().getAsDouble() - from.seconds().getAsDouble())
        : OptionalDouble.empty();
  }

  @Override
  public void forgetTime(DeviceEvent event) {
    mine.own(event).keepTime(false);
  }

  @Override
  public void synchronize(DeviceEvent event) {
    library.makeCurrent();
    GpuEvent mark = mine.own(event);
    mark.stream().synchronize(mark);
  }

  @Override
  public void synchronize(DeviceStream stream) {
    library.makeCurrent();
    mine.own(stream).end().synchronize();
  }

  @Override
  public void upload(
      HostMemory source, long offset, DeviceMemory target, TensorShape shape, DeviceStream stream) {
    Ownership.checkHost("source", source, offset, shape);
    GpuStream on = begin(stream);
    GpuMemory memory = mine.use("target", target, shape, on);
    ElementLayout layout =
        memory.isComposed() ? memory.layoutOr(ElementLayout.of(shape)) : ElementLayout.of(shape);
    memory.written(layout);
    new Transfer(library, CopyDirection.UP, on)
        .run(memory, layout, source.address() + offset, shape);
  }

  @Override
  public void download(
      DeviceMemory source, HostMemory target, long offset, TensorShape shape, DeviceStream stream) {
    Ownership.checkHost("target", target, offset, shape);
    GpuStream on = begin(stream);
    GpuMemory memory = mine.use("source", source, shape, on);
    ElementLayout layout = memory.layoutOr(ElementLayout.of(shape));
    if (layout.columns() > 1 && layout.spins() != shape.spins()) {
      throw new IllegalArgumentException(
          "source holds " + layout.spins() + " spins and is read as " + shape);
    }
    new Transfer(library, CopyDirection.DOWN, on)
        .run(memory, layout, target.address() + offset, shape);
  }

  /** One copy in place of one for each component of a node. */
  @Override
  public @Nullable Object save(
      DeviceMemory source, HostMemory target, long offset, TensorShape shape, DeviceStream stream) {
    if (mine.own(source).isComposed()) {
      return Device.super.save(source, target, offset, shape, stream);
    }
    Ownership.checkHost("target", target, offset, shape);
    GpuStream on = begin(stream);
    GpuMemory memory = mine.use("source", source, shape, on);
    new Transfer(library, CopyDirection.DOWN, on)
        .run(memory, ElementLayout.packed(shape.spins()), target.address() + offset, shape);
    return memory.layoutOr(ElementLayout.of(shape));
  }

  @Override
  public void restore(
      HostMemory source,
      long offset,
      @Nullable Object form,
      DeviceMemory target,
      TensorShape shape,
      DeviceStream stream) {
    boolean asGiven = form == ElementLayout.AS_GIVEN;
    if (!(asGiven || form instanceof ElementLayout) || mine.own(target).isComposed()) {
      Device.super.restore(source, offset, form, target, shape, stream);
      return;
    }
    Ownership.checkHost("source", source, offset, shape);
    GpuStream on = begin(stream);
    GpuMemory memory = mine.use("target", target, shape, on);
    ElementLayout packed = ElementLayout.packed(shape.spins());
    memory.written(form instanceof ElementLayout layout ? layout : packed);
    new Transfer(library, CopyDirection.UP, on)
        .run(memory, packed, source.address() + offset, shape);
  }

  @Override
  public double flopsOfLaunch() {
    return WORTH_LAUNCHING;
  }

  /** A perambulator is the right factor of products of one component each, in any layout. */
  @Override
  public Object formOfInputs() {
    return ElementLayout.AS_GIVEN;
  }

  @Override
  public void unpack(
      HostMemory source,
      long from,
      @Nullable Object form,
      HostMemory target,
      long to,
      TensorShape shape) {
    if (form instanceof ElementLayout layout && layout.columns() > 1) {
      layout.unpack(source, from, target, to, shape);
    } else {
      Device.super.unpack(source, from, form, target, to, shape);
    }
  }

  /** Such a product is one of 4N × 4N × 4N in place of two to four smaller ones. */
  @Override
  public boolean prefersGammasInNodes() {
    return true;
  }

  @Override
  public void copyFrom(
      DeviceMemory target,
      DeviceStream stream,
      Device other,
      DeviceMemory source,
      DeviceStream otherStream,
      TensorShape shape) {
    if (!(other instanceof GpuDevice peer)) {
      throw new IllegalArgumentException("not a device of this backend: " + other);
    }
    if (mine.own(target).isComposed() || peer.mine.own(source).isComposed()) {
      Device.super.copyFrom(target, stream, other, source, otherStream, shape);
      return;
    }
    GpuStream hers = peer.begin(otherStream);
    GpuMemory from = peer.mine.use("source", source, shape, hers);
    GpuEvent ready = hers.record();
    GpuStream own = begin(stream);
    GpuMemory to = mine.use("target", target, shape, own);
    if (peers.add(peer)) {
      library.reach(peer.library);
    }
    own.waitForOther(ready);
    to.written(from.layoutOr(ElementLayout.of(shape)));
    library.copy(to.address(), from.address(), shape.bytes(), CopyDirection.WITHIN, own.put());
    GpuEvent copied = own.record();
    peer.library.makeCurrent();
    hers.waitForOther(copied);
    from.use(hers);
  }

  @Override
  public void contract(ContractionBatch batch, DeviceStream stream) {
    launches = contractions.contract(batch, begin(stream));
  }

  @Override
  public void trace(List<TraceBlock> blocks, HostMemory results, DeviceStream stream) {
    launches = traces.trace(blocks, results, begin(stream));
  }

  @Override
  public void contractPairs(
      PairContraction contraction, PairContraction.Stage stage, DeviceStream stream) {
    pairs.contract(contraction, stage, begin(stream));
  }

  @Override
  public void sumSpins(
      DeviceMemory block,
      DeviceMemory node,
      SpinSumMapping mapping,
      int extent,
      DeviceStream stream) {
    GpuStream on = begin(stream);
    spinSums.sum(mine.use(block, on), mine.use(node, on), mapping, extent, on);
  }

  @Override
  public void fillRandom(DeviceMemory target, TensorShape shape, long seed, DeviceStream stream) {
    GpuStream on = begin(stream);
    random.fill(mine.use("target", target, shape, on), shape, seed, on);
  }

  @Override
  public Optional<MatrixOperations> matrices() {
    return matrices;
  }

  /** Number of launches of matrix products in the last {@link #contract} or {@link #trace}. */
  int launches() {
    return launches;
  }

  @Override
  public void clear(GpuMemory target, GpuStream stream) {
    if (!target.isComposed()) {
      library.clear(target.address(), target.bytes(), stream.put());
    }
    for (GpuMemory part : target.parts()) {
      library.clear(part.address(), part.bytes(), stream.put());
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    closing.run(library::makeCurrent);
    for (GpuStream stream : order.streams()) {
      closing.run(stream.end()::synchronize);
    }
    long leaked = blocks.stream().mapToLong(GpuMemory::bytes).sum();
    int count = blocks.size();
    for (GpuMemory block : blocks) {
      closing.run(() -> release(block));
    }
    blocks.clear();
    closing.runAll();
    closing.throwFailure();
    if (count > 0) {
      throw new IllegalStateException(
          "device memory not freed at close: blocks=" + count + " bytes=" + leaked);
    }
  }

  @Override
  public GpuStream begin(DeviceStream stream) {
    library.makeCurrent();
    return mine.own(stream).begin();
  }

  @Override
  public GpuMemory use(DeviceMemory memory, GpuStream stream) {
    return mine.use(memory, stream);
  }

  @Override
  public GpuMemory use(
      String what, DeviceMemory memory, int spins, int height, int width, GpuStream stream) {
    return mine.use(
        what, memory, ContractionLauncher.bytes(spins, height, width, precision), stream);
  }
}
