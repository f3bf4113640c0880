package org.starlingqcd.backend.cpu;

/** Work of a contraction of pairs of lines, resolved to addresses. */
@FunctionalInterface
interface PairWork {
  /** Does it on a team; each thread has a workspace. */
  void run(Team team, Workspace[] workspaces);
}
