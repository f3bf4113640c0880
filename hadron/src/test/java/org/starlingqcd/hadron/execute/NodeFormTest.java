package org.starlingqcd.hadron.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.ExecutionQueue.Intermediate;
import org.starlingqcd.graph.schedule.ExecutionQueue.Multiply;
import org.starlingqcd.graph.schedule.ExecutionQueue.Node;
import org.starlingqcd.graph.schedule.ExecutionQueue.SpinSum;
import org.starlingqcd.graph.schedule.ExecutionQueue.Vector;
import org.starlingqcd.hadron.data.SpinMatrix;

/** Products and traces of γ5 X against those of X, for all pairs of gamma structures. */
class NodeFormTest {
  private static final SpinMatrix G5 = SpinMatrix.deGrandRossi(Gamma.G5);

  /** Sums of 16 products of numbers below 1; entries of gammas are exact. */
  private static final double TOLERANCE = 16 * 8 * Math.ulp(1.0);

  private static SpinMatrix random(Random random) {
    return SpinMatrix.of(random.doubles(32, -1, 1).toArray());
  }

  private static SpinMatrix gamma(int mask) {
    return SpinMatrix.deGrandRossi(new Gamma(mask, 1));
  }

  private static void assertClose(SpinMatrix expected, SpinMatrix actual) {
    for (int k = 0; k < 16; k++) {
      assertEquals(expected.re(k / 4, k % 4), actual.re(k / 4, k % 4), TOLERANCE);
      assertEquals(expected.im(k / 4, k % 4), actual.im(k / 4, k % 4), TOLERANCE);
    }
  }

  @Test
  void gamma5_productsAndTraces_areThoseOfThePlainForm() {
    Random random = new Random(3);
    for (int left = 0; left < 16; left++) {
      for (int inner = 0; inner < 16; inner++) {
        SpinMatrix x = random(random);
        SpinMatrix y = random(random);
        SpinMatrix plain = gamma(left).times(x).times(gamma(inner)).times(y);
        SpinMatrix x5 = G5.times(x);
        SpinMatrix y5 = G5.times(y);
        SpinMatrix between = SpinMatrix.deGrandRossi(NodeForm.GAMMA5.before(inner));
        SpinMatrix product =
            SpinMatrix.deGrandRossi(NodeForm.GAMMA5.beforeProduct(left))
                .times(x5)
                .times(between)
                .times(y5);
        assertClose(G5.times(plain), product);
        SpinMatrix traced =
            SpinMatrix.deGrandRossi(NodeForm.GAMMA5.before(left))
                .times(x5)
                .times(between)
                .times(y5);
        assertClose(plain, traced);
      }
    }
  }

  @Test
  void gamma5Build_isGamma5TimesTheNode() {
    BatchSpinMapping build = NodeForm.GAMMA5.build();
    assertEquals(16, build.size());
    for (int b = 0; b < 16; b++) {
      assertEquals(b, build.right(b));
      assertEquals(b, build.destination(b));
      assertEquals(
          new Complex(G5.re(b / 4, b / 4), 0), new Complex(build.factorRe(b), build.factorIm(b)));
    }
  }

  @Test
  void form_isThatOfMostProducts() {
    assertEquals(NodeForm.GAMMA5, NodeForm.of(queue(15, 15, 0)));
    assertEquals(NodeForm.PLAIN, NodeForm.of(queue(15, 0, 0)));
    assertEquals(NodeForm.PLAIN, NodeForm.of(queue(1, 2, 4)));
    // Sums over the spins of a baryon are made without it.
    ExecutionQueue mesons = queue(15, 15, 15);
    SpinSum sum = new SpinSum(1, 0, 0, List.of(), false, List.of());
    List<Vector> vectors = List.of(mesons.vectors().get(0), new Vector(List.of(sum)));
    assertEquals(
        NodeForm.PLAIN, NodeForm.of(new ExecutionQueue(mesons.elements(), vectors, 0, List.of())));
  }

  private static ExecutionQueue queue(int... innerGammas) {
    List<ExecutionQueue.Step> steps = new ArrayList<>();
    for (int inner : innerGammas) {
      steps.add(new Multiply(1, 0, 0, inner, 0, Complex.ONE, false));
    }
    return new ExecutionQueue(
        List.of(new Node(), new Intermediate()), List.of(new Vector(steps)), 0, List.of());
  }
}
