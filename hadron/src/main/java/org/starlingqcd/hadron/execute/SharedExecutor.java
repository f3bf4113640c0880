package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.share.PlaceModel;
import org.starlingqcd.graph.share.QueueSharing;
import org.starlingqcd.graph.share.SharedQueue;
import org.starlingqcd.graph.share.SharedQueue.Transfer;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.cache.MemoryStatistics;

/**
 * Runs each execution queue on several devices of one backend together: each computes its share
 * ({@link QueueSharing}) through a MemHC of its own, and elements move from device to device. The
 * results are those of one device, to the last bit. With a single device this is a {@link
 * QueueExecutor}.
 *
 * <p>The calling thread launches a vector on one device after the other; the devices work at the
 * same time because launching does not wait for them. One thread at a time.
 */
public final class SharedExecutor implements AutoCloseable {
  /** A queue translated for all devices. */
  public static final class Prepared {
    private final SharedQueue shared;
    private final List<PreparedQueue> parts;
    private final long movedBytes;

    private Prepared(SharedQueue shared, List<PreparedQueue> parts, Precision precision) {
      this.shared = shared;
      movedBytes = shared.movedBytes() * precision.realBytes() / Double.BYTES;
      this.parts = List.copyOf(parts);
    }

    /** Bytes that elements move between the devices when the queue runs. */
    public long movedBytes() {
      return movedBytes;
    }
  }

  private final List<QueueExecutor> executors;
  private final Precision precision;

  private SharedExecutor(List<QueueExecutor> executors, Precision precision) {
    this.executors = List.copyOf(executors);
    this.precision = precision;
  }

  /**
   * Opens an executor on devices, which must outlive it.
   *
   * @param options of the MemHC of each device
   */
  public static SharedExecutor open(List<Device> devices, List<MemHCOptions> options) {
    List<QueueExecutor> executors = new ArrayList<>();
    try {
      for (int place = 0; place < devices.size(); place++) {
        executors.add(QueueExecutor.open(devices.get(place), options.get(place)));
      }
    } catch (RuntimeException e) {
      executors.forEach(QueueExecutor::close);
      throw e;
    }
    return new SharedExecutor(executors, devices.get(0).precision());
  }

  /**
   * Divides a queue among the devices and translates it.
   *
   * @param eigenvectors N of the data on which it will run
   */
  public Prepared prepare(ExecutionQueue queue, int eigenvectors) {
    SharedQueue shared =
        QueueSharing.share(queue, executors.size(), eigenvectors, PlaceModel.gpus());
    return new Prepared(
        shared,
        IntStream.range(0, executors.size())
            .mapToObj(
                place ->
                    executors
                        .get(place)
                        .prepare(
                            shared.parts().get(place),
                            queue,
                            PlaceMoves.of(shared, place),
                            eigenvectors))
            .toList(),
        precision);
  }

  /**
   * Runs a queue; throws what {@link QueueExecutor#run} throws.
   *
   * @throws CancellationException when {@code control} asks to stop
   */
  public QueueResult run(Prepared prepared, InputBlocks blocks, ExecutionControl control) {
    SharedQueue shared = prepared.shared;
    if (executors.size() == 1) {
      return executors.get(0).run(prepared.parts.get(0), blocks, control);
    }
    long begin = System.nanoTime();
    int begun = 0;
    boolean finished = false;
    try {
      for (QueueExecutor executor : executors) {
        begun++;
        executor.begin(prepared.parts.get(begun - 1), blocks);
      }
      long total = prepared.parts.stream().mapToLong(part -> part.work().contractions()).sum();
      long done = 0;
      for (int vector = 0; vector < shared.whole().vectors().size(); vector++) {
        for (Transfer move : shared.transfers().get(vector)) {
          executors.get(move.to()).receive(move.element(), executors.get(move.from()));
        }
        for (QueueExecutor executor : executors) {
          done += executor.runVector(vector, control);
        }
        control.progress(done, total);
      }
      double[] traces = new double[2 * shared.whole().traceCount()];
      ExecutionStatistics sum = ExecutionStatistics.ZERO;
      for (QueueExecutor executor : executors) {
        sum = sum.plus(executor.finish(traces));
      }
      QueueResult result =
          QueueResult.evaluate(
              shared.whole(), traces, sum.lasting(1e-9 * (System.nanoTime() - begin)));
      finished = true;
      return result;
    } finally {
      for (int place = 0; place < begun; place++) {
        executors.get(place).leave(finished);
      }
    }
  }

  /** The counters of all MemHCs, added up. */
  public MemoryStatistics memory() {
    return executors.stream()
        .map(QueueExecutor::memory)
        .reduce(MemoryStatistics::plus)
        .orElseThrow();
  }

  /** Checks the invariants of MemHC's tables. */
  public void audit() {
    executors.forEach(QueueExecutor::audit);
  }

  @Override
  public void close() {
    RuntimeException first = null;
    for (QueueExecutor executor : executors) {
      try {
        executor.close();
      } catch (RuntimeException e) {
        first = e;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
