package org.starlingqcd.correlators.run;

/** Watches a run; called by one thread at a time. */
public interface RunListener {
  /** Watches nothing. */
  RunListener NONE = new RunListener() {};

  /** Says what is being done before anything is computed, for somebody who waits. */
  default void preparing(String what) {}

  /**
   * Something that a user may not expect before anything is computed: data that are missing,
   * planning that takes long, or work that is done once for a machine and takes seconds.
   */
  default void notice(String what) {}

  /**
   * Computing begins.
   *
   * @param units units asked for, over all configurations and sources
   * @param finished how many of them are there already
   */
  default void started(int units, int finished) {}

  /** A unit begins. */
  default void unitStarted(int configuration, int source) {}

  /** {@code done} of {@code total} contractions of the present unit are under way. */
  default void progress(long done, long total) {}

  /**
   * A device of several, or one of some that compute together, fails and gets no more units;
   * another computes the one that it had.
   */
  default void deviceLost(String device, String reason) {}

  /** A unit is finished and durable. */
  default void unitFinished(int configuration, int source, double seconds) {}

  /** A configuration is left out, and why. */
  default void skipped(String configuration, String reason) {}
}
