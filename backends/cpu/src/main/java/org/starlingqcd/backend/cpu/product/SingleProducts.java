package org.starlingqcd.backend.cpu.product;

import java.util.List;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.blas.LayoutChange;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.Workspace;
import org.starlingqcd.backend.cpu.product.Contractions.Contraction;

/**
 * Contractions of square matrices with one {@code zgemm} for each entry of the mapping:
 * conventional products for all factors. The inputs are converted to interleaved numbers once. A
 * thread computes whole spins of a destination, also interleaved, and splits them into real and
 * imaginary parts.
 */
final class SingleProducts implements Scheme {
  /** The components of an input as interleaved numbers. */
  private record Interleaved(CpuMemory memory, int spins) {}

  private final Contractions work;
  private final int n;
  private final long size;

  SingleProducts(Contractions work) {
    this.work = work;
    n = work.blocking.left.columns;
    size = (long) n * n;
  }

  @Override
  public Preparation.Ingredient left(Contraction c) {
    return interleaved(c.leftMemory, c.left);
  }

  @Override
  public Preparation.Ingredient right(Contraction c) {
    return interleaved(c.rightMemory, c.right);
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
                to + 2L * work.bytes * size * spin,
                size,
                Tiling.PLAIN));
  }

  @Override
  public Cut cut(List<Contraction> group, int parts) {
    return new Cut(group.get(0).plan.mapping.destinationSpins(), this::run);
  }

  /** Computes a spin of a destination. */
  private void run(Contraction c, int spin, long left, long right, Workspace workspace) {
    BatchSpinMapping mapping = c.plan.mapping;
    int[] entries = c.plan.entries(spin);
    long destination = c.destination[spin];
    Blas blas = workspace.blas();
    if (entries.length == 0) {
      if (!c.accumulates) {
        blas.clear(Math.toIntExact(2 * size), destination);
      }
      return;
    }
    long sum = workspace.scratch(2 * size);
    long component = 2L * work.bytes * size;
    boolean single = work.bytes == Float.BYTES;
    boolean add = false;
    for (int b : entries) {
      long a = left + component * mapping.left(b);
      long with = right + component * mapping.right(b);
      Scalar factor = new Scalar(c.factorRe(b), c.factorIm(b));
      workspace.matrices().multiply(single, n, factor, a, with, add, sum);
      add = true;
    }
    if (c.accumulates) {
      blas.add(size, sum, 2, destination, 1);
      blas.add(size, sum + blas.bytes(), 2, destination + blas.bytes() * size, 1);
    } else {
      LayoutChange.toDevice(blas, sum, destination, size, Tiling.PLAIN);
    }
  }
}
