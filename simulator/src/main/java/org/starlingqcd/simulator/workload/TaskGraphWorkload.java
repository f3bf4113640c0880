package org.starlingqcd.simulator.workload;

import com.google.common.primitives.Booleans;
import com.google.common.primitives.Ints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.access.StepKind;
import org.starlingqcd.simulator.AccessOrders;

/**
 * Task graphs of dense linear algebra on square tiles of doubles, in the order in which a runtime
 * with one FIFO queue of ready tasks runs them: rounds of at most {@code window} tasks, each round
 * a vector. Tasks are added in program order; a task waits for the last writer of what it reads and
 * for all readers and the writer of what it writes.
 *
 * <p>Numbers of tasks for n × n tiles: Cholesky n(n+1)(n+2)/6; SMI (inverse of a symmetric matrix:
 * Cholesky, inverse of the factor, LᵀL) three times that; DGEMM n³ + n²; QR n(n+1)(2n+1)/6 + n²;
 * Stream n(1 + 4 · 10) for three arrays of n blocks. The n² of DGEMM and QR make the tiles of a
 * matrix, and so does the first of Stream. Triad is the loop of Stream that the paper on stacked
 * DRAM measures, ten times. A tile that the host has is an input; the first task that changes it
 * reads the input and makes an element of its own. Gauss and Red-Black are what the same paper says
 * of its solvers of a heat equation, ten iterations: a task changes one block, and reads no more of
 * its neighbours than their borders. Gauss-Seidel is a wave front over n × n blocks; Red-Black
 * changes all n blocks in each of two loops.
 *
 * <p>In place, for models of memories that kernels read and write alike, a tile is one element
 * whatever happens to it, and every parallel region of the program is a queue: each loop of Stream,
 * and otherwise the whole graph. All tiles are kept at the end of a queue.
 */
public final class TaskGraphWorkload {
  private static final int ITERATIONS = 10;

  /** The matrix of the borders of blocks, which have two rows. */
  private static final char BORDERS = '|';

  /** The graphs. */
  public enum Graph {
    CHOLESKY,
    SMI,
    DGEMM,
    QR,
    STREAM,
    TRIAD,
    GAUSS,
    REDBLACK
  }

  /** A tile: a matrix, and its row and column. */
  private record Tile(char matrix, int row, int column) {}

  private final long cube;
  private final boolean inPlace;
  private final Map<Tile, Integer> inputs = new HashMap<>();
  private final Map<Tile, Integer> changed = new HashMap<>();
  private final List<Boolean> isInput = new ArrayList<>();
  private final List<Integer> shapeOf = new ArrayList<>();

  /** What fits into the memory of the program; the papers' largest graph has 1.2 million. */
  private static final int MOST_TASKS = 4_000_000;

  private int tasks;

  /** Tasks in program order, one for each parallel region. */
  private final List<AccessQueue.Builder> regions = new ArrayList<>(List.of(AccessQueue.builder()));

  private TaskGraphWorkload(int tile, boolean inPlace) {
    cube = (long) tile * tile * tile;
    this.inPlace = inPlace;
  }

  /**
   * Makes a trace.
   *
   * @param n tiles of a row, or blocks of an array of Stream
   * @param tile rows of a tile, even
   * @param window tasks of a round
   * @param inPlace whether a tile stays one element when it is changed
   */
  public static AccessTrace of(Graph graph, int n, int tile, int window, boolean inPlace) {
    if (n < 1 || tile < 2 || tile % 2 != 0 || window < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.US,
              "must be n >= 1, tile >= 2 and even, window >= 1: n=%d tile=%d window=%d",
              n,
              tile,
              window));
    }
    // The first four have n³/6 tasks and more: one that is far too large is refused at once.
    if (graph.compareTo(Graph.QR) <= 0 && (double) n * n * n / 6 > MOST_TASKS) {
      throw tooManyTasks();
    }
    TaskGraphWorkload made = new TaskGraphWorkload(tile, inPlace);
    switch (graph) {
      case CHOLESKY -> made.cholesky(n);
      case SMI -> {
        made.cholesky(n);
        made.invertFactor(n);
        made.multiplyFactors(n);
      }
      case DGEMM -> made.dgemm(n);
      case QR -> made.qr(n);
      case STREAM -> made.stream(n);
      case TRIAD -> made.triad(n);
      case GAUSS -> made.gauss(n);
      case REDBLACK -> made.redBlack(n);
    }
    boolean[] input = Booleans.toArray(made.isInput);
    List<AccessQueue> queues = new ArrayList<>();
    for (AccessQueue.Builder region : made.regions) {
      made.changed.values().stream().sorted().forEach(region::keep);
      queues.add(AccessOrders.inRounds(region.build(), window));
    }
    // t² doubles are t²/2 complex numbers.
    List<TensorShape> shapes =
        List.of(new TensorShape(2, 2, tile / 2), new TensorShape(1, 2, tile / 2));
    return new AccessTrace(shapes, Ints.toArray(made.shapeOf), input, queues);
  }

  private static IllegalArgumentException tooManyTasks() {
    return new IllegalArgumentException("has more than " + MOST_TASKS + " tasks; take fewer tiles");
  }

  private void add(int[] reads, int[] writes, boolean overwrites, long flops) {
    if (++tasks > MOST_TASKS) {
      throw tooManyTasks();
    }
    AccessQueue.Builder region = regions.get(regions.size() - 1);
    region.step(reads, writes).work(StepKind.TASK, flops);
    if (overwrites) {
      region.overwriting();
    }
    region.endVector();
  }

  /** A = L·Lᵀ in the lower triangle of A. */
  private void cholesky(int n) {
    for (int k = 0; k < n; k++) {
      update(tile('A', k, k), cube / 3);
      for (int i = k + 1; i < n; i++) {
        update(tile('A', i, k), cube, tile('A', k, k));
      }
      for (int i = k + 1; i < n; i++) {
        update(tile('A', i, i), cube, tile('A', i, k));
        for (int j = k + 1; j < i; j++) {
          update(tile('A', i, j), 2 * cube, tile('A', i, k), tile('A', j, k));
        }
      }
    }
  }

  /** L⁻¹ in place of L. */
  private void invertFactor(int n) {
    for (int k = 0; k < n; k++) {
      for (int i = k + 1; i < n; i++) {
        update(tile('A', i, k), cube, tile('A', k, k));
      }
      for (int i = k + 1; i < n; i++) {
        for (int j = 0; j < k; j++) {
          update(tile('A', i, j), 2 * cube, tile('A', i, k), tile('A', k, j));
        }
      }
      for (int j = 0; j < k; j++) {
        update(tile('A', k, j), cube, tile('A', k, k));
      }
      update(tile('A', k, k), cube / 3);
    }
  }

  /** Lᵀ·L in place of L. */
  private void multiplyFactors(int n) {
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < k; i++) {
        update(tile('A', i, i), cube, tile('A', k, i));
        for (int j = 0; j < i; j++) {
          update(tile('A', i, j), 2 * cube, tile('A', k, i), tile('A', k, j));
        }
      }
      for (int i = 0; i < k; i++) {
        update(tile('A', k, i), cube, tile('A', k, k));
      }
      update(tile('A', k, k), cube / 3);
    }
  }

  private void dgemm(int n) {
    makeAll('C', n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
          update(tile('C', i, j), 2 * cube, tile('A', i, k), tile('B', k, j));
        }
      }
    }
  }

  private void qr(int n) {
    makeAll('A', n);
    for (int k = 0; k < n; k++) {
      update(tile('A', k, k), 4 * cube / 3);
      for (int j = k + 1; j < n; j++) {
        update(tile('A', k, j), 2 * cube, tile('A', k, k));
      }
      for (int i = k + 1; i < n; i++) {
        updateBoth(tile('A', k, k), tile('A', i, k), 2 * cube);
        for (int j = k + 1; j < n; j++) {
          updateBoth(tile('A', k, j), tile('A', i, j), 4 * cube, tile('A', i, k));
        }
      }
    }
  }

  private void stream(int n) {
    // One task makes the three blocks of a place.
    for (int block = 0; block < n; block++) {
      int[] blocks = {
        element(tile('a', block, 0), true),
        element(tile('b', block, 0), true),
        element(tile('c', block, 0), true)
      };
      add(new int[0], blocks, true, 0);
    }
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
      streamLoop(n, 'c', "a");
      streamLoop(n, 'b', "c");
      streamLoop(n, 'c', "ab");
      streamLoop(n, 'a', "bc");
    }
  }

  private void triad(int n) {
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
      streamLoop(n, 'a', "bc");
    }
  }

  private void gauss(int n) {
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
      endRegion();
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          Tile above = tile(BORDERS, Math.max(0, i - 1), j);
          Tile left = tile(BORDERS, i, Math.max(0, j - 1));
          updateBoth(tile('u', i, j), tile(BORDERS, i, j), cube, above, left);
        }
      }
    }
  }

  private void redBlack(int n) {
    for (int loop = 0; loop < 2 * ITERATIONS; loop++) {
      endRegion();
      for (int block = 0; block < n; block++) {
        update(tile('u', block, 0), cube);
      }
    }
  }

  private void streamLoop(int n, char written, String read) {
    endRegion();
    for (int block = 0; block < n; block++) {
      int at = block;
      int[] reads = read.chars().map(array -> element(tile((char) array, at, 0), false)).toArray();
      int[] writes = {element(tile(written, block, 0), true)};
      add(reads, writes, true, 0);
    }
  }

  private void endRegion() {
    if (inPlace && tasks > 0) {
      regions.add(AccessQueue.builder());
    }
  }

  private static Tile tile(char matrix, int row, int column) {
    return new Tile(matrix, row, column);
  }

  /** Makes the tiles of a matrix. */
  private void makeAll(char matrix, int n) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        add(new int[0], new int[] {element(tile(matrix, i, j), true)}, true, 0);
      }
    }
  }

  private void update(Tile tile, long flops, Tile... reads) {
    add(new Tile[] {tile}, flops, reads);
  }

  private void updateBoth(Tile first, Tile second, long flops, Tile... reads) {
    add(new Tile[] {first, second}, flops, reads);
  }

  private void add(Tile[] updated, long flops, Tile[] reads) {
    List<Integer> read = new ArrayList<>();
    for (Tile tile : reads) {
      read.add(element(tile, false));
    }
    for (Tile tile : updated) {
      if (!changed.containsKey(tile)) {
        int input = element(tile, false);
        if (!inPlace) {
          read.add(input);
        }
      }
    }
    int[] writes = Arrays.stream(updated).mapToInt(tile -> element(tile, true)).toArray();
    add(Ints.toArray(read), writes, false, flops);
  }

  /**
   * The element that holds a tile now: its input until it is changed, in place the same afterwards;
   * the host has its data unless a task makes them.
   */
  private int element(Tile tile, boolean change) {
    Integer own = changed.get(tile);
    if (own != null) {
      return own;
    }
    return (change || inPlace ? changed : inputs)
        .computeIfAbsent(tile, added -> newElement(tile, !change));
  }

  private int newElement(Tile tile, boolean input) {
    isInput.add(input);
    shapeOf.add(tile.matrix() == BORDERS ? 1 : 0);
    return isInput.size() - 1;
  }
}
