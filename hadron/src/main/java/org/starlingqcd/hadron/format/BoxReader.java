package org.starlingqcd.hadron.format;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.starlingqcd.hadron.data.DistillationException;

/** Reads part of an array of complex numbers and brings its indices into another order. */
final class BoxReader {
  /** Most numbers of a file that are taken for one box. */
  private static final long MOST = 1L << 27;

  private BoxReader() {}

  /**
   * Reads.
   *
   * @param axes the axes of the array
   * @param extents extents of the parts of each axis
   * @param ranges first value and number of values of each index that is not fixed
   * @param order indices of the result, the slowest first; an index that the array does not have
   *     counts as one value
   * @param target room for the numbers, interleaved complex
   * @param at where the first double goes
   */
  static void read(
      NumberArray array,
      List<Axis> axes,
      long[][] extents,
      Map<String, long[]> ranges,
      List<String> order,
      double[] target,
      int at) {
    int rank = axes.size();
    int wanted = order.size();
    long[] start = new long[rank];
    long[] count = new long[rank];
    long[] orderStride = new long[wanted];
    long[] orderCount = new long[wanted];
    Arrays.fill(orderCount, 1);
    long below = 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
      List<Axis.Part> parts = axes.get(axis).parts();
      long within = 1;
      long span = 0;
      for (int k = parts.size() - 1; k >= 0; k--) {
        Axis.Part part = parts.get(k);
        long[] fixed = {Math.max(0, part.fixed()), 1};
        long[] range = part.isFixed() ? fixed : ranges.getOrDefault(part.name(), fixed);
        start[axis] += range[0] * within;
        span += (range[1] - 1) * within;
        int place = part.isFixed() ? -1 : order.indexOf(part.name());
        if (place >= 0) {
          orderStride[place] = within * below;
          orderCount[place] = range[1];
        }
        within *= extents[axis][k];
      }
      count[axis] = span + 1;
      below *= count[axis];
      if (below > MOST) {
        throw new DistillationException(
            ("%s: the numbers of one block are spread over more than %s numbers of the array;"
                    + " store it with its blocks together")
                .formatted(array.name(), MOST));
      }
    }
    boolean inOrder = below == NumberArray.size(orderCount);
    long expected = 1;
    for (int k = wanted - 1; k >= 0; k--) {
      inOrder &= orderCount[k] == 1 || orderStride[k] == expected;
      expected *= orderCount[k];
    }
    double[] box = new double[(int) (2 * below)];
    array.read(start, count, box);
    if (inOrder) {
      System.arraycopy(box, 0, target, at, box.length);
      return;
    }
    int[] done = {at};
    int step = (int) (2 * orderStride[wanted - 1]);
    int run = (int) orderCount[wanted - 1];
    NumberArray.each(
        orderCount,
        orderStride,
        0,
        wanted - 1,
        0,
        from -> {
          int source = (int) (2 * from);
          int to = done[0];
          for (int k = 0; k < run; k++) {
            target[to] = box[source];
            target[to + 1] = box[source + 1];
            to += 2;
            source += step;
          }
          done[0] = to;
        });
  }
}
