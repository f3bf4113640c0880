package org.starlingqcd.correlators.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BackendSettingException;
import org.starlingqcd.correlators.result.ResultUnit;
import org.starlingqcd.correlators.run.UnitComputation.UnitWork;
import org.starlingqcd.hadron.execute.ExecutionControl;
import org.starlingqcd.hadron.execute.ExecutionStatistics;
import org.starlingqcd.memhc.cache.MemoryStatistics;

/**
 * The devices of a run, each with a thread. Units go to devices as these become free. When a device
 * is lost, its units go to the next free one, and it gets no more.
 *
 * <p>All methods are called by one thread.
 */
final class DeviceTeam implements AutoCloseable {
  /** A unit that was handed out, and what became of it. */
  static final class Task {
    final UnitWork work;
    Collection<Integer> later = List.of();
    @Nullable DeviceWorker worker;
    @Nullable List<List<ResultUnit>> results;
    @Nullable Throwable failure;
    double seconds;

    Task(UnitWork work) {
      this.work = work;
    }

    boolean isFinished() {
      return worker == null && (results != null || failure != null);
    }
  }

  private static final long PARTS = 1_000_000;

  private final List<DeviceWorker> workers;
  private final RunListener listener;
  private final BooleanSupplier cancelled;
  private final Deque<DeviceWorker> idle;
  private final Deque<Task> waiting = new ArrayDeque<>();
  private final Map<DeviceWorker, ExecutorService> threads = new HashMap<>();
  private final Set<DeviceWorker> busy = new HashSet<>();
  private final Map<Task, Double> shares = new HashMap<>();
  private final BlockingQueue<Task> ended = new LinkedBlockingQueue<>();
  private volatile boolean stopping;

  /** A team without work. */
  DeviceTeam(List<DeviceWorker> workers, RunListener listener, BooleanSupplier cancelled) {
    this.workers = List.copyOf(workers);
    this.listener = listener;
    this.cancelled = cancelled;
    this.idle = new ArrayDeque<>(workers);
  }

  private static Thread thread(DeviceWorker worker, Runnable work) {
    Thread thread = new Thread(work, "device " + worker.numbers());
    thread.setDaemon(true);
    return thread;
  }

  /** Devices that compute or can. */
  int working() {
    return idle.size() + busy.size();
  }

  /** Whether a device is free. */
  boolean hasIdle() {
    return !idle.isEmpty();
  }

  /** Hands a unit to a free device. */
  void start(Task task) {
    DeviceWorker worker = idle.remove();
    busy.add(worker);
    task.worker = worker;
    threads
        .computeIfAbsent(
            worker, absent -> Executors.newSingleThreadExecutor(work -> thread(worker, work)))
        .execute(() -> compute(worker, task));
  }

  private void compute(DeviceWorker worker, Task task) {
    long begin = System.nanoTime();
    try {
      task.results = worker.compute(task.work, task.later, control(task));
    } catch (RuntimeException | Error e) {
      task.failure = e;
    }
    task.seconds = 1e-9 * (System.nanoTime() - begin);
    ended.add(task);
  }

  private ExecutionControl control(Task task) {
    return new ExecutionControl() {
      @Override
      public boolean isCancelled() {
        return stopping || cancelled.getAsBoolean();
      }

      @Override
      public void progress(long done, long total) {
        synchronized (shares) {
          if (workers.size() == 1) {
            listener.progress(done, total);
            return;
          }
          shares.put(task, total == 0 ? 1 : done / (double) total);
          double sum = shares.values().stream().mapToDouble(Double::doubleValue).sum();
          listener.progress(Math.round(PARTS * sum), PARTS);
        }
      }
    };
  }

  /** A unit does not count as under way any more. */
  void forget(Task task) {
    synchronized (shares) {
      shares.remove(task);
    }
  }

  /**
   * Waits until a unit is finished or has failed. A unit whose device is lost goes to another one
   * instead, and its task is not finished.
   *
   * @throws BackendException when the last device is lost
   */
  Task await() {
    while (true) {
      Task task = take();
      DeviceWorker worker = release(task);
      if (task.failure instanceof BackendException loss
          && !(loss instanceof BackendSettingException)
          && workers.size() > 1) {
        task.failure = null;
        worker.giveUp(loss);
        if (working() == 0) {
          throw loss;
        }
        listener.deviceLost(worker.numbers(), String.valueOf(loss.getMessage()));
        waiting.addFirst(task);
      } else {
        idle.add(worker);
      }
      while (!waiting.isEmpty() && hasIdle()) {
        start(waiting.remove());
      }
      if (task.isFinished()) {
        return task;
      }
    }
  }

  /** The next task that has ended on a device, one way or the other. */
  private Task take() {
    try {
      return ended.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    }
  }

  private DeviceWorker release(Task task) {
    DeviceWorker worker = Objects.requireNonNull(task.worker);
    task.worker = null;
    busy.remove(worker);
    return worker;
  }

  /** Asks all devices to stop, and waits until they have; what was finished is finished. */
  void stop() {
    stopping = true;
    waiting.clear();
    while (!busy.isEmpty()) {
      release(take());
    }
  }

  /** The devices that were opened, or else none. */
  List<ComputeDevice> devices() {
    List<ComputeDevice> opened = new ArrayList<>();
    for (DeviceWorker worker : workers) {
      opened.addAll(worker.opened());
    }
    return opened;
  }

  /** What each device did, where there are several: the objects {@code devices} of JSON output. */
  List<Map<String, Object>> describe() {
    DeviceWorker first = workers.get(0);
    return first.sharesDevice() || (workers.size() == 1 && first.opened().size() < 2)
        ? List.of()
        : workers.stream().map(DeviceWorker::describe).toList();
  }

  /** What the contractions took so far, added up over the devices. */
  ExecutionStatistics execution() {
    return workers.stream()
        .map(DeviceWorker::execution)
        .reduce(ExecutionStatistics.ZERO, ExecutionStatistics::plus);
  }

  /** Counters of MemHC so far, added up over the devices. */
  MemoryStatistics memory() {
    return workers.stream().map(DeviceWorker::memory).reduce(MemoryStatistics::plus).orElseThrow();
  }

  @Override
  public void close() {
    stop();
    threads.values().forEach(ExecutorService::shutdown);
    doAll(workers.stream().map(worker -> (Runnable) worker::close).toList());
  }

  /** Does everything, whatever fails; throws the last failure, with the others suppressed. */
  static void doAll(List<Runnable> actions) {
    RuntimeException last = null;
    for (Runnable action : actions) {
      try {
        action.run();
      } catch (RuntimeException e) {
        if (last != null) {
          e.addSuppressed(last);
        }
        last = e;
      }
    }
    if (last != null) {
      throw last;
    }
  }
}
