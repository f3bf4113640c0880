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
import org.starlingqcd.backend.cpu.blas.Workspace;

/**
 * Two lines as a matrix from pairs to pairs, and a tetraquark's pairs closed with a line, in small
 * real products. Resolved to addresses when they are put into a stream.
 */
public final class PairMatrices {
  /** Parts into which the pairs of a tetraquark are cut, each with sums of its own. */
  private static final int SLICES = 16;

  /** Numbers of products of lines that are made together, so that they stay in the cache. */
  private static final int TOGETHER = 1 << 15;

  private final PairPacking packing;
  private final int n;
  private final int bytes;

  private PairMatrices(PairPacking packing, ElementAccess device) {
    this.packing = packing;
    n = packing.extent();
    bytes = device.precision().realBytes();
  }

  /** Work that all threads do together. */
  public interface Work {
    void run(Team team, Workspace[] workspaces);
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
          memory.tiling(),
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

    /** Copies the real or imaginary parts of a row from or to {@code numbers}. */
    void row(Blas blas, int component, int row, int part, double[] numbers, int at, boolean put) {
      long begin = components.get(component) + part * plane;
      int edge = tiling.isTiled() ? tiling.edge() : extent;
      for (int column = 0; column < extent; column += edge) {
        int count = Math.min(edge, extent - column);
        long place =
            begin
                + bytes
                    * (tiling.isTiled()
                        ? tiling.rowStart(row, column / edge)
                        : (long) row * extent);
        if (put) {
          blas.put(numbers, at + column, count, place);
        } else {
          blas.get(place, numbers, at + column, count);
        }
      }
    }
  }

  /**
   * See {@link org.starlingqcd.backend.Device#formPairs}.
   *
   * @param tiling of the result
   */
  public static Work form(
      DeviceMemory first,
      DeviceMemory second,
      LinePairSum sum,
      PairPacking packing,
      PairPacking.Signs signs,
      DeviceMemory pairs,
      Tiling tiling,
      ElementAccess device) {
    PairMatrices of = new PairMatrices(packing, device);
    Matrices a = Matrices.of(device.own(first), LINE_SPINS, of.n, of.bytes);
    Matrices b = Matrices.of(device.own(second), LINE_SPINS, of.n, of.bytes);
    CpuMemory target = device.own(pairs);
    target.tiling(tiling);
    Matrices x = Matrices.of(target, 1, packing.pairs(), of.bytes);
    return (team, workspaces) -> of.form(a, b, sum, signs, x, team, workspaces);
  }

  /*
   * Of the first line A and the second line B, times the factors, all rows of an entry of the sum lie one after the other. [A_re; A_im], [B_re; -B_im] and [B_im; B_re] lie one after the other, so that real and imaginary parts of a sum are one real product each, for many k at a time and one l.
   */
  private void form(
      Matrices a,
      Matrices b,
      LinePairSum sum,
      PairPacking.Signs signs,
      Matrices x,
      Team team,
      Workspace[] workspaces) {
    int entries = sum.size();
    // A power of two would bring all entries to the same places of the cache.
    int lead = n * n + 8;
    long half = (long) bytes * entries * lead;
    // One line twice: with k and l exchanged the sum is the same, with k' and l' exchanged.
    boolean once =
        a.components().equals(b.components()) && sum.exchange() == signs.rows() * signs.columns();
    // Others use the memory that threads share.
    synchronized (workspaces[0]) {
      long left = workspaces[0].shared(6 * half / bytes);
      long[] right = {left + 2 * half, left + 4 * half};
      team.run(
          entries,
          (e, worker) -> {
            Blas blas = workspaces[worker].blas();
            double[] numbers = workspaces[worker].numbers(4 * n);
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
              blas.put(numbers, 2 * n, n, right[0] + at);
              blas.put(numbers, 0, n, right[0] + at + half);
              blas.put(numbers, 3 * n, n, right[1] + at);
              blas.put(numbers, 2 * n, n, right[1] + at + half);
            }
          });
      int together = Math.max(1, TOGETHER / (n * n));
      team.run(
          n,
          (part, worker) -> {
            // The longest parts come first.
            int l = n - 1 - part;
            Blas blas = workspaces[worker].blas();
            long m = workspaces[worker].scratch((long) together * n * n);
            for (int k = 0; k < packing.end(l); k += together) {
              int end = Math.min(packing.end(l), k + together);
              int rows = (end - k) * n;
              for (int plane = 0; plane < 2; plane++) {
                int inner = 2 * entries;
                long from = (long) bytes * k * n;
                long one = (long) bytes * l * n;
                double weight = once ? 2 * signs.columns() : signs.columns();
                blas.gemm(
                    true,
                    false,
                    rows,
                    n,
                    inner,
                    weight,
                    left + from,
                    lead,
                    right[plane] + one,
                    lead,
                    0,
                    m,
                    n);
                if (!once) {
                  blas.gemm(
                      true,
                      false,
                      rows,
                      n,
                      inner,
                      signs.rows(),
                      right[plane] + from,
                      lead,
                      left + one,
                      lead,
                      1,
                      m,
                      n);
                }
                for (int pair = k; pair < end; pair++) {
                  double own = PairPacking.weight(pair, l, signs.rows());
                  double[] numbers = workspaces[worker].numbers(n * n + packing.pairs());
                  blas.get(m + (long) bytes * (pair - k) * n * n, numbers, n * n);
                  pack(numbers, own, signs.columns());
                  x.row(blas, 0, packing.place(pair, l), plane, numbers, n * n, true);
                }
              }
            }
          });
    }
  }

  /** Packs {@code weight (M ± Mᵀ)} behind the n² numbers of M. */
  private void pack(double[] m, double weight, int sign) {
    double other = weight * sign;
    int at = n * n;
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < j; i++) {
        m[at++] = weight * m[j * n + i] + other * m[i * n + j];
      }
      if (packing.diagonal()) {
        m[at++] = 2 * weight * PairPacking.weight(j, j, sign) * m[j * n + j];
      }
    }
  }

  /**
   * See {@link org.starlingqcd.backend.Device#onHost}.
   *
   * @param tiling of the last operand
   */
  public static Work onHost(
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
    return (team, workspaces) -> team.run(parts, (part, worker) -> work.run(part, rows));
  }

  /** See {@link org.starlingqcd.backend.Device#closePair}. */
  public static Work close(
      DeviceMemory tetraquark,
      DeviceMemory line,
      PairPacking packing,
      int sign,
      DeviceMemory block,
      ElementAccess device) {
    PairMatrices of = new PairMatrices(packing, device);
    Matrices k = Matrices.of(device.own(tetraquark), 1, packing.pairs(), of.bytes);
    Matrices joined = Matrices.of(device.own(line), LINE_SPINS, of.n, of.bytes);
    CpuMemory target = device.own(block);
    target.tiling(Tiling.PLAIN);
    Matrices to = Matrices.of(target, LINE_SPINS, of.n, of.bytes);
    return (team, workspaces) -> of.close(k, joined, sign, to, team, workspaces);
  }

  /*
   * For each j, the line's numbers [l] of 16 components lie as [re; im] and, behind these, as [-im; re]. The matrix of K for one i and j has its own transpose up to the sign, so it can stand to the right; it serves j and i, too.
   */
  private void close(
      Matrices tetraquark,
      Matrices line,
      int exchange,
      Matrices to,
      Team team,
      Workspace[] workspaces) {
    int rows = 2 * LINE_SPINS;
    long step = (long) bytes * rows * n;
    synchronized (workspaces[0]) {
      // As many whatever the threads are, so that they do not change the bits.
      int slices = Math.min(n, SLICES);
      long lines = workspaces[0].shared((2L + slices) * step * n / bytes);
      team.run(
          LINE_SPINS,
          (spin, worker) -> {
            Blas blas = workspaces[worker].blas();
            double[] m = workspaces[worker].numbers(2 * n * n + n);
            for (int l = 0; l < n; l++) {
              line.row(blas, spin, l, 0, m, l * n, false);
              line.row(blas, spin, l, 1, m, (n + l) * n, false);
            }
            for (int j = 0; j < n; j++) {
              long at = lines + 2 * step * j + (long) bytes * spin * n;
              for (int quarter = 0; quarter < 4; quarter++) {
                // re, im, -im, re
                int part = quarter == 1 || quarter == 2 ? n * n : 0;
                int sign = quarter == 2 ? -1 : 1;
                for (int l = 0; l < n; l++) {
                  m[2 * n * n + l] = sign * m[part + l * n + j];
                }
                blas.put(m, 2 * n * n, n, at + quarter * step / 2);
              }
            }
          });
      long sums = lines + 2 * step * n;
      team.run(
          slices,
          (slice, worker) -> {
            Workspace workspace = workspaces[worker];
            Blas blas = workspace.blas();
            double[] m = workspace.numbers(n * n + packing.pairs());
            long matrix = workspace.scratch((long) n * n);
            long own = sums + slice * step * n;
            blas.clear(rows * n * n, own);
            int end = (int) ((slice + 1L) * packing.pairs() / slices);
            for (int pair = (int) ((long) slice * packing.pairs() / slices); pair < end; pair++) {
              int j = packing.second(pair);
              int i = pair - packing.place(0, j);
              int sign = PairPacking.sign(i, j, exchange) * exchange;
              for (int part = 0; part < 2 && sign != 0; part++) {
                tetraquark.row(blas, 0, pair, part, m, n * n, false);
                unpack(m, exchange);
                blas.put(m, n * n, matrix);
                long from = lines + (2L * j + part) * step;
                blas.gemm(false, false, rows, n, n, sign, from, n, matrix, n, 1, own + i * step, n);
                if (i != j) {
                  // K[j,i] is K[i,j] with the sign of the exchange.
                  from = lines + (2L * i + part) * step;
                  blas.gemm(false, false, rows, n, n, 1, from, n, matrix, n, 1, own + j * step, n);
                }
              }
            }
          });
      team.run(
          n,
          (i, worker) -> {
            Blas blas = workspaces[worker].blas();
            double[] m = workspaces[worker].numbers(rows * n);
            for (int slice = 1; slice < slices; slice++) {
              blas.add((long) rows * n, 1, sums + (slice * (long) n + i) * step, sums + i * step);
            }
            blas.get(sums + i * step, m, rows * n);
            for (int spin = 0; spin < LINE_SPINS; spin++) {
              to.row(blas, spin, i, 0, m, spin * n, true);
              to.row(blas, spin, i, 1, m, (LINE_SPINS + spin) * n, true);
            }
          });
    }
  }

  /** Writes the packed numbers behind the first n² as a matrix to these. */
  private void unpack(double[] m, int exchange) {
    int at = n * n;
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < j; i++) {
        double number = m[at++];
        m[i * n + j] = number;
        m[j * n + i] = exchange * number;
      }
      m[j * n + j] = packing.diagonal() ? m[at++] : 0;
    }
  }
}
