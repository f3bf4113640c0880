package org.starlingqcd.backend.cpu.product;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Workspace;

/**
 * Runs contractions on a team of threads, wave by wave: it first prepares the inputs of a wave,
 * then computes all parts of its destinations. Threads synchronize twice in a wave and never for a
 * single product.
 */
public final class ContractionKernel implements AutoCloseable {
  private final Team team;
  private final Workspace[] workspaces;
  private @Nullable HostMemory prepared;

  public ContractionKernel(Team team, Workspace[] workspaces) {
    this.team = team;
    this.workspaces = workspaces;
  }

  /** Runs all waves. */
  public void run(Contractions work) {
    for (Contractions.Wave wave : work.waves()) {
      Preparation preparation = wave.preparation();
      long address = preparation.numbers() == 0 ? 0 : reserve(work.bytes() * preparation.numbers());
      preparation.run(team, workspaces, address, work.bytes());
      team.run(wave.parts(), (part, worker) -> run(work, wave, part, address, workspaces[worker]));
    }
  }

  private long reserve(long bytes) {
    HostMemory held = prepared;
    if (held == null || held.bytes() < bytes) {
      close();
      // Reserves the most that any wave needs at once: memory that grows step by step would be new
      // to the process at every step, and pages cost nothing before they are written.
      held = HostMemory.allocateForDevice(Math.max(bytes, Contractions.PREPARED_BYTES));
      prepared = held;
    }
    return held.address();
  }

  @Override
  public void close() {
    if (prepared != null) {
      prepared.close();
      prepared = null;
    }
  }

  private static void run(
      Contractions work, Contractions.Wave wave, int part, long prepared, Workspace workspace) {
    int group = wave.group(part);
    Scheme.Cut cut = wave.cut(group);
    int ownPart = part - wave.firstPart(group);
    for (int k = wave.groupStart(group); k < wave.groupEnd(group); k++) {
      cut.run(
          k,
          ownPart,
          prepared + work.bytes() * work.leftPrepared(k),
          prepared + work.bytes() * work.rightPrepared(k),
          workspace);
    }
  }
}
