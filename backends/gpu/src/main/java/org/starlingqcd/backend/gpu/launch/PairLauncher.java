package org.starlingqcd.backend.gpu.launch;

import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.memory.ElementAccess;
import org.starlingqcd.backend.gpu.memory.ElementLayout;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.gpu.memory.StagingRing;
import org.starlingqcd.backend.gpu.memory.Workspace;

/**
 * Stages of contractions of pairs of lines between one baryon and many. The scratch memory holds
 * the lines in the rotated basis, transposed where needed so that every product is of plain
 * row-major matrices; the elemental with the first line attached; and, for some sums at a time, the
 * elemental with both lines attached.
 *
 * <p>Closing uses all N² pairs of indices, even where half of them would suffice.
 */
public final class PairLauncher {
  private static final int SPINS = PairContraction.LINE_SPINS;

  private final ElementAccess device;
  private final LaunchQueue queue;
  private final SpinSumLauncher spinSums;

  public PairLauncher(
      ElementAccess device,
      GpuLibrary library,
      StagingRing staging,
      Workspace scratch,
      SpinSumLauncher spinSums) {
    this.device = device;
    this.queue = new LaunchQueue(library, staging, scratch);
    this.spinSums = spinSums;
  }

  /** Launches a stage. */
  public void contract(PairContraction contraction, PairContraction.Stage stage, GpuStream stream) {
    if (stage instanceof PairContraction.Whole whole) {
      contraction.forEachStage(whole, (c, each) -> contract(c, each, stream));
      return;
    }
    Launch launch = new Launch(contraction, stream);
    if (stage instanceof PairContraction.FirstLine line) {
      launch.rotate(line.line(), true);
    } else if (stage instanceof PairContraction.SecondLine line) {
      launch.rotate(line.line(), false);
    } else if (stage instanceof PairContraction.FirstAttached attached) {
      launch.attachFirst(attached);
    } else if (stage instanceof PairContraction.BothAttached attached) {
      launch.attachSecond(attached);
    } else {
      launch.close((PairContraction.Closed) stage);
    }
  }

  /** One stage, with the layout of the scratch memory. */
  private final class Launch {
    private final PairContraction c;
    private final GpuStream stream;
    private final int n;
    private final long matrix;
    private final long unit;
    private final long first;
    private final long second;
    private final long y;
    private final long x;

    Launch(PairContraction contraction, GpuStream stream) {
      c = contraction;
      this.stream = stream;
      n = c.extent();
      matrix = ContractionLauncher.bytes(1, n, n, device.precision());
      queue.begin(stream);
      unit = spinSums.unit(n, stream).address();
      GpuMemory workspace = device.use("workspace", c.workspace(), 1, 1, 1, stream);
      workspace.written(ElementLayout.packed(1));
      first = workspace.address();
      second = first + SPINS * matrix;
      y = second + SPINS * matrix;
      x = y + (long) c.firstSpins().size() * c.rows() * matrix;
    }

    private GpuMemory elemental(String what, DeviceMemory memory, int rows) {
      GpuMemory elemental = device.use(what, memory, rows, n, n, stream);
      if (elemental.isComposed()) {
        throw new IllegalArgumentException("baryons are not composed: " + what);
      }
      return elemental;
    }

    void attachFirst(PairContraction.FirstAttached stage) {
      PairContraction.Slice slice = stage.slice();
      c.check(slice);
      GpuMemory attached = elemental("attached", stage.attached(), stage.held().rows());
      long begin = attached.address() - stage.held().start() * matrix;
      for (int k = 0; k < c.firstSpins().size(); k++) {
        for (int row = 0; row < slice.rows(); row++) {
          queue.add(
              0,
              product(false, n, n, n, n, 1, 0, 0),
              begin + (slice.start() + row) * matrix,
              first + c.firstSpins().get(k) * matrix,
              y(k, row, slice.rows()));
        }
      }
      queue.flush();
    }

    private long y(int place, int row, int count) {
      return y + ((long) place * count + row) * matrix;
    }

    /** Rotates a line and transposes it where needed. */
    void rotate(DeviceMemory given, boolean isFirst) {
      GpuMemory line = device.use("line", given, SPINS, n, n, stream);
      long target = isFirst ? first : second;
      boolean transposed = isFirst == c.sinkAttached();
      ElementLayout layout = line.layoutOr(ElementLayout.square(SPINS));
      for (int p = 0; p < SPINS; p++) {
        int round = 0;
        for (int s = 0; s < SPINS; s++) {
          double weight = c.rotation().at(p, s);
          // A row of zeros is multiplied too, which clears the old numbers.
          if (weight != 0 || (round == 0 && s == SPINS - 1)) {
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
                    round == 0 ? 0 : 1,
                    device.precision()),
                line.address(s, layout, n, n),
                unit,
                target + p * matrix);
            round++;
          }
        }
      }
      queue.flush();
    }

    void attachSecond(PairContraction.BothAttached stage) {
      c.check(stage.slice());
      c.check(stage.sums());
      for (int k = 0; k < stage.sums().size(); k++) {
        attachSecond(stage.sums().get(k), k, stage.slice().rows());
      }
      queue.flush();
    }

    void close(PairContraction.Closed stage) {
      c.check(stage.slice());
      for (int f = 0; f < stage.others().size(); f++) {
        long other = elemental("other", stage.others().get(f), n).address();
        GpuMemory blocks =
            device.use("block", stage.blocks().get(f), stage.components(), n, n, stream);
        if (blocks.isComposed()) {
          throw new IllegalArgumentException("pair blocks are not composed");
        }
        ElementLayout layout = ElementLayout.packed(stage.components());
        for (int k = 0; k < stage.sums(); k++) {
          close(other, k, blocks.address(stage.firstComponent() + k, layout, n, n), stage.slice());
        }
        blocks.written(layout);
      }
      queue.flush();
    }

    private void attachSecond(LinePairSum sum, int k, int count) {
      for (int e = 0; e < sum.size(); e++) {
        int place = c.firstSpins().indexOf(sum.first(e));
        queue.add(
            e,
            product(false, n, count * n, n, n, sum.factorRe(e), sum.factorIm(e), e == 0 ? 0 : 1),
            second + sum.second(e) * matrix,
            y(place, 0, count),
            x + (long) k * count * matrix);
      }
    }

    /** Computes a row of the block for every open index of the source. */
    private void close(long other, int k, long block, PairContraction.Slice slice) {
      int start = slice.start();
      int count = slice.rows();
      long sum = x + (long) k * count * matrix;
      if (c.sinkAttached()) {
        queue.add(
            0,
            product(true, count, n, n * n, n * n, 1, 0, 0),
            sum,
            other,
            block + (long) start * device.precision().complexBytes());
      } else {
        queue.add(
            0,
            product(true, n, count, n * n, n * n, 1, 0, 0),
            other,
            sum,
            block + (long) start * n * device.precision().complexBytes());
      }
    }

    private MatrixProduct product(
        boolean transposed, int m, int columns, int k, int ld, double re, double im, double beta) {
      return new MatrixProduct(
          transposed, m, columns, k, ld, transposed ? k : ld, n, re, im, beta, device.precision());
    }
  }
}
