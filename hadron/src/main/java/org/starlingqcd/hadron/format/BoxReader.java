package org.starlingqcd.hadron.format;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.starlingqcd.hadron.data.DistillationException;

/** Reads part of an array of complex numbers and brings its indices into another order. */
final class BoxReader {
  /** Most numbers of a file that are taken for one box. */
  private static final long MOST = 1L << 27;

  private final NumberArray array;
  private final List<Axis> axes;
  private final long[][] extents;

  /**
   * @param axes the axes of the array
   * @param extents extents of the parts of each axis
   */
  BoxReader(NumberArray array, List<Axis> axes, long[][] extents) {
    this.array = array;
    this.axes = axes;
    this.extents = extents;
  }

  /**
   * Reads.
   *
   * @param ranges first value and number of values of each index that is not fixed
   * @param order indices of the result, the slowest first; an index that the array does not have
   *     counts as one value
   * @param target room for the numbers, interleaved complex
   * @param at where the first double goes
   */
  void read(Map<String, long[]> ranges, List<String> order, double[] target, int at) {
    int rank = axes.size();
    long[] start = new long[rank];
    long[] count = new long[rank];
    long[] orderStride = new long[order.size()];
    long[] orderCount = new long[order.size()];
    Arrays.fill(orderCount, 1);
    long below = 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
      List<Axis.Part> parts = axes.get(axis).parts();
      long within = 1;
      long span = 0;
      for (int k = parts.size() - 1; k >= 0; k--) {
        Axis.Part part = parts.get(k);
        long[] range = part.isFixed() ? null : ranges.get(part.name());
        long first = range == null ? Math.max(0, part.fixed()) : range[0];
        long values = range == null ? 1 : range[1];
        start[axis] += first * within;
        span += (values - 1) * within;
        int wanted = part.isFixed() ? -1 : order.indexOf(part.name());
        if (wanted >= 0) {
          orderStride[wanted] = within * below;
          orderCount[wanted] = values;
        }
        within *= extents[axis][k];
      }
      count[axis] = span + 1;
      below *= count[axis];
    }
    long numbers = 1;
    for (long values : count) {
      numbers *= values;
      if (numbers > MOST) {
        throw new DistillationException(
            ("%s: the numbers of one block are spread over more than %s numbers of the "
                    + "array; store it with its blocks together")
                .formatted(array.name(), MOST));
      }
    }
    boolean inOrder = numbers == NumberArray.size(orderCount);
    long expected = 1;
    for (int k = order.size() - 1; k >= 0; k--) {
      inOrder &= orderCount[k] == 1 || orderStride[k] == expected;
      expected *= orderCount[k];
    }
    double[] box = new double[(int) (2 * numbers)];
    array.read(start, count, box);
    if (inOrder) {
      System.arraycopy(box, 0, target, at, box.length);
    } else {
      new Gather(box, orderCount, orderStride, target, at).copy(0, 0);
    }
  }

  /** Copies numbers in the order of the target. */
  private static final class Gather {
    private final double[] box;
    private final long[] count;
    private final long[] stride;
    private final double[] target;
    private int done;

    Gather(double[] box, long[] count, long[] stride, double[] target, int at) {
      this.box = box;
      this.count = count;
      this.stride = stride;
      this.target = target;
      this.done = at;
    }

    void copy(int index, long from) {
      if (index == count.length - 1) {
        int step = (int) (2 * stride[index]);
        int source = (int) (2 * from);
        for (int k = 0; k < count[index]; k++) {
          target[done] = box[source];
          target[done + 1] = box[source + 1];
          done += 2;
          source += step;
        }
        return;
      }
      for (long k = 0; k < count[index]; k++) {
        copy(index + 1, from + k * stride[index]);
      }
    }
  }
}
