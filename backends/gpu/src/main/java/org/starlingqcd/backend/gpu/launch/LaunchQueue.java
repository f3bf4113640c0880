package org.starlingqcd.backend.gpu.launch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.gpu.memory.StagingRing;
import org.starlingqcd.backend.gpu.memory.Workspace;

/**
 * Collects matrix products and launches those of equal shape, scalars and round together. Pointer
 * arrays of all groups are sent in one copy. Rounds are launched in order; products of one round
 * must not touch each other's results.
 *
 * <p>A BLAS may add up in another order in each of its entry points and for each number of
 * products. A queue with scratch memory therefore launches every product as {@link EntryPoint} says
 * for its shape, alone or in chunks of one size, so that its bits are the same in every batch. A
 * queue without launches a single product as a plain one, several at constant strides as a strided
 * batch, and others through pointer arrays.
 */
final class LaunchQueue {
  /** Most products that are collected before a flush, with three addresses each. */
  private static final int MOST_PRODUCTS = (int) (GpuStream.POINTER_BYTES / (3 * Long.BYTES));

  private final GpuLibrary library;
  private final StagingRing staging;
  private final List<Group> open = new ArrayList<>();
  private final List<Group> spare = new ArrayList<>();
  private final Map<Key, Group> groups = new HashMap<>();
  private @Nullable Group latest;
  private @Nullable GpuStream current;
  private final @Nullable Workspace scratch;
  private int collected;
  private int launches;

  /** What the products of a group share. */
  private record Key(int round, MatrixProduct product) {}

  /** Products that are launched together. */
  private static final class Group {
    private int round;
    private MatrixProduct product;
    private int count;
    private int chunk;
    private int padded;
    private long[] a = new long[16];
    private long[] b = new long[16];
    private long[] c = new long[16];

    private Group(MatrixProduct product) {
      this.product = product;
    }

    private void add(long addressA, long addressB, long addressC) {
      reserve(count + 1);
      a[count] = addressA;
      b[count] = addressB;
      c[count++] = addressC;
    }

    private void reserve(int size) {
      if (size > a.length) {
        int length = Math.max(size, 2 * a.length);
        a = Arrays.copyOf(a, length);
        b = Arrays.copyOf(b, length);
        c = Arrays.copyOf(c, length);
      }
    }

    /** Decides how the products are launched; {@code padded} is 0 where no pointers are needed. */
    private void arrange(boolean fixed) {
      if (!fixed) {
        chunk = count;
      }
      padded = chunk > 1 || product.isVector() ? (count + chunk - 1) / chunk * chunk : 0;
    }

    private long resultBytes() {
      return Workspace.aligned(EntryPoint.resultBytes(product));
    }

    private long scratchBytes() {
      return padded > count ? (padded - count) * resultBytes() : 0;
    }

    /** Fills the last chunk up with products of the first operands, into scratch memory. */
    private void pad(long scratch) {
      reserve(padded);
      for (int i = count; i < padded; i++) {
        a[i] = a[0];
        b[i] = b[0];
        c[i] = scratch + (i - count) * resultBytes();
      }
    }
  }

  /** A queue that launches all products of a shape together. */
  LaunchQueue(GpuLibrary library, StagingRing staging) {
    this(library, staging, null);
  }

  /**
   * A queue whose entry points are those of {@link EntryPoint}; no result depends on the others
   * that are launched with it.
   *
   * @param scratch where the products that fill up a chunk go
   */
  LaunchQueue(GpuLibrary library, StagingRing staging, @Nullable Workspace scratch) {
    this.library = library;
    this.staging = staging;
    this.scratch = scratch;
  }

  /**
   * Begins a call whose work goes into a stream(). The arrays of addresses are kept from call to
   * call; what a failed call left behind is dropped.
   */
  LaunchQueue begin(GpuStream stream) {
    clear();
    launches = 0;
    current = stream;
    if (scratch != null) {
      scratch.enter(stream);
    }
    return this;
  }

  private GpuStream stream() {
    return Objects.requireNonNull(current);
  }

  /** Adds a product of the given addresses to a round; flushes first when the queue is full. */
  void add(int round, MatrixProduct product, long a, long b, long c) {
    if (collected + EntryPoint.MOST > MOST_PRODUCTS) {
      flush();
    }
    Group group = group(round, product);
    collected += group.count % group.chunk == 0 ? group.chunk : 0;
    group.add(a, b, c);
  }

  /** Launches so far. */
  int launches() {
    return launches;
  }

  private Group group(int round, MatrixProduct product) {
    Group group = latest;
    if (group == null || group.round != round || !group.product.equals(product)) {
      group = groups.computeIfAbsent(new Key(round, product), this::newGroup);
      latest = group;
    }
    return group;
  }

  private Group newGroup(Key key) {
    Group group = spare.isEmpty() ? new Group(key.product) : spare.remove(spare.size() - 1);
    group.round = key.round;
    group.product = key.product;
    group.count = 0;
    group.chunk = scratch == null ? 1 : EntryPoint.chunk(key.product);
    open.add(group);
    return group;
  }

  /** Puts everything collected into the stream. */
  void flush() {
    open.sort(Comparator.comparingInt(group -> group.round));
    long pointers = 0;
    long scratchBytes = 0;
    for (Group group : open) {
      group.arrange(scratch != null);
      pointers += 3L * group.padded;
      scratchBytes = Math.max(scratchBytes, group.scratchBytes());
    }
    if (scratch != null && scratchBytes > 0) {
      scratch.grow(scratchBytes);
    }
    if (pointers > 0) {
      sendPointers(pointers);
    }
    long next = pointers > 0 ? stream().pointers() : 0;
    for (Group group : open) {
      if (group.padded > 0) {
        launchChunks(group, next);
        next += 3L * group.padded * Long.BYTES;
      } else {
        for (int i = 0; i < group.count; i++) {
          launches++;
          Operands one = Operands.one(group.a[i], group.b[i], group.c[i]);
          library.multiply(stream().putBlas(), group.product, one);
        }
      }
    }
    clear();
  }

  private void launchChunks(Group group, long arrays) {
    long array = (long) group.padded * Long.BYTES;
    for (int first = 0; first < group.padded; first += group.chunk) {
      long a = arrays + (long) first * Long.BYTES;
      launchPointers(group.product, new Operands(a, a + array, a + 2 * array, group.chunk));
    }
  }

  private void clear() {
    spare.addAll(open);
    open.clear();
    groups.clear();
    latest = null;
    collected = 0;
  }

  private void sendPointers(long pointers) {
    long target = stream().pointers();
    StagingRing.Part buffer = staging.next(pointers * Long.BYTES, stream());
    long index = 0;
    for (Group group : open) {
      if (group.padded > 0) {
        group.pad(scratch == null ? 0 : scratch.address());
        buffer.put(index, group.a, group.padded);
        buffer.put(index + group.padded, group.b, group.padded);
        buffer.put(index + 2L * group.padded, group.c, group.padded);
        index += 3L * group.padded;
      }
    }
    library.copy(target, buffer.address(), pointers * Long.BYTES, CopyDirection.UP, stream().put());
  }

  private void launchPointers(MatrixProduct product, Operands operands) {
    launches++;
    if (product.isVector()) {
      library.applyPointers(stream().putBlas(), product.asVector(), vector(product, operands));
    } else {
      library.multiplyPointers(stream().putBlas(), product, operands);
    }
  }

  /** Operands in the order of a matrix-vector product: the matrix first. */
  private static Operands vector(MatrixProduct product, Operands operands) {
    return product.exchanges() ? operands.exchanged() : operands;
  }
}
