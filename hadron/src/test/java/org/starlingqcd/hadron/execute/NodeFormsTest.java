package org.starlingqcd.hadron.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.ExecutionQueue.Build;
import org.starlingqcd.graph.schedule.ExecutionQueue.Intermediate;
import org.starlingqcd.graph.schedule.ExecutionQueue.Multiply;
import org.starlingqcd.graph.schedule.ExecutionQueue.Node;
import org.starlingqcd.graph.schedule.ExecutionQueue.SpinSum;
import org.starlingqcd.graph.schedule.ExecutionQueue.Vector;
import org.starlingqcd.hadron.data.SpinMatrix;

/** Products, traces and copies of F X against those of X, and the choice of F. */
class NodeFormsTest {
  /** Sums of 16 products of numbers below 1; entries of gammas are exact. */
  private static final double TOLERANCE = 16 * 8 * Math.ulp(1.0);

  private static final int X = 0;
  private static final int Y = 1;
  private static final int D = 2;

  private static SpinMatrix random(Random random) {
    return SpinMatrix.of(random.doubles(32, -1, 1).toArray());
  }

  private static SpinMatrix gamma(int mask) {
    return SpinMatrix.deGrandRossi(new Gamma(mask, 1));
  }

  /** The signed permutation of a mask, times a power of i. */
  private static SpinMatrix real(int mask, Complex phase) {
    double[] values = new double[32];
    SpinMatrix gamma = gamma(mask);
    boolean imaginary = SpinMappings.isImaginary(mask);
    for (int k = 0; k < 16; k++) {
      double entry = imaginary ? gamma.im(k / 4, k % 4) : gamma.re(k / 4, k % 4);
      values[2 * k] = entry * phase.re();
      values[2 * k + 1] = entry * phase.im();
    }
    return SpinMatrix.of(values);
  }

  private static SpinMatrix real(NodeForms.Factor factor) {
    return real(factor.mask(), factor.phase());
  }

  private static void assertClose(SpinMatrix expected, SpinMatrix actual) {
    for (int k = 0; k < 16; k++) {
      assertEquals(expected.re(k / 4, k % 4), actual.re(k / 4, k % 4), TOLERANCE);
      assertEquals(expected.im(k / 4, k % 4), actual.im(k / 4, k % 4), TOLERANCE);
    }
  }

  @Test
  void productsAndTraces_areThoseOfThePlainForm() {
    Random random = new Random(3);
    for (int k = 0; k < 2000; k++) {
      int[] masks = {random.nextInt(16), random.nextInt(16), random.nextInt(16)};
      int left = random.nextInt(16);
      int inner = random.nextInt(16);
      boolean copied = random.nextBoolean();
      NodeForms forms =
          new NodeForms(masks, copied ? Set.of(new NodeForms.Copy(Y, inner)) : Set.of());
      SpinMatrix x = random(random);
      SpinMatrix y = random(random);
      SpinMatrix plain = gamma(left).times(x).times(gamma(inner)).times(y);
      SpinMatrix keptX = real(masks[X], Complex.ONE).times(x);
      SpinMatrix keptY = real(masks[Y], Complex.ONE).times(y);
      SpinMatrix right = copied ? real(inner, Complex.ONE).times(y) : keptY;
      Multiply multiply = new Multiply(D, left, X, inner, Y, Complex.ONE, false);
      assertClose(
          real(masks[D], Complex.ONE).times(plain),
          real(forms.beforeLeft(multiply))
              .times(keptX)
              .times(real(forms.beforeRight(multiply)))
              .times(right));
      assertClose(
          plain,
          real(NodeForms.before(left, masks[X]))
              .times(keptX)
              .times(real(NodeForms.before(inner, masks[Y])))
              .times(keptY));
    }
  }

  @Test
  void buildsAndCopies_permuteRows() {
    Random random = new Random(4);
    for (int mask = 0; mask < 16; mask++) {
      SpinMatrix x = random(random);
      BatchSpinMapping build = new NodeForms(new int[] {mask}, Set.of()).build(0);
      assertEquals(16, build.size());
      double[] built = new double[32];
      for (int b = 0; b < 16; b++) {
        int from = build.right(b);
        built[2 * build.destination(b)] = build.factorRe(b) * x.re(from / 4, from % 4);
        built[2 * build.destination(b) + 1] = build.factorRe(b) * x.im(from / 4, from % 4);
      }
      assertClose(real(mask, Complex.ONE).times(x), SpinMatrix.of(built));
      for (int to = 0; to < 16; to++) {
        NodeForms.Copy copy = new NodeForms.Copy(0, to);
        SpinSumMapping rows = new NodeForms(new int[] {mask}, Set.of(copy)).copy(copy);
        SpinMatrix kept = real(mask, Complex.ONE).times(x);
        double[] copied = new double[32];
        for (int k = 0; k < rows.size(); k++) {
          int from = rows.source(k);
          copied[2 * rows.destination(k)] = rows.factorRe(k) * kept.re(from / 4, from % 4);
          copied[2 * rows.destination(k) + 1] = rows.factorRe(k) * kept.im(from / 4, from % 4);
        }
        assertClose(real(to, Complex.ONE).times(x), SpinMatrix.of(copied));
      }
    }
  }

  @Test
  void rightFactor_isKeptWithTheMatrixBeforeIt() {
    for (int inner = 0; inner < 16; inner++) {
      Multiply multiply = product(D, X, inner, Y);
      NodeForms forms = FormSearch.of(queue(3, 2, multiply));
      assertEquals(inner, forms.mask(Y));
      assertEquals(0, forms.beforeRight(multiply).mask());
      assertEquals(0, forms.beforeLeft(multiply).mask());
      assertEquals(0, forms.copies());
    }
  }

  @Test
  void chain_leavesNothingBeforeItsFactors() {
    // D is made of X, and the right factor of another product.
    Multiply first = new Multiply(D, 3, X, 15, Y, Complex.ONE, false);
    Multiply second = product(3, Y, 4, D);
    NodeForms forms = FormSearch.of(queue(4, 2, first, second));
    for (Multiply multiply : List.of(first, second)) {
      assertEquals(0, forms.beforeLeft(multiply).mask(), multiply.toString());
      assertEquals(0, forms.beforeRight(multiply).mask(), multiply.toString());
    }
  }

  @Test
  void severalMatrices_copyWhereThatMovesLess() {
    // With g3g5 between two elements, a product has four parts.
    NodeForms forms = FormSearch.of(queue(4, 2, product(D, X, 15, Y), product(3, X, 4, Y)));
    assertEquals(1, forms.copies());
    assertTrue(forms.isCopied(Y, 15) != forms.isCopied(Y, 4));
    // With g5 it has two: the first copy would move as much as it saves.
    forms = FormSearch.of(queue(4, 2, product(D, X, 15, Y), product(3, X, 0, Y)));
    assertEquals(0, forms.copies());
    List<Multiply> products = new ArrayList<>();
    for (int k = 0; k < 5; k++) {
      products.add(product(2 + k, X, k < 3 ? 15 : 0, Y));
    }
    forms = FormSearch.of(queue(7, 2, products.toArray(Multiply[]::new)));
    assertEquals(15, forms.mask(Y));
    assertTrue(forms.isCopied(Y, 0));
    assertFalse(forms.isCopied(Y, 15));
  }

  @Test
  void whatBaryonsUse_staysAsItIs() {
    ExecutionQueue mesons = queue(3, 2, product(D, X, 15, Y));
    List<Vector> vectors = new ArrayList<>(mesons.vectors());
    vectors.add(new Vector(List.of(new SpinSum(Y, 0, 0, List.of(), false, List.of()))));
    NodeForms forms = FormSearch.of(new ExecutionQueue(mesons.elements(), vectors, 0, List.of()));
    assertEquals(0, forms.mask(Y));
    assertEquals(15, forms.beforeRight(product(D, X, 15, Y)).mask());
  }

  private static Multiply product(int destination, int left, int inner, int right) {
    return new Multiply(destination, 0, left, inner, right, Complex.ONE, false);
  }

  /** A queue whose first elements are nodes and whose others are made by the products. */
  private static ExecutionQueue queue(int elements, int nodes, Multiply... products) {
    List<ExecutionQueue.Element> all = new ArrayList<>();
    List<ExecutionQueue.Step> builds = new ArrayList<>();
    for (int e = 0; e < elements; e++) {
      all.add(e < nodes ? new Node() : new Intermediate());
      if (e < nodes) {
        builds.add(new Build(e, 0, 0));
      }
    }
    List<Vector> vectors = new ArrayList<>();
    vectors.add(new Vector(builds));
    for (Multiply product : products) {
      vectors.add(new Vector(List.of(product)));
    }
    return new ExecutionQueue(all, vectors, 0, List.of());
  }
}
