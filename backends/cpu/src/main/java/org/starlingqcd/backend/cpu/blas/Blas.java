package org.starlingqcd.backend.cpu.blas;

import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasTrans;

import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.starlingqcd.backend.Precision;

/**
 * The BLAS calls of one thread, on raw addresses and without allocation. Matrices are row-major;
 * leading dimensions, counts and strides are in numbers of its precision.
 */
public final class Blas {
  /** Numbers passed in one call of level 1; BLAS counts in 32 bits. */
  private static final long CHUNK = 1 << 20;

  /** Numbers summed at a time: both inputs and the sum stay in the first-level cache. */
  private static final int SUM_CHUNK = 1 << 11;

  private final Address a = new Address();
  private final Address b = new Address();
  private final Address c = new Address();
  private final boolean vectorLoops;
  private final boolean single;
  private final int bytes;
  private float[] floats = new float[0];

  /** Creates the calls of one thread on numbers of this precision. */
  public Blas(Precision precision) {
    this(VectorLoops.isAvailable(), precision);
  }

  /**
   * Creates the calls of one thread, with the vector loops or with BLAS calls in their place.
   *
   * @param vectorLoops whether {@link VectorLoops} are called
   * @param precision of all numbers
   */
  public Blas(boolean vectorLoops, Precision precision) {
    this.vectorLoops = vectorLoops;
    single = precision == Precision.SINGLE;
    bytes = precision.realBytes();
  }

  /** Bytes of a number. */
  public int bytes() {
    return bytes;
  }

  /** Whether {@link VectorLoops} take the place of BLAS calls. */
  public boolean hasVectorLoops() {
    return vectorLoops;
  }

  /**
   * {@code C = beta·C + alpha·a(A)·b(B)} for an m × k matrix a(A) and a k × n matrix b(B), where a
   * and b transpose or not.
   */
  public void gemm(
      boolean transposeA,
      boolean transposeB,
      int m,
      int n,
      int k,
      double alpha,
      long addressA,
      int lda,
      long addressB,
      int ldb,
      double beta,
      long addressC,
      int ldc) {
    int formOfA = transposeA ? CblasTrans : CblasNoTrans;
    int formOfB = transposeB ? CblasTrans : CblasNoTrans;
    if (single) {
      openblas_nolapack.cblas_sgemm(
          CblasRowMajor,
          formOfA,
          formOfB,
          m,
          n,
          k,
          (float) alpha,
          a.floatsAt(addressA),
          lda,
          b.floatsAt(addressB),
          ldb,
          (float) beta,
          c.floatsAt(addressC),
          ldc);
      return;
    }
    openblas_nolapack.cblas_dgemm(
        CblasRowMajor,
        formOfA,
        formOfB,
        m,
        n,
        k,
        alpha,
        a.at(addressA),
        lda,
        b.at(addressB),
        ldb,
        beta,
        c.at(addressC),
        ldc);
  }

  /** Copies {@code n} numbers. */
  public void copy(int n, long from, int fromStride, long to, int toStride) {
    if (single) {
      openblas_nolapack.cblas_scopy(n, a.floatsAt(from), fromStride, b.floatsAt(to), toStride);
    } else {
      openblas_nolapack.cblas_dcopy(n, a.at(from), fromStride, b.at(to), toStride);
    }
  }

  /** {@code y += alpha·x} over {@code n} neighbouring numbers. */
  public void add(long n, double alpha, long x, long y) {
    for (long done = 0; done < n; done += CHUNK) {
      int some = (int) Math.min(CHUNK, n - done);
      add(some, alpha, x + bytes * done, 1, y + bytes * done, 1);
    }
  }

  /** {@code y += x} over {@code n} numbers. */
  public void add(long n, long x, int strideX, long y, int strideY) {
    for (long done = 0; done < n; done += CHUNK) {
      add(
          (int) Math.min(CHUNK, n - done),
          1,
          x + bytes * done * strideX,
          strideX,
          y + bytes * done * strideY,
          strideY);
    }
  }

  private void add(int n, double alpha, long x, int strideX, long y, int strideY) {
    if (single) {
      openblas_nolapack.cblas_saxpy(
          n, (float) alpha, a.floatsAt(x), strideX, b.floatsAt(y), strideY);
    } else {
      openblas_nolapack.cblas_daxpy(n, alpha, a.at(x), strideX, b.at(y), strideY);
    }
  }

  /**
   * {@code to = (re + i·im)·from} for {@code n} complex numbers, all real parts before the
   * imaginary ones.
   */
  public void times(int n, double re, double im, long from, long to) {
    long imaginary = (long) bytes * n;
    clear(2 * n, to);
    if (re != 0) {
      add(2L * n, re, from, to);
    }
    if (im != 0) {
      add(n, -im, from + imaginary, to);
      add(n, im, from, to + imaginary);
    }
  }

  /** {@code sum = x + y} over {@code n} neighbouring numbers. */
  public void sum(long n, long x, long y, long sum) {
    if (vectorLoops) {
      VectorLoops.sum(bytes, x, y, n, sum);
      return;
    }
    for (long done = 0; done < n; done += SUM_CHUNK) {
      int numbers = (int) Math.min(SUM_CHUNK, n - done);
      copy(numbers, x + bytes * done, 1, sum + bytes * done, 1);
      add(numbers, 1, y + bytes * done, sum + bytes * done);
    }
  }

  /**
   * Sets {@code n} neighbouring numbers to zero, including NaN, which scaling by zero would keep.
   */
  public void clear(int n, long y) {
    Pointer.memset(a.at(y), 0, (long) n * bytes);
  }

  /** {@code (x, y) = (x + y, y - x)} over {@code n} neighbouring numbers. */
  public void rotate(long n, long x, long y) {
    for (long done = 0; done < n; done += CHUNK) {
      int some = (int) Math.min(CHUNK, n - done);
      if (single) {
        openblas_nolapack.cblas_srot(
            some, a.floatsAt(x + bytes * done), 1, b.floatsAt(y + bytes * done), 1, 1, 1);
      } else {
        openblas_nolapack.cblas_drot(
            some, a.at(x + bytes * done), 1, b.at(y + bytes * done), 1, 1, 1);
      }
    }
  }

  /**
   * Combines three planes of {@code n} real products (of the real parts, of the imaginary parts,
   * and of the sums of both), {@code stride} bytes apart, into real part, imaginary part and their
   * sum, in place.
   */
  public void finishThree(long n, long planes, long stride) {
    if (vectorLoops) {
      VectorLoops.finishThree(bytes, planes, stride / bytes, n);
      return;
    }
    add(n, -2, planes + stride, planes + 2 * stride);
    add(n, -1, planes + stride, planes);
    for (long done = 0; done < n; done += CHUNK) {
      move(
          (int) Math.min(CHUNK, n - done),
          planes + 2 * stride + bytes * done,
          planes + stride + bytes * done);
    }
    add(n, -1, planes, planes + stride);
  }

  /**
   * Writes the differences {@code M[i][j] - M[j][i]}, i &lt; j, of {@code count} n × n matrices row
   * by row, in a plane of real parts and one of imaginary parts, {@code stride} bytes apart. Given
   * three planes of real products, it first combines these in place ({@link #finishThree}) and
   * writes three planes.
   */
  public void keepHalf(
      int count, int n, boolean three, long from, long strideFrom, long to, long stride) {
    if (vectorLoops) {
      VectorLoops.keepHalf(bytes, from, strideFrom / bytes, count, n, three, to, stride / bytes);
      return;
    }
    if (three) {
      finishThree((long) count * n * n, from, strideFrom);
    }
    for (int plane = 0; plane < (three ? 3 : 2); plane++) {
      long next = to + plane * stride;
      for (int i = 0; i < count; i++) {
        long matrix = from + plane * strideFrom + (long) bytes * i * n * n;
        for (int k = 0; k + 1 < n; k++) {
          int length = n - 1 - k;
          move(length, matrix + bytes * ((long) k * n + k + 1), next);
          add(length, -1, matrix + bytes * ((k + 1L) * n + k), n, next, 1);
          next += (long) bytes * length;
        }
      }
    }
  }

  /**
   * Writes the entries above the diagonals of {@code count} n × n matrices, one matrix after the
   * other: a plane of real parts, one of imaginary parts and, on request, one of their sums.
   */
  public void upperTriangles(
      int count, int n, boolean sums, long from, long strideFrom, long to, long stride) {
    if (vectorLoops) {
      VectorLoops.upperTriangles(
          bytes, from, strideFrom / bytes, count, n, sums, to, stride / bytes);
      return;
    }
    long next = to;
    for (int i = 0; i < count; i++) {
      for (int k = 0; k + 1 < n; k++) {
        int length = n - 1 - k;
        long row = from + bytes * (((long) i * n + k) * n + k + 1);
        move(length, row, next);
        move(length, row + strideFrom, next + stride);
        next += (long) bytes * length;
      }
    }
    if (sums) {
      sum((long) count * n * (n - 1) / 2, to, to + stride, to + 2 * stride);
    }
  }

  /** Copies {@code n} neighbouring numbers, which is faster than {@link #copy}. */
  public void move(int n, long from, long to) {
    Pointer.memcpy(b.at(to), a.at(from), (long) n * bytes);
  }

  /**
   * Brings {@code n} neighbouring numbers from each of two places into the cache. Only reading is
   * faster than copying, and reading two runs at a time is faster than one.
   */
  public void touch(long n, long x, long y) {
    for (long done = 0; done < n; done += CHUNK) {
      int some = (int) Math.min(CHUNK, n - done);
      if (single) {
        openblas_nolapack.cblas_sdot(
            some, a.floatsAt(x + bytes * done), 1, b.floatsAt(y + bytes * done), 1);
      } else {
        openblas_nolapack.cblas_ddot(some, a.at(x + bytes * done), 1, b.at(y + bytes * done), 1);
      }
    }
  }

  /** Reads {@code n} neighbouring numbers into {@code target} from {@code offset} on. */
  public void get(long from, double[] target, int offset, int n) {
    if (!single) {
      a.at(from).get(target, offset, n);
      return;
    }
    float[] numbers = floats(n);
    a.floatsAt(from).get(numbers, 0, n);
    for (int k = 0; k < n; k++) {
      target[offset + k] = numbers[k];
    }
  }

  /** Writes {@code n} numbers of {@code source} from {@code offset} on. */
  public void put(double[] source, int offset, int n, long to) {
    if (!single) {
      a.at(to).put(source, offset, n);
      return;
    }
    float[] numbers = floats(n);
    for (int k = 0; k < n; k++) {
      numbers[k] = (float) source[offset + k];
    }
    a.floatsAt(to).put(numbers, 0, n);
  }

  private float[] floats(int n) {
    if (floats.length < n) {
      floats = new float[n];
    }
    return floats;
  }
}
