package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MatrixOperations;
import org.starlingqcd.backend.MatrixOperations.Place;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Strides;

/**
 * Products of many small matrices on a device. Those that share a factor are one larger matrix. The
 * matrices are on the Java heap; each call sends them to the device and fetches the result.
 */
final class DilutionProducts implements AutoCloseable {
  /** Doubles of one side that go to the device together. */
  private static final long MOST_DOUBLES = 1 << 22;

  private static final long LEAST_BYTES = 1 << 16;

  /**
   * A matrix of one side.
   *
   * @param numbers interleaved complex
   * @param offset of its first double
   * @param order where each complex number is taken from; null for the order in which they stand
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Factor(double[] numbers, int offset, int @Nullable [] order) {
    Factor(double[] numbers) {
      this(numbers, 0, null);
    }
  }

  /**
   * All products of a left matrix and a right one.
   *
   * @param number for the receiver
   * @param lefts each [rows][inner]
   * @param rights each [inner][columns]
   */
  record Group(int number, List<Factor> lefts, List<Factor> rights) {}

  /** Receives products. */
  interface Receiver {
    /**
     * The product of two matrices of a group.
     *
     * @param numbers interleaved complex
     * @param offset of the first number, as that of a complex number
     * @param stride from number to number
     */
    void accept(int group, int left, int right, double[] numbers, int offset, int stride);
  }

  private final Device device;
  private final MatrixOperations calls;
  private final HostMemory[] staged = {
    HostMemory.allocate(0), HostMemory.allocate(0), HostMemory.allocate(0)
  };
  private double[] numbers = {};
  private double[] sorted = {};
  private double flops;

  DilutionProducts(Device device) {
    this.device = device;
    calls =
        device
            .matrices()
            .orElseThrow(
                () ->
                    new BackendException(
                        "the device has no matrix products, which stochastic lines need; take"
                            + " another --backend"));
  }

  private void reserve(long... bytes) {
    for (int k = 0; k < staged.length; k++) {
      if (staged[k].bytes() < bytes[k]) {
        staged[k].close();
        staged[k] = HostMemory.allocate(Math.max(bytes[k], LEAST_BYTES));
      }
    }
  }

  @Override
  public void close() {
    for (HostMemory memory : staged) {
      memory.close();
    }
  }

  /** Real multiplications and additions so far. */
  double flops() {
    return flops;
  }

  /** Computes groups of products of one shape. */
  void multiply(int rows, int columns, int inner, List<Group> groups, Receiver receiver) {
    List<Group> some = new ArrayList<>();
    long doubles = 0;
    for (Group group : groups) {
      long left = 2L * group.lefts().size() * rows;
      long right = 2L * group.rights().size() * columns;
      long its = left * inner + right * inner + left * right / 2;
      if (doubles + its > MOST_DOUBLES) {
        run(rows, columns, inner, some, receiver);
        some = new ArrayList<>();
        doubles = 0;
      }
      some.add(group);
      doubles += its;
    }
    run(rows, columns, inner, some, receiver);
  }

  private void run(int rows, int columns, int inner, List<Group> groups, Receiver receiver) {
    if (groups.isEmpty()) {
      return;
    }
    try {
      runTogether(rows, columns, inner, groups, receiver);
    } catch (OutOfDeviceMemoryException e) {
      if (groups.size() > 1) {
        int half = groups.size() / 2;
        run(rows, columns, inner, groups.subList(0, half), receiver);
        run(rows, columns, inner, groups.subList(half, groups.size()), receiver);
        return;
      }
      Group group = groups.get(0);
      int half = group.rights().size() / 2;
      if (half == 0) {
        throw e;
      }
      Group first = new Group(group.number(), group.lefts(), group.rights().subList(0, half));
      run(rows, columns, inner, List.of(first), receiver);
      Group rest =
          new Group(
              group.number(), group.lefts(), group.rights().subList(half, group.rights().size()));
      run(
          rows,
          columns,
          inner,
          List.of(rest),
          (number, left, right, numbers, offset, stride) ->
              receiver.accept(number, left, right + half, numbers, offset, stride));
    }
  }

  private void runTogether(
      int rows, int columns, int inner, List<Group> groups, Receiver receiver) {
    long left = 0;
    long right = 0;
    long result = 0;
    boolean equal = true;
    Group first = groups.get(0);
    for (Group group : groups) {
      left += (long) group.lefts().size() * rows * inner;
      right += (long) group.rights().size() * columns * inner;
      result += (long) group.lefts().size() * rows * group.rights().size() * columns;
      equal &=
          group.lefts().size() == first.lefts().size()
              && group.rights().size() == first.rights().size();
    }
    if (numbers.length < 2 * result) {
      numbers = new double[Math.toIntExact(2 * result)];
    }
    reserve(16 * left, 16 * right, 16 * result);
    List<DeviceMemory> blocks = new ArrayList<>();
    try {
      long atA = 0;
      long atB = 0;
      for (Group group : groups) {
        atA = stage(group.lefts(), rows * inner, staged[0], atA);
        atB = stage(group.rights(), columns * inner, staged[1], atB);
      }
      for (long count : new long[] {left, right, result}) {
        blocks.add(device.allocate(16 * count));
      }
      DeviceStream stream = device.computeStream();
      Place placeA = Place.of(blocks.get(0));
      Place placeB = Place.of(blocks.get(1));
      Place placeC = Place.of(blocks.get(2));
      calls.toDevice(staged[0], 0, placeA, 16 * left, stream);
      calls.toDevice(staged[1], 0, placeB, 16 * right, stream);
      if (equal) {
        launch(rows, columns, inner, first, groups.size(), placeA, placeB, placeC, stream);
      } else {
        for (Group group : groups) {
          launch(rows, columns, inner, group, 1, placeA, placeB, placeC, stream);
          placeA = placeA.plus(16L * group.lefts().size() * rows * inner);
          placeB = placeB.plus(16L * group.rights().size() * columns * inner);
          placeC = placeC.plus(16L * group.lefts().size() * rows * group.rights().size() * columns);
        }
      }
      calls.toHost(Place.of(blocks.get(2)), staged[2], 0, 16 * result, stream);
      device.synchronize(stream);
      staged[2].get(0, numbers, 0, (int) (2 * result));
    } finally {
      blocks.forEach(device::free);
    }
    flops += 8.0 * result * inner;
    int at = 0;
    for (Group group : groups) {
      int l = group.lefts().size();
      int r = group.rights().size();
      for (int i = 0; i < l; i++) {
        for (int j = 0; j < r; j++) {
          if (columns == 1) {
            receiver.accept(group.number(), i, j, numbers, at + i * rows * r + j, r);
          } else {
            receiver.accept(group.number(), i, j, numbers, at + (j * l + i) * rows * columns, 1);
          }
        }
      }
      at += l * rows * r * columns;
    }
  }

  /**
   * Products of groups of one size. The right matrices of a group are rows of one transposed matrix
   * where they have one column; else each is multiplied by all left ones.
   */
  private void launch(
      int rows,
      int columns,
      int inner,
      Group group,
      int count,
      Place a,
      Place b,
      Place c,
      DeviceStream stream) {
    int m = group.lefts().size() * rows;
    int rights = group.rights().size();
    long stepA = (long) m * inner;
    long stepB = (long) rights * columns * inner;
    long stepC = (long) m * rights * columns;
    if (columns == 1) {
      ProductShape shape =
          ProductShape.dense(NumberKind.COMPLEX, Form.PLAIN, Form.TRANSPOSED, m, rights, inner);
      calls.multiplyAll(shape, new Strides(count, stepA, stepB, stepC), a, b, c, stream);
      return;
    }
    ProductShape shape =
        ProductShape.dense(NumberKind.COMPLEX, Form.PLAIN, Form.PLAIN, m, columns, inner);
    long one = (long) columns * inner;
    if (count > rights) {
      for (int r = 0; r < rights; r++) {
        calls.multiplyAll(
            shape,
            new Strides(count, stepA, stepB, stepC),
            a,
            b.plus(16L * r * one),
            c.plus(16L * r * m * columns),
            stream);
      }
    } else {
      for (int g = 0; g < count; g++) {
        calls.multiplyAll(
            shape,
            new Strides(rights, 0, one, (long) m * columns),
            a.plus(16L * g * stepA),
            b.plus(16L * g * stepB),
            c.plus(16L * g * stepC),
            stream);
      }
    }
  }

  private long stage(List<Factor> factors, int size, HostMemory target, long at) {
    long to = at;
    for (Factor factor : factors) {
      int[] order = factor.order();
      if (order == null) {
        target.put(to, factor.numbers(), factor.offset(), 2 * size);
      } else {
        if (sorted.length < 2 * size) {
          sorted = new double[2 * size];
        }
        for (int k = 0; k < size; k++) {
          int from = factor.offset() + 2 * order[k];
          sorted[2 * k] = factor.numbers()[from];
          sorted[2 * k + 1] = factor.numbers()[from + 1];
        }
        target.put(to, sorted, 0, 2 * size);
      }
      to += 2L * size;
    }
    return to;
  }
}
