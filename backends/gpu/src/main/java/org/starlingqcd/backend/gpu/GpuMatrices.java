package org.starlingqcd.backend.gpu;

import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MatrixOperations;
import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.backend.TriangularShape;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.MatrixCalls;
import org.starlingqcd.backend.gpu.library.MatrixCalls.Term;
import org.starlingqcd.backend.gpu.memory.ElementAccess;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;

/** Matrix calls on a GPU. */
final class GpuMatrices implements MatrixOperations {
  /**
   * A library may give the products of a batch places in a direction of a grid, which has so many.
   */
  private static final int MOST_PRODUCTS = 65_535;

  private final ElementAccess device;
  private final GpuLibrary library;
  private final MatrixCalls calls;

  GpuMatrices(ElementAccess device, GpuLibrary library, MatrixCalls calls) {
    this.device = device;
    this.library = library;
    this.calls = calls;
  }

  @Override
  public void toDevice(
      HostMemory source, long offset, Place target, long bytes, DeviceStream stream) {
    source.checkRange(offset, bytes);
    GpuStream on = device.begin(stream);
    long to = address(target, bytes, on);
    library.copy(to, source.address() + offset, bytes, CopyDirection.UP, on.put());
  }

  @Override
  public void toHost(
      Place source, HostMemory target, long offset, long bytes, DeviceStream stream) {
    target.checkRange(offset, bytes);
    GpuStream on = device.begin(stream);
    long from = address(source, bytes, on);
    library.copy(target.address() + offset, from, bytes, CopyDirection.DOWN, on.put());
  }

  @Override
  public void multiply(ProductShape product, Place a, Place b, Place c, DeviceStream stream) {
    multiplyAll(product, Strides.ONE, a, b, c, stream);
  }

  @Override
  public void multiplyAll(
      ProductShape p, Strides strides, Place a, Place b, Place c, DeviceStream stream) {
    GpuStream on = device.begin(stream);
    long last = p.kind().bytes() * (strides.count() - 1L);
    long addressA = address(a, p.a().bytes() + last * strides.a(), on);
    long addressB = address(b, p.b().bytes() + last * strides.b(), on);
    long addressC = address(c, p.c().bytes() + last * strides.c(), on);
    for (int first = 0; first < strides.count(); first += MOST_PRODUCTS) {
      long before = p.kind().bytes() * (long) first;
      Strides some =
          new Strides(
              Math.min(MOST_PRODUCTS, strides.count() - first),
              strides.a(),
              strides.b(),
              strides.c());
      int status =
          calls.gemm(
              on.putBlas(),
              p,
              some,
              addressA + before * strides.a(),
              addressB + before * strides.b(),
              addressC + before * strides.c());
      check(status, p.kind(), "gemmStridedBatched", p);
    }
  }

  @Override
  public void add(
      MatrixShape x, Scalar alpha, Place from, int leadingY, Place to, DeviceStream stream) {
    GpuStream on = device.begin(stream);
    long source = address(from, x.bytes(), on);
    long target = address(to, x.inRowsOf(leadingY).bytes(), on);
    long blas = on.putBlas();
    if (x.columns() == 1) {
      check(calls.axpy(blas, x, alpha, source, leadingY, target), x.kind(), "axpy", x);
      return;
    }
    Term added = new Term(Form.PLAIN, alpha, source, x.leading());
    Term old = new Term(Form.PLAIN, Scalar.ONE, target, leadingY);
    check(calls.geam(blas, x.inRowsOf(leadingY), added, old, target), x.kind(), "geam", x);
  }

  @Override
  public void scale(MatrixShape x, Scalar alpha, Place place, DeviceStream stream) {
    GpuStream on = device.begin(stream);
    long address = address(place, x.bytes(), on);
    long blas = on.putBlas();
    boolean dense = x.columns() == x.leading();
    if (dense || x.columns() == 1) {
      int count = Math.multiplyExact(x.rows(), dense ? x.columns() : 1);
      int step = dense ? 1 : x.leading();
      check(calls.scal(blas, x.kind(), count, alpha, address, step), x.kind(), "scal", x);
      return;
    }
    Term scaled = new Term(Form.PLAIN, alpha, address, x.leading());
    Term none = new Term(Form.PLAIN, Scalar.ZERO, address, x.leading());
    check(calls.geam(blas, x, scaled, none, address), x.kind(), "geam", x);
  }

  @Override
  public void copy(MatrixShape x, Place from, int leadingY, Place to, DeviceStream stream) {
    GpuStream on = device.begin(stream);
    long source = address(from, x.bytes(), on);
    long target = address(to, x.inRowsOf(leadingY).bytes(), on);
    long number = x.kind().bytes();
    long blas = on.putBlas();
    if (x.columns() == 1) {
      check(calls.copy(blas, x, source, leadingY, target), x.kind(), "copy", x);
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
        on.put());
  }

  /** The operand B of geam has factor 0; A stands in for it, since it adds no NaN of its own. */
  @Override
  public void transpose(
      MatrixShape x, Form form, Place from, int leadingY, Place to, DeviceStream stream) {
    if (!form.exchanges()) {
      copy(x, from, leadingY, to, stream);
      return;
    }
    GpuStream on = device.begin(stream);
    MatrixShape y = new MatrixShape(x.kind(), x.columns(), x.rows(), leadingY);
    long source = address(from, x.bytes(), on);
    long target = address(to, y.bytes(), on);
    Term turned = new Term(form, Scalar.ONE, source, x.leading());
    Term none = new Term(form, Scalar.ZERO, source, x.leading());
    check(calls.geam(on.putBlas(), y, turned, none, target), x.kind(), "geam", x);
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
    GpuStream on = device.begin(stream);
    long scales = address(factors, MatrixShape.vector(x.kind(), x.rows(), step).bytes(), on);
    long source = address(from, x.bytes(), on);
    long target = address(to, x.inRowsOf(leadingY).bytes(), on);
    int status = calls.dgmm(on.putBlas(), x, scales, step, source, leadingY, target);
    check(status, x.kind(), "dgmm", x);
  }

  @Override
  public void solveTriangular(TriangularShape s, Place a, Place b, DeviceStream stream) {
    GpuStream on = device.begin(stream);
    long matrix = address(a, s.a().bytes(), on);
    long sides = address(b, s.b().bytes(), on);
    check(calls.trsm(on.putBlas(), s, matrix, sides), s.kind(), "trsm", s);
  }

  private void check(int status, NumberKind kind, String call, Record shape) {
    if (status != 0) {
      library.checkBlas(status, (kind == NumberKind.COMPLEX ? "Z" : "D") + call, "shape", shape);
    }
  }

  private long address(Place place, long bytes, GpuStream stream) {
    GpuMemory memory = device.use(place.memory(), stream);
    if (memory.isComposed() || bytes > memory.bytes() - place.offset()) {
      throw new IllegalArgumentException(
          "leaves its block: offset=%s needed=%s bytes=%s"
              .formatted(place.offset(), bytes, memory.bytes()));
    }
    return memory.address() + place.offset();
  }
}
