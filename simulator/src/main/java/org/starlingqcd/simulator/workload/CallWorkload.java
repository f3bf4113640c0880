package org.starlingqcd.simulator.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.access.StepKind;

/**
 * A random sequence of BLAS and LAPACK calls on square matrices of doubles: GEMM reads two and
 * overwrites a third, GESV reads one and solves in place of another, XPY adds one to another, COPY
 * overwrites one by another. So 3 · GEMM + 2 · (GESV + XPY + COPY) matrices are looked up. Half of
 * the operands are the latest result, the others any matrix, as in a chain of library calls whose
 * results feed each other.
 */
public final class CallWorkload {
  private static final double LATEST = 0.5;

  enum Call {
    GEMM,
    GESV,
    XPY,
    COPY
  }

  private CallWorkload() {}

  /**
   * Draws a sequence.
   *
   * @param size rows of a matrix, even
   * @param matrices number of matrices that the host has at first, and of results
   */
  public static AccessTrace draw(
      int gemm, int gesv, int xpy, int copy, int size, int matrices, long seed) {
    if (Math.min(Math.min(gemm, gesv), Math.min(xpy, copy)) < 0
        || size < 2
        || size % 2 != 0
        || matrices < 1) {
      throw new IllegalArgumentException(
          String.format(
              "must be calls >= 0, size >= 2 and even, matrices >= 1: gemm=%d gesv=%d xpy=%d copy=%d"
                  + " size=%d matrices=%d",
              gemm, gesv, xpy, copy, size, matrices));
    }
    Random random = new Random(seed);
    List<Call> calls = shuffled(random, gemm, gesv, xpy, copy);
    List<Integer> readable =
        IntStream.range(0, matrices).boxed().collect(Collectors.toCollection(ArrayList::new));
    long cube = (long) size * size * size;
    AccessQueue.Builder queue = AccessQueue.builder();
    int latest = 0;
    for (Call call : calls) {
      int left = random.nextDouble() < LATEST ? latest : any(readable, random);
      int right = any(readable, random);
      int result = matrices + random.nextInt(matrices);
      int[] reads = call == Call.GEMM ? new int[] {left, right} : new int[] {left};
      queue.step(reads, new int[] {result});
      switch (call) {
        case GEMM -> queue.work(StepKind.CALL, 2 * cube).overwriting();
        case GESV -> queue.work(StepKind.CALL, 8 * cube / 3);
        case XPY -> queue.work(StepKind.CALL, (long) size * size);
        case COPY -> queue.work(StepKind.CALL, 0).overwriting();
      }
      queue.endVector();
      latest = result;
      if (!readable.contains(result)) {
        readable.add(result);
        queue.keep(result);
      }
    }
    boolean[] input = new boolean[2 * matrices];
    Arrays.fill(input, 0, matrices, true);
    return new AccessTrace(
        List.of(new TensorShape(2, 2, size / 2)),
        new int[2 * matrices],
        input,
        List.of(queue.build()));
  }

  /** So many calls of each kind, in the order of the kinds, shuffled. */
  static List<Call> shuffled(Random random, int... counts) {
    List<Call> calls = new ArrayList<>();
    Call[] kinds = Call.values();
    for (int kind = 0; kind < kinds.length; kind++) {
      calls.addAll(Collections.nCopies(counts[kind], kinds[kind]));
    }
    Collections.shuffle(calls, random);
    return calls;
  }

  private static int any(List<Integer> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }
}
