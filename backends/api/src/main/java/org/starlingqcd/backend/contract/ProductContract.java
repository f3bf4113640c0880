package org.starlingqcd.backend.contract;

import static org.starlingqcd.backend.contract.DeviceUnderTest.expect;
import static org.starlingqcd.backend.contract.DeviceUnderTest.expectSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.TensorShape;

/** Batched contractions under any mapping and shape. */
final class ProductContract {
  private ProductContract() {}

  static List<ContractCheck> checks() {
    List<ContractCheck> checks = new ArrayList<>();
    for (int extent : new int[] {1, 2, 5, 16, 33, 64, 101, 130, 192}) {
      checks.add(check("meson nodes with spin matrices", extent, ProductContract::nodes));
    }
    for (int extent : new int[] {3, 24, 70}) {
      checks.add(check("a whole vector pair", extent, ProductContract::vectorPair));
    }
    for (int extent : new int[] {4, 77, 128}) {
      checks.add(check("elemental times perambulator", extent, ProductContract::elemental));
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
          new ContractCheck(
              "any mapping, " + s[0] + " × " + s[2] + " times " + s[2] + " × " + s[1],
              device -> anyShape(device, s[0], s[1], s[2])));
    }
    checks.add(new ContractCheck("tensors of three indices", ProductContract::threeIndices));
    for (int extent : new int[] {5, 120}) {
      checks.add(check("sums of contractions", extent, ProductContract::accumulation));
    }
    for (int extent : new int[] {4, 101}) {
      checks.add(check("an element of separate spins", extent, ProductContract::composed));
    }
    return checks;
  }

  private interface AtExtent {
    void run(DeviceUnderTest device, int extent);
  }

  private static ContractCheck check(String name, int extent, AtExtent body) {
    return new ContractCheck(name + ", N " + extent, device -> body.run(device, extent));
  }

  private static BatchSpinMapping randomGammas(DeviceUnderTest test) {
    int[][] a = test.signedPermutation();
    int[][] b = test.signedPermutation();
    return BatchSpinMapping.mesonProduct(a[0], a[1], b[0], b[1]);
  }

  private static void nodes(DeviceUnderTest test, int extent) {
    TensorShape shape = test.mesonNode(extent);
    HostTensor left = test.randomTensor(shape);
    HostTensor right = test.randomTensor(shape);
    BatchSpinMapping mapping = randomGammas(test);
    DeviceMemory result = test.allocate(shape);
    test.contract(extent, test.upload(left), test.upload(right), result, mapping);
    test.expectProduct(left, right, mapping, extent, test.download(result, shape), 20);
  }

  private static void vectorPair(DeviceUnderTest test, int extent) {
    TensorShape shape = test.mesonNode(extent);
    List<HostTensor> nodes = new ArrayList<>();
    List<DeviceMemory> memory = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      nodes.add(test.randomTensor(shape));
      memory.add(test.upload(nodes.get(k)));
    }
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    List<DeviceMemory> results = new ArrayList<>();
    List<BatchSpinMapping> mappings = new ArrayList<>();
    int[][] pairs = {{0, 1}, {1, 0}, {2, 2}, {3, 1}, {0, 3}};
    for (int[] pair : pairs) {
      mappings.add(randomGammas(test));
      results.add(test.allocate(shape));
      int last = results.size() - 1;
      batch.add(memory.get(pair[0]), memory.get(pair[1]), results.get(last), mappings.get(last));
    }
    test.device().contract(batch, test.stream());
    batch.clear();
    for (int k = 0; k < pairs.length; k++) {
      test.expectProduct(
          nodes.get(pairs[k][0]),
          nodes.get(pairs[k][1]),
          mappings.get(k),
          extent,
          test.download(results.get(k), shape),
          5);
    }
  }

  private static void elemental(DeviceUnderTest test, int extent) {
    TensorShape shape = test.mesonNode(extent);
    HostTensor elemental = test.randomTensor(test.elemental(extent));
    HostTensor perambulator = test.randomTensor(shape);
    BatchSpinMapping mapping = BatchSpinMapping.leftScalar(16);
    DeviceMemory result = test.allocate(shape);
    test.contract(extent, test.upload(elemental), test.upload(perambulator), result, mapping);
    test.expectProduct(elemental, perambulator, mapping, extent, test.download(result, shape), 20);
  }

  private static void anyShape(DeviceUnderTest test, int rows, int columns, int inner) {
    TensorShape resultShape = shape(5, rows, columns);
    int entries = 9;
    Random random = test.random();
    int[] left = random.ints(entries, 0, 3).toArray();
    int[] right = random.ints(entries, 0, 2).toArray();
    // Spin 4 has no entry and must become zero.
    int[] destination = random.ints(entries, 0, 4).toArray();
    double[] factors = random.doubles(2L * entries, -1, 1).toArray();
    BatchSpinMapping mapping = new BatchSpinMapping(3, 2, 5, left, right, destination, factors);
    HostTensor x = test.randomTensor(shape(3, rows, inner));
    HostTensor y = test.randomTensor(shape(2, inner, columns));
    DeviceMemory result = test.upload(test.randomTensor(resultShape));
    Scalar coefficient = new Scalar(0.5, -0.75);
    ContractionBatch batch = new ContractionBatch(rows, columns, inner);
    batch.add(
        test.upload(x), test.upload(y), result, mapping, coefficient.re(), coefficient.im(), false);
    test.device().contract(batch, test.stream());
    HostTensor actual = test.download(result, resultShape);
    test.expectContraction(x, y, mapping, rows, columns, inner, coefficient, null, actual, 20);
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
    HostTensor matrix = test.randomTensor(new TensorShape(4, 2, extent));
    HostTensor baryon = test.randomTensor(new TensorShape(4, 3, extent));
    BatchSpinMapping mapping =
        new BatchSpinMapping(
            4,
            4,
            4,
            new int[] {0, 1, 2, 3},
            new int[] {3, 2, 1, 0},
            new int[] {1, 0, 3, 2},
            new double[] {1, 0, -1, 0, 0, 1, 0, -1});
    TensorShape resultShape = new TensorShape(4, 3, extent);
    DeviceMemory fromLeft = test.allocate(resultShape);
    DeviceMemory fromRight = test.allocate(resultShape);
    DeviceMemory onMatrix = test.upload(matrix);
    DeviceMemory onBaryon = test.upload(baryon);
    ContractionBatch first = new ContractionBatch(extent, square, extent);
    first.add(onMatrix, onBaryon, fromLeft, mapping);
    test.device().contract(first, test.stream());
    ContractionBatch last = new ContractionBatch(square, extent, extent);
    last.add(onBaryon, onMatrix, fromRight, mapping);
    test.device().contract(last, test.stream());
    HostTensor actual = test.download(fromLeft, resultShape);
    test.expectContraction(
        matrix, baryon, mapping, extent, square, extent, Scalar.ONE, null, actual, 30);
    actual = test.download(fromRight, resultShape);
    test.expectContraction(
        baryon, matrix, mapping, square, extent, extent, Scalar.ONE, null, actual, 30);
  }

  private static void accumulation(DeviceUnderTest test, int extent) {
    TensorShape shape = new TensorShape(2, 2, extent);
    HostTensor x = test.randomTensor(shape);
    HostTensor y = test.randomTensor(shape);
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
    DeviceMemory onX = test.upload(x);
    DeviceMemory onY = test.upload(y);
    for (Scalar coefficient : List.of(Scalar.ONE, Scalar.of(-0.5), new Scalar(0.25, 2))) {
      DeviceMemory result = test.upload(start);
      ContractionBatch batch = new ContractionBatch(extent, extent, extent);
      batch.add(onX, onY, result, mapping, coefficient.re(), coefficient.im(), true);
      test.device().contract(batch, test.stream());
      HostTensor actual = test.download(result, shape);
      test.expectContraction(x, y, mapping, extent, extent, extent, coefficient, start, actual, 30);
    }
    DeviceMemory thrice = test.upload(start);
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(onX, onY, thrice, mapping, 3, 0, false);
    batch.add(onX, onY, thrice, mapping, -1, 0, true);
    batch.add(onX, onY, thrice, mapping, 0, -1, true);
    test.device().contract(batch, test.stream());
    Scalar sum = new Scalar(2, -1);
    HostTensor actual = test.download(thrice, shape);
    test.expectContraction(x, y, mapping, extent, extent, extent, sum, null, actual, 30);
  }

  private static void composed(DeviceUnderTest test, int extent) {
    TensorShape single = test.elemental(extent);
    TensorShape shape = test.mesonNode(extent);
    HostTensor left = test.randomTensor(shape);
    HostTensor right = test.randomTensor(shape);
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
    test.contract(extent, composedLeft, test.upload(right), composedResult, mapping);
    test.expectProduct(left, right, mapping, extent, test.download(composedResult, shape), 5);
    expectSame(
        Arrays.copyOfRange(left.numbers(), 0, 2 * extent * extent),
        test.download(leftParts.get(0), single).numbers(),
        "the first spin");
  }
}
