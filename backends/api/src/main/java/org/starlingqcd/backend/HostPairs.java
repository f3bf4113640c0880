package org.starlingqcd.backend;

import static org.starlingqcd.backend.PairContraction.LINE_SPINS;

import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

/** {@link Device#formPairs} and {@link Device#closePair} on the host. */
final class HostPairs {
  private final Device device;
  private final PairPacking packing;
  private final DeviceStream stream;
  private final int n;

  HostPairs(Device device, PairPacking packing, DeviceStream stream) {
    this.device = device;
    this.packing = packing;
    this.stream = stream;
    n = packing.extent();
  }

  void form(
      DeviceMemory first,
      DeviceMemory second,
      LinePairSum sum,
      PairPacking.Signs signs,
      DeviceMemory pairs) {
    double[][] a = rows(first, TensorShape.mesonNode(n));
    double[][] b = rows(second, TensorShape.mesonNode(n));
    TensorShape shape = packing.shape(device.precision());
    double[][] x = new double[packing.pairs()][2 * packing.pairs()];
    IntStream.range(0, n)
        .parallel()
        .forEach(
            l -> {
              double[][] m = new double[n][2 * n];
              for (int k = 0; k < packing.end(l); k++) {
                for (double[] row : m) {
                  Arrays.fill(row, 0);
                }
                double weight = PairPacking.weight(k, l, signs.rows());
                for (int e = 0; e < sum.size(); e++) {
                  double re = weight * sum.factorRe(e);
                  double im = weight * sum.factorIm(e);
                  int p = sum.first(e) * n;
                  int q = sum.second(e) * n;
                  addProducts(a[p + k], b[q + l], re, im, m);
                  addProducts(a[p + l], b[q + k], signs.rows() * re, signs.rows() * im, m);
                }
                pack(m, signs.columns(), x[packing.place(k, l)]);
              }
            });
    put(x, shape, pairs);
  }

  /** Adds {@code factor · a[i] b[j]} to m[i][j]. */
  private void addProducts(double[] a, double[] b, double re, double im, double[][] m) {
    for (int i = 0; i < n; i++) {
      double xRe = re * a[2 * i] - im * a[2 * i + 1];
      double xIm = re * a[2 * i + 1] + im * a[2 * i];
      double[] row = m[i];
      for (int j = 0; j < 2 * n; j += 2) {
        row[j] += xRe * b[j] - xIm * b[j + 1];
        row[j + 1] += xRe * b[j + 1] + xIm * b[j];
      }
    }
  }

  private void pack(double[][] m, int sign, double[] row) {
    int at = 0;
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < packing.end(j); i++) {
        double weight = PairPacking.weight(i, j, sign);
        for (int part = 0; part < 2; part++) {
          row[at++] = weight * (m[i][2 * j + part] + sign * m[j][2 * i + part]);
        }
      }
    }
  }

  void close(DeviceMemory tetraquark, DeviceMemory line, int exchange, DeviceMemory block) {
    double[][] k = rows(tetraquark, packing.shape(Precision.DOUBLE));
    double[][] joined = rows(line, TensorShape.mesonNode(n));
    double[][] sums = new double[LINE_SPINS * n][2 * n];
    IntStream.range(0, n)
        .parallel()
        .forEach(
            i -> {
              for (int j = 0; j < n; j++) {
                int outer = PairPacking.sign(i, j, exchange);
                if (outer != 0) {
                  double[] row = k[packing.place(i, j)];
                  for (int s = 0; s < LINE_SPINS; s++) {
                    close(row, joined, s * n, j, outer, exchange, sums[s * n + i]);
                  }
                }
              }
            });
    put(sums, PairContraction.blockShape(n, LINE_SPINS).in(device.precision()), block);
  }

  /** Adds {@code ± Σ_l K[k,l] line[l,j]} to sum[k]. */
  private void close(
      double[] row, double[][] line, int spin, int j, int outer, int exchange, double[] sum) {
    for (int k = 0; k < n; k++) {
      for (int l = 0; l < n; l++) {
        int sign = outer * PairPacking.sign(k, l, exchange);
        if (sign != 0) {
          int at = 2 * packing.place(k, l);
          double re = line[spin + l][2 * j];
          double im = line[spin + l][2 * j + 1];
          sum[2 * k] += sign * (row[at] * re - row[at + 1] * im);
          sum[2 * k + 1] += sign * (row[at] * im + row[at + 1] * re);
        }
      }
    }
  }

  /** The rows of the matrices of an element, one after the other. */
  private double[][] rows(DeviceMemory memory, TensorShape given) {
    TensorShape shape = given.in(device.precision());
    double[][] rows = new double[shape.spins() * shape.extent()][2 * shape.extent()];
    try (HostMemory host = device.allocateHost(shape.bytes())) {
      device.download(memory, host, 0, shape, stream);
      device.synchronize(stream);
      for (int row = 0; row < rows.length; row++) {
        double[] numbers = rows[row];
        if (shape.precision() == Precision.DOUBLE) {
          host.get((long) row * numbers.length, numbers, 0, numbers.length);
        } else {
          FloatBuffer floats = floats(host, row, numbers.length);
          Arrays.setAll(numbers, floats::get);
        }
      }
    }
    return rows;
  }

  private void put(double[][] rows, TensorShape shape, DeviceMemory target) {
    try (HostMemory host = device.allocateHost(shape.bytes())) {
      for (int row = 0; row < rows.length; row++) {
        double[] numbers = rows[row];
        if (shape.precision() == Precision.DOUBLE) {
          host.put((long) row * numbers.length, numbers, 0, numbers.length);
        } else {
          FloatBuffer floats = floats(host, row, numbers.length);
          for (int k = 0; k < numbers.length; k++) {
            floats.put(k, (float) numbers[k]);
          }
        }
      }
      device.upload(host, 0, target, shape, stream);
      device.synchronize(stream);
    }
  }

  private static FloatBuffer floats(HostMemory host, int row, int count) {
    return host.bytes((long) row * count * Float.BYTES, count * Float.BYTES)
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer();
  }
}
