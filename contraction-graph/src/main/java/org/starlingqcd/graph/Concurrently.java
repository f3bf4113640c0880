package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Runs independent parts of planning concurrently, each on its own thread and a few at a time. A
 * part may start other parts and wait for them. Results do not depend on the number of processors.
 */
public final class Concurrently {
  /** The parts of a small plan take less time than the start of a hundred threads. */
  private static final int MOST_SHARES = 8;

  private Concurrently() {}

  /** Starts a computation whose result {@link #join} waits for. */
  public static <T> CompletableFuture<T> begin(Supplier<T> part) {
    return CompletableFuture.supplyAsync(part, Concurrently::run);
  }

  private static void run(Runnable part) {
    Thread thread = new Thread(part, "planning");
    thread.setDaemon(true);
    thread.start();
  }

  /** Waits for a result; rethrows what the computation threw. */
  public static <T> T join(CompletableFuture<T> part) {
    try {
      return part.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    }
  }

  /**
   * Returns the results of parts 0 … count - 1 in this order; the last part runs on the calling
   * thread.
   */
  public static <T> List<T> all(int count, IntFunction<T> part) {
    List<CompletableFuture<T>> begun = new ArrayList<>();
    for (int k = 0; k < count - 1; k++) {
      int number = k;
      begun.add(begin(() -> part.apply(number)));
    }
    List<T> results = new ArrayList<>();
    T last = part.apply(count - 1);
    begun.forEach(future -> results.add(join(future)));
    results.add(last);
    return results;
  }

  /** As {@link #all} for many small parts: a few threads share them, one for each processor. */
  public static <T> List<T> each(int count, IntFunction<T> part) {
    int most = Math.min(MOST_SHARES, Runtime.getRuntime().availableProcessors());
    int threads = Math.max(1, Math.min(count, most));
    List<List<T>> shares =
        all(
            threads,
            thread -> {
              List<T> own = new ArrayList<>();
              for (int k = thread; k < count; k += threads) {
                own.add(part.apply(k));
              }
              return own;
            });
    List<T> results = new ArrayList<>(count);
    for (int k = 0; k < count; k++) {
      results.add(shares.get(k % threads).get(k / threads));
    }
    return results;
  }
}
