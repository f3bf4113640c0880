package org.starlingqcd.backend.cpu.product;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.cpu.blas.VectorLoops;
import org.starlingqcd.backend.cpu.blas.Workspace;
import org.starlingqcd.backend.cpu.product.Contractions.Contraction;

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

  /** A product without blocks. */
  private static final int[][][] WHOLE = {{{1}, {1}, {1}}};

  /** Rows and columns of the left matrix of spins, and columns of the right one. */
  final int rows;

  final int inner;
  final int columns;
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

  private void addLeft(Contraction c, FusedPlan.Term term, int sign) {
    double re = sign * c.coefficientRe;
    double im = sign * c.coefficientIm;
    lefts.add(
        c.left[term.spin()],
        re * term.factorRe() - im * term.factorIm(),
        re * term.factorIm() + im * term.factorRe(),
        SET);
  }

  /** Products of rows of destinations that have the same left spins, whatever their factors are. */
  static List<SpinProduct> rowByRow(Contraction contraction) {
    MappingPlan plan = contraction.plan;
    BatchSpinMapping mapping = plan.mapping;
    List<SpinProduct> products = new ArrayList<>();
    for (int row = 0; row < plan.rows(); row++) {
      int first = plan.rowStart(row);
      int columns = plan.rowStart(row + 1) - first;
      int[] entries = plan.entries(first);
      SpinProduct product = new SpinProduct(1, entries.length, columns);
      for (int s = 0; s < entries.length; s++) {
        product.lefts.addSum(contraction.left[mapping.left(entries[s])], 1, 0, SET);
        for (int c = 0; c < columns; c++) {
          int b = plan.entries(first + c)[s];
          product.rights.addSum(
              contraction.right[mapping.right(b)],
              contraction.factorRe(b),
              contraction.factorIm(b),
              SET);
        }
      }
      for (int c = 0; c < columns; c++) {
        product.targets.addSum(
            contraction.destination[first + c], 1, 0, contraction.accumulates ? ADD : SET);
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
   * The products, in order, of contractions that share an input: the spins of their other inputs
   * and of their destinations stand below each other or side by side.
   *
   * @param strassen whether seven products of half as many spins each way take the place of eight
   */
  static List<SpinProduct> of(SharedOperandGroup bundle, boolean strassen) {
    FusedPlan plan = bundle.first().fused();
    int blocks = strassen ? 2 : 1;
    int rows = plan.rows() / blocks * bundle.above().size();
    int columns = plan.columns() / blocks * bundle.beside().size();
    boolean[][] written = new boolean[bundle.contractions().size()][blocks * blocks];
    for (int number = 0; number < written.length; number++) {
      Arrays.fill(written[number], bundle.contractions().get(number).accumulates);
    }
    List<SpinProduct> products = new ArrayList<>();
    for (int[][] signs : strassen ? STRASSEN : WHOLE) {
      SpinProduct product = new SpinProduct(rows, plan.inner() / blocks, columns);
      product.addBlocks(bundle, plan, blocks, signs, written);
      products.add(product);
    }
    return products;
  }

  private void addBlocks(
      SharedOperandGroup bundle, FusedPlan plan, int blocks, int[][] signs, boolean[][] written) {
    int rowsOfOne = plan.rows() / blocks;
    int columnsOfOne = plan.columns() / blocks;
    int all = blocks * blocks;
    for (Contraction k : bundle.above()) {
      for (int r = 0; r < rowsOfOne; r++) {
        for (int s = 0; s < inner; s++) {
          for (int block = 0; block < all; block++) {
            if (signs[0][block] != 0) {
              int row = r + block / blocks * rowsOfOne;
              addLeft(k, k.fused().left(row, s + block % blocks * inner), signs[0][block]);
            }
          }
          lefts.endSum();
        }
      }
    }
    for (int s = 0; s < inner; s++) {
      for (Contraction k : bundle.beside()) {
        for (int c = 0; c < columnsOfOne; c++) {
          for (int block = 0; block < all; block++) {
            if (signs[1][block] != 0) {
              int row = s + block / blocks * inner;
              int spin = k.fused().right(row, c + block % blocks * columnsOfOne);
              rights.add(k.right[spin], signs[1][block], 0, SET);
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
            for (int block = 0; block < all; block++) {
              if (signs[2][block] != 0) {
                int row = r + block / blocks * rowsOfOne;
                int d = row * plan.columns() + c + block % blocks * columnsOfOne;
                int set = signs[2][block] > 0 ? SET : SET_NEGATIVE;
                int add = signs[2][block] > 0 ? ADD : ADD_NEGATIVE;
                targets.add(
                    bundle.contractions().get(number).destination[d],
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
      for (int block = 0; block < all; block++) {
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
