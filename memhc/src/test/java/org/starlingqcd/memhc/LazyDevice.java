package org.starlingqcd.memhc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MemoryKind;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;

/**
 * A device that runs its streams as late and in as odd an order as events allow, chosen by a seed:
 * any order that MemHC forgets to ask for shows as wrong numbers. Freed blocks are poisoned and
 * using them fails, as do double frees and leaks. A "contraction" is {@code 3·left - 5·right (+
 * destination)}, number by number.
 */
public final class LazyDevice implements Device {
  private final long capacity;
  private final Random random;
  private final List<Stream> streams = new ArrayList<>();
  private final Stream compute;
  private long allocated;
  private long slowBytes;
  private int blocks;
  private long deviceLimit = Long.MAX_VALUE;
  private int granted;
  private int refusals;
  private long slowLimit = Long.MAX_VALUE;
  private boolean slowForProducts = true;

  public LazyDevice(long capacity, long seed) {
    this.capacity = capacity;
    random = new Random(seed);
    compute = new Stream();
    streams.add(compute);
  }

  /** From now on the device has only so many bytes, as if another program had taken the rest. */
  void shrinkTo(long bytes) {
    deviceLimit = bytes;
  }

  /** Refuses some allocations after the next ones, as a device whose free memory is in pieces. */
  void refuseAfter(int allocations, int refused) {
    granted = allocations;
    refusals = refused;
  }

  /** A device whose slow memory ends at some size, and may be too slow for products. */
  void limitSlow(long bytes, boolean forProducts) {
    slowLimit = bytes;
    slowForProducts = forProducts;
  }

  @Override
  public boolean multipliesInPlace() {
    return slowForProducts;
  }

  public long allocatedBytes() {
    return allocated + slowBytes;
  }

  private static final class Block implements DeviceMemory {
    final List<Block> parts;
    final double[] data;
    boolean freed;
    boolean slow;

    Block(int doubles) {
      data = new double[doubles];
      parts = List.of(this);
    }

    Block(List<Block> parts) {
      data = new double[0];
      this.parts = parts;
    }

    @Override
    public long bytes() {
      return parts.stream().mapToLong(part -> part.data.length * 8L).sum();
    }

    private Block at(int index) {
      Block part = this;
      if (parts.get(0) != this) {
        part = parts.get(index / parts.get(0).data.length);
      }
      if (part.freed) {
        throw new BackendException("use of a freed block");
      }
      return part;
    }

    double get(int index) {
      Block part = at(index);
      return part.data[index % part.data.length];
    }

    void set(int index, double value) {
      Block part = at(index);
      part.data[index % part.data.length] = value;
    }
  }

  private record Work(@Nullable Mark after, Runnable run) {}

  private static final class Stream implements DeviceStream {
    final ArrayDeque<Work> queue = new ArrayDeque<>();
    long put;
    long done;
  }

  private record Mark(Stream stream, long position) implements DeviceEvent {
    boolean reached() {
      return stream.done >= position;
    }
  }

  private void put(DeviceStream stream, Runnable run) {
    put(stream, null, run);
  }

  private void put(DeviceStream stream, @Nullable Mark after, Runnable run) {
    Stream s = (Stream) stream;
    s.queue.add(new Work(after, run));
    s.put++;
    for (int k = random.nextInt(3); k > 0; k--) {
      runOne();
    }
  }

  /** Keeps the compute stream from going on until what is returned is run. */
  Runnable holdCompute() {
    Stream gate = new Stream();
    put(compute, new Mark(gate, 1), () -> {});
    return () -> gate.done = 1;
  }

  private boolean runOne() {
    List<Stream> ready = new ArrayList<>();
    for (Stream stream : streams) {
      Work head = stream.queue.peek();
      if (head != null && (head.after() == null || head.after().reached())) {
        ready.add(stream);
      }
    }
    if (ready.isEmpty()) {
      return false;
    }
    Stream stream = ready.get(random.nextInt(ready.size()));
    stream.queue.remove().run().run();
    stream.done++;
    return true;
  }

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(0, "lazy", capacity, capacity - allocated, Map.of());
  }

  @Override
  public DeviceMemory allocate(long bytes) {
    return allocate(bytes, MemoryKind.FAST);
  }

  @Override
  public DeviceMemory allocate(long bytes, MemoryKind kind) {
    boolean slow = kind == MemoryKind.SLOW;
    boolean refused = !slow && granted-- <= 0 && refusals-- > 0;
    long room = slow ? slowLimit - slowBytes : Math.min(capacity, deviceLimit) - allocated;
    if (refused || bytes > room) {
      throw new OutOfDeviceMemoryException("memory is full", bytes);
    }
    blocks++;
    Block block = new Block((int) (bytes / 8));
    Arrays.fill(block.data, Double.NaN);
    block.slow = slow;
    slowBytes += slow ? bytes : 0;
    allocated += slow ? 0 : bytes;
    return block;
  }

  @Override
  public boolean readsInPlace() {
    return true;
  }

  @Override
  public void move(DeviceMemory source, DeviceMemory target, DeviceStream stream) {
    Block from = (Block) source;
    Block to = (Block) target;
    put(
        stream,
        () -> {
          for (int k = 0; k < to.bytes() / 8; k++) {
            to.set(k, from.get(k));
          }
        });
  }

  @Override
  public void free(DeviceMemory memory) {
    Block block = (Block) memory;
    if (block.freed || block.parts.get(0) != block) {
      throw new BackendException("freed twice, or a composed block");
    }
    block.freed = true;
    Arrays.fill(block.data, Double.NaN);
    if (block.slow) {
      slowBytes -= block.bytes();
    } else {
      allocated -= block.bytes();
    }
    blocks--;
  }

  @Override
  public DeviceMemory compose(List<DeviceMemory> spins) {
    return new Block(spins.stream().map(Block.class::cast).toList());
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
    Stream stream = new Stream();
    streams.add(stream);
    return stream;
  }

  @Override
  public DeviceEvent record(DeviceStream stream) {
    return new Mark((Stream) stream, ((Stream) stream).put);
  }

  @Override
  public void waitFor(DeviceStream stream, DeviceEvent event) {
    put(stream, (Mark) event, () -> {});
  }

  @Override
  public boolean isReached(DeviceEvent event) {
    return ((Mark) event).reached();
  }

  @Override
  public void synchronize(DeviceEvent event) {
    while (!((Mark) event).reached()) {
      if (!runOne()) {
        throw new BackendException("deadlock");
      }
    }
  }

  @Override
  public void synchronize(DeviceStream stream) {
    synchronize(record(stream));
  }

  @Override
  public void upload(
      HostMemory source, long offset, DeviceMemory target, TensorShape shape, DeviceStream stream) {
    Block block = (Block) target;
    put(
        stream,
        () -> {
          double[] numbers = new double[(int) (shape.bytes() / 8)];
          source.get(offset / 8, numbers, 0, numbers.length);
          for (int k = 0; k < numbers.length; k++) {
            block.set(k, numbers[k]);
          }
        });
  }

  @Override
  public void download(
      DeviceMemory source, HostMemory target, long offset, TensorShape shape, DeviceStream stream) {
    Block block = (Block) source;
    put(
        stream,
        () -> {
          double[] numbers = new double[(int) (shape.bytes() / 8)];
          for (int k = 0; k < numbers.length; k++) {
            numbers[k] = block.get(k);
          }
          target.put(offset / 8, numbers, 0, numbers.length);
        });
  }

  @Override
  public void contract(ContractionBatch batch, DeviceStream stream) {
    for (int c = 0; c < batch.size(); c++) {
      Block left = (Block) batch.get(c).left();
      Block right = (Block) batch.get(c).right();
      Block destination = (Block) batch.get(c).destination();
      boolean accumulate = batch.get(c).accumulates();
      put(
          stream,
          () -> {
            int count = (int) (destination.bytes() / 8);
            for (int k = 0; k < count; k++) {
              double old = accumulate ? destination.get(k) : 0;
              destination.set(
                  k,
                  old
                      + 3 * left.get(k % (int) (left.bytes() / 8))
                      - 5 * right.get(k % (int) (right.bytes() / 8)));
            }
          });
    }
  }

  @Override
  public void trace(List<TraceBlock> traceBlocks, HostMemory results, DeviceStream stream) {
    throw new UnsupportedOperationException("the tests of MemHC compute no traces");
  }

  @Override
  public void contractPairs(
      PairContraction contraction, PairContraction.Stage stage, DeviceStream stream) {
    throw new UnsupportedOperationException("the tests of MemHC contract no baryons");
  }

  @Override
  public void sumSpins(
      DeviceMemory block,
      DeviceMemory node,
      SpinSumMapping mapping,
      int extent,
      DeviceStream stream) {
    throw new UnsupportedOperationException("the tests of MemHC contract no baryons");
  }

  @Override
  public void fillRandom(DeviceMemory target, TensorShape shape, long seed, DeviceStream stream) {
    Block block = (Block) target;
    put(
        stream,
        () -> {
          Random numbers = new Random(seed);
          for (int k = 0; k < shape.bytes() / 8; k++) {
            block.set(k, numbers.nextDouble());
          }
        });
  }

  @Override
  public void close() {
    for (Stream stream : streams) {
      synchronize(stream);
    }
    if (blocks != 0) {
      throw new BackendException("blocks leaked: " + blocks);
    }
  }
}
