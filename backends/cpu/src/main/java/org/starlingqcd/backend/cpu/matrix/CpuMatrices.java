package org.starlingqcd.backend.cpu.matrix;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.blas.ElementAccess;
import org.starlingqcd.backend.cpu.blas.MatrixBlas;
import org.starlingqcd.backend.cpu.blas.Team;

/**
 * Matrix calls on the processor. Each is cut into parts that the team of threads runs with
 * single-threaded BLAS: products into tiles of the result, and where these are fewer than threads
 * also along the summed index; everything else into groups of rows.
 */
public final class CpuMatrices implements MatrixOperations {
  /** Rows and columns of a tile of a product, below which BLAS loses more than threads gain. */
  private static final int TILE = 48;

  /** Least part of the summed index that a thread takes. */
  private static final int LEAST_INNER = 512;

  /** Flops of small products that a thread takes at least. */
  private static final long LEAST_FLOPS = 4_000_000;

  /** Numbers of a vector or rows of matrices that one part takes at least. */
  private static final int LEAST_NUMBERS = 1 << 13;

  private final ElementAccess device;
  private final Team team;
  private final @Nullable CpuDeterminants determinants;

  /**
   * Creates the calls of a device.
   *
   * @param loops whether the loops in C++ are called
   */
  public CpuMatrices(ElementAccess device, boolean loops) {
    this.device = device;
    team = device.team();
    determinants = loops ? new CpuDeterminants(this, device) : null;
  }

  @Override
  public void toDevice(
      HostMemory source, long offset, Place target, long bytes, DeviceStream stream) {
    device.begin(stream);
    source.checkRange(offset, bytes);
    long from = source.address() + offset;
    long to = address(target, bytes);
    device.put(stream, () -> move(from, to, bytes));
  }

  @Override
  public void toHost(
      Place source, HostMemory target, long offset, long bytes, DeviceStream stream) {
    device.begin(stream);
    target.checkRange(offset, bytes);
    long from = address(source, bytes);
    long to = target.address() + offset;
    device.put(stream, () -> move(from, to, bytes));
  }

  @Override
  public void multiply(ProductShape product, Place a, Place b, Place c, DeviceStream stream) {
    device.begin(stream);
    long addressA = address(a, product.a().bytes());
    long addressB = address(b, product.b().bytes());
    long addressC = address(c, product.c().bytes());
    TiledProduct tiles = new TiledProduct(product, team.size(), TILE, LEAST_INNER);
    device.put(stream, () -> tiles.run(team, addressA, addressB, addressC));
  }

  @Override
  public void multiplyAll(
      ProductShape product, Strides strides, Place a, Place b, Place c, DeviceStream stream) {
    device.begin(stream);
    long number = product.kind().bytes();
    long last = number * (strides.count() - 1L);
    long addressA = address(a, product.a().bytes() + last * strides.a());
    long addressB = address(b, product.b().bytes() + last * strides.b());
    long addressC = address(c, product.c().bytes() + last * strides.c());
    inParts(
        stream,
        strides.count(),
        product.flops(),
        (from, count, blas) ->
            blas.multiply(
                product,
                count,
                addressA + number * from * strides.a(),
                number * strides.a(),
                addressB + number * from * strides.b(),
                number * strides.b(),
                addressC + number * from * strides.c(),
                number * strides.c()));
  }

  @Override
  public void multiplyEach(
      ProductShape product, long[] places, Place a, Place b, Place c, DeviceStream stream) {
    device.begin(stream);
    long addressA = address(a, last(places, 0, product.kind()) + product.a().bytes());
    long addressB = address(b, last(places, 1, product.kind()) + product.b().bytes());
    long addressC = address(c, last(places, 2, product.kind()) + product.c().bytes());
    int count = places.length / 3;
    int most = Math.min(4 * team.size(), count);
    int parts = (int) Math.max(1, Math.min(most, product.flops() * count / LEAST_FLOPS));
    cut(
        stream,
        count,
        parts,
        (first, some, blas) ->
            blas.multiplyEach(product, places, first, first + some, addressA, addressB, addressC));
  }

  /** Bytes before the last operand. */
  private static long last(long[] places, int operand, NumberKind kind) {
    long last = 0;
    for (int k = operand; k < places.length; k += 3) {
      if (places[k] < 0) {
        throw new IllegalArgumentException("must be >= 0: place=" + places[k]);
      }
      last = Math.max(last, places[k]);
    }
    return last * kind.bytes();
  }

  @Override
  public void add(
      MatrixShape x, Scalar alpha, Place from, int leadingY, Place to, DeviceStream stream) {
    byLines(
        x,
        from,
        x.inRowsOf(leadingY),
        to,
        stream,
        (n, stepX, source, stepY, target, blas) ->
            blas.add(x.kind(), n, alpha, source, stepX, target, stepY));
  }

  @Override
  public void scale(MatrixShape x, Scalar alpha, Place place, DeviceStream stream) {
    byLines(
        x,
        place,
        x,
        place,
        stream,
        (n, stepX, source, stepY, target, blas) -> blas.scale(x.kind(), n, alpha, target, stepY));
  }

  @Override
  public void copy(MatrixShape x, Place from, int leadingY, Place to, DeviceStream stream) {
    byLines(
        x,
        from,
        x.inRowsOf(leadingY),
        to,
        stream,
        (n, stepX, source, stepY, target, blas) ->
            blas.copy(x.kind(), n, source, stepX, target, stepY));
  }

  @Override
  public void transpose(
      MatrixShape x, Form form, Place from, int leadingY, Place to, DeviceStream stream) {
    device.begin(stream);
    MatrixShape y =
        form.exchanges()
            ? new MatrixShape(x.kind(), x.columns(), x.rows(), leadingY)
            : x.inRowsOf(leadingY);
    long number = x.kind().bytes();
    long source = address(from, x.bytes());
    long target = address(to, y.bytes());
    inParts(
        stream,
        x.rows(),
        x.columns(),
        (first, count, blas) ->
            blas.transpose(
                new MatrixShape(x.kind(), count, x.columns(), x.leading()),
                form,
                source + number * first * x.leading(),
                target + number * first * (form.exchanges() ? 1 : leadingY),
                leadingY));
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
    device.begin(stream);
    long number = x.kind().bytes();
    long scales = address(factors, MatrixShape.vector(x.kind(), x.rows(), step).bytes());
    long source = address(from, x.bytes());
    long target = address(to, x.inRowsOf(leadingY).bytes());
    inParts(
        stream,
        x.rows(),
        x.columns(),
        (first, count, blas) ->
            blas.scaleRows(
                new MatrixShape(x.kind(), count, x.columns(), x.leading()),
                scales + number * first * step,
                step,
                source + number * first * x.leading(),
                target + number * first * leadingY,
                leadingY));
  }

  /** Threads take right-hand sides each, since these are independent. */
  @Override
  public void solveTriangular(TriangularShape system, Place a, Place b, DeviceStream stream) {
    device.begin(stream);
    long matrix = address(a, system.a().bytes());
    long sides = address(b, system.b().bytes());
    int independent = system.left() ? system.columns() : system.rows();
    long step = (long) system.kind().bytes() * (system.left() ? 1 : system.ldb());
    inParts(
        stream,
        independent,
        system.flops() / independent,
        (first, count, blas) -> blas.solve(part(system, count), matrix, sides + first * step));
  }

  @Override
  public Optional<DeterminantSums> determinants() {
    return Optional.ofNullable(determinants);
  }

  private static TriangularShape part(TriangularShape s, int count) {
    return new TriangularShape(
        s.kind(),
        s.left(),
        s.lower(),
        s.form(),
        s.unitDiagonal(),
        s.left() ? s.rows() : count,
        s.left() ? count : s.columns(),
        s.lda(),
        s.ldb(),
        s.alpha());
  }

  private interface Lines {
    void run(int length, int stepX, long x, int stepY, long y, MatrixBlas blas);
  }

  /**
   * Runs calls of level 1 over the rows of matrices: one call a row, or for vectors and for
   * matrices without gaps one call a group of rows.
   */
  private void byLines(
      MatrixShape x, Place from, MatrixShape y, Place to, DeviceStream stream, Lines work) {
    device.begin(stream);
    long number = x.kind().bytes();
    long source = address(from, x.bytes());
    long target = address(to, y.bytes());
    boolean vector = x.columns() == 1;
    boolean dense = x.columns() == x.leading() && x.columns() == y.leading();
    inParts(
        stream,
        x.rows(),
        x.columns(),
        (first, count, blas) -> {
          long s = source + number * first * x.leading();
          long t = target + number * first * y.leading();
          if (vector) {
            work.run(count, x.leading(), s, y.leading(), t, blas);
            return;
          }
          int rows = dense ? Math.max(1, Integer.MAX_VALUE / 2 / x.columns()) : 1;
          for (int i = 0; i < count; i += rows) {
            int length = Math.min(rows, count - i) * x.columns();
            work.run(
                length, 1, s + number * i * x.leading(), 1, t + number * i * y.leading(), blas);
          }
        });
  }

  private interface Part {
    void run(int first, int count, MatrixBlas blas);
  }

  /** Puts {@code count} pieces of work of some size into the stream, in parts for the team. */
  private void inParts(DeviceStream stream, int count, long size, Part work) {
    long least = Math.max(1, LEAST_NUMBERS / Math.max(1, size));
    cut(stream, count, (int) Math.max(1, Math.min(4L * team.size(), count / least)), work);
  }

  private void cut(DeviceStream stream, int count, int parts, Part work) {
    device.put(
        stream,
        () ->
            team.run(
                parts,
                (part, own) -> {
                  int first = (int) ((long) count * part / parts);
                  int end = (int) ((long) count * (part + 1) / parts);
                  work.run(first, end - first, own.matrices());
                }));
  }

  private void move(long from, long to, long bytes) {
    int parts = (int) Math.max(1, Math.min(4L * team.size(), bytes >> 20));
    team.run(
        parts,
        (part, own) -> {
          long start = bytes * part / parts;
          long end = bytes * (part + 1) / parts;
          own.matrices().move(from + start, to + start, end - start);
        });
  }

  /** Where a place is, after checking that so many bytes are there. */
  long address(Place place, long bytes) {
    CpuMemory memory = device.own(place.memory());
    HostMemory block = memory.block();
    if (block == null) {
      throw new IllegalArgumentException("a matrix cannot lie in composed memory");
    }
    if (bytes > block.bytes() - place.offset()) {
      throw new IllegalArgumentException(
          "leaves its block: offset=%s needed=%s bytes=%s"
              .formatted(place.offset(), bytes, block.bytes()));
    }
    return block.address() + place.offset();
  }
}
