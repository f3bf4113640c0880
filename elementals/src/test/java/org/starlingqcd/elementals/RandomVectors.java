package org.starlingqcd.elementals;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Vectors and links, their files in each format, and elementals by their definition. Random links
 * are any complex matrices: the relations between elementals do not depend on unitarity.
 */
final class RandomVectors {
  final int l;
  final int t;
  final int n;

  /** {@code [t][n][z][y][x][colour]}. */
  final double[] vectors;

  /** {@code [t][k][z][y][x][row][column]}. */
  final double[] links;

  RandomVectors(int l, int t, int n, long seed) {
    this.l = l;
    this.t = t;
    this.n = n;
    Random random = new Random(seed);
    double scale = 1 / Math.sqrt(3.0 * l * l * l);
    vectors = random.doubles(2L * t * n * 3 * l * l * l, -scale, scale).toArray();
    links = random.doubles(2L * t * 3 * 9 * l * l * l, -0.5, 0.5).toArray();
  }

  /** Given vectors and links. */
  RandomVectors(int l, int t, int n, double[] vectors, double[] links) {
    this.l = l;
    this.t = t;
    this.n = n;
    this.vectors = vectors;
    this.links = links;
  }

  Path writeHdf5(Path path, boolean withLinks) {
    try (Hdf5File file = Hdf5File.create(path)) {
      file.attributes("/").put("format", "eigenvectors");
      file.attributes("/").put("format_version", 1);
      file.attributes("/").put("ensemble", "random");
      file.attributes("/").put("configuration", 7);
      file.attributes("/").put("spatial_extent", l);
      file.attributes("/").put("temporal_extent", t);
      file.attributes("/").put("num_eigenvectors", n);
      write(file, "eigenvectors", vectors, t, n, l, l, l, 3);
      if (withLinks) {
        write(file, "gauge_links", links, t, 3, l, l, l, 3, 3);
      }
    }
    return path;
  }

  private static void write(Hdf5File file, String name, double[] numbers, long... extents) {
    try (var dataset =
        file.createDataset(name, ElementType.COMPLEX, extents, DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(numbers);
    }
  }

  Path writeNpy(Path path) throws IOException {
    String header =
        "{'descr': '<c16', 'fortran_order': False, 'shape': ("
            + t
            + ", "
            + n
            + ", "
            + l
            + ", "
            + l
            + ", "
            + l
            + ", 3), }";
    String padded = header + " ".repeat(117 - header.length()) + "\n";
    ByteBuffer bytes =
        ByteBuffer.allocate(10 + 118 + 8 * vectors.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) 118);
    bytes.put(padded.getBytes(StandardCharsets.US_ASCII));
    bytes.asDoubleBuffer().put(vectors);
    Files.write(path, bytes.array());
    return path;
  }

  /** As QDP++ writes it: the vectors in any order, then the map. */
  Path writeMod(Path path, boolean single) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(all);
    String magic = "XXXXQDPLazyDiskMapObjFileXXXX";
    out.writeInt(magic.length());
    out.writeBytes(magic);
    out.writeInt(1);
    String xml = "<DBMetaData><id>eigenVecsTimeSlice</id></DBMetaData>";
    out.writeInt(xml.length());
    out.writeBytes(xml);
    int place = all.size();
    out.writeLong(0);
    out.writeLong(0);
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    DataOutputStream map = new DataOutputStream(records);
    map.writeInt(t * n);
    int numbers = 6 * l * l * l;
    for (int v = n - 1; v >= 0; v--) {
      for (int time = 0; time < t; time++) {
        map.writeInt(8);
        map.writeInt(time);
        map.writeInt(v);
        map.writeLong(0);
        map.writeLong(all.size());
        ByteBuffer value = ByteBuffer.allocate(numbers * (single ? 4 : 8));
        for (int k = 0; k < numbers; k++) {
          double number = vectors[(time * n + v) * numbers + k];
          if (single) {
            value.putFloat((float) number);
          } else {
            value.putDouble(number);
          }
        }
        out.write(value.array());
        out.writeInt((int) crc(value.array()));
      }
    }
    long start = all.size();
    out.write(records.toByteArray());
    out.writeInt((int) crc(records.toByteArray()));
    byte[] file = all.toByteArray();
    ByteBuffer.wrap(file).putLong(place + 8, start);
    Files.write(path, file);
    return path;
  }

  private static long crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue();
  }

  int site(int x, int y, int z) {
    return (Math.floorMod(z, l) * l + Math.floorMod(y, l)) * l + Math.floorMod(x, l);
  }

  /** A vector as a field {@code [site][colour]}. */
  double[] field(int time, int v) {
    int size = 6 * l * l * l;
    double[] field = new double[size];
    System.arraycopy(vectors, (time * n + v) * size, field, 0, size);
    return field;
  }

  /** {@code factor1 U_k(x) v(x+k) + factor2 U_k(x-k)† v(x-k)}, both complex factors. */
  double[] hop(int time, double[] v, int k, double[] forward, double[] backward) {
    double[] result = new double[v.length];
    for (int z = 0; z < l; z++) {
      for (int y = 0; y < l; y++) {
        for (int x = 0; x < l; x++) {
          int here = site(x, y, z);
          int next = site(x + (k == 0 ? 1 : 0), y + (k == 1 ? 1 : 0), z + (k == 2 ? 1 : 0));
          int last = site(x - (k == 0 ? 1 : 0), y - (k == 1 ? 1 : 0), z - (k == 2 ? 1 : 0));
          for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
              int u = 2 * ((((time * 3 + k) * l * l * l + here) * 3 + a) * 3 + b);
              double[] uv =
                  times(links[u], links[u + 1], v[6 * next + 2 * b], v[6 * next + 2 * b + 1]);
              double[] f = times(forward[0], forward[1], uv[0], uv[1]);
              int w = 2 * ((((time * 3 + k) * l * l * l + last) * 3 + b) * 3 + a);
              double[] wv =
                  times(links[w], -links[w + 1], v[6 * last + 2 * b], v[6 * last + 2 * b + 1]);
              double[] g = times(backward[0], backward[1], wv[0], wv[1]);
              result[6 * here + 2 * a] += f[0] + g[0];
              result[6 * here + 2 * a + 1] += f[1] + g[1];
            }
          }
        }
      }
    }
    return result;
  }

  private static double[] times(double a, double b, double c, double d) {
    return new double[] {a * c - b * d, a * d + b * c};
  }

  /** A displacement at a momentum, by its definition, applied to a field. */
  double[] displaced(String displacement, int time, double[] v, Momentum p) {
    double[] result = v;
    if (displacement.startsWith("nabla_")) {
      int k = "xyz".indexOf(displacement.charAt(6));
      return hop(time, v, k, new double[] {0.5, 0}, new double[] {-0.5, 0});
    }
    // Products act from the right.
    for (int at = displacement.length() - 1; displacement.startsWith("D_") && at > 0; at -= 3) {
      int k = "xyz".indexOf(displacement.charAt(at));
      double angle = 2 * Math.PI * p.component(k) / l;
      result =
          hop(
              time,
              result,
              k,
              new double[] {0.25 * (1 + Math.cos(angle)), -0.25 * Math.sin(angle)},
              new double[] {-0.25 * (1 + Math.cos(angle)), -0.25 * Math.sin(angle)});
    }
    return result;
  }

  private double angle(Momentum p, int site) {
    return -2
        * Math.PI
        * (p.x() * (site % l) + p.y() * (site / l % l) + p.z() * (site / l / l))
        / l;
  }

  /** {@code Σ_x v_i† e^{-ip·x} D v_j} for all i, j. */
  double[] meson(String displacement, int time, Momentum p) {
    double[] result = new double[2 * n * n];
    for (int j = 0; j < n; j++) {
      double[] right = displaced(displacement, time, field(time, j), p);
      for (int i = 0; i < n; i++) {
        double[] left = field(time, i);
        for (int k = 0; k < left.length; k += 2) {
          double a = angle(p, k / 6);
          double[] phased = times(Math.cos(a), Math.sin(a), right[k], right[k + 1]);
          double[] product = times(left[k], -left[k + 1], phased[0], phased[1]);
          result[2 * (i * n + j)] += product[0];
          result[2 * (i * n + j) + 1] += product[1];
        }
      }
    }
    return result;
  }

  /** {@code Σ_x e^{-ip·x} ε_abc v_i^a v_j^b v_k^c} for all i, j, k. */
  double[] baryon(int time, Momentum p) {
    double[] result = new double[2 * n * n * n];
    int[][] even = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
    int[][] odd = {{0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int i = 0; i < n; i++) {
      double[] u = field(time, i);
      for (int j = 0; j < n; j++) {
        double[] v = field(time, j);
        for (int k = 0; k < n; k++) {
          double[] w = field(time, k);
          int at = 2 * ((i * n + j) * n + k);
          for (int site = 0; site < l * l * l; site++) {
            double a = angle(p, site);
            for (int sign = 1; sign >= -1; sign -= 2) {
              for (int[] c : sign > 0 ? even : odd) {
                double[] uv =
                    times(
                        u[6 * site + 2 * c[0]],
                        u[6 * site + 2 * c[0] + 1],
                        v[6 * site + 2 * c[1]],
                        v[6 * site + 2 * c[1] + 1]);
                double[] all =
                    times(uv[0], uv[1], w[6 * site + 2 * c[2]], w[6 * site + 2 * c[2] + 1]);
                double[] phased = times(sign * Math.cos(a), sign * Math.sin(a), all[0], all[1]);
                result[at] += phased[0];
                result[at + 1] += phased[1];
              }
            }
          }
        }
      }
    }
    return result;
  }

  /**
   * {@code Σ_x e^{-ip·x} (P_ik P_jl + sign P_il P_jk)} with {@code P_ik = v_i† v_k} at a site, for
   * the pairs i, j and k, l in the order of the files.
   */
  double[] tetraquark(int sign, int time, Momentum p) {
    int equal = sign < 0 ? 0 : 1;
    int pairs = n * (n + sign) / 2;
    double[] result = new double[2 * pairs * pairs];
    for (int site = 0; site < l * l * l; site++) {
      double[][][] local = new double[n][n][2];
      for (int i = 0; i < n; i++) {
        double[] left = field(time, i);
        for (int k = 0; k < n; k++) {
          double[] right = field(time, k);
          for (int c = 6 * site; c < 6 * site + 6; c += 2) {
            double[] product = times(left[c], -left[c + 1], right[c], right[c + 1]);
            local[i][k][0] += product[0];
            local[i][k][1] += product[1];
          }
        }
      }
      double a = angle(p, site);
      int at = 0;
      for (int j = 0; j < n; j++) {
        for (int i = 0; i < j + equal; i++) {
          for (int m = 0; m < n; m++) {
            for (int k = 0; k < m + equal; k++) {
              double[] one = times(local[i][k][0], local[i][k][1], local[j][m][0], local[j][m][1]);
              double[] two = times(local[i][m][0], local[i][m][1], local[j][k][0], local[j][k][1]);
              double[] phased =
                  times(Math.cos(a), Math.sin(a), one[0] + sign * two[0], one[1] + sign * two[1]);
              result[at++] += phased[0];
              result[at++] += phased[1];
            }
          }
        }
      }
    }
    return result;
  }
}
