package org.starlingqcd.backend.cpu.baryon;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.PairContraction.BothAttached;
import org.starlingqcd.backend.PairContraction.Closed;
import org.starlingqcd.backend.PairContraction.FirstAttached;
import org.starlingqcd.backend.PairContraction.FirstLine;
import org.starlingqcd.backend.PairContraction.SecondLine;
import org.starlingqcd.backend.PairContraction.Stage;
import org.starlingqcd.backend.PairContraction.Whole;
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.blas.ElementAccess;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/** Contractions of pairs of lines, resolved to addresses when they are put into a stream. */
public final class PairBlocks {
  /** Most eigenvectors for which {@link VectorLoops} with AVX-512 are faster than BLAS. */
  private static final int MOST_IN_LOOPS = 384;

  /** The same with narrower instructions, which are faster for certain only for small matrices. */
  private static final int MOST_IN_NARROW_LOOPS = 64;

  private PairBlocks() {}

  /** Resolves a stage. */
  public static Runnable of(
      PairContraction contraction, Stage stage, ElementAccess device, boolean exact) {
    boolean inLoops = !exact && contraction.extent() <= device.mostInPairLoops();
    if (stage instanceof Whole whole) {
      if (inLoops && WholePairs.isFor(contraction, whole)) {
        return new WholePairs(contraction, whole, device);
      }
      List<Runnable> stages = new ArrayList<>();
      contraction.forEachStage(whole, (c, each) -> stages.add(of(c, each, device, exact)));
      return () -> stages.forEach(Runnable::run);
    }
    PairWorkspace workspace = new PairWorkspace(contraction, device);
    if (stage instanceof FirstLine line) {
      return line(workspace, device.own(line.line()), true, exact);
    }
    if (stage instanceof SecondLine line) {
      return line(workspace, device.own(line.line()), false, exact);
    }
    PairProducts products =
        inLoops ? new PairProductsInLoops(workspace) : new PairProductsInBlas(workspace, exact);
    if (stage instanceof FirstAttached first) {
      contraction.check(first.slice());
      long held =
          PairContraction.sliceShape(contraction.extent(), first.held().rows())
              .in(contraction.precision())
              .bytes();
      long attached = device.own(first.attached()).spinAddresses(1, held)[0];
      return () -> products.attachFirst(attached, first);
    }
    if (stage instanceof BothAttached both) {
      contraction.check(both.slice());
      contraction.check(both.sums());
      int rows = both.slice().rows();
      return () -> products.attachSecond(both.sums(), rows);
    }
    return close(workspace, (Closed) stage, device, products);
  }

  /**
   * Most eigenvectors for which pairs of lines use {@link VectorLoops}, where these are available.
   */
  public static int mostInLoops() {
    return VectorLoops.instructions().equals("AVX-512") ? MOST_IN_LOOPS : MOST_IN_NARROW_LOOPS;
  }

  private static Runnable line(
      PairWorkspace workspace, CpuMemory line, boolean isFirst, boolean exact) {
    PairContraction contraction = workspace.contraction;
    LineRotation rotation =
        new LineRotation(contraction, line, isFirst == contraction.sinkAttached(), !exact);
    long target = isFirst ? workspace.first(0) : workspace.second(0);
    return () -> workspace.team.run(LineRotation.SPINS, (p, own) -> rotation.run(p, own, target));
  }

  private static Runnable close(
      PairWorkspace workspace, Closed stage, ElementAccess device, PairProducts products) {
    workspace.contraction.check(stage.slice());
    int n = workspace.n;
    int square = workspace.square;
    int sums = stage.sums();
    long complex = workspace.contraction.precision().complexBytes();
    long[] others = new long[stage.others().size()];
    long[] blocks = new long[others.length * sums];
    for (int k = 0; k < others.length; k++) {
      others[k] = device.own(stage.others().get(k)).spinAddresses(1, complex * n * square)[0];
      CpuMemory block = device.own(stage.blocks().get(k));
      long[] components = block.spinAddresses(stage.components(), complex * square);
      System.arraycopy(components, stage.firstComponent(), blocks, k * sums, sums);
      block.tiling(Tiling.PLAIN);
    }
    PairWorkspace.Attached attached = workspace.attached(sums, stage.slice().rows());
    if (attached.numbers() == 0) {
      // N = 1: the only number is on the diagonal, where an antisymmetric elemental has none.
      return () ->
          device.team().run(blocks.length, (k, own) -> own.blas().clear(2 * square, blocks[k]));
    }
    PairClosing.Columns columns = attached.columns(stage.slice().start());
    return () -> products.close(columns, others, blocks);
  }
}
