package org.starlingqcd.backend.gpu.launch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.gpu.memory.StagingRing;

/**
 * Collects matrix products and launches those of equal shape, scalars and round together: a single
 * one as a plain product, several at constant strides as a strided batch, and others through
 * pointer arrays, which are all sent in one copy. Rounds are launched in order; products of one
 * round must not touch each other's results.
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
  private int collected;
  private int launches;

  /** What the products of a group share. */
  private record Key(int round, MatrixProduct product) {}

  /** Products that are launched together. */
  private static final class Group {
    private int round;
    private MatrixProduct product;
    private int count;
    private long[] a = new long[16];
    private long[] b = new long[16];
    private long[] c = new long[16];

    private Group(MatrixProduct product) {
      this.product = product;
    }

    private void add(Operands first, int more) {
      if (count + more > a.length) {
        int length = Math.max(count + more, 2 * a.length);
        a = Arrays.copyOf(a, length);
        b = Arrays.copyOf(b, length);
        c = Arrays.copyOf(c, length);
      }
      fill(a, first.a(), first.strideA(), more);
      fill(b, first.b(), first.strideB(), more);
      fill(c, first.c(), first.strideC(), more);
      count += more;
    }

    private void fill(long[] addresses, long first, long stride, int more) {
      long step = stride * TensorShape.COMPLEX_BYTES;
      long address = first;
      for (int i = count; i < count + more; i++) {
        addresses[i] = address;
        address += step;
      }
    }

    /** One product, or several at constant strides. */
    private Operands operands() {
      return count == 1
          ? Operands.one(a[0], b[0], c[0])
          : new Operands(a[0], stride(a), b[0], stride(b), c[0], stride(c), count);
    }

    private static long stride(long[] addresses) {
      return (addresses[1] - addresses[0]) / TensorShape.COMPLEX_BYTES;
    }

    private boolean isStrided() {
      return isStrided(a) && isStrided(b) && isStrided(c);
    }

    private boolean isStrided(long[] addresses) {
      long stride = addresses[1] - addresses[0];
      if (stride < 0) {
        return false;
      }
      for (int i = 2; i < count; i++) {
        if (addresses[i] - addresses[i - 1] != stride) {
          return false;
        }
      }
      return true;
    }
  }

  LaunchQueue(GpuLibrary library, StagingRing staging) {
    this.library = library;
    this.staging = staging;
  }

  /**
   * Begins a call whose work goes into a stream(). The arrays of addresses are kept from call to
   * call; what a failed call left behind is dropped.
   */
  LaunchQueue begin(GpuStream stream) {
    clear();
    launches = 0;
    current = stream;
    return this;
  }

  private GpuStream stream() {
    return Objects.requireNonNull(current);
  }

  /** Adds a product of the given addresses to a round; flushes first when the queue is full. */
  void add(int round, MatrixProduct product, long a, long b, long c) {
    add(round, product, Operands.one(a, b, c));
  }

  /** Adds {@code operands.count()} products at constant strides to a round. */
  void add(int round, MatrixProduct product, Operands operands) {
    Operands rest = operands;
    while (rest.count() > 0) {
      if (collected == MOST_PRODUCTS) {
        flush();
      }
      int count = Math.min(rest.count(), MOST_PRODUCTS - collected);
      group(round, product).add(rest, count);
      collected += count;
      rest = rest.from(count);
    }
  }

  /** Launches so far. */
  int launches() {
    return launches;
  }

  private Group group(int round, MatrixProduct product) {
    // Products of one shape usually follow each other.
    Group group = latest;
    if (group == null || group.round != round || group.product != product) {
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
    open.add(group);
    return group;
  }

  /** Puts everything collected into the stream(). */
  void flush() {
    open.sort(Comparator.comparingInt(group -> group.round));
    boolean[] byPointers = new boolean[open.size()];
    long pointers = 0;
    for (int g = 0; g < byPointers.length; g++) {
      Group group = open.get(g);
      byPointers[g] = group.count > 1 && !group.isStrided();
      pointers += byPointers[g] ? 3L * group.count : 0;
    }
    if (pointers > 0) {
      sendPointers(byPointers, pointers);
    }
    long next = pointers > 0 ? stream().pointers() : 0;
    for (int g = 0; g < byPointers.length; g++) {
      Group group = open.get(g);
      if (byPointers[g]) {
        long array = (long) group.count * Long.BYTES;
        launchPointers(
            group.product, Operands.pointers(next, next + array, next + 2 * array, group.count));
        next += 3 * array;
      } else {
        launch(group.product, group.operands());
      }
      launches++;
    }
    clear();
  }

  private void clear() {
    spare.addAll(open);
    open.clear();
    groups.clear();
    latest = null;
    collected = 0;
  }

  private void sendPointers(boolean[] byPointers, long pointers) {
    long target = stream().pointers();
    StagingRing.Buffer buffer = staging.next();
    long index = 0;
    for (int g = 0; g < byPointers.length; g++) {
      if (byPointers[g]) {
        Group group = open.get(g);
        buffer.put(index, group.a, group.count);
        buffer.put(index + group.count, group.b, group.count);
        buffer.put(index + 2L * group.count, group.c, group.count);
        index += 3L * group.count;
      }
    }
    library.copy(target, buffer.address(), pointers * Long.BYTES, CopyDirection.UP, stream().put());
    buffer.copiedBy(stream());
  }

  private void launchPointers(MatrixProduct product, Operands operands) {
    if (product.isVector()) {
      library.applyPointers(stream().putBlas(), product.asVector(), vector(product, operands));
    } else {
      library.multiplyPointers(stream().putBlas(), product, operands);
    }
  }

  private void launch(MatrixProduct product, Operands operands) {
    if (product.isVector()) {
      library.applyStrided(stream().putBlas(), product.asVector(), vector(product, operands));
    } else if (operands.count() == 1) {
      library.multiply(stream().putBlas(), product, operands);
    } else {
      library.multiplyStrided(stream().putBlas(), product, operands);
    }
  }

  /** Operands in the order of a matrix-vector product: the matrix first. */
  private static Operands vector(MatrixProduct product, Operands operands) {
    return product.exchanges() ? operands.exchanged() : operands;
  }
}
