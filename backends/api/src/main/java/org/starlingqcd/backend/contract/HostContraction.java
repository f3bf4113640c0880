package org.starlingqcd.backend.contract;

import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.SpinTraceMapping;

/** Contractions and traces from their definitions; each number costs {@code 8 · inner} flops. */
final class HostContraction {
  private HostContraction() {}

  /**
   * Number {@code (i, j)} of destination spin {@code d}: {@code Σ_b factor_b Σ_k left[s_b][i][k] ·
   * right[s'_b][k][j]}.
   *
   * @return real and imaginary part
   */
  static double[] number(
      HostTensor left,
      HostTensor right,
      BatchSpinMapping mapping,
      int columns,
      int inner,
      int d,
      int i,
      int j) {
    double re = 0;
    double im = 0;
    for (int b = 0; b < mapping.size(); b++) {
      if (mapping.destination(b) != d) {
        continue;
      }
      double sumRe = 0;
      double sumIm = 0;
      for (int k = 0; k < inner; k++) {
        long l = (long) i * inner + k;
        long r = (long) k * columns + j;
        double lRe = left.re(mapping.left(b), l);
        double lIm = left.im(mapping.left(b), l);
        double rRe = right.re(mapping.right(b), r);
        double rIm = right.im(mapping.right(b), r);
        sumRe += lRe * rRe - lIm * rIm;
        sumIm += lRe * rIm + lIm * rRe;
      }
      re += mapping.factorRe(b) * sumRe - mapping.factorIm(b) * sumIm;
      im += mapping.factorRe(b) * sumIm + mapping.factorIm(b) * sumRe;
    }
    return new double[] {re, im};
  }

  /** {@code Σ_b factor_b Σ_ij left[s_b][i][j] · right[s'_b][j][i]}, real and imaginary part. */
  static double[] trace(HostTensor left, HostTensor right, SpinTraceMapping mapping) {
    int n = left.shape().extent();
    double re = 0;
    double im = 0;
    for (int b = 0; b < mapping.size(); b++) {
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          double lRe = left.re(mapping.left(b), (long) i * n + j);
          double lIm = left.im(mapping.left(b), (long) i * n + j);
          double rRe = right.re(mapping.right(b), (long) j * n + i);
          double rIm = right.im(mapping.right(b), (long) j * n + i);
          re += mapping.factor(b) * (lRe * rRe - lIm * rIm);
          im += mapping.factor(b) * (lRe * rIm + lIm * rRe);
        }
      }
    }
    return new double[] {re, im};
  }

  /** {@code Σ_b factor_b Σ_i element[s_b][i][i]}, real and imaginary part. */
  static double[] trace(HostTensor element, SpinTraceMapping mapping) {
    int n = element.shape().extent();
    double re = 0;
    double im = 0;
    for (int b = 0; b < mapping.size(); b++) {
      for (int i = 0; i < n; i++) {
        re += mapping.factor(b) * element.re(mapping.left(b), (long) i * n + i);
        im += mapping.factor(b) * element.im(mapping.left(b), (long) i * n + i);
      }
    }
    return new double[] {re, im};
  }
}
