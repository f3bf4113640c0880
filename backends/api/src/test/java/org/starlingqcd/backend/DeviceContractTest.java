package org.starlingqcd.backend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.reference.HostContraction;
import org.starlingqcd.backend.reference.HostTensor;

/**
 * What every device must do, whatever its layout: written once, subclassed by each backend. Numbers
 * are compared with naive host loops.
 */
public abstract class DeviceContractTest extends DeviceFixture {
  private static final double[] ONE = {1, 0};

  @ParameterizedTest
  @CsvSource({"1,2,1", "16,2,5", "16,2,64", "1,2,130", "3,2,101", "2,3,7", "64,3,4", "2,1,9"})
  void download_afterUpload_givesTheSameBits(int spins, int rank, int extent) {
    TensorShape shape = new TensorShape(spins, rank, extent);
    HostTensor numbers = randomTensor(shape);
    assertArrayEquals(numbers.numbers(), download(upload(numbers), shape).numbers());
  }

  @Test
  void upload_atOffset_takesTheElementThere() {
    TensorShape shape = TensorShape.mesonNode(6);
    HostTensor numbers = randomTensor(shape);
    DeviceMemory memory = allocate(shape);
    try (HostMemory host = device().allocateHost(3 * shape.bytes())) {
      host.clear();
      numbers.put(host, shape.bytes());
      device().upload(host, shape.bytes(), memory, shape, device().computeStream());
      device().download(memory, host, 2 * shape.bytes(), shape, device().computeStream());
      device().synchronize(device().computeStream());
      assertArrayEquals(numbers.numbers(), HostTensor.of(shape, host, 2 * shape.bytes()).numbers());
      assertTrue(
          Arrays.stream(HostTensor.of(shape, host, 0).numbers()).allMatch(number -> number == 0));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 16, 33, 64, 101, 130, 192})
  void contract_mesonNodes_isTheProductOfSpinMatricesAndNodes(int extent) {
    TensorShape shape = TensorShape.mesonNode(extent);
    HostTensor left = randomTensor(shape);
    HostTensor right = randomTensor(shape);
    int[][] a = signedPermutation();
    int[][] b = signedPermutation();
    BatchSpinMapping mapping = BatchSpinMapping.mesonProduct(a[0], a[1], b[0], b[1]);
    DeviceMemory result = allocate(shape);
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(upload(left), upload(right), result, mapping);
    device().contract(batch, device().computeStream());
    assertContraction(
        left, right, mapping, extent, extent, extent, ONE, null, download(result, shape), 20);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 24, 110})
  void contract_wholeVectorPair_runsEveryContractionOnItsOwnElements(int extent) {
    TensorShape shape = TensorShape.mesonNode(extent);
    List<HostTensor> nodes = new ArrayList<>();
    List<DeviceMemory> memory = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      nodes.add(randomTensor(shape));
      memory.add(upload(nodes.get(k)));
    }
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    List<DeviceMemory> results = new ArrayList<>();
    List<BatchSpinMapping> mappings = new ArrayList<>();
    int[][] pairs = {{0, 1}, {1, 0}, {2, 2}, {3, 1}, {0, 3}};
    for (int[] pair : pairs) {
      int[][] a = signedPermutation();
      int[][] b = signedPermutation();
      mappings.add(BatchSpinMapping.mesonProduct(a[0], a[1], b[0], b[1]));
      results.add(allocate(shape));
      int last = results.size() - 1;
      batch.add(memory.get(pair[0]), memory.get(pair[1]), results.get(last), mappings.get(last));
    }
    device().contract(batch, device().computeStream());
    batch.clear();
    for (int k = 0; k < pairs.length; k++) {
      assertContraction(
          nodes.get(pairs[k][0]),
          nodes.get(pairs[k][1]),
          mappings.get(k),
          extent,
          extent,
          extent,
          ONE,
          null,
          download(results.get(k), shape),
          5);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 77, 128})
  void contract_elementalTimesPerambulator_multipliesEverySpin(int extent) {
    TensorShape shape = TensorShape.mesonNode(extent);
    HostTensor elemental = randomTensor(TensorShape.elemental(extent));
    HostTensor perambulator = randomTensor(shape);
    BatchSpinMapping mapping = BatchSpinMapping.leftScalar(16);
    DeviceMemory result = allocate(shape);
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(upload(elemental), upload(perambulator), result, mapping);
    device().contract(batch, device().computeStream());
    assertContraction(
        elemental,
        perambulator,
        mapping,
        extent,
        extent,
        extent,
        ONE,
        null,
        download(result, shape),
        20);
  }

  @ParameterizedTest
  @CsvSource({"4,4,4", "3,9,5", "102,102,102", "7,49,7", "49,7,7", "7,7,49", "110,3,110"})
  void contract_anyMappingAndShape_followsTheDefinition(int rows, int columns, int inner) {
    // Shapes of one row of numbers stand for any rank: only sizes matter to a contraction.
    TensorShape leftShape = shape(3, rows, inner);
    TensorShape rightShape = shape(2, inner, columns);
    TensorShape resultShape = shape(5, rows, columns);
    int entries = 9;
    int[] left = random.ints(entries, 0, 3).toArray();
    int[] right = random.ints(entries, 0, 2).toArray();
    // Spin 4 has no entry and must become zero.
    int[] destination = random.ints(entries, 0, 4).toArray();
    double[] factors = random.doubles(2L * entries, -1, 1).toArray();
    BatchSpinMapping mapping = new BatchSpinMapping(3, 2, 5, left, right, destination, factors);
    HostTensor x = randomTensor(leftShape);
    HostTensor y = randomTensor(rightShape);
    DeviceMemory result = upload(randomTensor(resultShape));
    double[] coefficient = {0.5, -0.75};
    ContractionBatch batch = new ContractionBatch(rows, columns, inner);
    batch.add(upload(x), upload(y), result, mapping, coefficient[0], coefficient[1], false);
    device().contract(batch, device().computeStream());
    assertContraction(
        x, y, mapping, rows, columns, inner, coefficient, null, download(result, resultShape), 20);
  }

  /** A square matrix as such, anything else as a vector of its size. */
  private static TensorShape shape(int spins, int rows, int columns) {
    return rows == columns
        ? new TensorShape(spins, 2, rows)
        : new TensorShape(spins, 1, rows * columns);
  }

  @Test
  void contract_tensorsOfThreeIndices_readsThemAsMatrices() {
    int extent = 6;
    HostTensor matrix = randomTensor(new TensorShape(4, 2, extent));
    HostTensor baryon = randomTensor(new TensorShape(4, 3, extent));
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
    DeviceMemory fromLeft = allocate(resultShape);
    DeviceMemory fromRight = allocate(resultShape);
    DeviceMemory onMatrix = upload(matrix);
    DeviceMemory onBaryon = upload(baryon);
    ContractionBatch first = new ContractionBatch(extent, extent * extent, extent);
    first.add(onMatrix, onBaryon, fromLeft, mapping);
    device().contract(first, device().computeStream());
    ContractionBatch last = new ContractionBatch(extent * extent, extent, extent);
    last.add(onBaryon, onMatrix, fromRight, mapping);
    device().contract(last, device().computeStream());
    assertContraction(
        matrix, baryon, mapping, 6, 36, 6, ONE, null, download(fromLeft, resultShape), 30);
    assertContraction(
        baryon, matrix, mapping, 36, 6, 6, ONE, null, download(fromRight, resultShape), 30);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 120})
  void contract_accumulating_addsInOrder(int extent) {
    TensorShape shape = new TensorShape(2, 2, extent);
    HostTensor x = randomTensor(shape);
    HostTensor y = randomTensor(shape);
    HostTensor start = randomTensor(shape);
    BatchSpinMapping mapping =
        new BatchSpinMapping(
            2,
            2,
            2,
            new int[] {0, 1},
            new int[] {1, 1},
            new int[] {0, 1},
            new double[] {1, 0, -1, 0});
    DeviceMemory onX = upload(x);
    DeviceMemory onY = upload(y);
    for (double[] coefficient : new double[][] {{1, 0}, {-0.5, 0}, {0.25, 2}}) {
      DeviceMemory result = upload(start);
      ContractionBatch batch = new ContractionBatch(extent, extent, extent);
      batch.add(onX, onY, result, mapping, coefficient[0], coefficient[1], true);
      device().contract(batch, device().computeStream());
      assertContraction(
          x, y, mapping, extent, extent, extent, coefficient, start, download(result, shape), 30);
    }
    DeviceMemory twice = upload(start);
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(onX, onY, twice, mapping, 3, 0, false);
    batch.add(onX, onY, twice, mapping, -1, 0, true);
    batch.add(onX, onY, twice, mapping, 0, -1, true);
    device().contract(batch, device().computeStream());
    assertContraction(
        x,
        y,
        mapping,
        extent,
        extent,
        extent,
        new double[] {2, -1},
        null,
        download(twice, shape),
        30);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 101})
  void compose_separateSpins_isOneElement(int extent) {
    TensorShape single = new TensorShape(1, 2, extent);
    TensorShape shape = TensorShape.mesonNode(extent);
    HostTensor left = randomTensor(shape);
    HostTensor right = randomTensor(shape);
    List<DeviceMemory> resultParts = new ArrayList<>();
    List<DeviceMemory> leftParts = new ArrayList<>();
    for (int s = 0; s < 16; s++) {
      resultParts.add(allocate(single));
      leftParts.add(allocate(single));
    }
    DeviceMemory composedLeft = device().compose(leftParts);
    DeviceMemory composedResult = device().compose(resultParts);
    assertEquals(shape.bytes(), composedLeft.bytes());
    uploadTo(composedLeft, left);
    BatchSpinMapping mapping = BatchSpinMapping.mesonProduct();
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(composedLeft, upload(right), composedResult, mapping);
    device().contract(batch, device().computeStream());
    assertContraction(
        left,
        right,
        mapping,
        extent,
        extent,
        extent,
        ONE,
        null,
        download(composedResult, shape),
        5);
    assertArrayEquals(
        Arrays.copyOfRange(left.numbers(), 0, 2 * extent * extent),
        download(leftParts.get(0), single).numbers());
  }

  @ParameterizedTest
  @CsvSource({"1,1,1", "4,3,2", "33,1,1", "64,2,5", "110,7,1", "9,40,50"})
  void trace_ofPairs_followsTheDefinition(int extent, int lefts, int rights) {
    TensorShape shape = TensorShape.mesonNode(extent);
    List<HostTensor> left = tensors(shape, lefts);
    List<HostTensor> right = tensors(shape, rights);
    int[][] a = signedPermutation();
    int[][] b = signedPermutation();
    SpinTraceMapping mapping = SpinTraceMapping.mesonTrace(a[0], a[1], b[0], b[1]);
    TraceBlock block =
        new TraceBlock(
            left.stream().map(this::upload).toList(),
            right.stream().map(this::upload).toList(),
            mapping,
            extent,
            3);
    double[] results = trace(List.of(block), 3 + lefts * rights);
    double bound = tolerance(16.0 * extent * extent);
    for (int l = 0; l < lefts; l++) {
      for (int r = 0; r < rights; r++) {
        double[] expected = HostContraction.trace(left.get(l), right.get(r), mapping);
        assertEquals(expected[0], results[2 * (3 + l * rights + r)], bound);
        assertEquals(expected[1], results[2 * (3 + l * rights + r) + 1], bound);
      }
    }
    assertArrayEquals(results, trace(List.of(block), 3 + lefts * rights));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 6, 129})
  void trace_ofSingleElements_followsTheDefinition(int extent) {
    TensorShape shape = TensorShape.mesonNode(extent);
    List<HostTensor> left = tensors(shape, 3);
    List<DeviceMemory> memory = left.stream().map(this::upload).toList();
    int[][] a = signedPermutation();
    SpinTraceMapping single = SpinTraceMapping.mesonTrace(a[0], a[1]);
    SpinTraceMapping pair = SpinTraceMapping.mesonTrace(a[0], a[1], a[0], a[1]);
    double[] results =
        trace(
            List.of(
                new TraceBlock(memory, List.of(), single, extent, 1),
                new TraceBlock(memory.subList(0, 1), memory.subList(2, 3), pair, extent, 0)),
            4);
    for (int l = 0; l < 3; l++) {
      double[] expected = HostContraction.trace(left.get(l), single);
      assertEquals(expected[0], results[2 * (1 + l)], tolerance(4.0 * extent));
      assertEquals(expected[1], results[2 * (1 + l) + 1], tolerance(4.0 * extent));
    }
    double[] expected = HostContraction.trace(left.get(0), left.get(2), pair);
    assertEquals(expected[0], results[0], tolerance(16.0 * extent * extent));
    assertEquals(expected[1], results[1], tolerance(16.0 * extent * extent));
  }

  private List<HostTensor> tensors(TensorShape shape, int count) {
    List<HostTensor> tensors = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      tensors.add(randomTensor(shape));
    }
    return tensors;
  }

  private double[] trace(List<TraceBlock> blocks, int count) {
    try (HostMemory host = device().allocateHost(16L * count)) {
      host.clear();
      device().trace(blocks, host, device().computeStream());
      device().synchronize(device().computeStream());
      double[] results = new double[2 * count];
      host.get(0, results, 0, results.length);
      return results;
    }
  }

  @Test
  void trace_resultsWithoutRoom_isRefused() {
    TensorShape shape = TensorShape.mesonNode(2);
    DeviceMemory element = upload(randomTensor(shape));
    SpinTraceMapping mapping =
        SpinTraceMapping.mesonTrace(new int[] {0, 1, 2, 3}, new int[] {1, 1, 1, 1});
    TraceBlock block = new TraceBlock(List.of(element, element), List.of(), mapping, 2, 0);
    assertThrows(RuntimeException.class, () -> trace(List.of(block), 1));
  }

  @Test
  void fillRandom_dependsOnNothingButSeedAndShape() {
    TensorShape shape = TensorShape.mesonNode(20);
    DeviceMemory memory = allocate(shape);
    device().fillRandom(memory, shape, 7, device().computeStream());
    double[] first = download(memory, shape).numbers();
    device().fillRandom(memory, shape, 8, device().computeStream());
    double[] other = download(memory, shape).numbers();
    device().fillRandom(memory, shape, 7, device().computeStream());
    assertArrayEquals(first, download(memory, shape).numbers());
    assertFalse(Arrays.equals(first, other));
    assertTrue(Arrays.stream(first).allMatch(number -> number >= -1 && number < 1));
    // 12800 numbers of variance 1/3: five standard deviations of their mean.
    assertEquals(0, Arrays.stream(first).average().orElseThrow(), 5 * Math.sqrt(1 / 3.0 / 12800));
    assertEquals(first.length, Arrays.stream(first).distinct().count());
  }

  @Test
  void waitFor_eventOfAnotherStream_ordersTheWork() {
    int extent = 40;
    TensorShape shape = TensorShape.mesonNode(extent);
    HostTensor numbers = randomTensor(shape);
    DeviceMemory left = allocate(shape);
    DeviceMemory result = allocate(shape);
    DeviceStream copies = device().openStream();
    BatchSpinMapping mapping = BatchSpinMapping.mesonProduct();
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(left, left, result, mapping);
    try (HostMemory in = device().allocateHost(shape.bytes());
        HostMemory out = device().allocateHost(shape.bytes())) {
      numbers.put(in, 0);
      for (int k = 0; k < 20; k++) {
        device().upload(in, 0, left, shape, copies);
        device().waitFor(device().computeStream(), device().record(copies));
        device().contract(batch, device().computeStream());
        device().waitFor(copies, device().record(device().computeStream()));
        device().download(result, out, 0, shape, copies);
      }
      DeviceEvent end = device().record(copies);
      device().synchronize(end);
      assertTrue(device().isReached(end));
      assertContraction(
          numbers,
          numbers,
          mapping,
          extent,
          extent,
          extent,
          ONE,
          null,
          HostTensor.of(shape, out, 0),
          5);
    }
  }

  @Test
  void allocate_beyondTheCapacity_saysSoAndKeepsWorking() {
    TensorShape half = TensorShape.elemental((int) Math.sqrt(CAPACITY / 32.0));
    DeviceMemory first = allocate(half);
    assertEquals(half.bytes(), first.bytes());
    OutOfDeviceMemoryException full =
        assertThrows(OutOfDeviceMemoryException.class, () -> device().allocate(CAPACITY));
    assertEquals(CAPACITY, full.requestedBytes());
    allocate(half);
  }

  @Test
  void free_givesTheRoomBack() {
    for (int k = 0; k < 4; k++) {
      DeviceMemory memory = device().allocate(CAPACITY / 4 * 3);
      device().free(memory);
      assertThrows(RuntimeException.class, () -> device().free(memory));
    }
  }

  @Test
  void close_withBlocksLeft_reportsThem() {
    Device other = provider().open(options());
    DeviceMemory left = other.allocate(4096);
    IllegalStateException defect = assertThrows(IllegalStateException.class, other::close);
    String message = String.valueOf(defect.getMessage());
    assertTrue(message.contains("blocks=1"), message);
    assertTrue(message.contains("bytes=" + left.bytes()), message);
    other.close();
  }

  @Test
  void info_namesTheDeviceAndItsMemory() {
    DeviceInfo info = device().info();
    assertFalse(info.name().isBlank());
    assertTrue(info.totalBytes() > 0);
    assertTrue(info.freeBytes() <= info.totalBytes());
    assertNotEquals(0, info.details().size());
  }
}
