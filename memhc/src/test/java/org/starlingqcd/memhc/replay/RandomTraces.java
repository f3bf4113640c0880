package org.starlingqcd.memhc.replay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;

/** Random traces: two queues of steps that read, add to and overwrite elements of three sizes. */
public final class RandomTraces {
  private RandomTraces() {}

  /** A trace; equal states of the generator give equal traces. */
  public static AccessTrace draw(Random random) {
    List<TensorShape> shapes =
        List.of(new TensorShape(1, 1, 1), new TensorShape(2, 1, 4), new TensorShape(16, 2, 2));
    int inputs = 2 + random.nextInt(12);
    int elements = inputs + 3 + random.nextInt(25);
    int sizes = 1 + random.nextInt(3);
    int[] shapeOf = new int[elements];
    boolean[] input = new boolean[elements];
    for (int element = 0; element < elements; element++) {
      shapeOf[element] = random.nextInt(sizes);
      input[element] = element < inputs;
    }
    List<AccessQueue> queues = new ArrayList<>();
    for (int k = 0; k < 2; k++) {
      queues.add(queue(random, inputs, elements));
    }
    return new AccessTrace(shapes, shapeOf, input, queues);
  }

  private static AccessQueue queue(Random random, int inputs, int elements) {
    AccessQueue.Builder builder = AccessQueue.builder();
    List<Integer> readable = new ArrayList<>();
    for (int element = 0; element < inputs; element++) {
      readable.add(element);
    }
    List<Integer> written = new ArrayList<>();
    int steps = 5 + random.nextInt(80);
    for (int step = 0; step < steps; step++) {
      int[] read =
          random.ints(1 + random.nextInt(3), 0, readable.size()).map(readable::get).toArray();
      int output = inputs + random.nextInt(elements - inputs);
      boolean writes = random.nextInt(10) > 0;
      builder.step(read, writes ? new int[] {output} : new int[0]);
      if (writes) {
        written.add(output);
      }
      if (random.nextBoolean()) {
        builder.overwriting();
      }
      if (random.nextInt(3) == 0) {
        builder.endVector();
        // Values can be read once their batch has been launched.
        readable.addAll(written);
      }
    }
    Collections.shuffle(written, random);
    written.stream().distinct().limit(random.nextInt(4)).forEach(builder::keep);
    return builder.build();
  }
}
