package org.starlingqcd.analysis;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The three-point function of one insertion between two operators, averaged over configurations and
 * sources on the ensemble and on every sample.
 */
final class CurrentAverages {
  /*
   * With vectors v of sink and source, C = v_f† C_ij v_i and likewise the two-point function C₂ between the
   * operators of both sides. Loops need the covariance of the current and C₂,
   *
   *   Σ_{t_i} w(t_i) ( ⟨J₁(t) C₂(t_f, t_i)⟩ - ⟨J₁(t)⟩ ⟨C₂(t_f, t_i)⟩ ),
   *
   * where ⟨ ⟩ averages over the configurations of the sample and w(t_i) is the share of t_i among all pairs of
   * configuration and source. The vector of a bin (see Resampling) is
   *
   *   [ Σ C (2 D M) | units per source (K) | Σ C₂ per source (2 K D) | configurations (1) | Σ J₁ (2 T) ].
   */

  private final CurrentData data;
  private final int insertion;
  private final CurrentOptions.Part part;
  private final boolean subtract;
  private final double[] sinkVector;
  private final double[] sourceVector;
  private final List<Integer> sources;
  private final int extent;
  private final int separations;
  private final int places;
  // Where the parts of a bin's vector begin; the configurations are just before the currents.
  private final int units;
  private final int twoPoints;
  private final int currents;

  /**
   * Prepares the averages.
   *
   * @param insertion its number
   * @param subtract whether to subtract ⟨J₁⟩⟨C₂⟩ from loops
   * @param sinkVector v_f, interleaved complex [i]
   * @param sourceVector v_i, interleaved complex [j]
   */
  CurrentAverages(
      CurrentData data,
      int insertion,
      CurrentOptions.Part part,
      boolean subtract,
      double[] sinkVector,
      double[] sourceVector) {
    this.data = data;
    this.insertion = insertion;
    this.part = part;
    this.subtract =
        subtract
            && part != CurrentOptions.Part.CONNECTED
            && data.hasLoops(insertion)
            && data.hasCurrent(insertion);
    this.sinkVector = sinkVector;
    this.sourceVector = sourceVector;
    TreeSet<Integer> all = new TreeSet<>();
    data.configurations().forEach(c -> all.addAll(c.sourceTimes()));
    this.sources = List.copyOf(all);
    this.extent = data.configurations().get(0).insertions().get(insertion).current().length / 2;
    this.separations = data.separations().size();
    this.places = separations * data.insertionSeparations().size();
    units = 2 * places;
    twoPoints = units + sources.size();
    currents = twoPoints + 2 * sources.size() * separations + 1;
  }

  /** C on the ensemble, then on every sample: interleaved complex [dt][t - t_i]. */
  double[][] of(Resampling resampling) {
    return resampling.resampled(
        data.configurations().size(),
        currents + 2 * extent,
        (c, bin) -> add(data.configurations().get(c), bin),
        this::correlator);
  }

  private void add(CurrentData.Configuration one, double[] bin) {
    CurrentData.Insertion numbers = one.insertions().get(insertion);
    if (part != CurrentOptions.Part.DISCONNECTED) {
      add(numbers.connected(), 0, bin, 0, places);
    }
    if (part != CurrentOptions.Part.CONNECTED && numbers.disconnected().length > 0) {
      add(numbers.disconnected(), 0, bin, 0, places);
    }
    bin[currents - 1]++;
    for (int k = 0; k < one.sourceTimes().size(); k++) {
      int source = sources.indexOf(one.sourceTimes().get(k));
      bin[units + source]++;
      int to = twoPoints + 2 * source * separations;
      add(one.twoPoint(), k * separations, bin, to, separations);
    }
    for (int k = 0; k < 2 * extent; k++) {
      bin[currents + k] += numbers.current()[k];
    }
  }

  /** Adds v_f† C v_i of so many matrices, the first of which is number {@code from}. */
  private void add(double[] matrices, int from, double[] target, int to, int count) {
    int length = sinkVector.length / 2 * sourceVector.length;
    double[] chosen = Arrays.copyOfRange(matrices, from * length, (from + count) * length);
    double[] projected = projected(chosen, sinkVector, sourceVector);
    for (int k = 0; k < projected.length; k++) {
      target[to + k] += projected[k];
    }
  }

  /** v† C w of every matrix [i][j], all of them interleaved complex. */
  static double[] projected(double[] matrices, double[] v, double[] w) {
    int rows = v.length / 2;
    int columns = w.length / 2;
    double[] result = new double[matrices.length / (rows * columns)];
    for (int k = 0; k < matrices.length; k += 2) {
      int i = 2 * (k / 2 / columns % rows);
      int j = 2 * (k / 2 % columns);
      int to = 2 * (k / 2 / (rows * columns));
      double re = v[i] * w[j] + v[i + 1] * w[j + 1];
      double im = v[i] * w[j + 1] - v[i + 1] * w[j];
      result[to] += re * matrices[k] - im * matrices[k + 1];
      result[to + 1] += re * matrices[k + 1] + im * matrices[k];
    }
    return result;
  }

  private double[] correlator(double[] sums) {
    double all = 0;
    for (int k = 0; k < sources.size(); k++) {
      all += sums[units + k];
    }
    double[] result = new double[2 * places];
    for (int k = 0; k < result.length; k++) {
      result[k] = sums[k] / all;
    }
    int times = data.insertionSeparations().size();
    double scale = 1 / (all * sums[currents - 1]);
    for (int k = 0; k < sources.size() && subtract; k++) {
      for (int place = 0; place < places; place++) {
        int t = (sources.get(k) + data.insertionSeparations().get(place % times)) % extent;
        double re = sums[currents + 2 * t];
        double im = sums[currents + 2 * t + 1];
        int two = twoPoints + 2 * (k * separations + place / times);
        result[2 * place] -= scale * (re * sums[two] - im * sums[two + 1]);
        result[2 * place + 1] -= scale * (re * sums[two + 1] + im * sums[two]);
      }
    }
    return result;
  }
}
