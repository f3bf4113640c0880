package org.starlingqcd.hadron;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * The bundled data of a 4³ × 8 lattice with 8 eigenvectors as plain arrays, from which tests write
 * the layouts of other programs.
 */
public final class ExampleArrays implements AutoCloseable {
  /** Times. */
  public static final int T = 8;

  /** Eigenvectors. */
  public static final int N = 8;

  private final Hdf5File file;

  private ExampleArrays(Hdf5File file) {
    this.file = file;
  }

  /** The bundled file of configuration 1. */
  public static Path path() {
    Path here = Path.of("").toAbsolutePath();
    while (here != null && !Files.exists(here.resolve("examples/data"))) {
      here = here.getParent();
    }
    if (here == null) {
      throw new IllegalStateException("no examples/data above " + Path.of("").toAbsolutePath());
    }
    return here.resolve("examples/data/quenched_4x8_cfg0001.h5");
  }

  /** Opens it. */
  public static ExampleArrays open() {
    return new ExampleArrays(Hdf5File.open(path()));
  }

  private double[] all(String object) {
    try (Hdf5Dataset dataset = file.dataset(object)) {
      return dataset.readAll();
    }
  }

  /** Momenta of meson elementals without displacement, in a fixed order. */
  public List<Momentum> mesonMomenta() {
    return momenta("elementals/meson/none");
  }

  /** Momenta of baryon elementals. */
  public List<Momentum> baryonMomenta() {
    return momenta("elementals/baryon/none");
  }

  private List<Momentum> momenta(String group) {
    List<Momentum> momenta = new ArrayList<>();
    for (String name : file.children(group)) {
      String[] n = name.split("_");
      momenta.add(
          new Momentum(Integer.parseInt(n[0]), Integer.parseInt(n[1]), Integer.parseInt(n[2])));
    }
    return momenta;
  }

  /** Φ_D(n), [T][N][N], interleaved complex. */
  public double[] meson(String displacement, Momentum n) {
    return all("elementals/meson/" + displacement + "/" + n.fileName());
  }

  /** B(n), [T][N][N][N]. */
  public double[] baryon(Momentum n) {
    return all("elementals/baryon/none/" + n.fileName());
  }

  /** τ, [T sink][T source][4 sink][4 source][N sink][N source]. */
  public double[] tau(String label) {
    return all("perambulators/" + label);
  }

  /**
   * τ in another basis of gamma matrices, {@code S τ S†}.
   *
   * @param sourceG4 whether it is multiplied with g4 of that basis from the right
   */
  public double[] tau(String label, GammaBasis basis, boolean sourceG4) {
    SpinMatrix left = basis.rotation();
    SpinMatrix right =
        sourceG4
            ? basis.rotation().adjoint().times(basis.matrix(Gamma.G4))
            : basis.rotation().adjoint();
    double[] tau = tau(label);
    double[] rotated = new double[tau.length];
    int block = 2 * N * N;
    for (int pair = 0; pair < T * T; pair++) {
      for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
          int to = (16 * pair + 4 * row + column) * block;
          for (int a = 0; a < 4; a++) {
            for (int b = 0; b < 4; b++) {
              int from = (16 * pair + 4 * a + b) * block;
              double re =
                  left.re(row, a) * right.re(b, column) - left.im(row, a) * right.im(b, column);
              double im =
                  left.re(row, a) * right.im(b, column) + left.im(row, a) * right.re(b, column);
              for (int k = 0; k < block && (re != 0 || im != 0); k += 2) {
                rotated[to + k] += re * tau[from + k] - im * tau[from + k + 1];
                rotated[to + k + 1] += re * tau[from + k + 1] + im * tau[from + k];
              }
            }
          }
        }
      }
    }
    return rotated;
  }

  /**
   * An array with its axes in another order.
   *
   * @param order for each axis of the result, the axis of {@code numbers}
   */
  public static double[] permuted(double[] numbers, int[] extents, int... order) {
    int rank = extents.length;
    int[] strides = new int[rank];
    int stride = 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      stride *= extents[axis];
    }
    double[] result = new double[numbers.length];
    int[] at = new int[rank];
    for (int k = 0; k < numbers.length / 2; k++) {
      int rest = k;
      int from = 0;
      for (int axis = rank - 1; axis >= 0; axis--) {
        at[axis] = rest % extents[order[axis]];
        rest /= extents[order[axis]];
        from += at[axis] * strides[order[axis]];
      }
      result[2 * k] = numbers[2 * from];
      result[2 * k + 1] = numbers[2 * from + 1];
    }
    return result;
  }

  /** τ with the difference of times instead of the sink time, [T source][dt][4][4][N][N]. */
  public static double[] relative(double[] tau) {
    int block = 2 * 16 * N * N;
    double[] relative = new double[tau.length];
    for (int source = 0; source < T; source++) {
      for (int dt = 0; dt < T; dt++) {
        System.arraycopy(
            tau,
            ((source + dt) % T * T + source) * block,
            relative,
            (source * T + dt) * block,
            block);
      }
    }
    return relative;
  }

  /** Arrays one after the other. */
  public static double[] joined(List<double[]> parts) {
    int size = parts.stream().mapToInt(part -> part.length).sum();
    double[] all = new double[size];
    int done = 0;
    for (double[] part : parts) {
      System.arraycopy(part, 0, all, done, part.length);
      done += part.length;
    }
    return all;
  }

  /** Numbers times a factor. */
  public static double[] times(double[] numbers, double factor) {
    double[] product = numbers.clone();
    for (int k = 0; k < product.length; k++) {
      product[k] *= factor;
    }
    return product;
  }

  @Override
  public void close() {
    file.close();
  }
}
