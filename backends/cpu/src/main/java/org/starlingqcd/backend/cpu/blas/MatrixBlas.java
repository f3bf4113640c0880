package org.starlingqcd.backend.cpu.blas;

import static org.bytedeco.openblas.global.openblas_nolapack.CblasConjTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasLeft;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasLower;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNonUnit;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasRight;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasUnit;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasUpper;

import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.TriangularShape;

/**
 * One thread's calls of BLAS on row-major matrices of real or of interleaved complex numbers, on
 * raw addresses.
 */
public final class MatrixBlas implements AutoCloseable {
  /** Length of the summed index up to which loops are faster than packing for BLAS. */
  private static final int SHORT = 4;

  /** Longest summed index of products in loops, and most numbers of the right-hand matrix. */
  static final int LONGEST = 512;

  private static final int LARGEST = 1 << 16;

  /** alpha, then beta: BLAS takes complex factors by address. */
  private final HostMemory factors = HostMemory.allocateForDevice(4L * Double.BYTES);

  private final double[] numbers = new double[4];
  private final Address alpha = new Address();
  private final Address beta = new Address();
  private final Address a = new Address();
  private final Address b = new Address();
  private final Address c = new Address();
  private final boolean loops;

  /**
   * Creates the calls of one thread.
   *
   * @param loops whether {@link VectorLoops} are called
   */
  public MatrixBlas(boolean loops) {
    this.loops = loops;
  }

  /** One product. */
  public void multiply(ProductShape p, long addressA, long addressB, long addressC) {
    if (p.kind() == NumberKind.REAL) {
      openblas_nolapack.cblas_dgemm(
          CblasRowMajor,
          code(p.formA()),
          code(p.formB()),
          p.m(),
          p.n(),
          p.k(),
          p.alpha().re(),
          a.at(addressA),
          p.lda(),
          b.at(addressB),
          p.ldb(),
          p.beta().re(),
          c.at(addressC),
          p.ldc());
    } else {
      put(p.alpha(), p.beta());
      openblas_nolapack.cblas_zgemm(
          CblasRowMajor,
          code(p.formA()),
          code(p.formB()),
          p.m(),
          p.n(),
          p.k(),
          alpha,
          a.at(addressA),
          p.lda(),
          b.at(addressB),
          p.ldb(),
          beta,
          c.at(addressC),
          p.ldc());
    }
  }

  /**
   * {@code C = factor·A·B} or {@code C += factor·A·B} for n × n matrices of complex numbers in
   * single or double precision; {@code 8n³} flops.
   */
  public void multiply(
      boolean single, int n, Scalar factor, long left, long right, boolean add, long result) {
    Scalar previous = add ? Scalar.ONE : Scalar.ZERO;
    if (!single) {
      ProductShape shape =
          ProductShape.dense(NumberKind.COMPLEX, Form.PLAIN, Form.PLAIN, n, n, n)
              .scaled(factor, previous);
      multiply(shape, left, right, result);
      return;
    }
    float[] singles = {(float) factor.re(), (float) factor.im(), (float) previous.re(), 0};
    alpha.floatsAt(factors.address()).put(singles, 0, singles.length);
    openblas_nolapack.cblas_cgemm(
        CblasRowMajor,
        CblasNoTrans,
        CblasNoTrans,
        n,
        n,
        n,
        alpha.at(factors.address()),
        a.at(left),
        n,
        b.at(right),
        n,
        beta.at(factors.address() + 2 * Float.BYTES),
        c.at(result),
        n);
  }

  /** Several products; distances are in bytes. */
  public void multiply(
      ProductShape p,
      int count,
      long addressA,
      long strideA,
      long addressB,
      long strideB,
      long addressC,
      long strideC) {
    int bytes = p.kind().bytes();
    if (loops && p.k() <= SHORT && !p.formB().exchanges()) {
      VectorLoops.smallProducts(
          bytes / Double.BYTES,
          p.formA().code(),
          p.m(),
          p.n(),
          p.k(),
          p.alpha().re(),
          p.alpha().im(),
          addressA,
          p.lda(),
          strideA / bytes,
          addressB,
          p.ldb(),
          strideB / bytes,
          p.beta().re(),
          p.beta().im(),
          addressC,
          p.ldc(),
          strideC / bytes,
          count);
      return;
    }
    for (int i = 0; i < count; i++) {
      multiply(p, addressA + i * strideA, addressB + i * strideB, addressC + i * strideC);
    }
  }

  /** Products {@code first} to {@code end}; places are in numbers. */
  public void multiplyEach(
      ProductShape p, long[] places, int first, int end, long a, long b, long c) {
    boolean adds = p.beta().equals(Scalar.ONE);
    boolean dots =
        p.equals(ProductShape.dense(NumberKind.COMPLEX, Form.PLAIN, Form.PLAIN, 1, 1, p.k()));
    boolean small =
        p.kind() == NumberKind.COMPLEX
            && (p.formB() == Form.PLAIN || (p.formB() == Form.TRANSPOSED && p.ldb() == p.k()))
            && (adds || p.beta().isZero())
            && p.k() <= LONGEST
            && (long) p.k() * p.n() <= LARGEST;
    if (loops && (dots || small)) {
      VectorLoops.eachProduct(
          p.formA().code(),
          p.formB().exchanges(),
          p.m(),
          p.n(),
          p.k(),
          p.alpha().re(),
          p.alpha().im(),
          a,
          p.lda(),
          b,
          p.ldb(),
          adds,
          c,
          p.ldc(),
          places,
          first,
          end);
      return;
    }
    long bytes = p.kind().bytes();
    for (int k = 3 * first; k < 3 * end; k += 3) {
      multiply(p, a + bytes * places[k], b + bytes * places[k + 1], c + bytes * places[k + 2]);
    }
  }

  /** {@code y += factor · x} for {@code n} numbers; steps are in numbers. */
  public void add(NumberKind kind, int n, Scalar factor, long x, int stepX, long y, int stepY) {
    if (kind == NumberKind.REAL) {
      openblas_nolapack.cblas_daxpy(n, factor.re(), a.at(x), stepX, b.at(y), stepY);
    } else {
      put(factor, Scalar.ZERO);
      openblas_nolapack.cblas_zaxpy(n, alpha, a.at(x), stepX, b.at(y), stepY);
    }
  }

  /** {@code x = factor · x} for {@code n} numbers. */
  public void scale(NumberKind kind, int n, Scalar factor, long x, int step) {
    if (kind == NumberKind.REAL) {
      openblas_nolapack.cblas_dscal(n, factor.re(), a.at(x), step);
    } else {
      put(factor, Scalar.ZERO);
      openblas_nolapack.cblas_zscal(n, alpha, a.at(x), step);
    }
  }

  /** Copies {@code n} numbers; steps are in numbers. */
  public void copy(NumberKind kind, int n, long x, int stepX, long y, int stepY) {
    if (kind == NumberKind.REAL) {
      openblas_nolapack.cblas_dcopy(n, a.at(x), stepX, b.at(y), stepY);
    } else {
      openblas_nolapack.cblas_zcopy(n, a.at(x), stepX, b.at(y), stepY);
    }
  }

  /** Copies bytes. */
  public void move(long from, long to, long bytes) {
    Pointer.memcpy(a.at(to), b.at(from), bytes);
  }

  /** {@code y} becomes another form of the matrix {@code x}. */
  public void transpose(MatrixShape shape, Form form, long x, long y, int leadingY) {
    int width = shape.kind().bytes() / Double.BYTES;
    if (loops && form.exchanges()) {
      VectorLoops.transpose(
          width,
          form == Form.ADJOINT,
          shape.rows(),
          shape.columns(),
          x,
          shape.leading(),
          y,
          leadingY);
      return;
    }
    long bytes = shape.kind().bytes();
    for (int i = 0; i < shape.rows(); i++) {
      long row = x + bytes * i * shape.leading();
      if (form.exchanges()) {
        copy(shape.kind(), shape.columns(), row, 1, y + bytes * i, leadingY);
        if (form == Form.ADJOINT && width == 2) {
          long imaginary = y + bytes * i + Double.BYTES;
          scale(NumberKind.REAL, shape.columns(), Scalar.MINUS_ONE, imaginary, 2 * leadingY);
        }
      } else {
        copy(shape.kind(), shape.columns(), row, 1, y + bytes * i * leadingY, 1);
      }
    }
  }

  /** {@code y[i][j] = factors[i] · x[i][j]}. */
  public void scaleRows(MatrixShape shape, long scales, int step, long x, long y, int leadingY) {
    int width = shape.kind().bytes() / Double.BYTES;
    if (loops) {
      VectorLoops.scaleRows(
          width, shape.rows(), shape.columns(), scales, step, x, shape.leading(), y, leadingY);
      return;
    }
    long bytes = shape.kind().bytes();
    for (int i = 0; i < shape.rows(); i++) {
      long to = y + bytes * i * leadingY;
      a.at(scales + bytes * i * step).get(numbers, 0, width);
      Scalar factor = new Scalar(numbers[0], width == 2 ? numbers[1] : 0);
      if (x != y) {
        copy(shape.kind(), shape.columns(), x + bytes * i * shape.leading(), 1, to, 1);
      }
      scale(shape.kind(), shape.columns(), factor, to, 1);
    }
  }

  /** Solves a triangular system in place of its right-hand sides. */
  public void solve(TriangularShape t, long matrix, long sides) {
    int side = t.left() ? CblasLeft : CblasRight;
    int half = t.lower() ? CblasLower : CblasUpper;
    int diagonal = t.unitDiagonal() ? CblasUnit : CblasNonUnit;
    if (t.kind() == NumberKind.REAL) {
      openblas_nolapack.cblas_dtrsm(
          CblasRowMajor,
          side,
          half,
          code(t.form()),
          diagonal,
          t.rows(),
          t.columns(),
          t.alpha().re(),
          a.at(matrix),
          t.lda(),
          b.at(sides),
          t.ldb());
    } else {
      put(t.alpha(), Scalar.ZERO);
      openblas_nolapack.cblas_ztrsm(
          CblasRowMajor,
          side,
          half,
          code(t.form()),
          diagonal,
          t.rows(),
          t.columns(),
          alpha,
          a.at(matrix),
          t.lda(),
          b.at(sides),
          t.ldb());
    }
  }

  private void put(Scalar first, Scalar second) {
    numbers[0] = first.re();
    numbers[1] = first.im();
    numbers[2] = second.re();
    numbers[3] = second.im();
    factors.put(0, numbers, 0, numbers.length);
    alpha.at(factors.address());
    beta.at(factors.address() + 2 * Double.BYTES);
  }

  private static int code(Form form) {
    return switch (form) {
      case PLAIN -> CblasNoTrans;
      case TRANSPOSED -> CblasTrans;
      case ADJOINT -> CblasConjTrans;
    };
  }

  @Override
  public void close() {
    factors.close();
  }
}
