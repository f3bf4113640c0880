package org.starlingqcd.memhc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.Recomputation;
import org.starlingqcd.memhc.access.StepKind;

/**
 * Runs random queues of contractions through MemHC on a {@link LazyDevice} and compares every value
 * that is kept with the naive evaluation: plain arrays, nothing ever evicted.
 */
public final class Workbench {
  private static final BatchSpinMapping MAPPING = BatchSpinMapping.mesonProduct();

  public final List<TensorShape> shapes = new ArrayList<>();
  public final List<Boolean> input = new ArrayList<>();
  public final List<int[][]> steps = new ArrayList<>();
  public final List<Integer> vectorEnds = new ArrayList<>();
  public final List<Integer> kept = new ArrayList<>();

  public int add(TensorShape shape, boolean isInput) {
    shapes.add(shape);
    input.add(isInput);
    return shapes.size() - 1;
  }

  /** A random queue: vectors of independent contractions over inputs and live intermediates. */
  public static Workbench random(long seed, int contractions) {
    Random random = new Random(seed);
    Workbench bench = new Workbench();
    TensorShape[] sizes = {
      new TensorShape(16, 2, 1), new TensorShape(1, 2, 1), new TensorShape(4, 2, 2)
    };
    int kinds = 1 + random.nextInt(sizes.length);
    int inputs = 3 + random.nextInt(12);
    for (int k = 0; k < inputs; k++) {
      bench.add(sizes[random.nextInt(kinds)], true);
    }
    List<Integer> known = new ArrayList<>();
    for (int k = 0; k < inputs; k++) {
      known.add(k);
    }
    while (bench.steps.size() < contractions) {
      int size = 1 + random.nextInt(5);
      List<Integer> made = new ArrayList<>();
      for (int k = 0; k < size; k++) {
        int left = known.get(Math.max(0, known.size() - 1 - random.nextInt(known.size())));
        int right = known.get(random.nextInt(known.size()));
        int destination = bench.add(sizes[random.nextInt(kinds)], false);
        made.add(destination);
        bench.steps.add(new int[][] {{left, right}, {destination}});
        if (random.nextInt(4) == 0) {
          int other = known.get(random.nextInt(known.size()));
          bench.steps.add(new int[][] {{other, right}, {destination}});
        }
        if (random.nextInt(8) == 0) {
          bench.kept.add(destination);
        }
      }
      known.addAll(made);
      bench.vectorEnds.add(bench.steps.size());
    }
    return bench;
  }

  static double[] inputData(int element, TensorShape shape) {
    Random random = new Random(1000003L * element + 17);
    double[] numbers = new double[(int) (shape.bytes() / 8)];
    for (int k = 0; k < numbers.length; k++) {
      numbers[k] = random.nextInt(2001) - 1000;
    }
    return numbers;
  }

  public long largestWorkingSet() {
    long most = 0;
    for (int[][] step : steps) {
      most = Math.max(most, workingSet(step));
    }
    return most;
  }

  private long workingSet(int[][] step) {
    return java.util.stream.IntStream.concat(
            java.util.Arrays.stream(step[0]), java.util.Arrays.stream(step[1]))
        .distinct()
        .mapToLong(e -> shapes.get(e).bytes())
        .sum();
  }

  /** The queue; two of three contractions may run again. */
  public AccessQueue queue() {
    AccessQueue.Builder builder = AccessQueue.builder();
    int vector = 0;
    for (int k = 0; k < steps.size(); k++) {
      builder.step(steps.get(k)[0], steps.get(k)[1]);
      if (k % 3 != 2) {
        builder.work(StepKind.PRODUCT, 37L * k % 600).repeatable();
      }
      if (vectorEnds.get(vector) == k + 1) {
        builder.endVector();
        vector++;
      }
    }
    kept.forEach(builder::keep);
    return builder.build();
  }

  /** All elements in the order of this workbench, so that numbers agree. */
  public void addTo(MemHC memory) {
    for (int e = 0; e < shapes.size(); e++) {
      TensorShape shape = shapes.get(e);
      if (input.get(e)) {
        memory.addInput(
            shape,
            (element, target, offset) -> {
              double[] numbers = inputData(element, shape);
              target.put(offset / 8, numbers, 0, numbers.length);
            });
      } else {
        memory.addIntermediate(shape);
      }
    }
  }

  /** Runs a contraction again. */
  static Recomputation again(LazyDevice device) {
    return (element, inputs, target) -> {
      ContractionBatch batch = new ContractionBatch(1, 1, 1);
      batch.add(inputs.get(0), inputs.get(1), target, MAPPING);
      device.contract(batch, device.computeStream());
    };
  }

  /** Runs the queue, audits after every call, and checks the kept values at the end. */
  public void run(MemHC memory, LazyDevice device) {
    ContractionBatch batch = new ContractionBatch(1, 1, 1);
    boolean[] written = new boolean[shapes.size()];
    int vector = 0;
    for (int k = 0; k < steps.size(); k++) {
      int[][] step = steps.get(k);
      if (!memory.pin(step[0], 2, step[1], 1)) {
        memory.audit();
        launch(memory, device, batch);
        if (!memory.pin(step[0], 2, step[1], 1)) {
          throw new AssertionError("refused with nothing pinned: step=" + k);
        }
      }
      memory.audit();
      batch.add(
          memory.memory(step[0][0]),
          memory.memory(step[0][1]),
          memory.memory(step[1][0]),
          MAPPING,
          1,
          0,
          written[step[1][0]]);
      written[step[1][0]] = true;
      if (vectorEnds.get(vector) == k + 1) {
        launch(memory, device, batch);
        vector++;
      }
    }
    Map<Integer, double[]> expected = evaluate();
    for (int element : kept) {
      assertArrayEquals(expected.get(element), read(memory, element), "element " + element);
      memory.audit();
    }
  }

  double[] read(MemHC memory, int element) {
    double[] numbers = new double[(int) (shapes.get(element).bytes() / 8)];
    try (HostMemory target = HostMemory.allocate(8 + numbers.length * 8L)) {
      memory.read(element, target, 8);
      target.get(1, numbers, 0, numbers.length);
    }
    return numbers;
  }

  private static void launch(MemHC memory, LazyDevice device, ContractionBatch batch) {
    device.contract(batch, device.computeStream());
    batch.clear();
    memory.launched();
    memory.audit();
  }

  /** The naive evaluation. */
  Map<Integer, double[]> evaluate() {
    Map<Integer, double[]> values = new HashMap<>();
    for (int e = 0; e < shapes.size(); e++) {
      if (input.get(e)) {
        values.put(e, inputData(e, shapes.get(e)));
      }
    }
    for (int[][] step : steps) {
      double[] left = Objects.requireNonNull(values.get(step[0][0]));
      double[] right = Objects.requireNonNull(values.get(step[0][1]));
      int out = step[1][0];
      double[] sum =
          values.computeIfAbsent(out, e -> new double[(int) (shapes.get(e).bytes() / 8)]);
      for (int k = 0; k < sum.length; k++) {
        sum[k] += 3 * left[k % left.length] - 5 * right[k % right.length];
      }
    }
    return values;
  }
}
