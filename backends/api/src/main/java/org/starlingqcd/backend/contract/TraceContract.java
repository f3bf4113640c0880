package org.starlingqcd.backend.contract;

import static org.starlingqcd.backend.contract.DeviceUnderTest.expectRefusal;
import static org.starlingqcd.backend.contract.DeviceUnderTest.expectSame;
import static org.starlingqcd.backend.contract.DeviceUnderTest.toleranceInDouble;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.contract.DeviceUnderTest.Element;

/** Traces of pairs and of single elements. */
final class TraceContract {
  private TraceContract() {}

  static void addTo(DeviceContract.Checks checks) {
    int[][] sizes = {
      {1, 1, 1}, {4, 3, 2}, {33, 1, 1}, {33, 4, 1}, {64, 2, 5}, {110, 7, 1}, {9, 40, 50}, {5, 1, 70}
    };
    for (int[] s : sizes) {
      checks.add(
          "traces of " + s[1] + " × " + s[2] + " pairs, N " + s[0],
          device -> pairs(device, s[0], s[1], s[2]));
    }
    checks.add("traces of many blocks in one call", TraceContract::blocks);
    for (int extent : new int[] {1, 6, 129}) {
      checks.add("traces of single elements, N " + extent, device -> singles(device, extent));
    }
    checks.add("traces without room are refused", TraceContract::noRoom);
  }

  private static SpinTraceMapping randomGammas(DeviceUnderTest test) {
    int[][] a = test.signedPermutation();
    int[][] b = test.signedPermutation();
    return SpinTraceMapping.mesonTrace(a[0], a[1], b[0], b[1]);
  }

  private static double[] trace(DeviceUnderTest test, List<TraceBlock> blocks, int count) {
    try (HostMemory host = test.device().allocateHost((long) TensorShape.COMPLEX_BYTES * count)) {
      host.clear();
      test.device().trace(blocks, host, test.stream());
      test.device().synchronize(test.stream());
      double[] results = new double[2 * count];
      host.get(0, results, 0, results.length);
      return results;
    }
  }

  private static void expectPairs(
      DeviceUnderTest test,
      List<Element> left,
      List<Element> right,
      SpinTraceMapping mapping,
      int first,
      double[] results) {
    int extent = left.get(0).host().shape().extent();
    double bound = toleranceInDouble((double) mapping.size() * extent * extent);
    for (int l = 0; l < left.size(); l++) {
      for (int r = 0; r < right.size(); r++) {
        String where = "trace (" + l + ", " + r + ")";
        Scalar actual = number(results, first + l * right.size() + r);
        Scalar expected = trace(left.get(l).host(), right.get(r).host(), mapping);
        test.expectClose(expected, actual, bound, () -> where);
      }
    }
  }

  private static Scalar number(double[] results, int index) {
    return new Scalar(results[2 * index], results[2 * index + 1]);
  }

  /**
   * {@code Σ_b factor_b Σ_ij left[s_b][i][j] · right[s'_b][j][i]}; without right that of left
   * alone.
   */
  private static Scalar trace(
      HostTensor left, @Nullable HostTensor right, SpinTraceMapping mapping) {
    int n = left.shape().extent();
    Scalar sum = Scalar.ZERO;
    for (int b = 0; b < mapping.size(); b++) {
      Scalar factor = Scalar.of(mapping.factor(b));
      for (int k = 0; k < n * n; k++) {
        int i = k / n;
        int j = k % n;
        if (right != null) {
          Scalar other = right.get(mapping.right(b), (long) j * n + i);
          sum = sum.plus(factor.times(left.get(mapping.left(b), k).times(other)));
        } else if (i == j) {
          sum = sum.plus(factor.times(left.get(mapping.left(b), k)));
        }
      }
    }
    return sum;
  }

  private static void pairs(DeviceUnderTest test, int extent, int lefts, int rights) {
    TensorShape shape = test.mesonNode(extent);
    List<Element> left = test.random(shape, lefts);
    List<Element> right = test.random(shape, rights);
    SpinTraceMapping mapping = randomGammas(test);
    int first = 3;
    int count = first + lefts * rights;
    TraceBlock block =
        new TraceBlock(Element.memory(left), Element.memory(right), mapping, extent, first);
    double[] results = trace(test, List.of(block), count);
    expectPairs(test, left, right, mapping, first, results);
    expectSame(results, trace(test, List.of(block), count), "the same traces again");
  }

  /** Blocks of several shapes that share elements, with results in no particular order. */
  private static void blocks(DeviceUnderTest test) {
    int extent = 12;
    List<Element> nodes = test.random(test.mesonNode(extent), 6);
    List<DeviceMemory> memory = Element.memory(nodes);
    int[][] ranges = {{0, 1, 1, 2}, {0, 3, 3, 6}, {2, 3, 1, 2}, {1, 3, 0, 6}, {4, 5, 5, 6}};
    List<TraceBlock> blocks = new ArrayList<>();
    int count = 0;
    for (int[] range : ranges) {
      List<DeviceMemory> left = memory.subList(range[0], range[1]);
      List<DeviceMemory> right = memory.subList(range[2], range[3]);
      blocks.add(0, new TraceBlock(left, right, randomGammas(test), extent, count));
      count += left.size() * right.size();
    }
    double[] results = trace(test, blocks, count);
    for (int b = 0; b < ranges.length; b++) {
      int[] range = ranges[ranges.length - 1 - b];
      expectPairs(
          test,
          nodes.subList(range[0], range[1]),
          nodes.subList(range[2], range[3]),
          blocks.get(b).mapping(),
          (int) blocks.get(b).resultIndex(),
          results);
    }
  }

  private static void singles(DeviceUnderTest test, int extent) {
    List<Element> left = test.random(test.mesonNode(extent), 3);
    List<DeviceMemory> memory = Element.memory(left);
    int[][] a = test.signedPermutation();
    SpinTraceMapping single = SpinTraceMapping.mesonTrace(a[0], a[1]);
    SpinTraceMapping pair = SpinTraceMapping.mesonTrace(a[0], a[1], a[0], a[1]);
    double[] results =
        trace(
            test,
            List.of(
                new TraceBlock(memory, List.of(), single, extent, 1),
                new TraceBlock(memory.subList(0, 1), memory.subList(2, 3), pair, extent, 0)),
            4);
    double bound = toleranceInDouble(4.0 * extent);
    for (int l = 0; l < 3; l++) {
      Scalar expected = trace(left.get(l).host(), null, single);
      String where = "trace of element " + l;
      test.expectClose(expected, number(results, 1 + l), bound, () -> where);
    }
    expectPairs(test, left.subList(0, 1), left.subList(2, 3), pair, 0, results);
  }

  private static void noRoom(DeviceUnderTest test) {
    DeviceMemory element = test.random(test.mesonNode(2)).memory();
    SpinTraceMapping mapping =
        SpinTraceMapping.mesonTrace(new int[] {0, 1, 2, 3}, new int[] {1, 1, 1, 1});
    TraceBlock block = new TraceBlock(List.of(element, element), List.of(), mapping, 2, 0);
    expectRefusal(
        RuntimeException.class,
        "two results in room for one",
        () -> trace(test, List.of(block), 1));
  }
}
