package org.starlingqcd.simulator.workload;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.access.StepKind;

/**
 * The kernel calls of a search for phylogenetic trees, the workload of SoftCache (Wijnja,
 * University of Twente): a call reads the vectors of two nodes and overwrites that of a third.
 *
 * <p>An unrooted binary tree grows from three taxa; each further one joins a random branch. Every
 * inner node has one vector, its view of what lies beyond it seen from one of its neighbours; a
 * view from another side has to be computed into the same vector. The search begins with all views
 * towards the first taxon, in post-order. A move takes a random inner node and prunes two of its
 * three subtrees, one after the other. A pruned subtree tries every branch at most {@code radius}
 * branches away, beginning with the one that it left, in depth-first order: the missing views of
 * both ends of the branch are computed, then the node that joins them. One trial in ten is kept, in
 * a random branch; in any case the views at the node are computed in the end.
 *
 * <p>The paper used traces of a program, which it does not print. It does not say how many subtrees
 * a move prunes; with two its byte hit ratios are met.
 */
public final class TreeWorkload {
  /** Doubles of a pattern at an inner node: four nucleotides and four rates. */
  private static final int NUMBERS_PER_PATTERN = 16;

  /** Two products of a 4 × 4 matrix with a vector, and four products, for each of four rates. */
  private static final long FLOPS_PER_PATTERN = 4L * (2 * 4 * 7 + 4);

  private static final int SUBTREES_PER_MOVE = 2;
  private static final double KEPT = 0.1;
  private static final int NOWHERE = -1;

  private final int taxa;
  private final int radius;
  private final long flops;
  private final Random random;

  /** The neighbours of each node: one of a taxon, three of an inner node. */
  private final int[][] neighbours;

  /** The neighbour from which the vector of an inner node is seen. */
  private final int[] seenFrom;

  private final AccessQueue.Builder queue = AccessQueue.builder();

  private TreeWorkload(int taxa, int radius, int patterns, long seed) {
    this.taxa = taxa;
    this.radius = radius;
    flops = FLOPS_PER_PATTERN * patterns;
    random = new Random(seed);
    neighbours = new int[2 * taxa - 2][];
    seenFrom = new int[2 * taxa - 2];
    Arrays.fill(seenFrom, NOWHERE);
  }

  /**
   * Draws the calls.
   *
   * @param taxa leaves of the tree, at least 4
   * @param moves number of moves
   * @param radius largest distance of a branch from the one that a subtree left, which is at 1
   * @param patterns alignment patterns: a byte each at a leaf, rounded up to 16 bytes, and 128
   *     bytes each at an inner node
   */
  public static AccessTrace draw(int taxa, int moves, int radius, int patterns, long seed) {
    if (taxa < 4 || moves < 0 || radius < 1 || patterns < 1) {
      throw new IllegalArgumentException(
          String.format(
              "must be taxa >= 4, moves >= 0, radius >= 1, patterns >= 1: taxa=%d moves=%d radius=%d"
                  + " patterns=%d",
              taxa, moves, radius, patterns));
    }
    TreeWorkload tree = new TreeWorkload(taxa, radius, patterns, seed);
    tree.grow();
    tree.view(tree.neighbours[0][0], 0);
    for (int move = 0; move < moves; move++) {
      tree.move();
    }
    int nodes = 2 * taxa - 2;
    int[] shapeOf = new int[nodes];
    boolean[] input = new boolean[nodes];
    for (int node = 0; node < nodes; node++) {
      shapeOf[node] = node < taxa ? 0 : 1;
      input[node] = node < taxa;
      tree.queue.keep(node);
    }
    int complex = TensorShape.COMPLEX_BYTES;
    return new AccessTrace(
        List.of(
            new TensorShape(1, 1, (patterns + complex - 1) / complex),
            new TensorShape(NUMBERS_PER_PATTERN * Double.BYTES / complex, 1, patterns)),
        shapeOf,
        input,
        List.of(tree.queue.build()));
  }

  private void grow() {
    int inner = taxa;
    neighbours[inner] = new int[] {0, 1, 2};
    List<int[]> branches = new ArrayList<>();
    for (int taxon = 0; taxon < 3; taxon++) {
      neighbours[taxon] = new int[] {inner};
      branches.add(new int[] {taxon, inner});
    }
    for (int taxon = 3; taxon < taxa; taxon++) {
      inner++;
      int at = random.nextInt(branches.size());
      int[] branch = branches.get(at);
      replace(branch[0], branch[1], inner);
      replace(branch[1], branch[0], inner);
      neighbours[inner] = new int[] {branch[0], branch[1], taxon};
      neighbours[taxon] = new int[] {inner};
      branches.set(at, new int[] {branch[0], inner});
      branches.add(new int[] {inner, branch[1]});
      branches.add(new int[] {inner, taxon});
    }
  }

  private void replace(int node, int old, int by) {
    int[] of = neighbours[node];
    for (int k = 0; k < of.length; k++) {
      of[k] = of[k] == old ? by : of[k];
    }
  }

  private boolean isTaxon(int node) {
    return node < taxa;
  }

  private int[] others(int node, int than) {
    return Arrays.stream(neighbours[node]).filter(other -> other != than).toArray();
  }

  /** Computes the view of a node from a neighbour, and before it those that it needs. */
  private void view(int node, int from) {
    Deque<int[]> open = new ArrayDeque<>();
    open.push(new int[] {node, from, 0});
    while (!open.isEmpty()) {
      int[] top = open.pop();
      if (isTaxon(top[0]) || seenFrom[top[0]] == top[1]) {
        continue;
      }
      int[] beyond = others(top[0], top[1]);
      if (top[2] == 0) {
        open.push(new int[] {top[0], top[1], 1});
        open.push(new int[] {beyond[1], top[0], 0});
        open.push(new int[] {beyond[0], top[0], 0});
      } else {
        call(beyond[0], beyond[1], top[0]);
        seenFrom[top[0]] = top[1];
      }
    }
  }

  private void call(int left, int right, int made) {
    queue
        .step(new int[] {left, right}, new int[] {made})
        .work(StepKind.CALL, flops)
        .overwriting()
        .endVector();
  }

  private void move() {
    int node = taxa + random.nextInt(taxa - 2);
    List<Integer> subtrees = new ArrayList<>(IntStream.of(neighbours[node]).boxed().toList());
    Collections.shuffle(subtrees, random);
    for (int subtree : subtrees.subList(0, SUBTREES_PER_MOVE)) {
      // An earlier subtree of this move may have taken the node elsewhere, but not off this one.
      if (IntStream.of(neighbours[node]).anyMatch(other -> other == subtree)) {
        prune(node, subtree);
      }
    }
  }

  /** Tries a subtree, with the node that joins it, elsewhere. */
  private void prune(int node, int subtree) {
    int[] ends = others(node, subtree);
    view(subtree, node);
    replace(ends[0], node, ends[1]);
    replace(ends[1], node, ends[0]);
    for (int k = 0; k < 2; k++) {
      if (seenFrom[ends[k]] == node) {
        seenFrom[ends[k]] = ends[1 - k];
      }
    }
    forget(ends[0], ends[1]);
    forget(ends[1], ends[0]);
    List<int[]> tried = new ArrayList<>();
    join(ends[0], ends[1], node, tried);
    for (int k = 0; k < 2; k++) {
      walk(ends[1 - k], ends[k], 2, node, tried);
    }
    boolean kept = random.nextDouble() < KEPT;
    int[] branch = kept ? tried.get(random.nextInt(tried.size())) : ends;
    for (int k = 0; k < 2; k++) {
      if (seenFrom[branch[k]] == branch[1 - k]) {
        seenFrom[branch[k]] = node;
      }
    }
    replace(branch[0], branch[1], node);
    replace(branch[1], branch[0], node);
    neighbours[node] = new int[] {subtree, branch[0], branch[1]};
    seenFrom[node] = NOWHERE;
    for (int neighbour : neighbours[node]) {
      forget(neighbour, node);
    }
    view(node, subtree);
    view(subtree, node);
  }

  /** Tries the branches beyond a node. */
  private void walk(int before, int node, int distance, int joining, List<int[]> tried) {
    if (distance > radius || isTaxon(node)) {
      return;
    }
    for (int next : others(node, before)) {
      join(node, next, joining, tried);
      walk(node, next, distance + 1, joining, tried);
    }
  }

  private void join(int near, int far, int joining, List<int[]> tried) {
    tried.add(new int[] {near, far});
    view(near, far);
    view(far, near);
    call(near, far, joining);
  }

  /**
   * Drops the views of a node and those beyond it that are not seen from the side of {@code from}.
   */
  private void forget(int node, int from) {
    Deque<int[]> open = new ArrayDeque<>();
    open.push(new int[] {node, from});
    while (!open.isEmpty()) {
      int[] top = open.pop();
      if (isTaxon(top[0])) {
        continue;
      }
      if (seenFrom[top[0]] != top[1]) {
        seenFrom[top[0]] = NOWHERE;
      }
      for (int next : others(top[0], top[1])) {
        open.push(new int[] {next, top[0]});
      }
    }
  }
}
