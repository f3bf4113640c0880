package org.starlingqcd.backend.cpu.product;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.cpu.blas.VectorLoops;
import org.starlingqcd.backend.cpu.blas.Workspace;

/**
 * A product of a matrix of spin components with another one, whose entries are sums of components,
 * as {@link VectorLoops#product} computes it.
 */
final class SpinProduct {
  private static final int SET = 0;
  private static final int SET_NEGATIVE = 1;
  private static final int ADD = 2;
  private static final int ADD_NEGATIVE = 3;

  /**
   * The seven products of Strassen (Numer. Math. 13 (1969) 354, doi:10.1007/BF02165411) for
   * matrices of 2 × 2 blocks: signs of the blocks 11, 12, 21, 22 of the left and of the right that
   * are multiplied, and with which sign the product goes into the blocks of the result.
   */
  private static final int[][][] STRASSEN = {
    {{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}},
    {{0, 0, 1, 1}, {1, 0, 0, 0}, {0, 0, 1, -1}},
    {{1, 0, 0, 0}, {0, 1, 0, -1}, {0, 1, 0, 1}},
    {{0, 0, 0, 1}, {-1, 0, 1, 0}, {1, 0, 1, 0}},
    {{1, 1, 0, 0}, {0, 0, 0, 1}, {-1, 1, 0, 0}},
    {{-1, 0, 1, 0}, {1, 1, 0, 0}, {0, 0, 0, 1}},
    {{0, 1, 0, -1}, {0, 0, 1, 1}, {1, 0, 0, 0}}
  };

  private final int rows;
  private final int inner;
  private final int columns;
  private final Terms lefts;
  private final Terms rights;
  private final Terms targets;

  private SpinProduct(int rows, int inner, int columns) {
    this.rows = rows;
    this.inner = inner;
    this.columns = columns;
    lefts = new Terms(rows * inner);
    rights = new Terms(inner * columns);
    targets = new Terms(rows * columns);
  }

  /** Sums of components with factors, one after the other; of targets, what happens to them. */
  private static final class Terms {
    private final long[] starts;
    private long[] addresses;
    private long[] givings;
    private double[] factors;
    private int sums;
    private int count;

    Terms(int sums) {
      starts = new long[sums + 1];
      addresses = new long[sums];
      givings = new long[sums];
      factors = new double[2 * sums];
    }

    void add(long address, double re, double im, int giving) {
      if (count == addresses.length) {
        addresses = Arrays.copyOf(addresses, 2 * count + 1);
        givings = Arrays.copyOf(givings, 2 * count + 1);
        factors = Arrays.copyOf(factors, 4 * count + 2);
      }
      addresses[count] = address;
      givings[count] = giving;
      factors[2 * count] = re;
      factors[2 * count + 1] = im;
      count++;
    }

    void endSum() {
      starts[++sums] = count;
    }

    void addSum(long address, double re, double im, int giving) {
      add(address, re, im, giving);
      endSum();
    }
  }

  /** Rows of the left matrix of spins. */
  int rows() {
    return rows;
  }

  /** Columns of the left matrix of spins. */
  int inner() {
    return inner;
  }

  /** Columns of the right matrix of spins. */
  int columns() {
    return columns;
  }

  /**
   * The product of contractions that share an input: the spins of their other inputs and of their
   * destinations stand below each other or side by side.
   */
  static SpinProduct whole(Contractions work, Bundle bundle) {
    FusedPlan plan = work.fused(bundle.first());
    List<Integer> above = bundle.above();
    List<Integer> beside = bundle.beside();
    SpinProduct product =
        new SpinProduct(above.size() * plan.rows(), plan.inner(), beside.size() * plan.columns());
    for (int k : above) {
      for (int r = 0; r < plan.rows(); r++) {
        for (int s = 0; s < plan.inner(); s++) {
          product.addLeft(work, k, work.fused(k).left(r, s), 1);
          product.lefts.endSum();
        }
      }
    }
    for (int s = 0; s < plan.inner(); s++) {
      for (int k : beside) {
        for (int c = 0; c < plan.columns(); c++) {
          product.rights.addSum(work.right(k)[work.fused(k).right(s, c)], 1, 0, SET);
        }
      }
    }
    for (int a : above) {
      for (int r = 0; r < plan.rows(); r++) {
        for (int b : beside) {
          int k = bundle.sameRight() ? a : b;
          for (int c = 0; c < plan.columns(); c++) {
            long address = work.destination(k, r * plan.columns() + c);
            product.targets.addSum(address, 1, 0, work.accumulates(k) ? ADD : SET);
          }
        }
      }
    }
    return product;
  }

  private void addLeft(Contractions work, int k, FusedPlan.Term term, int sign) {
    double re = sign * work.coefficientRe(k);
    double im = sign * work.coefficientIm(k);
    lefts.add(
        work.left(k)[term.spin()],
        re * term.factorRe() - im * term.factorIm(),
        re * term.factorIm() + im * term.factorRe(),
        SET);
  }

  /** Products of rows of destinations that have the same left spins, whatever their factors are. */
  static List<SpinProduct> rowByRow(Contractions work, int k) {
    MappingPlan plan = work.plan(k);
    BatchSpinMapping mapping = plan.mapping();
    List<SpinProduct> products = new ArrayList<>();
    for (int row = 0; row < plan.rows(); row++) {
      int first = plan.rowStart(row);
      int columns = plan.rowStart(row + 1) - first;
      int[] entries = plan.entries(first);
      SpinProduct product = new SpinProduct(1, entries.length, columns);
      for (int s = 0; s < entries.length; s++) {
        product.lefts.addSum(work.left(k)[mapping.left(entries[s])], 1, 0, SET);
        for (int c = 0; c < columns; c++) {
          int b = plan.entries(first + c)[s];
          product.rights.addSum(
              work.right(k)[mapping.right(b)], work.factorRe(k, b), work.factorIm(k, b), SET);
        }
      }
      for (int c = 0; c < columns; c++) {
        product.targets.addSum(
            work.destination(k, first + c), 1, 0, work.accumulates(k) ? ADD : SET);
      }
      products.add(product);
    }
    return products;
  }

  /** Whether both matrices of spins consist of 2 × 2 blocks. */
  static boolean canHalve(FusedPlan plan) {
    return plan.rows() % 2 == 0 && plan.inner() % 2 == 0 && plan.columns() % 2 == 0;
  }

  /**
   * Seven products of half as many spins each way, in order, in place of eight, for contractions
   * that share an input.
   */
  static List<SpinProduct> strassen(Contractions work, Bundle bundle) {
    FusedPlan plan = work.fused(bundle.first());
    int rows = plan.rows() / 2 * bundle.above().size();
    int columns = plan.columns() / 2 * bundle.beside().size();
    boolean[][] written = new boolean[bundle.contractions().size()][4];
    for (int number = 0; number < written.length; number++) {
      Arrays.fill(written[number], work.accumulates(bundle.contractions().get(number)));
    }
    List<SpinProduct> products = new ArrayList<>();
    for (int[][] signs : STRASSEN) {
      SpinProduct product = new SpinProduct(rows, plan.inner() / 2, columns);
      product.addBlocks(work, bundle, plan, signs, written);
      products.add(product);
    }
    return products;
  }

  private void addBlocks(
      Contractions work, Bundle bundle, FusedPlan plan, int[][] signs, boolean[][] written) {
    int rowsOfOne = plan.rows() / 2;
    int columnsOfOne = plan.columns() / 2;
    for (int k : bundle.above()) {
      for (int r = 0; r < rowsOfOne; r++) {
        for (int s = 0; s < inner; s++) {
          for (int block = 0; block < 4; block++) {
            if (signs[0][block] != 0) {
              int row = r + block / 2 * rowsOfOne;
              addLeft(work, k, work.fused(k).left(row, s + block % 2 * inner), signs[0][block]);
            }
          }
          lefts.endSum();
        }
      }
    }
    for (int s = 0; s < inner; s++) {
      for (int k : bundle.beside()) {
        for (int c = 0; c < columnsOfOne; c++) {
          for (int block = 0; block < 4; block++) {
            if (signs[1][block] != 0) {
              int row = s + block / 2 * inner;
              int spin = work.fused(k).right(row, c + block % 2 * columnsOfOne);
              rights.add(work.right(k)[spin], signs[1][block], 0, SET);
            }
          }
          rights.endSum();
        }
      }
    }
    for (int above = 0; above < bundle.above().size(); above++) {
      for (int r = 0; r < rowsOfOne; r++) {
        for (int beside = 0; beside < bundle.beside().size(); beside++) {
          // One of both is 0.
          int number = above + beside;
          for (int c = 0; c < columnsOfOne; c++) {
            for (int block = 0; block < 4; block++) {
              if (signs[2][block] != 0) {
                int row = r + block / 2 * rowsOfOne;
                int d = row * plan.columns() + c + block % 2 * columnsOfOne;
                int set = signs[2][block] > 0 ? SET : SET_NEGATIVE;
                int add = signs[2][block] > 0 ? ADD : ADD_NEGATIVE;
                targets.add(
                    work.destination(bundle.contractions().get(number), d),
                    1,
                    0,
                    written[number][block] ? add : set);
              }
            }
            targets.endSum();
          }
        }
      }
    }
    for (boolean[] ofOne : written) {
      for (int block = 0; block < 4; block++) {
        ofOne[block] |= signs[2][block] != 0;
      }
    }
  }

  /**
   * Computes a part.
   *
   * @param numbers as {@link VectorLoops#product} wants them
   */
  void run(long[] numbers, Workspace workspace) {
    VectorLoops.product(
        numbers,
        lefts.starts,
        lefts.addresses,
        lefts.factors,
        rights.starts,
        rights.addresses,
        rights.factors,
        targets.starts,
        targets.addresses,
        targets.givings,
        workspace.scratch(VectorLoops.productScratch(numbers)));
  }
}
