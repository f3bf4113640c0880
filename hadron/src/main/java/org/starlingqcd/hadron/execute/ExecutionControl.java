package org.starlingqcd.hadron.execute;

/** How a caller watches and stops the execution of a queue; called between vectors. */
public interface ExecutionControl {
  /** Watches nothing and never stops. */
  ExecutionControl NONE =
      new ExecutionControl() {
        @Override
        public boolean isCancelled() {
          return false;
        }

        @Override
        public void progress(long done, long total) {}
      };

  /** Whether to stop before the next vector. */
  boolean isCancelled();

  /** Says that {@code done} of {@code total} contractions (products and traces) are launched. */
  void progress(long done, long total);
}
