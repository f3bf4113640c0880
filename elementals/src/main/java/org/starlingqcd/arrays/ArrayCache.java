package org.starlingqcd.arrays;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.arrays.TranslationRecord.State;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MatrixOperations;
import org.starlingqcd.backend.MatrixOperations.DeterminantSums;
import org.starlingqcd.backend.MatrixOperations.Place;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.memhc.MemHC;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.cache.WritePolicy;

/**
 * Keeps host arrays coherent with their copies on a device (SemCache). A call names ranges of
 * arrays; each is looked up among records of ranges used before. A range within a record uses its
 * copy; one that spans several brings these home and makes them one record. Blocks, eviction and
 * its policies are those of MemHC, and what is evicted goes to its array.
 *
 * <p>The value of a record is on the host, on the device, or on both: state C, G or S of the paper.
 * With {@link CoherenceProtocol#WRITE_THROUGH} it is always on the host.
 *
 * <p>A cache, its arrays and its calls belong to one thread.
 */
public final class ArrayCache implements AutoCloseable {
  /** Told when numbers of an array change, on the host or on the device. */
  public interface Listener {
    /** The bytes from address {@code start} to {@code end} have changed. */
    void changed(long start, long end);
  }

  /** What runs once all operands are on the device. */
  interface Call {
    void run(MatrixOperations matrices, Place[] places, DeviceStream stream);
  }

  private static final long WHOLE = Long.MAX_VALUE / 32 * 16;

  private final Device device;
  private final MatrixOperations matrices;
  private final MemHC memory;
  private final CoherenceProtocol protocol;
  private final @Nullable GuardCheck guards;
  private final long piece;
  private final RecordIndex index = new RecordIndex();
  private final List<HostArray> arrays = new ArrayList<>();
  private final List<Listener> listeners = new ArrayList<>();
  private long lookups;
  private long merges;
  private boolean closed;

  private ArrayCache(
      Device device, MemHCOptions options, CoherenceProtocol protocol, boolean checks, long piece) {
    this.device = device;
    this.protocol = protocol;
    this.piece = piece;
    matrices =
        device
            .matrices()
            .orElseThrow(() -> new UnsupportedOperationException("no matrix calls on this device"));
    guards = checks ? new GuardCheck() : null;
    memory =
        MemHC.open(
            device,
            options
                .withPrefetch(0)
                .withWritePolicy(
                    protocol == CoherenceProtocol.WRITE_THROUGH
                        ? WritePolicy.THROUGH
                        : WritePolicy.BACK));
  }

  /**
   * Opens a cache on a device, which must outlive it.
   *
   * @param options the budget of device memory and the eviction policy
   * @throws UnsupportedOperationException when the device has no matrix calls
   */
  public static ArrayCache open(Device device, MemHCOptions options, CoherenceProtocol protocol) {
    return new ArrayCache(device, options, protocol, false, WHOLE);
  }

  /**
   * As {@link #open(Device, MemHCOptions, CoherenceProtocol)}, with what finds mistakes.
   *
   * @param checkGuards whether to find arrays that were written without their guard, see {@link
   *     GuardException}; every use of an array then reads all of it
   * @param granularity most bytes that one copy moves, a multiple of 16; 0: no bound
   */
  public static ArrayCache open(
      Device device,
      MemHCOptions options,
      CoherenceProtocol protocol,
      boolean checkGuards,
      long granularity) {
    return new ArrayCache(
        device, options, protocol, checkGuards, granularity == 0 ? WHOLE : granularity);
  }

  /**
   * A new array, whose numbers are undefined.
   *
   * @param name its name in messages
   * @param length how many numbers
   */
  public HostArray array(String name, NumberKind kind, long length) {
    requireOpen();
    long bytes = Math.multiplyExact(length, kind.bytes());
    HostArray array = new HostArray(this, name, kind, length, device.allocateHost(bytes));
    arrays.add(array);
    return array;
  }

  /** When bytes move. */
  public CoherenceProtocol protocol() {
    return protocol;
  }

  /** The counters so far. */
  public ArrayStatistics statistics() {
    return new ArrayStatistics(
        protocol,
        lookups,
        index.all().size(),
        merges,
        memory.hosted().copies(),
        memory.statistics());
  }

  /** Waits until all calls have run, and throws the failure of one, if any. */
  public void synchronize() {
    requireOpen();
    device.synchronize(device.computeStream());
  }

  Optional<DeterminantSums> determinants() {
    return matrices.determinants();
  }

  /**
   * Tells a program of every change from now on, so that it can keep what it has made of numbers,
   * as SemCache keeps factorizations, until one of them changes.
   */
  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /**
   * Runs a call on the device.
   *
   * @param counted how many of the operands, the first ones, count as look-ups
   */
  void run(List<Operand> operands, int counted, Call call) {
    requireOpen();
    lookups += counted;
    for (Operand operand : operands) {
      lookup(operand.array(), operand.start(), operand.end());
    }
    // A later operand may have joined the record of an earlier one, so records are found last.
    TranslationRecord[] records = new TranslationRecord[operands.size()];
    List<TranslationRecord> distinct = new ArrayList<>();
    for (int k = 0; k < records.length; k++) {
      Operand operand = operands.get(k);
      records[k] = lookup(operand.array(), operand.start(), operand.end());
      if (!distinct.contains(records[k])) {
        distinct.add(records[k]);
      }
    }
    int[] inputs = new int[distinct.size()];
    int[] outputs = new int[distinct.size()];
    int nIn = 0;
    int nOut = 0;
    for (TranslationRecord record : distinct) {
      check(record);
      boolean writes = false;
      boolean overwrites = true;
      for (int k = 0; k < records.length; k++) {
        if (records[k] == record) {
          Operand operand = operands.get(k);
          writes |= operand.writes();
          overwrites &= operand.use() == Operand.Use.OVERWRITE && operand.bytes() == record.bytes();
        }
      }
      if (writes) {
        outputs[nOut++] = record.element;
        if (overwrites) {
          memory.hosted().overwrites(record.element);
        }
      } else {
        inputs[nIn++] = record.element;
      }
    }
    memory.pin(inputs, nIn, outputs, nOut);
    Place[] places = new Place[records.length];
    for (int k = 0; k < records.length; k++) {
      places[k] =
          new Place(memory.memory(records[k].element), operands.get(k).start() - records[k].start);
    }
    try {
      call.run(matrices, places, device.computeStream());
    } finally {
      memory.launched();
    }
    for (Operand operand : operands) {
      if (operand.writes()) {
        changed(operand.start(), operand.end());
      }
    }
    for (TranslationRecord record : distinct) {
      afterCall(record);
    }
  }

  /** The paper's protocols, and what the check of guards keeps of the host's bytes. */
  private void afterCall(TranslationRecord record) {
    if (protocol == CoherenceProtocol.NONE) {
      memory.hosted().beforeHostReads(record.element);
      memory.hosted().beforeHostWrites(record.element);
    } else if (guards != null) {
      if (protocol == CoherenceProtocol.WRITE_THROUGH) {
        memory.hosted().beforeHostReads(record.element);
      }
      guards.note(record, memory.hosted().arrivals(record.element));
    }
  }

  private void check(TranslationRecord record) {
    if (guards != null) {
      guards.check(record, memory.hosted().arrivals(record.element));
    }
  }

  private void changed(long start, long end) {
    listeners.forEach(listener -> listener.changed(start, end));
  }

  /**
   * The record of a range: one that contains it, a new one, or one made of all that it overlaps,
   * whose data come home first.
   */
  private TranslationRecord lookup(HostArray array, long start, long end) {
    TranslationRecord found = index.containing(start, end);
    if (found != null) {
      return found;
    }
    long first = start;
    long last = end;
    List<TranslationRecord> overlapping = index.overlapping(start, end);
    merges += overlapping.isEmpty() ? 0 : 1;
    for (TranslationRecord part : overlapping) {
      first = Math.min(first, part.start);
      last = Math.max(last, part.end);
      check(part);
      memory.hosted().beforeHostReads(part.element);
      memory.hosted().remove(part.element);
      index.remove(part);
    }
    HostMemory home = array.home();
    int element = memory.hosted().add(home, first - home.address(), last - first, piece);
    TranslationRecord record = new TranslationRecord(array, first, last, element);
    index.add(record);
    return record;
  }

  /** Where the value of a record is. */
  State state(TranslationRecord record) {
    return !memory.isResident(record.element)
        ? State.HOST
        : memory.hosted().isOnHost(record.element) ? State.SHARED : State.DEVICE;
  }

  /** Brings a range to the device ahead of its use. */
  void toDevice(HostArray array, long offset, long bytes) {
    run(
        List.of(new Operand(array, offset, bytes, Operand.Use.READ)),
        0,
        (calls, places, stream) -> {});
  }

  /** Makes an array one record whose value, undefined, is on the device. */
  void begin(HostArray array) {
    run(
        List.of(new Operand(array, 0, array.home().bytes(), Operand.Use.OVERWRITE)),
        0,
        (calls, places, stream) -> {});
  }

  /** Brings the value of a range home; copies on the device stay. */
  void toHost(HostArray array, long offset, long bytes) {
    requireOpen();
    long start = array.home().address() + offset;
    for (TranslationRecord record : index.overlapping(start, start + bytes)) {
      check(record);
      memory.hosted().beforeHostReads(record.element);
      if (guards != null && record.checksum >= 0) {
        guards.note(record, memory.hosted().arrivals(record.element));
      }
    }
  }

  /**
   * Gives up copies of a range on the device; what only the device had of their records comes home
   * first.
   */
  void invalidateOnDevice(HostArray array, long offset, long bytes) {
    requireOpen();
    long start = array.home().address() + offset;
    for (TranslationRecord record : index.overlapping(start, start + bytes)) {
      check(record);
      memory.hosted().beforeHostReads(record.element);
      memory.hosted().beforeHostWrites(record.element);
      if (guards != null) {
        guards.forget(record);
      }
    }
    changed(start, start + bytes);
  }

  /**
   * Gives up the values of a range on the host: after it, the next call may overwrite the range
   * without sending it. Only for ranges whose numbers nobody needs any more.
   */
  void invalidateOnHost(HostArray array, long offset, long bytes) {
    long start = array.home().address() + offset;
    for (TranslationRecord record : index.overlapping(start, start + bytes)) {
      if (record.start >= start && record.end <= start + bytes) {
        memory.hosted().beforeHostWrites(record.element);
        if (guards != null) {
          guards.forget(record);
        }
      }
    }
    changed(start, start + bytes);
  }

  void remove(HostArray array) {
    if (closed) {
      return;
    }
    long start = array.home().address();
    long end = start + array.home().bytes();
    for (TranslationRecord record : index.overlapping(start, end)) {
      memory.hosted().remove(record.element);
      index.remove(record);
    }
    changed(start, end);
    arrays.remove(array);
  }

  /**
   * Checks every invariant from scratch: those of MemHC, disjoint records within their arrays, and
   * with write-through that the host has every value.
   *
   * @throws IllegalStateException naming the first that does not hold
   */
  public void audit() {
    requireOpen();
    memory.audit();
    index.audit();
    for (TranslationRecord record : index.all()) {
      State state = state(record);
      if (state == State.HOST && !memory.hosted().isOnHost(record.element)) {
        throw new IllegalStateException("audit: a value is lost: " + record);
      }
      if (state == State.DEVICE && protocol != CoherenceProtocol.WRITE_BACK) {
        throw new IllegalStateException("audit: a value is only on the device: " + record);
      }
      if (state != State.HOST && protocol == CoherenceProtocol.NONE) {
        throw new IllegalStateException("audit: a copy stayed on the device: " + record);
      }
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the cache of arrays is closed");
    }
  }

  /** Checks the guards, and frees the arrays that are left and all device memory. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    try {
      if (guards != null) {
        index.all().forEach(this::check);
      }
    } finally {
      for (TranslationRecord record : List.copyOf(index.all())) {
        memory.hosted().remove(record.element);
      }
      closed = true;
      memory.close();
      arrays.forEach(array -> array.home().close());
    }
  }
}
