package org.starlingqcd.backend.cpu.product;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.product.Contractions.Contraction;

/**
 * Contractions as real products of tiles.
 *
 * <p>A complex product takes three real ones (3M; Higham, SIAM J. Matrix Anal. Appl. 13 (1992) 681,
 * doi:10.1137/0613043): with {@code T1 = A_re·B_re}, {@code T2 = A_im·B_im} and {@code T3 = (A_re +
 * A_im)·(B_re + B_im)}, the real part is {@code T1 - T2} and the imaginary part {@code T3 - T1 -
 * T2}. Its error is bounded by the norms of A and B, not element by element, so only real spin
 * factors use it, and a device opened as exact never does. The terms of all entries that share a
 * destination are summed before they are combined: T1 lands in the destination's real part and -T2
 * in its imaginary part, one plane rotation turns both into {@code T1 - T2} and {@code -T1 - T2},
 * and T3 is added.
 *
 * <p>Sums of inputs are computed once. Flops: {@code 6/8} of {@code 8 · rows · columns · inner} per
 * entry.
 *
 * @param threeProducts whether real factors use three products
 */
record Tiles(Contractions work, boolean threeProducts) implements Scheme {
  /** Sums of the parts of all components of an input. */
  private record SumsOf(CpuMemory memory, long size, int spins) {}

  /** Whether a contraction runs with three real products for each complex one. */
  private boolean isThreeProducts(Contraction c) {
    return threeProducts && c.isReal();
  }

  @Override
  public Preparation.@Nullable Ingredient left(Contraction c) {
    return sums(c, c.leftMemory, c.left, work.blocking.left.size());
  }

  @Override
  public Preparation.@Nullable Ingredient right(Contraction c) {
    return sums(c, c.rightMemory, c.right, work.blocking.right.size());
  }

  private Preparation.@Nullable Ingredient sums(
      Contraction c, CpuMemory memory, long[] spins, long size) {
    if (!isThreeProducts(c)) {
      return null;
    }
    int bytes = work.bytes;
    return new Preparation.Ingredient(
        new SumsOf(memory, size, spins.length),
        size * spins.length,
        spins.length,
        (spin, to, workspace) ->
            workspace
                .blas()
                .sum(size, spins[spin], spins[spin] + bytes * size, to + bytes * size * spin));
  }

  @Override
  public Cut cut(List<Contraction> group, int parts) {
    MappingPlan first = group.get(0).plan;
    boolean shared = group.stream().allMatch(c -> c.plan == first);
    int destinations = first.mapping.destinationSpins();
    Grid grid = new Grid(shared ? first : null, destinations, work.blocking, work.bytes, parts);
    return new Cut(
        grid.parts(),
        (c, part, left, right, workspace) -> {
          boolean three = isThreeProducts(c);
          Rectangle tiles = new Rectangle(work, c, three, grid, part, left, right, workspace);
          if (three) {
            tiles.threeProducts();
          } else {
            tiles.fourProducts();
          }
        });
  }
}
