package org.starlingqcd.backend.contract;

import static org.starlingqcd.backend.contract.DeviceUnderTest.expect;
import static org.starlingqcd.backend.contract.DeviceUnderTest.expectSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.contract.DeviceUnderTest.Element;

/** Batched contractions under any mapping and shape. */
final class ProductContract {
  private ProductContract() {}

  static void addTo(DeviceContract.Checks checks) {
    for (int extent : new int[] {1, 2, 5, 16, 33, 64, 101, 130, 192}) {
      checks.add("meson nodes with spin matrices, N " + extent, device -> nodes(device, extent));
    }
    for (int extent : new int[] {3, 24, 70}) {
      checks.add("a whole vector pair, N " + extent, device -> vectorPair(device, extent));
    }
    for (int extent : new int[] {4, 77, 128}) {
      checks.add("elemental times perambulator, N " + extent, device -> elemental(device, extent));
    }
    int[][] shapes = {
      {4, 4, 4},
      {3, 9, 5},
      {102, 102, 102},
      {7, 49, 7},
      {49, 7, 7},
      {7, 7, 49},
      {110, 3, 110},
      {1901, 17, 23}
    };
    for (int[] s : shapes) {
      checks.add(
          "any mapping, " + s[0] + " × " + s[2] + " times " + s[2] + " × " + s[1],
          device -> anyShape(device, s[0], s[1], s[2]));
    }
    checks.add("tensors of three indices", ProductContract::threeIndices);
    for (int extent : new int[] {5, 120}) {
      checks.add("sums of contractions, N " + extent, device -> accumulation(device, extent));
    }
    for (int extent : new int[] {4, 101}) {
      checks.add("an element of separate spins, N " + extent, device -> composed(device, extent));
    }
  }

  private static BatchSpinMapping randomGammas(DeviceUnderTest test) {
    int[][] a = test.signedPermutation();
    int[][] b = test.signedPermutation();
    return BatchSpinMapping.mesonProduct(a[0], a[1], b[0], b[1]);
  }

  private static void nodes(DeviceUnderTest test, int extent) {
    TensorShape shape = test.mesonNode(extent);
    DeviceMemory result = test.allocate(shape);
    BatchSpinMapping mapping = randomGammas(test);
    test.expectProduct(test.random(shape), test.random(shape), mapping, extent, result, 20);
  }

  private static void vectorPair(DeviceUnderTest test, int extent) {
    TensorShape shape = test.mesonNode(extent);
    List<Element> nodes = test.random(shape, 4);
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    ContractionBatch kept = new ContractionBatch(extent, extent, extent);
    int[][] pairs = {{0, 1}, {1, 0}, {2, 2}, {3, 1}, {0, 3}};
    for (int[] pair : pairs) {
      BatchSpinMapping mapping = randomGammas(test);
      DeviceMemory result = test.allocate(shape);
      for (ContractionBatch each : List.of(batch, kept)) {
        each.add(nodes.get(pair[0]).memory(), nodes.get(pair[1]).memory(), result, mapping);
      }
    }
    test.device().contract(batch, test.stream());
    batch.clear();
    for (int k = 0; k < pairs.length; k++) {
      HostTensor actual = test.download(kept.get(k).destination(), shape);
      HostTensor left = nodes.get(pairs[k][0]).host();
      test.expectContraction(kept, k, left, nodes.get(pairs[k][1]).host(), null, actual, 5);
    }
  }

  private static void elemental(DeviceUnderTest test, int extent) {
    TensorShape shape = test.mesonNode(extent);
    Element elemental = test.random(test.elemental(extent));
    BatchSpinMapping mapping = BatchSpinMapping.leftScalar(16);
    DeviceMemory result = test.allocate(shape);
    test.expectProduct(elemental, test.random(shape), mapping, extent, result, 20);
  }

  private static void anyShape(DeviceUnderTest test, int rows, int columns, int inner) {
    TensorShape resultShape = shape(5, rows, columns);
    int entries = 9;
    SplittableRandom random = test.random();
    int[] left = random.ints(entries, 0, 3).toArray();
    int[] right = random.ints(entries, 0, 2).toArray();
    // Spin 4 has no entry and must become zero.
    int[] destination = random.ints(entries, 0, 4).toArray();
    double[] factors = random.doubles(2L * entries, -1, 1).toArray();
    BatchSpinMapping mapping = new BatchSpinMapping(3, 2, 5, left, right, destination, factors);
    Element x = test.random(shape(3, rows, inner));
    Element y = test.random(shape(2, inner, columns));
    DeviceMemory result = test.random(resultShape).memory();
    ContractionBatch batch = new ContractionBatch(rows, columns, inner);
    batch.add(x.memory(), y.memory(), result, mapping, 0.5, -0.75, false);
    test.device().contract(batch, test.stream());
    HostTensor actual = test.download(result, resultShape);
    test.expectContraction(batch, 0, x.host(), y.host(), null, actual, 20);
  }

  /**
   * Shape of a matrix: rank 2 if it is square, otherwise a vector of its size, since only sizes
   * matter to a contraction.
   */
  private static TensorShape shape(int spins, int rows, int columns) {
    return rows == columns
        ? new TensorShape(spins, 2, rows)
        : new TensorShape(spins, 1, rows * columns);
  }

  private static void threeIndices(DeviceUnderTest test) {
    int extent = 6;
    int square = extent * extent;
    TensorShape resultShape = new TensorShape(4, 3, extent);
    Element matrix = test.random(new TensorShape(4, 2, extent));
    Element baryon = test.random(resultShape);
    BatchSpinMapping mapping =
        new BatchSpinMapping(
            4,
            4,
            4,
            new int[] {0, 1, 2, 3},
            new int[] {3, 2, 1, 0},
            new int[] {1, 0, 3, 2},
            new double[] {1, 0, -1, 0, 0, 1, 0, -1});
    for (boolean first : new boolean[] {true, false}) {
      Element left = first ? matrix : baryon;
      Element right = first ? baryon : matrix;
      DeviceMemory result = test.allocate(resultShape);
      ContractionBatch batch =
          new ContractionBatch(first ? extent : square, first ? square : extent, extent);
      batch.add(left.memory(), right.memory(), result, mapping);
      test.device().contract(batch, test.stream());
      HostTensor actual = test.download(result, resultShape);
      test.expectContraction(batch, 0, left.host(), right.host(), null, actual, 30);
    }
  }

  private static void accumulation(DeviceUnderTest test, int extent) {
    TensorShape shape = new TensorShape(2, 2, extent);
    Element x = test.random(shape);
    Element y = test.random(shape);
    HostTensor start = test.randomTensor(shape);
    BatchSpinMapping mapping =
        new BatchSpinMapping(
            2,
            2,
            2,
            new int[] {0, 1},
            new int[] {1, 1},
            new int[] {0, 1},
            new double[] {1, 0, -1, 0});
    for (Scalar coefficient : List.of(Scalar.ONE, Scalar.of(-0.5), new Scalar(0.25, 2))) {
      ContractionBatch batch = new ContractionBatch(extent, extent, extent);
      DeviceMemory sum = test.upload(start);
      batch.add(x.memory(), y.memory(), sum, mapping, coefficient.re(), coefficient.im(), true);
      test.device().contract(batch, test.stream());
      HostTensor actual = test.download(sum, shape);
      test.expectContraction(batch, 0, x.host(), y.host(), start, actual, 30);
    }
    DeviceMemory thrice = test.upload(start);
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(x.memory(), y.memory(), thrice, mapping, 3, 0, false);
    batch.add(x.memory(), y.memory(), thrice, mapping, -1, 0, true);
    batch.add(x.memory(), y.memory(), thrice, mapping, 0, -1, true);
    test.device().contract(batch, test.stream());
    ContractionBatch once = new ContractionBatch(extent, extent, extent);
    once.add(x.memory(), y.memory(), thrice, mapping, 2, -1, false);
    HostTensor actual = test.download(thrice, shape);
    test.expectContraction(once, 0, x.host(), y.host(), null, actual, 30);
  }

  private static void composed(DeviceUnderTest test, int extent) {
    TensorShape single = test.elemental(extent);
    TensorShape shape = test.mesonNode(extent);
    HostTensor left = test.randomTensor(shape);
    List<DeviceMemory> resultParts = new ArrayList<>();
    List<DeviceMemory> leftParts = new ArrayList<>();
    for (int s = 0; s < shape.spins(); s++) {
      resultParts.add(test.allocate(single));
      leftParts.add(test.allocate(single));
    }
    DeviceMemory composedLeft = test.device().compose(leftParts);
    DeviceMemory composedResult = test.device().compose(resultParts);
    expect(composedLeft.bytes() == shape.bytes(), "parts as large as the whole");
    test.uploadTo(composedLeft, left);
    BatchSpinMapping mapping = BatchSpinMapping.mesonProduct();
    Element element = new Element(left, composedLeft);
    test.expectProduct(element, test.random(shape), mapping, extent, composedResult, 5);
    expectSame(
        Arrays.copyOfRange(left.numbers(), 0, 2 * extent * extent),
        test.download(leftParts.get(0), single).numbers(),
        "the first spin");
  }
}
