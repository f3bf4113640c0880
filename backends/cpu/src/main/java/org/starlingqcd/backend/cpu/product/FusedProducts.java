package org.starlingqcd.backend.cpu.product;

import java.util.List;
import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.Workspace;
import org.starlingqcd.backend.cpu.memory.CpuMemory;

/**
 * Contractions of square matrices as one product of all spins each: 4N × 4N by 4N × 4N for meson
 * nodes, N × N by N × 16N for building a node ({@link FusedPlan}).
 *
 * <p>The real and imaginary parts of the inputs, and their sums where a complex product consists of
 * three real ones, are assembled into such matrices once, the left ones including their factors. A
 * thread computes strips of N rows and up to 4N columns and then splits them into the destination.
 * The strips depend only on N and the mapping, so that a result has the same bits in every batch.
 */
public final class FusedProducts implements Scheme {
  /** Most spins in a strip. */
  private static final int STRIP = 4;

  /** The left matrix of an input under a mapping, with the coefficient of the contraction. */
  private record LeftMatrix(CpuMemory memory, MappingPlan plan, double re, double im) {}

  /** The right matrix of an input: its spins row by row. */
  private record RightMatrix(CpuMemory memory, int columns, List<Integer> spins) {}

  private final Contractions work;
  private final boolean threeProducts;
  private final int planes;
  private final int n;
  private final long size;

  /**
   * Computes contractions that have a {@link FusedPlan}; those that share a destination need plans
   * with the same number of columns.
   *
   * @param threeProducts whether a complex product consists of three real ones instead of four
   */
  FusedProducts(Contractions work, boolean threeProducts) {
    this.work = work;
    this.threeProducts = threeProducts;
    planes = threeProducts ? 3 : 2;
    n = work.blocking().inner();
    size = (long) n * n;
  }

  @Override
  public Preparation.Ingredient left(int k) {
    FusedPlan plan = work.fused(k);
    long[] spins = work.left(k);
    double re = work.coefficientRe(k);
    double im = work.coefficientIm(k);
    long plane = size * plan.rows() * plan.inner();
    return new Preparation.Ingredient(
        new LeftMatrix(work.leftMemory(k), work.plan(k), re, im),
        planes * plane,
        plan.rows(),
        (row, to, workspace) -> {
          long strip = to + 8 * size * plan.inner() * row;
          for (int inner = 0; inner < plan.inner(); inner++) {
            FusedPlan.Term term = plan.left(row, inner);
            long from =
                times(
                    re * term.factorRe() - im * term.factorIm(),
                    re * term.factorIm() + im * term.factorRe(),
                    spins[term.spin()],
                    workspace);
            put(workspace.blas(), from, strip + 8L * n * inner, plan.inner() * n, plane);
          }
          addParts(workspace.blas(), plan.inner() * size, strip, plane);
        });
  }

  @Override
  public Preparation.Ingredient right(int k) {
    FusedPlan plan = work.fused(k);
    long[] spins = work.right(k);
    long plane = size * plan.inner() * plan.columns();
    return new Preparation.Ingredient(
        new RightMatrix(work.rightMemory(k), plan.columns(), plan.rights()),
        planes * plane,
        plan.inner(),
        (row, to, workspace) -> {
          long strip = to + 8 * size * plan.columns() * row;
          for (int column = 0; column < plan.columns(); column++) {
            long from = spins[plan.right(row, column)];
            put(workspace.blas(), from, strip + 8L * n * column, plan.columns() * n, plane);
          }
          addParts(workspace.blas(), plan.columns() * size, strip, plane);
        });
  }

  /**
   * Address of a component times a factor: the component itself for factor 1, or the workspace's
   * scratch memory.
   */
  private long times(double re, double im, long component, Workspace workspace) {
    if (re == 1 && im == 0) {
      return component;
    }
    long product = workspace.scratch(2 * size);
    workspace.blas().times(Math.toIntExact(size), re, im, component, product);
    return product;
  }

  /** Copies a component into the first two planes of a matrix, row by row. */
  private void put(Blas blas, long component, long to, int leading, long plane) {
    for (int i = 0; i < 2 * n; i++) {
      long row = i < n ? to + 8L * i * leading : to + 8 * (plane + (long) (i - n) * leading);
      blas.move(n, component + 8L * i * n, row);
    }
  }

  /** Computes the third plane, the sum of the first two, where there is one. */
  private void addParts(Blas blas, long numbers, long strip, long plane) {
    if (threeProducts) {
      blas.sum(numbers, strip, strip + 8 * plane, strip + 16 * plane);
    }
  }

  @Override
  public Cut cut(int start, int end, int parts) {
    return new Strips(work.fused(start));
  }

  /** Strips of the destination, for the plan of each of the contractions that add into it. */
  private final class Strips implements Cut {
    private final int stripsOfRow;
    private final int parts;

    Strips(FusedPlan plan) {
      stripsOfRow = (plan.columns() + STRIP - 1) / STRIP;
      parts = plan.rows() * stripsOfRow;
    }

    @Override
    public int parts() {
      return parts;
    }

    @Override
    public void run(int k, int part, long left, long right, Workspace workspace) {
      FusedPlan plan = work.fused(k);
      int row = part / stripsOfRow;
      int column = part % stripsOfRow * STRIP;
      int columns = Math.min(STRIP, plan.columns() - column);
      long re = workspace.scratch(2 * size * columns);
      Strip strip =
          new Strip(
              workspace.blas(),
              n,
              columns * n,
              plan.inner() * n,
              left + 8 * size * plan.inner() * row,
              size * plan.rows() * plan.inner(),
              right + 8L * column * n,
              plan.columns() * n);
      long im = re + 8 * size * columns;
      if (threeProducts) {
        strip.add(0, 0, 1, false, re);
        strip.add(1, 1, -1, false, im);
        workspace.blas().rotate(size * columns, re, im);
        strip.add(2, 2, 1, true, im);
      } else {
        strip.add(0, 0, 1, false, re);
        strip.add(1, 1, -1, true, re);
        strip.add(0, 1, 1, false, im);
        strip.add(1, 0, 1, true, im);
      }
      for (int c = 0; c < columns; c++) {
        long destination = work.destination(k, row * plan.columns() + column + c);
        take(workspace.blas(), re + 8L * c * n, columns, work.accumulates(k), destination);
      }
    }
  }

  /** Takes a component out of a strip. */
  private void take(Blas blas, long from, int columns, boolean add, long destination) {
    for (int i = 0; i < 2 * n; i++) {
      long row = from + 8L * i * columns * n;
      if (add) {
        blas.add(n, 1, row, destination + 8L * i * n);
      } else {
        blas.move(n, row, destination + 8L * i * n);
      }
    }
  }

  /**
   * Real products of planes of both matrices.
   *
   * @param rows rows of the strip
   * @param columns columns of the strip
   * @param inner length of the summed index
   * @param left the strip's rows in the first plane of the left matrix
   * @param leftPlane numbers from one of its planes to the next
   * @param right the strip's columns in the first plane of the right matrix
   * @param rightLeading columns of the whole right matrix
   */
  private record Strip(
      Blas blas,
      int rows,
      int columns,
      int inner,
      long left,
      long leftPlane,
      long right,
      int rightLeading) {
    /** {@code result = factor·A·B} or {@code result += factor·A·B} for these planes A and B. */
    void add(int leftPart, int rightPart, double factor, boolean add, long result) {
      blas.gemm(
          rows,
          columns,
          inner,
          factor,
          left + 8 * leftPlane * leftPart,
          inner,
          right + 8L * inner * rightLeading * rightPart,
          rightLeading,
          add ? 1 : 0,
          result,
          columns);
    }
  }
}
