package org.starlingqcd.backend.gpu;

import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.backend.TriangularShape;
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

  /** A row-major matrix in memory. */
  private record Matrix(Memory memory, NumberKind kind, long address, long leading) {
    private long at(Form form, long i, long j) {
      return address + kind.bytes() * (form.exchanges() ? j * leading + i : i * leading + j);
    }

    double re(Form form, long i, long j) {
      return memory.get(at(form, i, j));
    }

    double im(Form form, long i, long j) {
      if (kind == NumberKind.REAL) {
        return 0;
      }
      double im = memory.get(at(form, i, j) + Double.BYTES);
      return form == Form.ADJOINT ? -im : im;
    }

    Scalar get(long i, long j) {
      return new Scalar(re(Form.PLAIN, i, j), im(Form.PLAIN, i, j));
    }

    void set(long i, long j, double re, double im) {
      memory.put(at(Form.PLAIN, i, j), re);
      if (kind == NumberKind.COMPLEX) {
        memory.put(at(Form.PLAIN, i, j) + Double.BYTES, im);
      }
    }

    /** Sets a number to {@code alpha · (re, im) + beta · old}; beta = 0 hides the old one. */
    void combine(long i, long j, Scalar alpha, double re, double im, Scalar beta) {
      Scalar old = beta.isZero() ? Scalar.ZERO : get(i, j);
      set(
          i,
          j,
          alpha.re() * re - alpha.im() * im + beta.re() * old.re() - beta.im() * old.im(),
          alpha.re() * im + alpha.im() * re + beta.re() * old.im() + beta.im() * old.re());
    }
  }

  private Matrix matrix(NumberKind kind, long address, long leading) {
    return new Matrix(memory, kind, address, leading);
  }

  @Override
  public int gemm(long handle, ProductShape p, Strides strides, long a, long b, long c) {
    memory.call("gemmStridedBatched", handle);
    long number = p.kind().bytes();
    for (int batch = 0; batch < strides.count(); batch++) {
      Matrix left = matrix(p.kind(), a + number * batch * strides.a(), p.lda());
      Matrix right = matrix(p.kind(), b + number * batch * strides.b(), p.ldb());
      Matrix sum = matrix(p.kind(), c + number * batch * strides.c(), p.ldc());
      for (int i = 0; i < p.m(); i++) {
        for (int j = 0; j < p.n(); j++) {
          double re = 0;
          double im = 0;
          for (int l = 0; l < p.k(); l++) {
            double x = left.re(p.formA(), i, l);
            double y = left.im(p.formA(), i, l);
            double u = right.re(p.formB(), l, j);
            double v = right.im(p.formB(), l, j);
            re += x * u - y * v;
            im += x * v + y * u;
          }
          sum.combine(i, j, p.alpha(), re, im, p.beta());
        }
      }
    }
    return 0;
  }

  /** {@code y[i] = alpha · x[i] + beta · y[i]} for vectors. */
  private void vector(
      NumberKind kind,
      int count,
      Scalar alpha,
      long from,
      int stepX,
      Scalar beta,
      long to,
      int stepY) {
    Matrix x = matrix(kind, from, stepX);
    Matrix y = matrix(kind, to, stepY);
    for (int i = 0; i < count; i++) {
      Scalar number = x.get(i, 0);
      y.combine(i, 0, alpha, number.re(), number.im(), beta);
    }
  }

  @Override
  public int axpy(long handle, MatrixShape x, Scalar alpha, long from, int stepY, long to) {
    memory.call("axpy", handle);
    vector(x.kind(), x.rows(), alpha, from, x.leading(), Scalar.ONE, to, stepY);
    return 0;
  }

  @Override
  public int scal(long handle, NumberKind kind, int count, Scalar alpha, long x, int step) {
    memory.call("scal", handle);
    vector(kind, count, alpha, x, step, Scalar.ZERO, x, step);
    return 0;
  }

  @Override
  public int copy(long handle, MatrixShape x, long from, int stepY, long to) {
    memory.call("copy", handle);
    vector(x.kind(), x.rows(), Scalar.ONE, from, x.leading(), Scalar.ZERO, to, stepY);
    return 0;
  }

  @Override
  public int geam(long handle, MatrixShape shape, Term a, Term b, long c) {
    memory.call("geam", handle);
    Matrix left = matrix(shape.kind(), a.address(), a.leading());
    Matrix right = matrix(shape.kind(), b.address(), b.leading());
    Matrix sum = matrix(shape.kind(), c, shape.leading());
    Scalar alpha = a.factor();
    Scalar beta = b.factor();
    for (int i = 0; i < shape.rows(); i++) {
      for (int j = 0; j < shape.columns(); j++) {
        double x = left.re(a.form(), i, j);
        double y = left.im(a.form(), i, j);
        double u = right.re(b.form(), i, j);
        double v = right.im(b.form(), i, j);
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
      long handle, MatrixShape x, long factors, int step, long from, int leadingY, long to) {
    memory.call("dgmm", handle);
    Matrix old = matrix(x.kind(), from, x.leading());
    Matrix scales = matrix(x.kind(), factors, step);
    Matrix result = matrix(x.kind(), to, leadingY);
    for (int i = 0; i < x.rows(); i++) {
      for (int j = 0; j < x.columns(); j++) {
        Scalar number = old.get(i, j);
        result.combine(i, j, scales.get(i, 0), number.re(), number.im(), Scalar.ZERO);
      }
    }
    return 0;
  }

  @Override
  public int trsm(long handle, TriangularShape system, long a, long b) {
    memory.call("trsm", handle);
    Matrix triangle = matrix(system.kind(), a, system.lda());
    Matrix sides = matrix(system.kind(), b, system.ldb());
    boolean left = system.left();
    Form form = system.form();
    Scalar alpha = system.alpha();
    int order = system.order();
    boolean forward = (system.lower() == (form == Form.PLAIN)) == left;
    for (int s = 0; s < (left ? system.columns() : system.rows()); s++) {
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
        if (!system.unitDiagonal()) {
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
