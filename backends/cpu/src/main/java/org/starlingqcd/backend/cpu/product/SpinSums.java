package org.starlingqcd.backend.cpu.product;

import static org.starlingqcd.backend.PairContraction.LINE_SPINS;

import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.blas.ElementAccess;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.Workspace;

/** One spin sum of a block into a node, resolved to addresses when it is put into a stream. */
public final class SpinSums implements Runnable {
  private final Team team;
  private final int n;
  private final SpinSumMapping mapping;
  private final long[] from;
  private final Tiling fromTiling;
  private final long[] to;
  private final Tiling toTiling;

  public SpinSums(
      DeviceMemory block,
      DeviceMemory node,
      SpinSumMapping mapping,
      int extent,
      Tiling tiling,
      ElementAccess device) {
    team = device.team();
    this.n = extent;
    this.mapping = mapping;
    long componentBytes = (long) device.precision().complexBytes() * extent * extent;
    CpuMemory source = device.own(block);
    from = source.spinAddresses(mapping.components(), componentBytes);
    fromTiling = source.tiling();
    CpuMemory target = device.own(node);
    to = target.spinAddresses(LINE_SPINS, componentBytes);
    target.tiling(tiling);
    toTiling = tiling;
  }

  @Override
  public void run() {
    team.run(LINE_SPINS, this::run);
  }

  /** Computes component {@code spin} of the node. */
  private void run(int spin, Workspace workspace) {
    Blas blas = workspace.blas();
    int square = n * n;
    blas.clear(2 * square, to[spin]);
    for (int k = 0; k < mapping.size(); k++) {
      if (mapping.destination(k) != spin) {
        continue;
      }
      long source = from[mapping.source(k)];
      double re = mapping.factorRe(k);
      double im = mapping.factorIm(k);
      long imaginary = (long) blas.bytes() * square;
      add(blas, re, source, to[spin]);
      add(blas, re, source + imaginary, to[spin] + imaginary);
      add(blas, -im, source + imaginary, to[spin]);
      add(blas, im, source, to[spin] + imaginary);
    }
  }

  /** Adds one plane of a component, tile by tile where the layouts differ. */
  private void add(Blas blas, double factor, long source, long target) {
    if (factor == 0) {
      return;
    }
    if (fromTiling.sameNumbers(toTiling)) {
      blas.add((long) n * n, factor, source, target);
      return;
    }
    Tiling tiled = toTiling.isTiled() ? toTiling : fromTiling;
    for (int row = 0; row < n; row++) {
      for (int t = 0; t < tiled.tiles(); t++) {
        blas.add(
            tiled.size(t),
            factor,
            source + blas.bytes() * place(fromTiling, tiled, row, t),
            target + blas.bytes() * place(toTiling, tiled, row, t));
      }
    }
  }

  private long place(Tiling tiling, Tiling tiled, int row, int t) {
    return tiling.isTiled() ? tiling.rowStart(row, t) : (long) row * n + (long) t * tiled.edge();
  }
}
