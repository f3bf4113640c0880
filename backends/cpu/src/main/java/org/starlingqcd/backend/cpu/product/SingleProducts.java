package org.starlingqcd.backend.cpu.product;

import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.Workspace;
import org.starlingqcd.backend.cpu.memory.CpuMemory;
import org.starlingqcd.backend.cpu.memory.LayoutChange;

/**
 * Contractions of square matrices with one {@code zgemm} for each entry of the mapping:
 * conventional products for all factors. The inputs are converted to interleaved numbers once. A
 * thread computes whole spins of a destination, also interleaved, and splits them into real and
 * imaginary parts.
 */
public final class SingleProducts implements Scheme {
  /** The components of an input as interleaved numbers. */
  private record Interleaved(CpuMemory memory, int spins) {}

  private final Contractions work;
  private final int n;
  private final long size;

  SingleProducts(Contractions work) {
    this.work = work;
    n = work.blocking().inner();
    size = (long) n * n;
  }

  @Override
  public Preparation.Ingredient left(int k) {
    return interleaved(work.leftMemory(k), work.left(k));
  }

  @Override
  public Preparation.Ingredient right(int k) {
    return interleaved(work.rightMemory(k), work.right(k));
  }

  private Preparation.Ingredient interleaved(CpuMemory memory, long[] spins) {
    return new Preparation.Ingredient(
        new Interleaved(memory, spins.length),
        2 * size * spins.length,
        spins.length,
        (spin, to, workspace) ->
            LayoutChange.toHost(
                workspace.blas(),
                spins[spin],
                to + 2L * work.bytes() * size * spin,
                size,
                Tiling.PLAIN));
  }

  @Override
  public Cut cut(int start, int end, int parts) {
    return new Spins(work.plan(start).mapping().destinationSpins());
  }

  /** Single spins of a destination. */
  private final class Spins implements Cut {
    private final int spins;

    Spins(int spins) {
      this.spins = spins;
    }

    @Override
    public int parts() {
      return spins;
    }

    @Override
    public void run(int k, int spin, long left, long right, Workspace workspace) {
      BatchSpinMapping mapping = work.plan(k).mapping();
      int[] entries = work.plan(k).entries(spin);
      long destination = work.destination(k, spin);
      Blas blas = workspace.blas();
      if (entries.length == 0) {
        if (!work.accumulates(k)) {
          blas.clear(Math.toIntExact(2 * size), destination);
        }
        return;
      }
      long sum = workspace.scratch(2 * size);
      for (int entry = 0; entry < entries.length; entry++) {
        int b = entries[entry];
        workspace
            .complexProducts()
            .run(
                n,
                work.factorRe(k, b),
                work.factorIm(k, b),
                left + 2L * work.bytes() * size * mapping.left(b),
                right + 2L * work.bytes() * size * mapping.right(b),
                entry > 0,
                sum);
      }
      if (work.accumulates(k)) {
        blas.add(size, sum, 2, destination, 1);
        blas.add(size, sum + blas.bytes(), 2, destination + blas.bytes() * size, 1);
      } else {
        LayoutChange.toDevice(blas, sum, destination, size, Tiling.PLAIN);
      }
    }
  }
}
