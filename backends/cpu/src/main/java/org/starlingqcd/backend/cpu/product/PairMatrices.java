package org.starlingqcd.backend.cpu.product;

import static org.starlingqcd.backend.PairContraction.LINE_SPINS;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairPacking;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.RowWork;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.blas.ElementAccess;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/**
 * Two lines as a matrix from pairs to pairs, and a tetraquark's pairs closed with a line, in small
 * real products and with {@link VectorLoops}. Resolved to addresses when they are put into a
 * stream.
 */
public final class PairMatrices {
  /** Matrices of a tetraquark that are multiplied at once, so that they stay in the cache. */
  private static final int MATRICES = 4;

  /** Numbers of products of lines that are made together, so that they stay in the cache. */
  private static final int TOGETHER = 1 << 15;

  private final PairPacking packing;
  private final int n;
  private final int bytes;
  private final ElementAccess device;
  private final Team team;
  private final long scratch;

  /**
   * Work on pairs.
   *
   * @param scratch memory that all threads share, of {@link PairPacking#scratchShape}
   */
  public PairMatrices(PairPacking packing, DeviceMemory scratch, ElementAccess device) {
    this.packing = packing;
    this.device = device;
    team = device.team();
    n = packing.extent();
    bytes = device.precision().realBytes();
    this.scratch = device.own(scratch).spinAddresses(1, bytes)[0];
  }

  /** The components of a line, or the matrix from pairs to pairs, where they lie. */
  private record Matrices(List<Long> components, Tiling tiling, int extent, long plane, int bytes)
      implements RowWork.Rows {
    static Matrices of(CpuMemory memory, int components, int extent, int bytes) {
      return of(memory, components, extent, (long) extent * extent, bytes);
    }

    /** Matrices of {@code extent} columns. */
    static Matrices of(CpuMemory memory, int components, int extent, long size, int bytes) {
      return new Matrices(
          LongStream.of(memory.spinAddresses(components, 2L * bytes * size)).boxed().toList(),
          memory.tiling().of(extent),
          extent,
          bytes * size,
          bytes);
    }

    @Override
    public void get(int component, int row, double[] numbers, int at) {
      both(component, row, numbers, at, false);
    }

    @Override
    public void put(int component, int row, double[] numbers, int at) {
      both(component, row, numbers, at, true);
    }

    private void both(int component, int row, double[] numbers, int at, boolean put) {
      Blas blas = new Blas(bytes == Double.BYTES ? Precision.DOUBLE : Precision.SINGLE);
      row(blas, component, row, 0, numbers, at, put);
      row(blas, component, row, 1, numbers, at + extent, put);
    }

    /** Where the real or imaginary parts begin. */
    long part(int component, int part) {
      return components.get(component) + part * plane;
    }

    /** Copies the parts of a row of all components from where they lie one after the other. */
    void putStrips(Blas blas, long from, int row, int part) {
      for (int k = 0; k < components.size(); k++) {
        long to = part(k, part) + (long) bytes * row * extent;
        blas.copy(extent, from + (long) bytes * k * extent, 1, to, 1);
      }
    }

    /** Copies the real or imaginary parts of a row from or to {@code numbers}. */
    void row(Blas blas, int component, int row, int part, double[] numbers, int at, boolean put) {
      long begin = part(component, part);
      for (int tile = 0; tile < tiling.tiles(); tile++) {
        int column = tile * tiling.edge();
        int count = tiling.size(tile);
        long place = begin + bytes * tiling.rowStart(row, tile);
        if (put) {
          blas.put(numbers, at + column, count, place);
        } else {
          blas.get(place, numbers, at + column, count);
        }
      }
    }
  }

  /*
   * Of the first line A and the second line B, times the factors, all rows of an entry of the sum lie one after the other. [A_re; A_im] and [B_im; B_re; -B_im] lie one after the other, so that real and imaginary parts of a sum are one real product each, for many k at a time and one l.
   */

  /** See {@link org.starlingqcd.backend.Device#formPairs}. */
  public Runnable form(
      DeviceMemory first,
      DeviceMemory second,
      LinePairSum sum,
      PairPacking columns,
      DeviceMemory pairs) {
    Matrices a = Matrices.of(device.own(first), LINE_SPINS, n, bytes);
    Matrices b = Matrices.of(device.own(second), LINE_SPINS, n, bytes);
    CpuMemory target = device.own(pairs);
    target.tiling(Tiling.PLAIN);
    long size = (long) packing.pairs() * columns.rows();
    Matrices x = Matrices.of(target, columns.strips(), columns.rows(), size, bytes);
    int entries = sum.size();
    int lead = packing.lead();
    long half = (long) bytes * entries * lead;
    // One line twice: with k and l exchanged the sum is the same, with k' and l' exchanged.
    boolean once =
        a.components().equals(b.components()) && sum.exchange() == packing.sign() * columns.sign();
    long left = scratch;
    long[] right = {left + 3 * half, left + 2 * half};
    return () -> {
      team.run(
          entries,
          (e, own) -> {
            Blas blas = own.blas();
            double[] numbers = own.numbers(4 * n);
            for (int k = 0; k < n; k++) {
              long at = (long) bytes * (e * (long) lead + (long) k * n);
              a.row(blas, sum.first(e), k, 0, numbers, 0, false);
              a.row(blas, sum.first(e), k, 1, numbers, n, false);
              blas.put(numbers, 0, n, left + at);
              blas.put(numbers, n, n, left + at + half);
              b.row(blas, sum.second(e), k, 0, numbers, 0, false);
              b.row(blas, sum.second(e), k, 1, numbers, n, false);
              for (int i = 0; i < n; i++) {
                double re = numbers[i];
                double im = numbers[n + i];
                numbers[2 * n + i] = re * sum.factorRe(e) - im * sum.factorIm(e);
                numbers[3 * n + i] = re * sum.factorIm(e) + im * sum.factorRe(e);
                numbers[i] = -numbers[3 * n + i];
              }
              blas.put(numbers, 3 * n, n, right[1] + at);
              blas.put(numbers, 2 * n, n, right[0] + at);
              blas.put(numbers, 0, n, right[0] + at + half);
            }
          });
      int together = Math.max(1, TOGETHER / (n * n));
      team.run(
          n,
          (part, own) -> {
            // The longest parts come first.
            int l = n - 1 - part;
            Blas blas = own.blas();
            int all = columns.strips() * columns.rows();
            long m = own.scratch((long) together * n * n + all);
            long row = m + (long) bytes * together * n * n;
            for (int k = 0; k < packing.end(l); k += together) {
              int end = Math.min(packing.end(l), k + together);
              int rows = (end - k) * n;
              for (int plane = 0; plane < 2; plane++) {
                int inner = 2 * entries;
                long some = (long) bytes * k * n;
                long one = (long) bytes * l * n;
                double twice = once ? 2 * columns.sign() : columns.sign();
                long small = right[plane] + one;
                blas.gemm(
                    true, false, rows, n, inner, twice, left + some, lead, small, lead, 0, m, n);
                if (!once) {
                  long big = right[plane] + some;
                  double sign = packing.sign();
                  blas.gemm(
                      true, false, rows, n, inner, sign, big, lead, left + one, lead, 1, m, n);
                }
                for (int pair = k; pair < end; pair++) {
                  long from = m + (long) bytes * (pair - k) * n * n;
                  VectorLoops.packPairs(
                      bytes,
                      from,
                      n,
                      columns.symmetric(),
                      PairPacking.weight(pair, l),
                      columns.sign(),
                      row,
                      all);
                  x.putStrips(blas, row, packing.place(pair, l), plane);
                }
              }
            }
          });
    };
  }

  /**
   * See {@link org.starlingqcd.backend.Device#onHost}.
   *
   * @param tiling of the last operand
   */
  public static Runnable onHost(
      List<RowWork.Operand> operands,
      int parts,
      RowWork work,
      Tiling tiling,
      ElementAccess device) {
    device.own(operands.get(operands.size() - 1).memory()).tiling(tiling);
    List<RowWork.Rows> rows = new ArrayList<>();
    for (RowWork.Operand o : operands) {
      TensorShape shape = o.shape();
      int bytes = shape.precision().realBytes();
      rows.add(
          Matrices.of(
              device.own(o.memory()), shape.spins(), o.columns(), shape.componentSize(), bytes));
    }
    return () -> device.team().run(parts, (part, own) -> work.run(part, rows));
  }

  /*
   * The numbers [j][l] of the line's 16 components lie behind each other, real parts, then imaginary ones. For one i, the matrices [l][k] of K's real parts for some j stand below each other to the right, then those of the imaginary parts.
   */

  /** See {@link org.starlingqcd.backend.Device#closePair}. */
  public Runnable close(List<DeviceMemory> tetraquark, DeviceMemory line, DeviceMemory block) {
    long size = (long) packing.pairs() * packing.rows();
    List<Long> strips = new ArrayList<>();
    for (DeviceMemory strip : tetraquark) {
      strips.add(device.own(strip).spinAddresses(1, 2L * bytes * size)[0]);
    }
    Matrices k =
        new Matrices(
            strips, Tiling.PLAIN.of(packing.pairs()), packing.pairs(), bytes * size, bytes);
    Matrices joined = Matrices.of(device.own(line), LINE_SPINS, n, bytes);
    CpuMemory target = device.own(block);
    target.tiling(Tiling.PLAIN);
    Matrices to = Matrices.of(target, LINE_SPINS, n, bytes);
    int rows = 2 * LINE_SPINS;
    int lead = packing.lead();
    long lines = scratch;
    return () -> {
      team.run(
          rows,
          (row, own) -> {
            Blas blas = own.blas();
            double[] m = own.numbers(n + n * n);
            for (int l = 0; l < n; l++) {
              joined.row(blas, row % LINE_SPINS, l, row / LINE_SPINS, m, 0, false);
              for (int j = 0; j < n; j++) {
                m[n + j * n + l] = m[j];
              }
            }
            blas.put(m, n, n * n, lines + (long) bytes * row * lead);
          });
      team.run(
          n,
          (i, own) -> {
            Blas blas = own.blas();
            int square = n * n;
            long matrices = own.scratch((long) MATRICES * square + 2L * rows * n);
            long sums = matrices + (long) MATRICES * bytes * square;
            for (int part = 0; part < 2; part++) {
              long sum = sums + (long) part * bytes * rows * n;
              for (int j = 0; j < n; j += MATRICES) {
                int some = Math.min(MATRICES, n - j);
                for (int number = 0; number < some; number++) {
                  unpack(blas, k, part, i, j + number, matrices + (long) number * bytes * square);
                }
                long first = lines + (long) bytes * j * n;
                int inner = some * n;
                double beta = j == 0 ? 0 : 1;
                blas.gemm(false, false, rows, n, inner, 1, first, lead, matrices, n, beta, sum, n);
              }
            }
            double[] m = own.numbers(2 * rows * n);
            blas.get(sums, m, 0, 2 * rows * n);
            int half = LINE_SPINS * n;
            for (int at = 0; at < half; at++) {
              m[at] -= m[3 * half + at];
              m[half + at] += m[2 * half + at];
            }
            for (int spin = 0; spin < LINE_SPINS; spin++) {
              to.row(blas, spin, i, 0, m, spin * n, true);
              to.row(blas, spin, i, 1, m, half + spin * n, true);
            }
          });
    };
  }

  /** Writes K of i and j as an n × n matrix. */
  private void unpack(Blas blas, Matrices tetraquark, int part, int i, int j, long to) {
    int place = packing.place(i, j);
    if (packing.sign(i, j) == 0) {
      blas.clear(n * n, to);
      return;
    }
    VectorLoops.unpackPairs(
        bytes,
        tetraquark.part(place / packing.rows(), part)
            + (long) bytes * (place % packing.rows()) * packing.pairs(),
        n,
        packing.symmetric(),
        packing.sign(i, j),
        packing.sign(),
        to);
  }
}
