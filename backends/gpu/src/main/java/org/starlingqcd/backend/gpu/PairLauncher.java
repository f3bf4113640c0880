package org.starlingqcd.backend.gpu;

import java.util.List;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DiquarkContraction;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.TensorShape;

/**
 * Contractions of pairs of lines between one baryon and many. The scratch memory holds the lines in
 * the rotated basis, turned so that every product is of plain row-major matrices, the elemental
 * with the first line attached, and for a group of sums at a time that with both. The open index is
 * cut into slices where it is short.
 *
 * <p>Closing runs over all N² pairs of indices, also where half of them would do.
 */
final class PairLauncher {
  private static final int SPINS = DiquarkContraction.LINE_SPINS;

  private final GpuDevice device;
  private final GpuLibrary library;
  private final StagingRing staging;
  private final DiquarkLauncher diquarks;

  PairLauncher(
      GpuDevice device, GpuLibrary library, StagingRing staging, DiquarkLauncher diquarks) {
    this.device = device;
    this.library = library;
    this.staging = staging;
    this.diquarks = diquarks;
  }

  /** Launches a contraction. */
  void contract(PairContraction contraction, GpuStream stream) {
    new Operands(contraction, stream).launch();
  }

  /** The operands of a contraction, checked, with the rows that the scratch memory allows. */
  private final class Operands {
    private final PairContraction c;
    private final int n;
    private final long matrix;
    private final LaunchQueue queue;
    private final long unit;
    private final GpuMemory attached;
    private final GpuMemory blocks;
    private final int[] firstSpins;
    private final int rows;
    private final long first;
    private final long second;
    private final long y;
    private final long x;

    Operands(PairContraction contraction, GpuStream stream) {
      c = contraction;
      n = c.extent();
      matrix = ContractionLauncher.bytes(1, n, n);
      queue = new LaunchQueue(library, stream, staging);
      unit = diquarks.unit(n, stream).address();
      attached = elemental("attached", c.attached());
      blocks = device.own("destination", c.destination(), c.components(), n, n);
      if (blocks.isComposed()) {
        throw new IllegalArgumentException("pair blocks are not composed");
      }
      firstSpins = c.firstSpins();
      rows = c.rows();
      first = device.own("workspace", c.workspace(), 1, 1, 1).address();
      second = first + SPINS * matrix;
      y = second + SPINS * matrix;
      x = y + (long) SPINS * rows * matrix;
    }

    private GpuMemory elemental(String what, DeviceMemory memory) {
      GpuMemory elemental = device.own(what, memory, n, n, n);
      if (elemental.isComposed()) {
        throw new IllegalArgumentException("baryons are not composed: " + what);
      }
      return elemental;
    }

    void launch() {
      rotate(device.own("first", c.first(), SPINS, n, n), first, c.sinkAttached());
      for (int start = 0; start < n; start += rows) {
        int count = Math.min(rows, n - start);
        for (int k = 0; k < firstSpins.length; k++) {
          for (int row = 0; row < count; row++) {
            queue.add(
                0,
                product(false, n, n, n, n, 1, 0, 0),
                attached.address() + (start + row) * matrix,
                first + firstSpins[k] * matrix,
                y(k, row, count));
          }
        }
        queue.flush();
        int component = 0;
        for (PairContraction.Branch branch : c.branches()) {
          rotate(device.own("second", branch.second(), SPINS, n, n), second, !c.sinkAttached());
          branch(branch, component, start, count);
          component += branch.sums().size() * branch.others().size();
        }
      }
      blocks.written(ElementLayout.packed(c.components()));
    }

    private long y(int place, int row, int count) {
      return y + ((long) place * count + row) * matrix;
    }

    /** Brings a line into the rotated basis, perhaps transposed. */
    private void rotate(GpuMemory line, long target, boolean transposed) {
      ElementLayout layout = line.layoutOr(ElementLayout.square(SPINS));
      for (int p = 0; p < SPINS; p++) {
        int round = 0;
        for (int s = 0; s < SPINS; s++) {
          double weight = c.rotation().at(p, s);
          if (weight != 0) {
            queue.add(
                round,
                new MatrixProduct(
                    transposed,
                    n,
                    n,
                    n,
                    layout.leadingDimension(n),
                    n,
                    n,
                    weight,
                    0,
                    round == 0 ? 0 : 1),
                line.address(s, layout, n, n),
                unit,
                target + p * matrix);
            round++;
          }
        }
      }
      queue.flush();
    }

    private void branch(PairContraction.Branch branch, int component, int start, int count) {
      List<LinePairSum> sums = branch.sums();
      for (int from = 0; from < sums.size(); from += PairContraction.GROUP) {
        int group = Math.min(PairContraction.GROUP, sums.size() - from);
        for (int k = 0; k < group; k++) {
          attachSecond(sums.get(from + k), k, count);
        }
        queue.flush();
        for (int f = 0; f < branch.others().size(); f++) {
          long other = elemental("other", branch.others().get(f)).address();
          for (int k = 0; k < group; k++) {
            close(other, k, component + f * sums.size() + from + k, start, count);
          }
        }
        queue.flush();
      }
    }

    private void attachSecond(LinePairSum sum, int k, int count) {
      for (int e = 0; e < sum.size(); e++) {
        int place = 0;
        while (firstSpins[place] != sum.first(e)) {
          place++;
        }
        queue.add(
            e,
            product(false, n, count * n, n, n, sum.factorRe(e), sum.factorIm(e), e == 0 ? 0 : 1),
            second + sum.second(e) * matrix,
            y(place, 0, count),
            x + (long) k * count * matrix);
      }
    }

    /** A row of the block for every open index of the source. */
    private void close(long other, int k, int component, int start, int count) {
      long sum = x + (long) k * count * matrix;
      long block = blocks.address(component, ElementLayout.packed(c.components()), n, n);
      if (c.sinkAttached()) {
        queue.add(
            0,
            product(true, count, n, n * n, n * n, 1, 0, 0),
            sum,
            other,
            block + (long) start * TensorShape.COMPLEX_BYTES);
      } else {
        queue.add(
            0,
            product(true, n, count, n * n, n * n, 1, 0, 0),
            other,
            sum,
            block + (long) start * n * TensorShape.COMPLEX_BYTES);
      }
    }

    private MatrixProduct product(
        boolean transposed, int m, int columns, int k, int ld, double re, double im, double beta) {
      return new MatrixProduct(transposed, m, columns, k, ld, transposed ? k : ld, n, re, im, beta);
    }
  }
}
