package org.starlingqcd.graph.baryon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.plan.BaryonPart.Legs;
import org.starlingqcd.graph.plan.BaryonPart.SpinStructure;
import org.starlingqcd.graph.plan.BaryonPart.SpinTerm;

/** Dimensions of blocks after claims came and went against those of the claims that are left. */
class AskedSumsTest {
  private static final int BLOCKS = 3;

  private record Claim(
      int block, int sum, SpinTerm term, Complex coefficient, AskedSums.Claims asked) {}

  @Test
  void dimension_isThatOfTheClaimsThatAreLeft() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 6; round++) {
      AskedSums asked = new AskedSums(false);
      List<AskedSums.Block> blocks = Stream.generate(AskedSums.Block::new).limit(BLOCKS).toList();
      List<Claim> claims = new ArrayList<>();
      for (int k = 0; k < 40; k++) {
        int sum = random.nextInt(8);
        SpinTerm term =
            new SpinTerm(spin(random), Legs.NATURAL, spin(random), Legs.NATURAL, Complex.ONE);
        int number = asked.term(term, false);
        assertEquals(number, asked.term(term, false));
        int sign = random.nextBoolean() ? 1 : -1;
        Complex coefficient = new Complex(1 + random.nextInt(2), 0);
        // A sum belongs to one block.
        int block = sum % BLOCKS;
        claims.add(
            new Claim(
                block,
                sum,
                term,
                coefficient.times(sign),
                asked.claims(
                    blocks.get(block),
                    block,
                    new int[] {number},
                    List.of(new GraphSums.Part(sum, coefficient)),
                    sign)));
      }
      boolean[] made = new boolean[claims.size()];
      for (int step = 0; step < 100; step++) {
        int k = random.nextInt(made.length);
        made[k] = !made[k];
        asked.change(claims.get(k).asked(), made[k]);
        for (int block = 0; block < BLOCKS; block++) {
          assertEquals(dimension(claims, made, block), asked.dimension(blocks.get(block)));
        }
      }
    }
  }

  private static SpinStructure spin(SplittableRandom random) {
    return new SpinStructure(random.nextInt(2) == 0 ? 15 : 5, 1, 1 + random.nextInt(2), true);
  }

  private static int dimension(List<Claim> claims, boolean[] made, int block) {
    Map<Integer, double[][]> sums = new TreeMap<>();
    for (int k = 0; k < made.length; k++) {
      Claim claim = claims.get(k);
      if (made[k] && claim.block() == block) {
        double[][] sum =
            sums.computeIfAbsent(
                claim.sum(), key -> new double[SpinVectors.MOST][2 * SpinVectors.LENGTH]);
        double[][] vectors = SpinVectors.of(claim.term(), false);
        for (int open = 0; open < vectors.length; open++) {
          if (vectors[open] != null) {
            SpinVectors.addTo(
                sum[open], vectors[open], claim.coefficient().re(), claim.coefficient().im());
          }
        }
      }
    }
    VectorSpan span = new VectorSpan();
    for (double[][] sum : sums.values()) {
      for (double[] vector : sum) {
        if (SpinVectors.largest(vector) > VectorSpan.TOLERANCE) {
          span.add(vector);
        }
      }
    }
    return span.dimension();
  }
}
