package org.starlingqcd.hadron.reference;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Operator;
import org.starlingqcd.graph.Term;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Evaluates correlators from a complete data file with every permutation of the Wick contraction on
 * its own, dense matrices of 4N × 4N and no use of any symmetry.
 */
public final class NaiveCorrelator implements AutoCloseable {
  private record Placed(String bar, DenseMatrix matrix, String quark, int time) {}

  private final Hdf5File file;
  private final int n;
  private final DenseMatrix[] gammas;
  private final Map<String, DenseMatrix> perambulators = new HashMap<>();
  private final Map<String, double[]> datasets = new HashMap<>();
  private final int extent;

  public NaiveCorrelator(Path path) {
    file = Hdf5File.open(path);
    n = (int) file.attributes("/").integer("num_eigenvectors");
    extent = (int) file.attributes("/").integer("temporal_extent");
    gammas = new DenseMatrix[4];
    for (int mu = 0; mu < 4; mu++) {
      gammas[mu] =
          file.exists("gamma/g1")
              ? DenseMatrix.of(4, numbers("gamma/g" + (mu + 1)), 0)
              : deGrandRossi(mu);
    }
  }

  /** The matrices as they are printed in the conventions. */
  private static DenseMatrix deGrandRossi(int mu) {
    String[][] rows = {
      {"0 0 0 i", "0 0 i 0", "0 -i 0 0", "-i 0 0 0"},
      {"0 0 0 -1", "0 0 1 0", "0 1 0 0", "-1 0 0 0"},
      {"0 0 i 0", "0 0 0 -i", "-i 0 0 0", "0 i 0 0"},
      {"0 0 1 0", "0 0 0 1", "1 0 0 0", "0 1 0 0"}
    };
    DenseMatrix matrix = new DenseMatrix(4);
    for (int i = 0; i < 4; i++) {
      String[] words = rows[mu][i].split(" ");
      for (int j = 0; j < 4; j++) {
        double sign = words[j].startsWith("-") ? -1 : words[j].equals("0") ? 0 : 1;
        matrix.set(i, j, words[j].endsWith("i") ? new Complex(0, sign) : new Complex(sign, 0));
      }
    }
    return matrix;
  }

  private double[] numbers(String object) {
    return datasets.computeIfAbsent(
        object,
        key -> {
          try (Hdf5Dataset dataset = file.dataset(object)) {
            return dataset.readAll();
          }
        });
  }

  private DenseMatrix gamma(Gamma gamma) {
    DenseMatrix product = new DenseMatrix(4);
    for (int k = 0; k < 4; k++) {
      product.set(k, k, new Complex(gamma.sign(), 0));
    }
    for (int mu = 0; mu < 4; mu++) {
      if ((gamma.mask() >> mu & 1) != 0) {
        product = product.times(gammas[mu]);
      }
    }
    return product;
  }

  private DenseMatrix tau(String label, int sink, int source) {
    return perambulators.computeIfAbsent(
        label + " " + sink + " " + source,
        key -> {
          double[] all = numbers("perambulators/" + label);
          DenseMatrix tau = new DenseMatrix(4 * n);
          for (int a = 0; a < 4; a++) {
            for (int b = 0; b < 4; b++) {
              for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                  int k = 2 * (((((sink * extent + source) * 4 + a) * 4 + b) * n + i) * n + j);
                  tau.set(a * n + i, b * n + j, new Complex(all[k], all[k + 1]));
                }
              }
            }
          }
          return tau;
        });
  }

  private Placed annihilated(Bilinear factor, int time) {
    DenseMatrix phi =
        DenseMatrix.of(
            n,
            numbers(
                "elementals/meson/" + factor.displacement() + "/" + factor.momentum().fileName()),
            time * n * n);
    return new Placed(factor.bar(), gamma(factor.gamma()).kronecker(phi), factor.quark(), time);
  }

  private Placed created(Bilinear factor, int time) {
    Placed placed = annihilated(factor, time);
    DenseMatrix g4 = new DenseMatrix(n);
    for (int i = 0; i < n; i++) {
      g4.set(i, i, Complex.ONE);
    }
    g4 = gammas[3].kronecker(g4);
    return new Placed(
        /* bar= */ placed.quark(),
        g4.times(placed.matrix().adjoint()).times(g4),
        /* quark= */ placed.bar(),
        time);
  }

  /** {@code ⟨O_i(sink) O_j(source)†⟩}. */
  public Complex element(CorrelationMatrix matrix, int i, int j, int sink, int source) {
    Complex sum = Complex.ZERO;
    for (Term left : matrix.operators().get(i).terms()) {
      for (Term right : matrix.operators().get(j).terms()) {
        List<Placed> factors = new ArrayList<>();
        for (Factor factor : left.factors()) {
          factors.add(annihilated((Bilinear) factor, sink));
        }
        for (Factor factor : right.factors()) {
          factors.add(created((Bilinear) factor, source));
        }
        sum =
            sum.plus(
                left.coefficient()
                    .times(right.coefficient().conjugate())
                    .times(wick(factors, matrix.quarkLabels())));
      }
    }
    return sum;
  }

  /** {@code ⟨O(time)⟩}. */
  public Complex onePoint(CorrelationMatrix matrix, Operator operator, int time) {
    Complex sum = Complex.ZERO;
    for (Term term : operator.terms()) {
      List<Placed> factors = new ArrayList<>();
      for (Factor factor : term.factors()) {
        factors.add(annihilated((Bilinear) factor, time));
      }
      sum = sum.plus(term.coefficient().times(wick(factors, matrix.quarkLabels())));
    }
    return sum;
  }

  private Complex wick(List<Placed> factors, Map<String, String> labels) {
    return permute(factors, labels, new int[factors.size()], 0, new boolean[factors.size()]);
  }

  private Complex permute(
      List<Placed> factors, Map<String, String> labels, int[] to, int k, boolean[] taken) {
    if (k == to.length) {
      return contraction(factors, labels, to);
    }
    Complex sum = Complex.ZERO;
    for (int l = 0; l < to.length; l++) {
      if (!taken[l] && factors.get(k).quark().equals(factors.get(l).bar())) {
        taken[l] = true;
        to[k] = l;
        sum = sum.plus(permute(factors, labels, to, k + 1, taken));
        taken[l] = false;
      }
    }
    return sum;
  }

  private Complex contraction(List<Placed> factors, Map<String, String> labels, int[] to) {
    Complex product = Complex.ONE;
    boolean[] seen = new boolean[to.length];
    for (int start = 0; start < to.length; start++) {
      if (seen[start]) {
        continue;
      }
      DenseMatrix cycle = null;
      for (int k = start; !seen[k]; k = to[k]) {
        seen[k] = true;
        Placed here = factors.get(k);
        DenseMatrix node =
            here.matrix()
                .times(
                    tau(
                        String.valueOf(labels.get(here.quark())),
                        here.time(),
                        factors.get(to[k]).time()));
        cycle = cycle == null ? node : cycle.times(node);
      }
      if (cycle != null) {
        product = product.times(cycle.trace()).times(-1);
      }
    }
    return product;
  }

  @Override
  public void close() {
    file.close();
  }
}
