package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.plan.BaryonPart.SpinTerm;
import org.starlingqcd.graph.plan.PairSum;
import org.starlingqcd.graph.plan.SpinLegs;

/**
 * The sum over spin components of two lines that a pair of baryons needs for every pair of spins of
 * its open legs, as a vector of {@link #LENGTH} interleaved complex numbers {@code 16 p + q}. Spins
 * are in the Dirac basis, each structure with its own component of w.
 */
public final class SpinVectors {
  /** Most vectors of a term: eight sums over two legs at either end. */
  static final int MOST = 64;

  /** Pairs of spins of the open legs, {@code 4 · sink + source}. */
  private static final int OPEN = 16;

  /** Components of two lines. */
  public static final int LENGTH = 256;

  private SpinVectors() {}

  /** The vectors of a term, by open spins, its coefficient left out. */
  static double[][] of(SpinTerm term, boolean symmetric) {
    double[][] vectors = new double[OPEN][];
    for (List<SpinLegs.Entry> sink : SpinLegs.needed(term.sink(), term.sinkLegs(), false, true)) {
      for (List<SpinLegs.Entry> source :
          SpinLegs.needed(term.source(), term.sourceLegs(), true, true)) {
        PairSum.Scaled sum = PairSum.of(sink, source, symmetric);
        if (sum != null) {
          SpinLegs.Open a = SpinLegs.open(term.sink(), term.sinkLegs(), false, sink.get(0));
          SpinLegs.Open b = SpinLegs.open(term.source(), term.sourceLegs(), true, source.get(0));
          int open = SpinLegs.SPINS * a.spin() + b.spin();
          if (vectors[open] == null) {
            vectors[open] = new double[2 * LENGTH];
          }
          add(vectors[open], sum.spin(), sum.factor().times(a.factor()).times(b.factor()));
        }
      }
    }
    return vectors;
  }

  /** The vectors of a term if every component of w may have any factor: one vector for each sum. */
  static double[][] apart(SpinTerm term, boolean symmetric) {
    List<double[]> vectors = new ArrayList<>();
    for (List<SpinLegs.Entry> sink : SpinLegs.needed(term.sink(), term.sinkLegs(), false)) {
      for (List<SpinLegs.Entry> source : SpinLegs.needed(term.source(), term.sourceLegs(), true)) {
        PairSum.Scaled sum = PairSum.of(sink, source, symmetric);
        if (sum != null) {
          double[] vector = new double[2 * LENGTH];
          add(vector, sum.spin(), Complex.ONE);
          vectors.add(vector);
        }
      }
    }
    return vectors.toArray(double[][]::new);
  }

  /** Adds a multiple of a sum to a vector. */
  public static void add(double[] vector, PairSum sum, Complex factor) {
    for (PairSum.Entry entry : sum.entries()) {
      int at = 2 * (NumberedSums.LINE_SPINS * entry.first() + entry.second());
      Complex value = entry.factor().times(factor);
      vector[at] += value.re();
      vector[at + 1] += value.im();
    }
  }

  /** Adds a multiple of one vector to another. */
  public static void addTo(double[] sum, double[] vector, double re, double im) {
    for (int k = 0; k < vector.length; k += 2) {
      if (vector[k] != 0 || vector[k + 1] != 0) {
        sum[k] += re * vector[k] - im * vector[k + 1];
        sum[k + 1] += re * vector[k + 1] + im * vector[k];
      }
    }
  }

  /** A sum with the direction of a vector; entries below a fraction of the largest are zeros. */
  static PairSum sum(double[] vector) {
    double least = VectorSpan.TOLERANCE * largest(vector);
    List<PairSum.Entry> entries = new ArrayList<>();
    Complex scale = Complex.ONE;
    for (int k = 0; k < LENGTH; k++) {
      double re = vector[2 * k];
      double im = vector[2 * k + 1];
      if (Math.abs(re) > least || Math.abs(im) > least) {
        Complex value = new Complex(re, im);
        if (entries.isEmpty()) {
          scale = GraphSums.inverse(value);
        }
        entries.add(
            new PairSum.Entry(
                k / NumberedSums.LINE_SPINS,
                k % NumberedSums.LINE_SPINS,
                entries.isEmpty() ? Complex.ONE : value.times(scale).plus(Complex.ZERO)));
      }
    }
    return new PairSum(entries);
  }

  /** Largest modulus of a real or imaginary part. */
  public static double largest(double[] vector) {
    double largest = 0;
    for (double value : vector) {
      largest = Math.max(largest, Math.abs(value));
    }
    return largest;
  }
}
