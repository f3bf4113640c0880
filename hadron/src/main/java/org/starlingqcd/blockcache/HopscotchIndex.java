package org.starlingqcd.blockcache;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * Where blocks are: a hopscotch hash table (Herlihy, Shavit, Tzafrir, DISC 2008) in memory that
 * processes share. An entry lies at most {@value #HOPS} buckets after its home; the home has a bit
 * for each of them.
 *
 * <p>Regions of 4,096 buckets are tables of their own, each with a lock word: a version, and the
 * token of the process that changes the region. Who reads takes no lock: it reads the word, what it
 * looks for, and the word again. Who finds that the holder of a lock has died takes the lock over
 * and repairs the region.
 *
 * <p>Words of a bucket: two of the key; the address ({@link LogAddress}; 0: empty); the bits of the
 * home and, in the lower half, the sequence of the last use.
 */
@SuppressWarnings("try") // locks that are held are not used otherwise
final class HopscotchIndex {
  private static final int HOPS = 32;
  private static final int REGION = SharedFile.REGION;
  private static final int LOW = 8;
  private static final int ADDRESS = 16;
  private static final int BITS = 24;

  /** The age in a word of bits, and the owner in a word of a lock. */
  private static final long LOWER = 0xffff_ffffL;

  private static final int SPINS = 200;
  private static final long PAUSE_NANOS = 20_000;
  private static final int PAUSES_BEFORE_ASKING = 50;

  private final SharedFile shared;
  private final ProcessSlots slots;
  private volatile boolean damaged;

  HopscotchIndex(SharedFile shared, ProcessSlots slots) {
    this.shared = shared;
    this.slots = slots;
  }

  /**
   * An entry.
   *
   * @param key the block
   * @param address where it is
   * @param age sequence of the last use that has been merged
   */
  record Entry(BlockKey key, long address, long age) {
    boolean isStored() {
      return LogAddress.isStored(address);
    }
  }

  private int region(BlockKey key) {
    return (int) Long.remainderUnsigned(key.low(), shared.sizes().regions());
  }

  private static int home(BlockKey key) {
    return (int) (key.high() & (REGION - 1));
  }

  /** Place of a bucket, which is counted on from the beginning of the region behind its end. */
  private int at(int region, int bucket) {
    return shared.bucket(region, bucket & (REGION - 1));
  }

  private BlockKey key(int at) {
    return new BlockKey(shared.get(at), shared.get(at + LOW));
  }

  private long address(int at) {
    return shared.get(at + ADDRESS);
  }

  /** The bits of a home: bit k for an entry k buckets after it. */
  private long bits(int region, int home) {
    return shared.get(at(region, home) + BITS) >>> 32;
  }

  private void changeBits(int at, long set, long clear) {
    shared.set(at + BITS, (shared.get(at + BITS) | set << 32) & ~(clear << 32));
  }

  private interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /** Waits for the lock of a region. */
  private Held lock(int region) {
    int at = shared.lock(region);
    while (true) {
      long free = version(region);
      if (shared.compareAndSet(at, free, free | slots.token())) {
        return () -> shared.set(at, next(shared.get(at)));
      }
    }
  }

  /** Waits until nobody changes a region; returns the word of its lock. */
  private long version(int region) {
    long word = shared.get(shared.lock(region));
    while ((word & LOWER) != 0) {
      await(region, word);
      word = shared.get(shared.lock(region));
    }
    return word;
  }

  private boolean isStill(int region, long word) {
    return shared.get(shared.lock(region)) == word;
  }

  private static long next(long word) {
    return (word & ~LOWER) + (1L << 32);
  }

  /** Waits until a lock word changes; repairs the region of a holder that has died. */
  private void await(int region, long word) {
    for (int spin = 0; spin < SPINS; spin++) {
      if (!isStill(region, word)) {
        return;
      }
      Thread.onSpinWait();
    }
    for (int pause = 1; isStill(region, word); pause++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      if (pause % PAUSES_BEFORE_ASKING == 0 && !slots.isAlive((int) (word & LOWER))) {
        long ours = next(word) | slots.token();
        if (shared.compareAndSet(shared.lock(region), word, ours)) {
          repair(region);
          shared.set(shared.lock(region), next(ours));
        }
        return;
      }
    }
  }

  /** Where a block is, or 0. O(1), without a lock. */
  long find(BlockKey key) {
    int region = region(key);
    while (true) {
      long version = version(region);
      int at = placeOf(region, key);
      long address = at < 0 ? 0 : address(at);
      if (isStill(region, version)) {
        return address;
      }
    }
  }

  /** Place of the bucket of a block; -1 when there is none. */
  private int placeOf(int region, BlockKey key) {
    int home = home(key);
    for (long bits = bits(region, home); bits != 0; bits &= bits - 1) {
      int at = at(region, home + Long.numberOfTrailingZeros(bits));
      if (shared.get(at) == key.high() && shared.get(at + LOW) == key.low() && address(at) != 0) {
        return at;
      }
    }
    return -1;
  }

  /** The address of a block after {@link #claim}. */
  record Claim(long address, boolean isOurs) {}

  /**
   * Finds a block, or notes that this process reads it.
   *
   * @return a address of 0 when the index has no room
   */
  Claim claim(BlockKey key) {
    int region = region(key);
    try (Held held = lock(region)) {
      int at = placeOf(region, key);
      if (at < 0 && !isSound(region, home(key))) {
        damaged = true;
        repair(region);
        at = placeOf(region, key);
      }
      long loading = LogAddress.loading(slots.token());
      if (at < 0) {
        return insert(region, key, loading) ? new Claim(loading, true) : new Claim(0, false);
      }
      long address = address(at);
      boolean abandoned = isAbandoned(address);
      if (abandoned) {
        shared.set(at + ADDRESS, loading);
      }
      return new Claim(abandoned ? loading : address, abandoned);
    }
  }

  /** Whether a process that has died was reading the block. */
  private boolean isAbandoned(long address) {
    return LogAddress.isLoading(address) && !slots.isAlive(LogAddress.owner(address));
  }

  /** Whether the bits of a home lead to entries of that home. The region is locked. */
  private boolean isSound(int region, int home) {
    for (long bits = bits(region, home); bits != 0; bits &= bits - 1) {
      int at = at(region, home + Long.numberOfTrailingZeros(bits));
      BlockKey key = key(at);
      if (address(at) == 0 || home(key) != home || region(key) != region) {
        return false;
      }
    }
    return true;
  }

  /** Whether {@link #claim} met entries that nobody has written; it has dropped them. */
  boolean isDamaged() {
    return damaged;
  }

  /** Changes the bucket of a block under the lock of its region; false when there is none. */
  private boolean change(BlockKey key, IntPredicate change) {
    int region = region(key);
    try (Held held = lock(region)) {
      int at = placeOf(region, key);
      return at >= 0 && change.test(at);
    }
  }

  /**
   * Replaces the address of a block.
   *
   * @param condition asked under the lock
   * @return false when the block has another address than {@code expected}, or the condition fails
   */
  boolean replace(BlockKey key, long expected, long address, long age, BooleanSupplier condition) {
    return change(
        key,
        at -> {
          if (address(at) != expected || !condition.getAsBoolean()) {
            return false;
          }
          setAge(at, age);
          shared.set(at + ADDRESS, address);
          return true;
        });
  }

  /** Removes a block if it still has the address {@code expected}. */
  boolean remove(BlockKey key, long expected) {
    return change(
        key,
        at -> {
          if (address(at) != expected) {
            return false;
          }
          shared.set(at + ADDRESS, 0);
          int home = at(region(key), home(key));
          int distance = ((at - home) / SharedFile.BUCKET_BYTES) & (REGION - 1);
          changeBits(home, 0, 1L << distance);
          return true;
        });
  }

  /** Notes that a block was used, if the use is later than the one that is known. */
  void touch(BlockKey key, long sequence) {
    change(
        key,
        at -> {
          // Sequences wrap around at 2³².
          boolean later = (int) (sequence - age(at)) > 0;
          if (later) {
            setAge(at, sequence);
          }
          return later;
        });
  }

  private long age(int at) {
    return shared.get(at + BITS) & LOWER;
  }

  private void setAge(int at, long age) {
    shared.set(at + BITS, (shared.get(at + BITS) & ~LOWER) | (age & LOWER));
  }

  /** Puts an entry near its home, moving others out of the way. False when that fails. */
  private boolean insert(int region, BlockKey key, long address) {
    int home = home(key);
    int distance = 0;
    while (distance < REGION && address(at(region, home + distance)) != 0) {
      distance++;
    }
    if (distance == REGION) {
      return false;
    }
    while (distance >= HOPS) {
      int nearer = bringNearer(region, home + distance);
      if (nearer == 0) {
        return false;
      }
      distance -= nearer;
    }
    // Visible from the address on; a process that dies before has changed nothing.
    fill(at(region, home + distance), key, 0, address);
    changeBits(at(region, home), 1L << distance, 0);
    return true;
  }

  private void fill(int at, BlockKey key, long age, long address) {
    shared.set(at, key.high());
    shared.set(at + LOW, key.low());
    setAge(at, age);
    shared.set(at + ADDRESS, address);
  }

  /** Moves an entry into the empty bucket; returns by how much the empty one comes nearer. */
  private int bringNearer(int region, int empty) {
    for (int distance = HOPS - 1; distance > 0; distance--) {
      long bits = bits(region, empty - distance);
      int first = bits == 0 ? HOPS : Long.numberOfTrailingZeros(bits);
      if (first < distance) {
        int source = at(region, empty - distance + first);
        fill(at(region, empty), key(source), age(source), address(source));
        changeBits(at(region, empty - distance), 1L << distance, 1L << first);
        shared.set(source + ADDRESS, 0);
        return distance - first;
      }
    }
    return 0;
  }

  /** All entries; each region as it was at one moment. */
  List<Entry> entries() {
    List<Entry> all = new ArrayList<>();
    for (int region = 0; region < shared.sizes().regions(); region++) {
      try (Held held = lock(region)) {
        for (int bucket = 0; bucket < REGION; bucket++) {
          int at = at(region, bucket);
          if (address(at) != 0) {
            all.add(new Entry(key(at), address(at), age(at)));
          }
        }
      }
    }
    return all;
  }

  /** Removes entries of processes that died while they read; returns how many there were. */
  int removeAbandoned() {
    int removed = 0;
    for (Entry entry : entries()) {
      removed += isAbandoned(entry.address()) && remove(entry.key(), entry.address()) ? 1 : 0;
    }
    return removed;
  }

  long buckets() {
    return (long) shared.sizes().regions() * REGION;
  }

  /** The bits of all homes as the entries of a region need them; entries that none can reach. */
  private long[] neededBits(int region, IntConsumer lost) {
    long[] bits = new long[REGION];
    Set<BlockKey> seen = new HashSet<>();
    for (int bucket = 0; bucket < REGION; bucket++) {
      int at = at(region, bucket);
      if (address(at) != 0) {
        BlockKey key = key(at);
        int distance = (bucket - home(key)) & (REGION - 1);
        if (distance >= HOPS || region(key) != region || !seen.add(key)) {
          lost.accept(bucket);
        } else {
          bits[home(key)] |= 1L << distance;
        }
      }
    }
    return bits;
  }

  private void repair(int region) {
    long[] bits = neededBits(region, bucket -> shared.set(at(region, bucket) + ADDRESS, 0));
    for (int home = 0; home < REGION; home++) {
      changeBits(at(region, home), bits[home], ~bits[home]);
    }
  }

  /** What is wrong with the bits, homes and keys of all regions; empty when nothing is. */
  List<String> audit() {
    List<String> faults = new ArrayList<>();
    for (int region = 0; region < shared.sizes().regions(); region++) {
      String where = "index, region " + region + ", bucket ";
      try (Held held = lock(region)) {
        String lost = ": the entry is not where its key belongs, or its block is there twice";
        long[] bits = neededBits(region, bucket -> faults.add(where + bucket + lost));
        for (int home = 0; home < REGION; home++) {
          if (bits(region, home) != bits[home]) {
            faults.add(where + home + ": the bits of the home do not lead to its entries alone");
          }
        }
      }
    }
    return faults;
  }
}
