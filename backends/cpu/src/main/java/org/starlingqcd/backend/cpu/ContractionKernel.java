package org.starlingqcd.backend.cpu;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;

/**
 * Runs contractions as real products of tiles.
 *
 * <p>A complex product takes three real ones (3M; Higham, SIAM J. Matrix Anal. Appl. 13 (1992) 681,
 * doi:10.1137/0613043): with {@code T1 = A_re·B_re}, {@code T2 = A_im·B_im} and {@code T3 = (A_re +
 * A_im)·(B_re + B_im)}, the real part is {@code T1 - T2} and the imaginary part {@code T3 - T1 -
 * T2}. Its error is bounded by the norms of A and B, not element by element, so real spin factors
 * only are run this way and a device opened as exact never is. The terms of all entries that share
 * a destination are summed before they are combined: T1 lands in the destination's real part and
 * -T2 in its imaginary part, one plane rotation turns both into {@code T1 - T2} and {@code -T1 -
 * T2}, and T3 is added.
 *
 * <p>Sums of inputs are made once per wave. Flops: {@code 6/8} of {@code 8 · rows · columns ·
 * inner} per entry.
 */
final class ContractionKernel implements AutoCloseable {
  /** Numbers summed at a time: both inputs and the sum stay in the first-level cache. */
  private static final int SUM_CHUNK = 1 << 11;

  private final Team team;
  private final Workspace[] workspaces;
  private @Nullable HostMemory sums;

  ContractionKernel(Team team, Workspace[] workspaces) {
    this.team = team;
    this.workspaces = workspaces;
  }

  /** Runs all waves. */
  void run(Contractions work) {
    for (Contractions.Wave wave : work.waves()) {
      long sumsAt = sumInputs(wave.summation());
      team.run(wave.parts(), (part, worker) -> run(work, wave, part, sumsAt, workspaces[worker]));
    }
  }

  private long sumInputs(Summation summation) {
    List<Summation.Component> components = summation.components();
    if (components.isEmpty()) {
      return 0;
    }
    long sumsAt = reserve(summation.doubles());
    team.run(
        components.size(),
        (part, worker) -> {
          Summation.Component component = components.get(part);
          sum(workspaces[worker].blas(), component, sumsAt + 8 * component.start());
        });
    return sumsAt;
  }

  private static void sum(Blas blas, Summation.Component component, long to) {
    long imaginary = component.address() + 8 * component.size();
    for (long done = 0; done < component.size(); done += SUM_CHUNK) {
      int numbers = (int) Math.min(SUM_CHUNK, component.size() - done);
      blas.copy(numbers, component.address() + 8 * done, 1, to + 8 * done, 1);
      blas.add(numbers, 1, imaginary + 8 * done, to + 8 * done);
    }
  }

  private long reserve(long doubles) {
    HostMemory held = sums;
    if (held == null || held.bytes() < doubles * Double.BYTES) {
      close();
      // All that any wave takes at once: memory that grew step by step would be new to the process
      // at every step, and pages cost nothing before they are written.
      held = HostMemory.allocate(Math.max(doubles * Double.BYTES, Contractions.SUM_BYTES));
      sums = held;
    }
    return held.address();
  }

  @Override
  public void close() {
    if (sums != null) {
      sums.close();
      sums = null;
    }
  }

  private static void run(
      Contractions work, Contractions.Wave wave, int part, long sumsAt, Workspace workspace) {
    int group = wave.group(part);
    Grid grid = wave.grid(group);
    int rectangle = part - wave.firstPart(group);
    for (int k = wave.groupStart(group); k < wave.groupStart(group + 1); k++) {
      Rectangle tiles = new Rectangle(work, k, grid, rectangle, sumsAt, workspace);
      if (work.isThreeProducts(k)) {
        tiles.threeProducts();
      } else {
        tiles.fourProducts();
      }
    }
  }
}
