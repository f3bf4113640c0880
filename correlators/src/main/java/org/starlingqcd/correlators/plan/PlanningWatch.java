package org.starlingqcd.correlators.plan;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.graph.Concurrently;
import org.starlingqcd.graph.wick.ContractionCount;

/**
 * Watches planning that may take long: says how many contractions there are, says that it still
 * goes on, and ends at once when the user stops the program. Planning runs on a thread of its own,
 * which is left to itself when the program ends.
 */
public final class PlanningWatch {
  /** Contractions that are worth a message; fewer take seconds. */
  private static final double MANY = 1e7;

  private static final long POLL_MILLIS = 50;
  private static final long MESSAGE_NANOS = 5_000_000_000L;

  private final Consumer<String> messages;
  private final BooleanSupplier cancelled;
  private final long messageNanos;

  /**
   * A watch.
   *
   * @param cancelled whether the program is to end
   */
  public PlanningWatch(Consumer<String> messages, BooleanSupplier cancelled) {
    this(messages, cancelled, MESSAGE_NANOS);
  }

  /** A watch that says so often that planning goes on. */
  PlanningWatch(Consumer<String> messages, BooleanSupplier cancelled, long messageNanos) {
    this.messages = messages;
    this.cancelled = cancelled;
    this.messageNanos = messageNanos;
  }

  /**
   * Plans definitions.
   *
   * @throws CancellationException when the program is to end
   */
  public <T> T plan(List<? extends AnyDefinition> definitions, Supplier<T> work) {
    CompletableFuture<T> plan = Concurrently.begin(work);
    long begin = System.nanoTime();
    long said = begin;
    // Counted only when planning does not end at once.
    double count = -1;
    while (!plan.isDone()) {
      if (cancelled.getAsBoolean()) {
        throw new CancellationException("stopped while planning");
      }
      try {
        plan.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        long now = System.nanoTime();
        if (count < 0) {
          count = ContractionCount.of(BoundQueue.matrices(definitions));
          if (count >= MANY) {
            said = now;
            messages.accept(
                String.format(
                    Locale.US, "planning: %.3g contractions of quark fields to merge", count));
          }
        } else if (now - said >= messageNanos) {
          said = now;
          messages.accept(
              "still planning, for " + TimeUnit.NANOSECONDS.toSeconds(now - begin) + " s");
        }
      } catch (ExecutionException e) {
        break;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancellationException("stopped while planning");
      }
    }
    return Concurrently.join(plan);
  }
}
