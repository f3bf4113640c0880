package org.starlingqcd.backend.cpu.product;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.cpu.CpuDevice;
import org.starlingqcd.backend.cpu.CpuKernelsTest;
import org.starlingqcd.backend.cpu.blas.KernelChoice;
import org.starlingqcd.backend.cpu.blas.KernelChoice.Form;
import org.starlingqcd.backend.cpu.blas.OpenBlas;

/** Every kernel on random vector pairs, compared with sums computed from their definition. */
class KernelFormsTest {
  private static final long CAPACITY = 64L << 20;

  /** Kernels, conventional or not, and seeds. */
  static Stream<Arguments> cases() {
    return CpuKernelsTest.KERNELS.stream()
        .flatMap(
            kernel ->
                Stream.of(1, 2, 3, 4)
                    .map(seed -> Arguments.of(kernel, seed % 2 == 0, 7 * seed - 5, seed)));
  }

  @ParameterizedTest(name = "{0} exact={1} N={2} seed={3}")
  @MethodSource("cases")
  void contract_ofARandomVectorPair_isTheSumAsDefined(
      String kernel, boolean exact, int extent, int seed) {
    try (CpuDevice device = device(kernel, 3, exact)) {
      VectorPair pair = new VectorPair(device, extent, seed);
      device.contract(pair.batch, device.computeStream());
      pair.assertResults();
      pair.free();
    }
  }

  @ParameterizedTest(name = "{0} exact={1} N={2} seed={3}")
  @MethodSource("cases")
  void contract_hasTheSameBits_inEveryBatchAndOnEveryNumberOfThreads(
      String kernel, boolean exact, int extent, int seed) {
    List<double[]> together = new ArrayList<>();
    try (CpuDevice device = device(kernel, 3, exact)) {
      VectorPair pair = new VectorPair(device, extent, seed);
      device.contract(pair.batch, device.computeStream());
      pair.results.forEach(result -> together.add(pair.numbers(result)));
      pair.free();
    }
    try (CpuDevice device = device(kernel, 1, exact)) {
      // One thread computes contractions with a common input as one product.
      VectorPair bundled = new VectorPair(device, extent, seed);
      device.contract(bundled.batch, device.computeStream());
      for (int r = 0; r < together.size(); r++) {
        assertArrayEquals(together.get(r), bundled.numbers(bundled.results.get(r)));
      }
      bundled.free();
      VectorPair pair = new VectorPair(device, extent, seed);
      ContractionBatch alone = new ContractionBatch(extent, extent, extent);
      for (int k = 0; k < pair.batch.size(); k++) {
        alone.clear();
        pair.add(alone, k);
        device.contract(alone, device.computeStream());
      }
      for (int r = 0; r < together.size(); r++) {
        assertArrayEquals(together.get(r), pair.numbers(pair.results.get(r)));
      }
      pair.free();
    }
  }

  @ParameterizedTest
  @CsvSource({"'tile=16,products=3'", "zgemm", "'packed,products=3'"})
  void run_inManyWaves_isTheSumAsDefined(String kernel) {
    int extent = 20;
    try (CpuDevice device = device(kernel, 2, false)) {
      VectorPair pair = new VectorPair(device, extent, 11);
      for (int from = 0; from < pair.batch.size(); ) {
        Contractions next = Contractions.of(pair.batch, from, device, new HashMap<>(), 1);
        from = next.end();
        next.run();
      }
      pair.assertResults();
      pair.free();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "1 1 1 1, 1, 1 1 1 1",
    "1, 2, 4",
    "1, 3, 6",
    "1 1 1, 2, 2 2 2",
    "1 1 1 1, 2, 1 1 1 1",
    "4 4 4 2 1 1, 2, 1 1 1 1 1 1",
    "1 1 1 1 1, 2, 1 1 1 1 2",
    "2 2 2 4 2 2, 2, 1 1 1 1 1 2",
    "1 1 1 4, 2, 1 1 1 2",
    "1 1 1 1 1 1 1, 3, 1 1 1 1 1 2 3"
  })
  void parts_areAsFewAsShareTheWorkEvenly(String sizes, int threads, String parts) {
    assertArrayEquals(numbers(parts), Contractions.parts(numbers(sizes), threads));
  }

  @Test
  void parts_ofAFewGroups_areSeveralForEachThread() {
    int[] parts = Contractions.parts(numbers("1 1 1 1 1 1 1 1"), 64);
    assertEquals(8 * 16, Arrays.stream(parts).sum());
  }

  private static int[] numbers(String text) {
    return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
  }

  @Test
  void of_anyContraction_takesTheChosenFormWhereItApplies() {
    BatchSpinMapping nodes = BatchSpinMapping.mesonProduct();
    BatchSpinMapping irregular =
        new BatchSpinMapping(
            16, 16, 16, new int[] {0}, new int[] {0}, new int[] {0}, new double[] {1, 0});
    assertEquals(Form.TILES, form("tile=16,products=3", 8, nodes));
    assertEquals(Form.ZGEMM, form("zgemm", 8, nodes));
    assertEquals(Form.ZGEMM, form("zgemm", 8, irregular));
    assertEquals(Form.PACKED, form("packed,products=4", 8, irregular));
    assertEquals(Form.PACKED, form("packed,products=4", 24, nodes));
    // Not square.
    assertEquals(Form.TILES, form("zgemm", 24, nodes));
  }

  private static Form form(String kernel, int rows, BatchSpinMapping mapping) {
    TensorShape left = new TensorShape(16, 1, 8 * rows);
    TensorShape right = new TensorShape(16, 1, 64);
    try (CpuDevice device = device(kernel, 1, false)) {
      DeviceMemory a = device.allocate(left.bytes());
      DeviceMemory b = device.allocate(right.bytes());
      DeviceMemory c = device.allocate(left.bytes());
      ContractionBatch batch = new ContractionBatch(rows, 8, 8);
      batch.add(a, b, c, mapping);
      Form form = Contractions.of(batch, 0, device, new HashMap<>()).form();
      List.of(a, b, c).forEach(device::free);
      return form;
    }
  }

  /**
   * With three products a small imaginary part is lost in the rounding of the sums when the real
   * part is large; conventional products keep it.
   */
  @ParameterizedTest
  @CsvSource({
    "'tile=16,products=3',true,1e-13",
    "zgemm,true,1e-13",
    "zgemm,false,1e-13",
    "'packed,products=3',true,1e-13",
    "'strassen,products=3',true,1e-13",
    "'packed,products=4',false,1e-13",
    "'packed,products=3',false,1e3",
    "'strassen,products=3',false,1e3",
    "'tile=16,products=3',false,1e3"
  })
  void contract_ofSmallImaginaryParts_keepsThemWithConventionalProducts(
      String kernel, boolean exact, double bound) {
    int extent = 24;
    double small = 1e-12;
    TensorShape shape = TensorShape.mesonNode(extent);
    double[] right = new double[(int) (shape.bytes() / Double.BYTES)];
    for (int k = 0; k < right.length; k += 2) {
      right[k] = 1 + (k % 7) / 8.0;
    }
    double[] left = right.clone();
    for (int k = 1; k < left.length; k += 2) {
      left[k] = small;
    }
    double[] numbers = product(device(kernel, 2, exact), shape, left, right);
    double error = 0;
    for (int k = 0; k < numbers.length; k += 2) {
      // Four spins of N numbers in [1, 2), each times the small part.
      error = Math.max(error, Math.abs(numbers[k + 1] / (small * exactSum(extent, k)) - 1));
    }
    assertTrue(error <= bound, "relative error " + error);
    assertTrue(bound < 1 || error > 1e-6, "three products were expected, error " + error);
  }

  /**
   * One level of Strassen's scheme keeps the bound of Brent (Higham, Accuracy and Stability of
   * Numerical Algorithms, 2nd edition, theorem 23.2) for each of the three real products of a
   * complex one, of matrices with 4N summed numbers. The numbers vary in size by ten orders of
   * magnitude, so that errors are far larger than those of the small results themselves.
   */
  @ParameterizedTest
  @CsvSource({"8,1", "30,2", "75,3"})
  void strassen_ofNumbersOfVeryDifferentSizes_keepsItsBound(int extent, long seed) {
    TensorShape shape = TensorShape.mesonNode(extent);
    int count = (int) (shape.bytes() / Double.BYTES);
    Random random = new Random(seed);
    double[] left = random.doubles(count, -1, 1).toArray();
    double[] right = random.doubles(count, -1, 1).toArray();
    for (int k = 0; k < count; k++) {
      left[k] *= k / 2 / extent / extent < 8 ? 1e10 : 1;
      right[k] *= k / 2 / extent / extent < 8 ? 1 : 1e-10;
    }
    double[] packed = product(device("packed,products=4", 1, false), shape, left, right);
    double[] strassen = product(device("strassen,products=3", 1, false), shape, left, right);
    double[] conventional = product(device("tile=0,products=4", 1, false), shape, left, right);
    int half = 2 * extent;
    // One level of n = 2·half: (12 (half² + 5 half) - 5 n) u |A| |B|, in the norm of the largest
    // number. The norms of the sums of parts are twice as large, and three products are added.
    double norms = 1e10;
    double bound = (12.0 * (half * half + 5.0 * half) - 10.0 * half) * Math.ulp(0.5) * norms;
    double error = 0;
    for (int k = 0; k < count; k++) {
      assertEquals(conventional[k], packed[k], 8 * half * Math.ulp(norms));
      error = Math.max(error, Math.abs(strassen[k] - conventional[k]));
    }
    assertTrue(error <= 6 * bound, "error " + error + " bound " + 6 * bound);
    assertTrue(error > 1e-18 * norms, "Strassen's scheme was expected to differ");
  }

  private static double[] product(
      CpuDevice opened, TensorShape shape, double[] left, double[] right) {
    double[] numbers = new double[left.length];
    try (CpuDevice device = opened;
        HostMemory host = HostMemory.allocate(shape.bytes())) {
      List<DeviceMemory> memory = new ArrayList<>();
      for (double[] input : List.of(left, right, numbers)) {
        memory.add(device.allocate(shape.bytes()));
        host.put(0, input, 0, input.length);
        device.upload(host, 0, memory.get(memory.size() - 1), shape, device.computeStream());
        device.synchronize(device.computeStream());
      }
      ContractionBatch batch = new ContractionBatch(shape.extent(), shape.extent(), shape.extent());
      batch.add(memory.get(0), memory.get(1), memory.get(2), BatchSpinMapping.mesonProduct());
      device.contract(batch, device.computeStream());
      device.download(memory.get(2), host, 0, shape, device.computeStream());
      device.synchronize(device.computeStream());
      host.get(0, numbers, 0, numbers.length);
      memory.forEach(device::free);
    }
    return numbers;
  }

  /** The sum of a column of the right input over the summed spin and row. */
  private static double exactSum(int extent, int at) {
    int square = extent * extent;
    int beta = at / 2 / square % 4;
    int column = at / 2 % extent;
    double sum = 0;
    for (int gamma = 0; gamma < 4; gamma++) {
      for (int row = 0; row < extent; row++) {
        sum += 1 + (2 * ((4 * gamma + beta) * square + row * extent + column) % 7) / 8.0;
      }
    }
    return sum;
  }

  private static CpuDevice device(String kernel, int threads, boolean exact) {
    return new CpuDevice(
        new DeviceOptions(0, threads, CAPACITY, exact),
        OpenBlas.load(),
        KernelChoice.parse(kernel));
  }

  /**
   * Some contractions of three nodes and an elemental, some of which add into the result of the one
   * before, with mappings that are products of spin matrices and others, and complex coefficients.
   */
  private static final class VectorPair {
    private static final int SPINS = 16;
    private static final int CONTRACTIONS = 9;

    private final CpuDevice device;
    private final int extent;
    private final Random random;
    private final List<double[]> inputNumbers = new ArrayList<>();
    private final List<DeviceMemory> inputs = new ArrayList<>();
    private final List<DeviceMemory> results = new ArrayList<>();
    private final List<double[]> expected = new ArrayList<>();
    private final ContractionBatch batch;

    VectorPair(CpuDevice device, int extent, int seed) {
      this.device = device;
      this.extent = extent;
      random = new Random(seed);
      batch = new ContractionBatch(extent, extent, extent);
      for (int input = 0; input < 4; input++) {
        TensorShape shape =
            input == 3 ? TensorShape.elemental(extent) : TensorShape.mesonNode(extent);
        double[] numbers = random.doubles(shape.bytes() / Double.BYTES, -1, 1).toArray();
        inputNumbers.add(numbers);
        inputs.add(upload(numbers, shape));
      }
      for (int k = 0; k < CONTRACTIONS; k++) {
        addRandom(k > 0 && random.nextInt(3) == 0);
      }
    }

    private void addRandom(boolean toTheLast) {
      boolean builds = random.nextInt(4) == 0;
      int left = builds ? 3 : random.nextInt(3);
      int right = random.nextInt(3);
      boolean accumulate = toTheLast || random.nextInt(3) == 0;
      double re = random.nextInt(3) == 0 ? 1 : random.nextDouble();
      double im = random.nextInt(3) == 0 ? random.nextDouble() : 0;
      BatchSpinMapping mapping = builds ? BatchSpinMapping.leftScalar(SPINS) : mapping();
      if (!toTheLast) {
        TensorShape shape = TensorShape.mesonNode(extent);
        double[] before = random.doubles(shape.bytes() / Double.BYTES, -1, 1).toArray();
        results.add(upload(before, shape));
        expected.add(before);
      }
      int last = results.size() - 1;
      if (!accumulate) {
        java.util.Arrays.fill(expected.get(last), 0);
      }
      addAsDefined(
          inputNumbers.get(left), inputNumbers.get(right), mapping, re, im, expected.get(last));
      batch.add(
          inputs.get(left), inputs.get(right), results.get(last), mapping, re, im, accumulate);
    }

    private BatchSpinMapping mapping() {
      if (random.nextInt(3) > 0) {
        int[] rowA = random.ints(0, 4).distinct().limit(4).toArray();
        int[] rowB = random.ints(0, 4).distinct().limit(4).toArray();
        return BatchSpinMapping.mesonProduct(rowA, signs(), rowB, signs());
      }
      int entries = 1 + random.nextInt(40);
      return new BatchSpinMapping(
          SPINS,
          SPINS,
          SPINS,
          random.ints(entries, 0, SPINS).toArray(),
          random.ints(entries, 0, SPINS).toArray(),
          random.ints(entries, 0, SPINS).toArray(),
          random.doubles(2L * entries, -1, 1).toArray());
    }

    private int[] signs() {
      return random.ints(4, 0, 2).map(bit -> 2 * bit - 1).toArray();
    }

    private void addAsDefined(
        double[] left,
        double[] right,
        BatchSpinMapping mapping,
        double coefficientRe,
        double coefficientIm,
        double[] sum) {
      int n = extent;
      for (int b = 0; b < mapping.size(); b++) {
        double fRe = coefficientRe * mapping.factorRe(b) - coefficientIm * mapping.factorIm(b);
        double fIm = coefficientRe * mapping.factorIm(b) + coefficientIm * mapping.factorRe(b);
        for (int i = 0; i < n; i++) {
          for (int j = 0; j < n; j++) {
            double re = 0;
            double im = 0;
            for (int k = 0; k < n; k++) {
              int l = 2 * ((mapping.left(b) * n + i) * n + k);
              int r = 2 * ((mapping.right(b) * n + k) * n + j);
              re += left[l] * right[r] - left[l + 1] * right[r + 1];
              im += left[l] * right[r + 1] + left[l + 1] * right[r];
            }
            int to = 2 * ((mapping.destination(b) * n + i) * n + j);
            sum[to] += fRe * re - fIm * im;
            sum[to + 1] += fRe * im + fIm * re;
          }
        }
      }
    }

    private DeviceMemory upload(double[] numbers, TensorShape shape) {
      DeviceMemory memory = device.allocate(shape.bytes());
      try (HostMemory host = HostMemory.allocate(shape.bytes())) {
        host.put(0, numbers, 0, numbers.length);
        device.upload(host, 0, memory, shape, device.computeStream());
        device.synchronize(device.computeStream());
      }
      return memory;
    }

    /** Adds contraction {@code k} of the vector pair to a batch. */
    void add(ContractionBatch to, int k) {
      ContractionBatch.Entry e = batch.get(k);
      to.add(
          e.left(),
          e.right(),
          e.destination(),
          e.mapping(),
          e.coefficientRe(),
          e.coefficientIm(),
          e.accumulates());
    }

    double[] numbers(DeviceMemory result) {
      TensorShape shape = TensorShape.mesonNode(extent);
      double[] numbers = new double[(int) (shape.bytes() / Double.BYTES)];
      try (HostMemory host = HostMemory.allocate(shape.bytes())) {
        device.download(result, host, 0, shape, device.computeStream());
        device.synchronize(device.computeStream());
        host.get(0, numbers, 0, numbers.length);
      }
      return numbers;
    }

    /** At most 9 contractions of 64 terms add N products each, with the sums of three products. */
    void assertResults() {
      double bound = 16 * Math.ulp(1.0) * extent * 64 * CONTRACTIONS;
      for (int r = 0; r < results.size(); r++) {
        assertArrayEquals(expected.get(r), numbers(results.get(r)), bound);
      }
    }

    void free() {
      inputs.forEach(device::free);
      results.forEach(device::free);
    }
  }
}
