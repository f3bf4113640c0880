package org.starlingqcd.correlators;

import java.nio.file.Path;
import org.starlingqcd.graph.plan.SpinLegs;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Data in other spin bases: those that real orthogonal matrices lead to from DeGrand-Rossi. */
public final class RotatedBasis {
  private RotatedBasis() {}

  /**
   * A rotation within each chirality: g5 stays what it was, and C = g2 g4 still does what baryons
   * need, but components of baryons are mixed.
   */
  public static double[][] withinChiralities(double upper, double lower) {
    double[][] u = new double[4][4];
    double[] angles = {upper, lower};
    for (int block = 0; block < 2; block++) {
      double c = Math.cos(angles[block]);
      double s = Math.sin(angles[block]);
      u[2 * block][2 * block] = c;
      u[2 * block][2 * block + 1] = -s;
      u[2 * block + 1][2 * block] = s;
      u[2 * block + 1][2 * block + 1] = c;
    }
    return u;
  }

  /** The basis in which g4 is diagonal. */
  public static double[][] diracPauli() {
    double[][] u = new double[4][4];
    for (int a = 0; a < 4; a++) {
      for (int b = 0; b < 4; b++) {
        u[a][b] = SpinLegs.toDirac(a, b);
      }
    }
    return u;
  }

  /** Declares the numbers of a file to be in the basis with the gammas {@code u g u^T}. */
  public static void declare(Path file, double[][] u) {
    try (Hdf5File hdf5 = Hdf5File.openForUpdate(file)) {
      hdf5.attributes("/").delete("gamma_basis");
      hdf5.attributes("/").put("gamma_basis", "explicit");
      for (int mu = 1; mu <= 4; mu++) {
        SpinMatrix g = SpinMatrix.deGrandRossi(mu);
        double[] rotated = new double[32];
        for (int i = 0; i < 4; i++) {
          for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 4; k++) {
              for (int l = 0; l < 4; l++) {
                rotated[2 * (4 * i + j)] += u[i][k] * g.re(k, l) * u[j][l];
                rotated[2 * (4 * i + j) + 1] += u[i][k] * g.im(k, l) * u[j][l];
              }
            }
          }
        }
        try (Hdf5Dataset dataset =
            hdf5.createDataset(
                "gamma/g" + mu,
                ElementType.COMPLEX,
                new long[] {4, 4},
                DatasetOptions.CONTIGUOUS)) {
          dataset.writeAll(rotated);
        }
      }
    }
  }
}
