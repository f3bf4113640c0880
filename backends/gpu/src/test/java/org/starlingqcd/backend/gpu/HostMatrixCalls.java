package org.starlingqcd.backend.gpu;

import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.backend.gpu.library.MatrixCalls;

/** Matrix calls as plain loops over memory that checks every access. */
final class HostMatrixCalls implements MatrixCalls {
  /** Device memory in doubles. */
  interface Memory {
    /** Notes a call. */
    void call(String name, long handle);

    double get(long address);

    void put(long address, double number);
  }

  private final Memory memory;

  HostMatrixCalls(Memory memory) {
    this.memory = memory;
  }

  /** A column-major matrix in memory. */
  private record Matrix(Memory memory, NumberKind kind, long address, long leading) {
    private long at(long i, long j) {
      return address + kind.bytes() * (i + j * leading);
    }

    double re(Form form, long i, long j) {
      return memory.get(form.exchanges() ? at(j, i) : at(i, j));
    }

    double im(Form form, long i, long j) {
      if (kind == NumberKind.REAL) {
        return 0;
      }
      double im = memory.get((form.exchanges() ? at(j, i) : at(i, j)) + Double.BYTES);
      return form == Form.ADJOINT ? -im : im;
    }

    void set(long i, long j, double re, double im) {
      memory.put(at(i, j), re);
      if (kind == NumberKind.COMPLEX) {
        memory.put(at(i, j) + Double.BYTES, im);
      }
    }
  }

  private Matrix matrix(NumberKind kind, long address, long leading) {
    return new Matrix(memory, kind, address, leading);
  }

  @Override
  public int gemm(
      long handle,
      NumberKind kind,
      Form formA,
      Form formB,
      int m,
      int n,
      int k,
      Scalar alpha,
      long a,
      int lda,
      long b,
      int ldb,
      Scalar beta,
      long c,
      int ldc,
      Strides strides) {
    memory.call("gemmStridedBatched", handle);
    for (int p = 0; p < strides.count(); p++) {
      Matrix left = matrix(kind, a + (long) kind.bytes() * p * strides.a(), lda);
      Matrix right = matrix(kind, b + (long) kind.bytes() * p * strides.b(), ldb);
      Matrix sum = matrix(kind, c + (long) kind.bytes() * p * strides.c(), ldc);
      for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
          double re = 0;
          double im = 0;
          for (int l = 0; l < k; l++) {
            double x = left.re(formA, i, l);
            double y = left.im(formA, i, l);
            double u = right.re(formB, l, j);
            double v = right.im(formB, l, j);
            re += x * u - y * v;
            im += x * v + y * u;
          }
          combine(sum, i, j, alpha, re, im, beta, sum);
        }
      }
    }
    return 0;
  }

  /** {@code target[i][j] = alpha · (re, im) + beta · old[i][j]}. */
  private static void combine(
      Matrix target, int i, int j, Scalar alpha, double re, double im, Scalar beta, Matrix old) {
    double oldRe = beta.isZero() ? 0 : old.re(Form.PLAIN, i, j);
    double oldIm = beta.isZero() ? 0 : old.im(Form.PLAIN, i, j);
    target.set(
        i,
        j,
        alpha.re() * re - alpha.im() * im + beta.re() * oldRe - beta.im() * oldIm,
        alpha.re() * im + alpha.im() * re + beta.re() * oldIm + beta.im() * oldRe);
  }

  @Override
  public int axpy(
      long handle, NumberKind kind, int n, Scalar alpha, long x, int stepX, long y, int stepY) {
    memory.call("axpy", handle);
    Matrix from = matrix(kind, x, stepX);
    Matrix to = matrix(kind, y, stepY);
    for (int j = 0; j < n; j++) {
      combine(
          to, 0, j, alpha, from.re(Form.PLAIN, 0, j), from.im(Form.PLAIN, 0, j), Scalar.ONE, to);
    }
    return 0;
  }

  @Override
  public int scal(long handle, NumberKind kind, int n, Scalar alpha, long x, int step) {
    memory.call("scal", handle);
    Matrix to = matrix(kind, x, step);
    for (int j = 0; j < n; j++) {
      combine(to, 0, j, alpha, to.re(Form.PLAIN, 0, j), to.im(Form.PLAIN, 0, j), Scalar.ZERO, to);
    }
    return 0;
  }

  @Override
  public int copy(long handle, NumberKind kind, int n, long x, int stepX, long y, int stepY) {
    memory.call("copy", handle);
    Matrix from = matrix(kind, x, stepX);
    Matrix to = matrix(kind, y, stepY);
    for (int j = 0; j < n; j++) {
      to.set(0, j, from.re(Form.PLAIN, 0, j), from.im(Form.PLAIN, 0, j));
    }
    return 0;
  }

  @Override
  public int geam(
      long handle,
      NumberKind kind,
      Form formA,
      Form formB,
      int m,
      int n,
      Scalar alpha,
      long a,
      int lda,
      Scalar beta,
      long b,
      int ldb,
      long c,
      int ldc) {
    memory.call("geam", handle);
    Matrix left = matrix(kind, a, lda);
    Matrix right = matrix(kind, b, ldb);
    Matrix sum = matrix(kind, c, ldc);
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) {
        double x = left.re(formA, i, j);
        double y = left.im(formA, i, j);
        double u = right.re(formB, i, j);
        double v = right.im(formB, i, j);
        sum.set(
            i,
            j,
            alpha.re() * x - alpha.im() * y + beta.re() * u - beta.im() * v,
            alpha.re() * y + alpha.im() * x + beta.re() * v + beta.im() * u);
      }
    }
    return 0;
  }

  @Override
  public int dgmm(
      long handle,
      NumberKind kind,
      int m,
      int n,
      long a,
      int lda,
      long x,
      int step,
      long c,
      int ldc) {
    memory.call("dgmm", handle);
    Matrix from = matrix(kind, a, lda);
    Matrix factors = matrix(kind, x, step);
    Matrix to = matrix(kind, c, ldc);
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) {
        Scalar factor = new Scalar(factors.re(Form.PLAIN, 0, j), factors.im(Form.PLAIN, 0, j));
        combine(
            to,
            i,
            j,
            factor,
            from.re(Form.PLAIN, i, j),
            from.im(Form.PLAIN, i, j),
            Scalar.ZERO,
            to);
      }
    }
    return 0;
  }

  @Override
  public int trsm(
      long handle,
      NumberKind kind,
      boolean left,
      boolean lower,
      Form form,
      boolean unitDiagonal,
      int m,
      int n,
      Scalar alpha,
      long a,
      int lda,
      long b,
      int ldb) {
    memory.call("trsm", handle);
    Matrix triangle = matrix(kind, a, lda);
    Matrix sides = matrix(kind, b, ldb);
    int order = left ? m : n;
    boolean forward = (lower == (form == Form.PLAIN)) == left;
    for (int s = 0; s < (left ? n : m); s++) {
      for (int step = 0; step < order; step++) {
        int i = forward ? step : order - 1 - step;
        double re = sides.re(Form.PLAIN, left ? i : s, left ? s : i);
        double im = sides.im(Form.PLAIN, left ? i : s, left ? s : i);
        double sumRe = alpha.re() * re - alpha.im() * im;
        double sumIm = alpha.re() * im + alpha.im() * re;
        for (int done = 0; done < step; done++) {
          int l = forward ? done : order - 1 - done;
          double x = triangle.re(form, left ? i : l, left ? l : i);
          double y = triangle.im(form, left ? i : l, left ? l : i);
          double u = sides.re(Form.PLAIN, left ? l : s, left ? s : l);
          double v = sides.im(Form.PLAIN, left ? l : s, left ? s : l);
          sumRe -= x * u - y * v;
          sumIm -= x * v + y * u;
        }
        if (!unitDiagonal) {
          double x = triangle.re(form, i, i);
          double y = triangle.im(form, i, i);
          double size = x * x + y * y;
          double quotient = (sumRe * x + sumIm * y) / size;
          sumIm = (sumIm * x - sumRe * y) / size;
          sumRe = quotient;
        }
        sides.set(left ? i : s, left ? s : i, sumRe, sumIm);
      }
    }
    return 0;
  }
}
