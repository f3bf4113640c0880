package org.starlingqcd.correlators.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What Ctrl-C and SIGTERM do: the program ends with one line on standard error, whenever they come.
 * Work that has something to keep is told to stop, and says itself what it kept.
 */
final class StopSignal {
  /** How long a signal waits for work to end; one vector of a run takes less on any device. */
  private static final long LONGEST_SECONDS = 60;

  /** The same for work that has nothing to keep yet, which may be anywhere in its preparations. */
  private static final long SHORT_MILLIS = 700;

  private static volatile @Nullable Work work;
  private static volatile boolean ended;
  private static volatile boolean answered;

  private StopSignal() {}

  /** Work that stops when it is told to. */
  static final class Work {
    private final Runnable cancel;
    private final BooleanSupplier keeps;
    private final CountDownLatch over = new CountDownLatch(1);

    private Work(Runnable cancel, BooleanSupplier keeps) {
      this.cancel = cancel;
      this.keeps = keeps;
    }

    private boolean isOverSoon() throws InterruptedException {
      return over.await(SHORT_MILLIS, TimeUnit.MILLISECONDS)
          || (keeps.getAsBoolean() && over.await(LONGEST_SECONDS, TimeUnit.SECONDS));
    }

    /** The work is over, or has stopped and said so. */
    void end() {
      work = null;
      over.countDown();
    }
  }

  /** Runs when the program ends. Not a lambda: the first one takes the JVM tens of milliseconds. */
  private static final class Answer extends Thread {
    Answer() {
      super("stop");
    }

    @Override
    public void run() {
      answer();
    }
  }

  /** From now on a signal has an answer; the first thing that the program does. */
  static void expect() {
    Runtime.getRuntime().addShutdownHook(new Answer());
  }

  /** From now on the program ends by itself. */
  static void programEnds() {
    ended = true;
  }

  /**
   * Work begins that a signal tells to stop; the program does one at a time.
   *
   * @param keeps whether it has begun with what it keeps when it stops
   */
  static Work during(Runnable cancel, BooleanSupplier keeps) {
    Work begun = new Work(cancel, keeps);
    work = begun;
    return begun;
  }

  /** Whether a signal has ended the program: failures from now on are its consequences. */
  static boolean isAnswered() {
    return answered;
  }

  private static void answer() {
    if (ended) {
      return;
    }
    @Nullable Work current = work;
    if (current == null) {
      answered = true;
      say("stopped");
      return;
    }
    current.cancel.run();
    try {
      if (!current.isOverSoon()) {
        answered = true;
        say(current.keeps.getAsBoolean() ? "stopped; the units in progress are lost" : "stopped");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void say(String text) {
    System.err.println("starling: " + text);
  }
}
