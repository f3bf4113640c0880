package org.starlingqcd.backend.gpu.memory;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.gpu.library.GpuLibrary;

/**
 * A stream with its BLAS handle, its marks and its pointer arrays in device memory.
 *
 * <p>The operations of a stream are numbered. A stream knows which operations of others come before
 * what is put into it next, because it has waited for them, directly or through a third stream (a
 * vector clock). It waits for no mark that it knows to come before.
 */
public final class GpuStream implements DeviceStream {
  /** Bytes of pointer arrays that a stream keeps in device memory. */
  public static final long POINTER_BYTES = 1 << 20;

  /** Number of marks above which those already reached are removed. */
  private static final int MARKS_BEFORE_PRUNING = 64;

  public final ElementAccess owner;
  private final GpuLibrary library;
  private final StreamOrder order;
  private final int index;
  private final long handle;
  private long blas;
  private final ArrayDeque<GpuEvent> marks = new ArrayDeque<>();
  private final ArrayDeque<Long> spareEvents = new ArrayDeque<>();
  private final ArrayDeque<Long> spareTimedEvents = new ArrayDeque<>();
  private @Nullable GpuEvent last;
  private @Nullable GpuEvent latestTimed;
  private long numberRecorded;
  private long numberReached;
  private long pointers;

  /** By stream: the number of the last operation that comes before what is put into this one. */
  private long[] before;

  /** Number of the latest operation, and whether more of it may be put into the stream. */
  private long operation;

  private boolean open;

  public GpuStream(ElementAccess owner, GpuLibrary library, StreamOrder order) {
    this.owner = owner;
    this.library = library;
    this.handle = library.createStream();
    this.order = order;
    this.index = order.add(this);
    this.before = new long[Math.max(4, index + 1)];
  }

  /** Its place among the streams of the device. */
  int index() {
    return index;
  }

  /** Begins an operation, whose memory is used under its number. */
  public GpuStream begin() {
    operation++;
    open = true;
    return this;
  }

  /** Ends the operation, if one has begun: all its work is in the stream. */
  public GpuStream end() {
    open = false;
    return this;
  }

  /** Number of the latest operation. */
  long operation() {
    return operation;
  }

  private long ended() {
    return open ? operation - 1 : operation;
  }

  private long comesBefore(int stream) {
    return Math.max(stream < before.length ? before[stream] : 0, order.done(stream));
  }

  private boolean comesBefore(GpuEvent mark) {
    long[] operations = mark.before();
    for (int stream = 0; stream < operations.length; stream++) {
      if (stream != index && operations[stream] > comesBefore(stream)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Makes the stream wait for operations of others.
   *
   * @param operations by stream: the number of the last one to wait for
   */
  void waitForOperations(long[] operations) {
    for (int stream = 0; stream < operations.length; stream++) {
      if (stream != index && operations[stream] > comesBefore(stream)) {
        waitFor(order.stream(stream).end().markAfter(operations[stream]));
      }
    }
  }

  /** Blocks until an operation has run. */
  void awaitOperation(long number) {
    synchronize(end().markAfter(number));
  }

  /** The earliest mark after an operation that has ended; a new one if there is none. */
  private GpuEvent markAfter(long number) {
    for (GpuEvent mark : marks) {
      if (mark.covers() >= number) {
        return mark;
      }
    }
    return record();
  }

  /** The native stream for a call that only waits or queries. */
  long handle() {
    return handle;
  }

  /** The native stream for a call that puts work into it. */
  public long put() {
    last = null;
    return handle;
  }

  /**
   * The BLAS handle for a call that puts work into the stream. It is created on first use, because
   * it costs time and device memory, and streams that only copy do not need it.
   */
  public long putBlas() {
    if (blas == 0) {
      blas = library.createBlas(handle);
    }
    last = null;
    return blas;
  }

  /** Device memory for pointer arrays, {@link #POINTER_BYTES} long. */
  public long pointers() {
    if (pointers == 0) {
      pointers = library.allocate(POINTER_BYTES);
    }
    return pointers;
  }

  /** Marks the current end. Returns the last mark again if no work was added since. */
  public GpuEvent record() {
    return record(false);
  }

  /**
   * As {@link #record}, for a mark whose time will be asked for. Where the last mark has no time,
   * or it is lost already, the mark is a new one.
   */
  public GpuEvent recordTime() {
    GpuEvent mark = last;
    if (mark != null
        && (!mark.hasTimer() || (mark.seconds().isEmpty() && mark.number() <= numberReached))) {
      last = null;
    }
    mark = record(true);
    mark.keepTime(true);
    return mark;
  }

  private GpuEvent record(boolean timed) {
    GpuEvent mark = last;
    if (mark == null) {
      if (marks.size() > MARKS_BEFORE_PRUNING) {
        pruneMarks();
      }
      Long spare = spares(timed).poll();
      long event = spare == null ? library.createEvent(timed) : spare;
      try {
        library.recordEvent(event, handle);
      } catch (RuntimeException e) {
        spares(timed).add(event);
        throw e;
      }
      mark = new GpuEvent(this, ++numberRecorded, event, timed, before.clone());
      marks.add(mark);
      last = mark;
    }
    mark.coversUpTo(ended());
    return mark;
  }

  private ArrayDeque<Long> spares(boolean timed) {
    return timed ? spareTimedEvents : spareEvents;
  }

  /** Removes the first marks if they are reached, so that their events can be reused. */
  private void pruneMarks() {
    boolean more = true;
    while (more) {
      more = !marks.isEmpty() && isReached(marks.getFirst());
    }
  }

  public boolean isReached(GpuEvent mark) {
    if (mark.number() > numberReached && library.isReached(mark.handle())) {
      reached(mark.number());
    }
    return mark.number() <= numberReached;
  }

  public void synchronize(GpuEvent mark) {
    if (mark.number() > numberReached) {
      library.synchronizeEvent(mark.handle());
      reached(mark.number());
    }
  }

  public void synchronize() {
    library.synchronizeStream(handle);
    order.done(index, ended());
    order.done(before);
    if (!marks.isEmpty()) {
      reached(marks.getLast().number());
    }
  }

  /** Makes this stream wait for a mark of any stream. */
  public void waitFor(GpuEvent mark) {
    if (mark.stream() != this
        && mark.number() > mark.stream().numberReached
        && !comesBefore(mark)) {
      library.waitForEvent(put(), mark.handle());
      before = StreamOrder.later(before, mark.before());
    }
  }

  /** As {@link #waitFor}, for a mark of a stream of another device. */
  public void waitForOther(GpuEvent mark) {
    begin();
    library.waitForEvent(put(), mark.handle());
  }

  /**
   * Frees the native events of reached marks for reuse, but for the last whose time is known: that
   * of the next one is counted from it. Counting from mark to mark keeps the precision of single
   * intervals.
   */
  private void reached(long number) {
    numberReached = Math.max(numberReached, number);
    while (!marks.isEmpty() && marks.getFirst().number() <= numberReached) {
      GpuEvent mark = marks.getFirst();
      order.done(mark.before());
      GpuEvent earlier = latestTimed;
      if (!mark.isTimed()) {
        spares(mark.hasTimer()).add(mark.handle());
      } else if (earlier == null) {
        mark.reachedAt(0);
        latestTimed = mark;
      } else {
        mark.reachedAt(
            earlier.seconds().orElse(0) + library.secondsBetween(earlier.handle(), mark.handle()));
        spareTimedEvents.add(earlier.handle());
        latestTimed = mark;
      }
      marks.removeFirst();
    }
  }

  /** Releases all resources; failures do not stop the others. */
  public void close(Closing closing) {
    for (GpuEvent mark : marks) {
      closing.run(() -> library.destroyEvent(mark.handle()));
    }
    GpuEvent reached = latestTimed;
    if (reached != null) {
      closing.run(() -> library.destroyEvent(reached.handle()));
    }
    spareEvents.addAll(spareTimedEvents);
    for (long event : spareEvents) {
      closing.run(() -> library.destroyEvent(event));
    }
    if (pointers != 0) {
      closing.run(() -> library.free(pointers));
    }
    if (blas != 0) {
      closing.run(() -> library.destroyBlas(blas));
    }
    closing.run(() -> library.destroyStream(handle));
  }
}
