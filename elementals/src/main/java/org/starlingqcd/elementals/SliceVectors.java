package org.starlingqcd.elementals;

import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.arrays.HostArray;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.elementals.vectors.Eigenvectors;
import org.starlingqcd.elementals.vectors.VectorHeader;
import org.starlingqcd.hadron.data.DistillationException;

/**
 * The eigenvectors of one time slice as a matrix V[3L³][N], rows sites (x fastest) and colour, and
 * on request the vectors moved by one link: {@code (R_k v)(x) = U_k(x) v(x+k)} and {@code (L_k
 * v)(x) = U_k(x-k)† v(x-k)}.
 */
final class SliceVectors {
  /** Vectors read at a time: a cache line of 16-byte numbers is written as a whole. */
  private static final int BATCH = 8;

  /** What an array of Java can have. */
  private static final int MOST_DOUBLES = Integer.MAX_VALUE - 8;

  private static final int COLOURS = 3;

  private final Eigenvectors source;
  private final VectorHeader header;
  private final int n;
  private final HostArray vectors;
  private final List<HostArray> forward = new ArrayList<>();
  private final List<HostArray> backward = new ArrayList<>();

  SliceVectors(Eigenvectors source, ArrayCache cache, boolean shifts) {
    this.source = source;
    header = source.header();
    n = header.eigenvectors();
    vectors = cache.array("eigenvectors", NumberKind.COMPLEX, numbers(header));
    for (int k = 0; shifts && k < 3; k++) {
      forward.add(cache.array("vectors moved forward", NumberKind.COMPLEX, numbers(header)));
      backward.add(cache.array("vectors moved backward", NumberKind.COMPLEX, numbers(header)));
    }
  }

  /** Numbers of all vectors of a time slice. */
  static long numbers(VectorHeader header) {
    return (long) COLOURS * header.volume() * header.eigenvectors();
  }

  /** V. */
  HostArray vectors() {
    return vectors;
  }

  /** R_k V. */
  HostArray forward(int k) {
    return forward.get(k);
  }

  /** L_k V. */
  HostArray backward(int k) {
    return backward.get(k);
  }

  /**
   * Reads a time slice.
   *
   * @throws DistillationException when numbers are not finite or a vector is zero
   */
  void read(int time) {
    int rows = COLOURS * header.volume();
    int most = Math.min(n, Math.max(1, Math.min(BATCH, MOST_DOUBLES / (2 * rows))));
    double[] batch = new double[2 * rows * most];
    HostMemory target = vectors.writing();
    for (int first = 0; first < n; first += most) {
      int count = Math.min(most, n - first);
      source.read(time, first, count, batch);
      check(batch, rows, time, first, count);
      int start = first;
      IntStream.range(0, header.spatialExtent())
          .parallel()
          .forEach(
              slab -> {
                int from = rows / header.spatialExtent() * slab;
                int to = rows / header.spatialExtent() * (slab + 1);
                long width = 16L * n;
                DoubleBuffer lines =
                    target
                        .bytes(width * from, Math.toIntExact(width * (to - from)))
                        .order(ByteOrder.nativeOrder())
                        .asDoubleBuffer();
                for (int row = from; row < to; row++) {
                  int at = 2 * ((row - from) * n + start);
                  for (int v = 0; v < count; v++) {
                    lines.put(at + 2 * v, batch[2 * (v * rows + row)]);
                    lines.put(at + 2 * v + 1, batch[2 * (v * rows + row) + 1]);
                  }
                }
              });
    }
    for (int k = 0; k < forward.size(); k++) {
      move(time, k);
    }
  }

  private void check(double[] batch, int rows, int time, int first, int count) {
    for (int v = 0; v < count; v++) {
      // Two sums, so that one addition does not wait for the other.
      double real = 0;
      double imaginary = 0;
      for (int i = 2 * v * rows; i < 2 * (v + 1) * rows; i += 2) {
        real += batch[i] * batch[i];
        imaginary += batch[i + 1] * batch[i + 1];
      }
      double norm = real + imaginary;
      if (!(norm > 0 && norm < Double.POSITIVE_INFINITY)) {
        throw new DistillationException(
            source.name()
                + ": vector "
                + (first + v)
                + " at time "
                + time
                + (norm == 0 ? " is zero: it was never written" : " has NaN or infinite numbers"));
      }
    }
  }

  private void move(int time, int k) {
    int l = header.spatialExtent();
    double[] links = new double[18 * header.volume()];
    source.readLinks(time, k, links);
    HostMemory from = vectors.reading();
    HostMemory ahead = forward.get(k).writing();
    HostMemory behind = backward.get(k).writing();
    IntStream.range(0, l)
        .parallel()
        .forEach(
            z -> {
              double[] vector = new double[2 * COLOURS * n];
              double[] result = new double[2 * COLOURS * n];
              for (int y = 0; y < l; y++) {
                for (int x = 0; x < l; x++) {
                  int here = (z * l + y) * l + x;
                  int next = neighbour(x, y, z, k, 1);
                  int before = neighbour(x, y, z, k, -1);
                  from.get(2L * COLOURS * n * next, vector, 0, vector.length);
                  multiply(links, here, false, vector, result);
                  ahead.put(2L * COLOURS * n * here, result, 0, result.length);
                  from.get(2L * COLOURS * n * before, vector, 0, vector.length);
                  multiply(links, before, true, vector, result);
                  behind.put(2L * COLOURS * n * here, result, 0, result.length);
                }
              }
            });
  }

  private int neighbour(int x, int y, int z, int k, int step) {
    int l = header.spatialExtent();
    int nx = k == 0 ? Math.floorMod(x + step, l) : x;
    int ny = k == 1 ? Math.floorMod(y + step, l) : y;
    int nz = k == 2 ? Math.floorMod(z + step, l) : z;
    return (nz * l + ny) * l + nx;
  }

  /** The link of a site, or its adjoint, times the colours of all vectors. */
  private void multiply(double[] links, int site, boolean adjoint, double[] v, double[] result) {
    for (int a = 0; a < COLOURS; a++) {
      int row = 2 * a * n;
      for (int j = 0; j < 2 * n; j++) {
        result[row + j] = 0;
      }
      for (int b = 0; b < COLOURS; b++) {
        int at = 18 * site + 2 * (adjoint ? 3 * b + a : 3 * a + b);
        double re = links[at];
        double im = adjoint ? -links[at + 1] : links[at + 1];
        int column = 2 * b * n;
        for (int j = 0; j < 2 * n; j += 2) {
          double x = v[column + j];
          double y = v[column + j + 1];
          result[row + j] += re * x - im * y;
          result[row + j + 1] += re * y + im * x;
        }
      }
    }
  }
}
