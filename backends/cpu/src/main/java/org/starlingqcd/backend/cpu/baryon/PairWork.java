package org.starlingqcd.backend.cpu.baryon;

import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Workspace;

/** Work of a contraction of pairs of lines, resolved to addresses. */
@FunctionalInterface
public interface PairWork {
  /** Runs the work on a team; each thread has a workspace. */
  void run(Team team, Workspace[] workspaces);
}
