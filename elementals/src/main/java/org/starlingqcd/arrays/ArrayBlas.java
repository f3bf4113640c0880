package org.starlingqcd.arrays;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.arrays.Operand.Use;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.MatrixOperations.DeterminantSums;
import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;

/**
 * Calls of BLAS on arrays, with the arguments of CBLAS for row-major matrices; an array is followed
 * by the number at which a matrix or vector begins. A call returns before it has run. Which bytes
 * it uses follows from its shapes and leading dimensions, so nothing has to be planned or copied.
 *
 * <p>A real call may use a complex array; it then counts the parts of its numbers one by one.
 *
 * <p>A result with a factor {@code beta} of 0 is not read, and not sent to the device either where
 * the call writes all of it.
 */
public final class ArrayBlas {
  private final ArrayCache cache;

  /** Calls on the arrays of a cache. */
  public ArrayBlas(ArrayCache cache) {
    this.cache = cache;
  }

  /** {@code C = alpha · a(A) · b(B) + beta · C} of real matrices. */
  public void dgemm(
      Form formA,
      Form formB,
      int m,
      int n,
      int k,
      double alpha,
      HostArray a,
      long firstA,
      int lda,
      HostArray b,
      long firstB,
      int ldb,
      double beta,
      HostArray c,
      long firstC,
      int ldc) {
    Scalar x = Scalar.of(alpha);
    Scalar y = Scalar.of(beta);
    gemm(
        new ProductShape(NumberKind.REAL, formA, formB, m, n, k, lda, ldb, ldc, x, y),
        Strides.ONE,
        a,
        firstA,
        b,
        firstB,
        c,
        firstC);
  }

  /** {@code C = alpha · a(A) · b(B) + beta · C} of complex matrices. */
  public void zgemm(
      Form formA,
      Form formB,
      int m,
      int n,
      int k,
      Scalar alpha,
      HostArray a,
      long firstA,
      int lda,
      HostArray b,
      long firstB,
      int ldb,
      Scalar beta,
      HostArray c,
      long firstC,
      int ldc) {
    gemm(
        new ProductShape(NumberKind.COMPLEX, formA, formB, m, n, k, lda, ldb, ldc, alpha, beta),
        Strides.ONE,
        a,
        firstA,
        b,
        firstB,
        c,
        firstC);
  }

  /** Several products of one shape, whose operands begin at constant distances. */
  public void gemm(
      ProductShape p,
      Strides strides,
      HostArray a,
      long firstA,
      HostArray b,
      long firstB,
      HostArray c,
      long firstC) {
    long last = strides.count() - 1L;
    MatrixShape shape = p.c();
    boolean dense =
        shape.columns() == shape.leading()
            && (last == 0 || strides.c() == (long) shape.rows() * shape.columns());
    Use use = p.beta().isZero() && dense ? Use.OVERWRITE : Use.UPDATE;
    run(
        3,
        List.of(
            operand(p.kind(), a, firstA, p.a(), last * strides.a(), Use.READ),
            operand(p.kind(), b, firstB, p.b(), last * strides.b(), Use.READ),
            operand(p.kind(), c, firstC, shape, last * strides.c(), use)),
        (calls, places, stream) -> {
          if (strides.count() == 1) {
            calls.multiply(p, places[0], places[1], places[2], stream);
          } else {
            calls.multiplyAll(p, strides, places[0], places[1], places[2], stream);
          }
        });
  }

  /** {@code y = y + alpha · x} of real vectors; steps are positive. */
  public void daxpy(
      int n,
      double alpha,
      HostArray x,
      long firstX,
      int stepX,
      HostArray y,
      long firstY,
      int stepY) {
    axpy(NumberKind.REAL, n, Scalar.of(alpha), x, firstX, stepX, y, firstY, stepY);
  }

  /** {@code y = y + alpha · x} of complex vectors; steps are positive. */
  public void zaxpy(
      int n,
      Scalar alpha,
      HostArray x,
      long firstX,
      int stepX,
      HostArray y,
      long firstY,
      int stepY) {
    axpy(NumberKind.COMPLEX, n, alpha, x, firstX, stepX, y, firstY, stepY);
  }

  private void axpy(
      NumberKind kind,
      int n,
      Scalar alpha,
      HostArray x,
      long firstX,
      int stepX,
      HostArray y,
      long firstY,
      int stepY) {
    axpy(MatrixShape.vector(kind, n, stepX), alpha, x, firstX, y, firstY, stepY);
  }

  /** {@code Y = Y + alpha · X} of matrices; {@code leadingY} is from row to row of Y. */
  public void axpy(
      MatrixShape x,
      Scalar alpha,
      HostArray from,
      long firstX,
      HostArray to,
      long firstY,
      int leadingY) {
    run(
        2,
        List.of(
            operand(x.kind(), from, firstX, x, 0, Use.READ),
            operand(x.kind(), to, firstY, with(x, leadingY), 0, Use.UPDATE)),
        (calls, places, stream) -> calls.add(x, alpha, places[0], leadingY, places[1], stream));
  }

  /** {@code y = x} of vectors of the kind of y; steps are positive. */
  public void copy(
      int n, HostArray x, long firstX, int stepX, HostArray y, long firstY, int stepY) {
    copy(MatrixShape.vector(y.kind(), n, stepX), x, firstX, y, firstY, stepY);
  }

  /** {@code Y = X} of matrices; {@code leadingY} is from row to row of Y. */
  public void copy(
      MatrixShape x, HostArray from, long firstX, HostArray to, long firstY, int leadingY) {
    Use use = leadingY == x.columns() ? Use.OVERWRITE : Use.UPDATE;
    run(
        2,
        List.of(
            operand(x.kind(), from, firstX, x, 0, Use.READ),
            operand(x.kind(), to, firstY, with(x, leadingY), 0, use)),
        (calls, places, stream) -> calls.copy(x, places[0], leadingY, places[1], stream));
  }

  /** {@code x = alpha · x} of vectors of the kind of the array; the step is positive. */
  public void scal(int n, Scalar alpha, HostArray x, long firstX, int stepX) {
    scal(MatrixShape.vector(x.kind(), n, stepX), alpha, x, firstX);
  }

  /** {@code X = alpha · X} of a matrix. */
  public void scal(MatrixShape x, Scalar alpha, HostArray array, long first) {
    run(
        1,
        List.of(operand(x.kind(), array, first, x, 0, Use.UPDATE)),
        (calls, places, stream) -> calls.scale(x, alpha, places[0], stream));
  }

  /** Multiplies row i of X by factor i: {@code Y[i][j] = d[i] · X[i][j]}. Y may be X. */
  public void scaleRows(
      MatrixShape x,
      HostArray factors,
      long firstFactor,
      int step,
      HostArray from,
      long firstX,
      HostArray to,
      long firstY,
      int leadingY) {
    MatrixShape y = with(x, leadingY);
    Use use = leadingY == x.columns() ? Use.OVERWRITE : Use.UPDATE;
    run(
        3,
        List.of(
            operand(
                x.kind(),
                factors,
                firstFactor,
                MatrixShape.vector(x.kind(), x.rows(), step),
                0,
                Use.READ),
            operand(x.kind(), from, firstX, x, 0, Use.READ),
            operand(x.kind(), to, firstY, y, 0, use)),
        (calls, places, stream) ->
            calls.scaleRows(x, places[0], step, places[1], leadingY, places[2], stream));
  }

  /** Writes the transpose or the adjoint of X to Y. */
  public void transpose(
      MatrixShape x, Form form, HostArray from, long firstX, HostArray to, long firstY, int ldy) {
    int columns = form.exchanges() ? x.rows() : x.columns();
    int rows = form.exchanges() ? x.columns() : x.rows();
    MatrixShape y = new MatrixShape(x.kind(), rows, columns, ldy);
    Use use = ldy == columns ? Use.OVERWRITE : Use.UPDATE;
    run(
        2,
        List.of(
            operand(x.kind(), from, firstX, x, 0, Use.READ),
            operand(x.kind(), to, firstY, y, 0, use)),
        (calls, places, stream) -> calls.transpose(x, form, places[0], ldy, places[1], stream));
  }

  /** Whether the device has {@link #determinants}. */
  public boolean hasDeterminants() {
    return cache.determinants().isPresent();
  }

  /**
   * {@code D[i][j][k] = Σ_x phase[x] · det(v_i(x), v_j(x), v_k(x))} of complex vectors with three
   * components, {@code [site][component][n]}, where {@link #hasDeterminants}; all arrays are used
   * from their start on, and D is {@code [n][n][n]}.
   *
   * @throws UnsupportedOperationException when the device has no such call
   */
  public void determinants(
      int sites, int n, HostArray vectors, HostArray phases, HostArray result) {
    DeterminantSums sums =
        cache
            .determinants()
            .orElseThrow(
                () -> new UnsupportedOperationException("no sums of determinants on this device"));
    NumberKind kind = NumberKind.COMPLEX;
    run(
        3,
        List.of(
            operand(kind, vectors, 0, MatrixShape.dense(kind, 3 * sites, n), 0, Use.READ),
            operand(kind, phases, 0, MatrixShape.vector(kind, sites, 1), 0, Use.READ),
            new Operand(result, 0, 16L * n * n * n, Use.OVERWRITE)),
        (calls, places, stream) -> sums.sum(sites, n, places[0], places[1], places[2], stream));
  }

  private static MatrixShape with(MatrixShape x, int leading) {
    return new MatrixShape(x.kind(), x.rows(), x.columns(), leading);
  }

  private void run(int counted, List<Operand> operands, ArrayCache.Call call) {
    cache.run(new ArrayList<>(operands), counted, call);
  }

  private static Operand operand(
      NumberKind kind, HostArray array, long first, MatrixShape shape, long more, Use use) {
    if (array.kind() == NumberKind.REAL && kind == NumberKind.COMPLEX) {
      throw new IllegalArgumentException("array " + array.name() + " has real numbers");
    }
    long bytes = kind.bytes();
    return new Operand(array, first * bytes, shape.bytes() + more * bytes, use);
  }
}
