package org.starlingqcd.backend.contract;

import java.util.List;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.PairPacking;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.contract.DeviceUnderTest.Element;

/** Lines as matrices from pairs to pairs, and tetraquarks closed with a line. */
final class PairMatrixContract {
  private static final int SPINS = PairContraction.LINE_SPINS;
  private static final int ENTRIES = 16;
  private static final int SAMPLES = 40;

  private PairMatrixContract() {}

  static void addTo(DeviceContract.Checks checks) {
    boolean[] both = {false, true};
    for (int extent : new int[] {2, 5, 22}) {
      int width = PairPacking.of(extent, true).rows();
      for (boolean symmetric : both) {
        PairPacking rows = PairPacking.of(extent, symmetric);
        checks.add("pairs of a tetraquark closed with a line: " + rows, test -> close(test, rows));
        for (boolean other : both) {
          PairPacking columns = new PairPacking(extent, other, width);
          for (boolean once : both) {
            checks.add(
                (once ? "one line twice" : "two lines")
                    + " as a matrix of pairs, times a tetraquark: "
                    + rows
                    + " "
                    + columns,
                test -> form(test, new PairPacking(extent, symmetric, width), columns, once));
          }
        }
      }
    }
  }

  private static void form(
      DeviceUnderTest test, PairPacking packing, PairPacking columns, boolean once) {
    int n = packing.extent();
    int pairs = packing.pairs();
    Element first = test.random(test.mesonNode(n));
    Element second = once ? first : test.random(test.mesonNode(n));
    LinePairSum sum = sum(test, once ? packing.sign() * columns.sign() : 0);
    TensorShape shape = columns.matrixShape(pairs, test.precision());
    DeviceMemory target = test.allocate(shape);
    test.device()
        .formPairs(
            first.memory(),
            second.memory(),
            sum,
            packing,
            columns,
            target,
            test.allocate(packing.scratchShape(PairPacking.FORM_HALVES, test.precision())),
            test.stream());
    HostTensor actual = test.download(target, shape);
    double bound = test.tolerance(1);
    for (int sample = 0; sample < SAMPLES; sample++) {
      int[] in = pair(test, packing);
      int[] out = pair(test, columns);
      Scalar value = Scalar.ZERO;
      // All four orders of the indices; two of them are the same where the indices are equal.
      for (int order = 0; order < 4; order++) {
        int k = in[order & 1];
        int l = in[1 - (order & 1)];
        int i = out[order >> 1];
        int j = out[1 - (order >> 1)];
        double weight = (in[0] == in[1] ? 0.5 : 1) * (out[0] == out[1] ? 0.5 : 1);
        weight *= ((order & 1) == 0 ? 1 : packing.sign()) * (order < 2 ? 1 : columns.sign());
        for (int e = 0; e < ENTRIES; e++) {
          Scalar product =
              first
                  .host()
                  .get(sum.first(e), k * n + i)
                  .times(second.host().get(sum.second(e), l * n + j))
                  .times(new Scalar(sum.factorRe(e), sum.factorIm(e)));
          value = value.plus(product.times(Scalar.of(weight)));
        }
      }
      int column = columns.place(out[0], out[1]);
      long at = (long) packing.place(in[0], in[1]) * packing.rows() + column % packing.rows();
      test.expectClose(
          value, actual.get(column / packing.rows(), at), bound, () -> packing + " at " + at);
    }
    // The matrix is one factor of a product as any other.
    Element strip = test.random(packing.stripShape(test.precision()));
    TensorShape ofProduct = columns.productShape(test.precision());
    DeviceMemory product = test.allocate(ofProduct);
    BatchSpinMapping plain = BatchSpinMapping.leftScalar(columns.strips());
    int rows = packing.rows();
    ContractionBatch batch = new ContractionBatch(rows, rows, pairs);
    batch.add(strip.memory(), target, product, plain);
    test.device().contract(batch, test.stream());
    HostTensor result = test.download(product, ofProduct);
    test.expectContraction(batch, 0, strip.host(), actual, null, result, SAMPLES);
  }

  private static void close(DeviceUnderTest test, PairPacking packing) {
    int n = packing.extent();
    List<Element> tetraquark = test.random(packing.stripShape(test.precision()), packing.strips());
    Element line = test.random(test.mesonNode(n));
    TensorShape shape = PairContraction.blockShape(n, SPINS);
    DeviceMemory block = test.allocate(shape);
    test.device()
        .closePair(
            Element.memory(tetraquark),
            line.memory(),
            packing,
            block,
            test.allocate(packing.scratchShape(PairPacking.CLOSE_HALVES, test.precision())),
            test.stream());
    HostTensor actual = test.download(block, shape);
    double bound = test.tolerance((double) n * n);
    for (int sample = 0; sample < SAMPLES; sample++) {
      int spin = test.random().nextInt(SPINS);
      int i = test.random().nextInt(n);
      int k = test.random().nextInt(n);
      Scalar sum = Scalar.ZERO;
      for (int j = 0; j < n; j++) {
        for (int l = 0; l < n; l++) {
          int sign = packing.sign(i, j) * packing.sign(k, l);
          if (sign != 0) {
            int row = packing.place(i, j);
            int at = row % packing.rows() * packing.pairs() + packing.place(k, l);
            Scalar number = tetraquark.get(row / packing.rows()).host().get(0, at);
            Scalar product = number.times(line.host().get(spin, l * n + j));
            sum = sum.plus(product.times(Scalar.of(sign)));
          }
        }
      }
      int at = i * n + k;
      test.expectClose(sum, actual.get(spin, at), bound, () -> packing + " spin " + spin);
    }
  }

  /**
   * A sum that gets a sign when the lines are exchanged, or none for 0. It is so small that the
   * numbers of the matrix are below 1.
   */
  private static LinePairSum sum(DeviceUnderTest test, int sign) {
    double most = 1.0 / (16 * ENTRIES);
    int[] first = test.random().ints(ENTRIES, 0, SPINS).toArray();
    int[] second = test.random().ints(ENTRIES, 0, SPINS).toArray();
    double[] factors = test.random().doubles(2 * ENTRIES, -most, most).toArray();
    for (int e = 0; e < ENTRIES && sign != 0; e++) {
      first[e] = e;
      second[e] = e ^ 1;
      factors[2 * e] = e % 2 == 0 ? factors[2 * e] : sign * factors[2 * e - 2];
      factors[2 * e + 1] = e % 2 == 0 ? factors[2 * e + 1] : sign * factors[2 * e - 1];
    }
    return new LinePairSum(first, second, factors);
  }

  /** The indices of a pair, the smaller one first. */
  private static int[] pair(DeviceUnderTest test, PairPacking packing) {
    int second = Math.max(packing.symmetric() ? 0 : 1, test.random().nextInt(packing.extent()));
    return new int[] {test.random().nextInt(packing.end(second)), second};
  }
}
