package org.starlingqcd.hadron.execute;

/** Lets a caller watch and stop the execution of a queue; called between vectors. */
public interface ExecutionControl {
  /** A control that does nothing and never stops a queue. */
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

  /** Reports that {@code done} of {@code total} contractions (products and traces) are launched. */
  void progress(long done, long total);
}
