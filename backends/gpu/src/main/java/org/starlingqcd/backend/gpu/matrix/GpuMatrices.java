package org.starlingqcd.backend.gpu.matrix;

import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MatrixOperations;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.FailedCall;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.MatrixCalls;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.matrix.Form;
import org.starlingqcd.backend.matrix.MatrixShape;
import org.starlingqcd.backend.matrix.ProductShape;
import org.starlingqcd.backend.matrix.Scalar;
import org.starlingqcd.backend.matrix.Strides;
import org.starlingqcd.backend.matrix.TriangularShape;

/**
 * Matrix calls on a GPU. A vendor's BLAS is column-major, so it sees the transpose of every matrix:
 * a product exchanges its factors, the left side of a system is its right side, and a lower
 * triangle is an upper one.
 */
public final class GpuMatrices implements MatrixOperations {
  /**
   * A library may give the products of a batch places in a direction of a grid, which has so many.
   */
  private static final int MOST_PRODUCTS = 65_535;

  /** Checks that memory and streams belong to the device. */
  public interface Owner {
    /** The block, alive and of this device. */
    GpuMemory own(DeviceMemory memory);

    /** The stream, of this device. */
    GpuStream own(DeviceStream stream);
  }

  private final Owner owner;
  private final GpuLibrary library;
  private final MatrixCalls calls;

  public GpuMatrices(Owner owner, GpuLibrary library, MatrixCalls calls) {
    this.owner = owner;
    this.library = library;
    this.calls = calls;
  }

  @Override
  public void toDevice(
      HostMemory source, long offset, Place target, long bytes, DeviceStream stream) {
    checkHost(source, offset, bytes);
    long to = address(target, bytes);
    library.makeCurrent();
    library.copy(to, source.address() + offset, bytes, CopyDirection.UP, owner.own(stream).put());
  }

  @Override
  public void toHost(
      Place source, HostMemory target, long offset, long bytes, DeviceStream stream) {
    checkHost(target, offset, bytes);
    long from = address(source, bytes);
    library.makeCurrent();
    library.copy(
        target.address() + offset, from, bytes, CopyDirection.DOWN, owner.own(stream).put());
  }

  @Override
  public void multiply(ProductShape product, Place a, Place b, Place c, DeviceStream stream) {
    multiplyAll(product, Strides.ONE, a, b, c, stream);
  }

  @Override
  public void multiplyAll(
      ProductShape p, Strides strides, Place a, Place b, Place c, DeviceStream stream) {
    long last = p.kind().bytes() * (strides.count() - 1L);
    long addressA = address(a, p.a().bytes() + last * strides.a());
    long addressB = address(b, p.b().bytes() + last * strides.b());
    long addressC = address(c, p.c().bytes() + last * strides.c());
    for (int first = 0; first < strides.count(); first += MOST_PRODUCTS) {
      long before = p.kind().bytes() * (long) first;
      int status =
          calls.gemm(
              blas(stream),
              p.kind(),
              p.formB(),
              p.formA(),
              p.n(),
              p.m(),
              p.k(),
              p.alpha(),
              addressB + before * strides.b(),
              p.ldb(),
              addressA + before * strides.a(),
              p.lda(),
              p.beta(),
              addressC + before * strides.c(),
              p.ldc(),
              new Strides(
                  Math.min(MOST_PRODUCTS, strides.count() - first),
                  strides.b(),
                  strides.a(),
                  strides.c()));
      check(status, "gemmStridedBatched", p);
    }
  }

  @Override
  public void add(
      MatrixShape x, Scalar alpha, Place from, int leadingY, Place to, DeviceStream stream) {
    long source = address(from, x.bytes());
    long target = address(to, with(x, leadingY).bytes());
    long blas = blas(stream);
    if (x.columns() == 1) {
      check(
          calls.axpy(blas, x.kind(), x.rows(), alpha, source, x.leading(), target, leadingY),
          "axpy",
          x);
      return;
    }
    int status =
        calls.geam(
            blas,
            x.kind(),
            Form.PLAIN,
            Form.PLAIN,
            x.columns(),
            x.rows(),
            alpha,
            source,
            x.leading(),
            Scalar.ONE,
            target,
            leadingY,
            target,
            leadingY);
    check(status, "geam", x);
  }

  @Override
  public void scale(MatrixShape x, Scalar alpha, Place place, DeviceStream stream) {
    long address = address(place, x.bytes());
    long blas = blas(stream);
    boolean dense = x.columns() == x.leading();
    if (dense || x.columns() == 1) {
      int count = Math.multiplyExact(x.rows(), dense ? x.columns() : 1);
      int step = dense ? 1 : x.leading();
      check(calls.scal(blas, x.kind(), count, alpha, address, step), "scal", x);
      return;
    }
    int status =
        calls.geam(
            blas,
            x.kind(),
            Form.PLAIN,
            Form.PLAIN,
            x.columns(),
            x.rows(),
            alpha,
            address,
            x.leading(),
            Scalar.ZERO,
            address,
            x.leading(),
            address,
            x.leading());
    check(status, "geam", x);
  }

  @Override
  public void copy(MatrixShape x, Place from, int leadingY, Place to, DeviceStream stream) {
    long source = address(from, x.bytes());
    long target = address(to, with(x, leadingY).bytes());
    long number = x.kind().bytes();
    long blas = blas(stream);
    if (x.columns() == 1) {
      check(calls.copy(blas, x.kind(), x.rows(), source, x.leading(), target, leadingY), "copy", x);
      return;
    }
    library.copyRows(
        target,
        number * leadingY,
        source,
        number * x.leading(),
        number * x.columns(),
        x.rows(),
        CopyDirection.WITHIN,
        owner.own(stream).put());
  }

  /** The operand B of geam has factor 0; A stands in for it, since it adds no NaN of its own. */
  @Override
  public void transpose(
      MatrixShape x, Form form, Place from, int leadingY, Place to, DeviceStream stream) {
    if (!form.exchanges()) {
      copy(x, from, leadingY, to, stream);
      return;
    }
    MatrixShape y = new MatrixShape(x.kind(), x.columns(), x.rows(), leadingY);
    long source = address(from, x.bytes());
    long target = address(to, y.bytes());
    int status =
        calls.geam(
            blas(stream),
            x.kind(),
            form,
            form,
            x.rows(),
            x.columns(),
            Scalar.ONE,
            source,
            x.leading(),
            Scalar.ZERO,
            source,
            x.leading(),
            target,
            leadingY);
    check(status, "geam", x);
  }

  @Override
  public void scaleRows(
      MatrixShape x,
      Place factors,
      int step,
      Place from,
      int leadingY,
      Place to,
      DeviceStream stream) {
    long scales = address(factors, MatrixShape.vector(x.kind(), x.rows(), step).bytes());
    long source = address(from, x.bytes());
    long target = address(to, with(x, leadingY).bytes());
    int status =
        calls.dgmm(
            blas(stream),
            x.kind(),
            x.columns(),
            x.rows(),
            source,
            x.leading(),
            scales,
            step,
            target,
            leadingY);
    check(status, "dgmm", x);
  }

  @Override
  public void solveTriangular(TriangularShape s, Place a, Place b, DeviceStream stream) {
    long matrix = address(a, s.a().bytes());
    long sides = address(b, s.b().bytes());
    int status =
        calls.trsm(
            blas(stream),
            s.kind(),
            !s.left(),
            !s.lower(),
            s.form(),
            s.unitDiagonal(),
            s.columns(),
            s.rows(),
            s.alpha(),
            matrix,
            s.lda(),
            sides,
            s.ldb());
    check(status, "trsm", s);
  }

  private long blas(DeviceStream stream) {
    GpuStream mine = owner.own(stream);
    library.makeCurrent();
    return mine.putBlas();
  }

  private void check(int status, String call, Record shape) {
    if (status != 0) {
      throw FailedCall.of(calls.blasPrefix() + call, calls.blasWords(status), "shape", shape);
    }
  }

  private long address(Place place, long bytes) {
    GpuMemory memory = owner.own(place.memory());
    if (memory.isComposed() || bytes > memory.bytes() - place.offset()) {
      throw new IllegalArgumentException(
          "leaves its block: offset="
              + place.offset()
              + " needed="
              + bytes
              + " bytes="
              + memory.bytes());
    }
    return memory.address() + place.offset();
  }

  private static MatrixShape with(MatrixShape x, int leading) {
    return new MatrixShape(x.kind(), x.rows(), x.columns(), leading);
  }

  private static void checkHost(HostMemory host, long offset, long bytes) {
    if (offset < 0 || bytes < 0 || bytes > host.bytes() - offset) {
      throw new IllegalArgumentException(
          "leaves host memory: offset=" + offset + " needed=" + bytes + " bytes=" + host.bytes());
    }
  }
}
