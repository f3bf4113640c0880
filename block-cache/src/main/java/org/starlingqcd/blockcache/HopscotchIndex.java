package org.starlingqcd.blockcache;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Where blocks are: a hopscotch hash table (Herlihy, Shavit, Tzafrir, DISC 2008) in memory that
 * processes share. An entry lies at most {@value #HOPS} buckets after its home; the home has a bit
 * for each of them.
 *
 * <p>Regions of 4,096 buckets are tables of their own, each with a lock word: a version and the
 * token of the process that changes the region. A look-up takes no lock: it reads the word, the
 * entry, and the word again. Who finds that the holder of a lock has died takes the lock over and
 * derives the region's bits from its entries.
 *
 * <p>Words of a bucket: two of the key; the place ({@link Place}; 0: empty); the bits of the home
 * and, in the lower half, the sequence of the last use.
 *
 * <p>This class has more than 400 lines because the look-up, the changes and the repair of a region
 * rely on one layout.
 */
final class HopscotchIndex {
  private static final int HOPS = 32;
  private static final int REGION = SharedFile.REGION;
  private static final int LOW = 8;
  private static final int PLACE = 16;
  private static final int BITS = 24;
  private static final long AGE = 0xffff_ffffL;
  private static final long OWNER = 0xffff_ffffL;
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
   * @param place where it is
   * @param age sequence of the last use that has been merged
   */
  record Entry(BlockKey key, long place, long age) {}

  private int region(BlockKey key) {
    return (int) Long.remainderUnsigned(key.low(), shared.sizes().regions());
  }

  private static int home(BlockKey key) {
    return (int) (key.high() & (REGION - 1));
  }

  /** Where a block is, or 0. O(1), without a lock. */
  long find(BlockKey key) {
    int region = region(key);
    int lock = shared.lock(region);
    while (true) {
      long before = shared.get(lock);
      if ((before & OWNER) != 0) {
        waitFor(lock, before);
        continue;
      }
      int bucket = bucketOf(region, key);
      long place = bucket < 0 ? 0 : shared.get(shared.bucket(region, bucket) + PLACE);
      if (shared.get(lock) == before) {
        return place;
      }
    }
  }

  private int bucketOf(int region, BlockKey key) {
    int home = home(key);
    long bits = shared.get(shared.bucket(region, home) + BITS) >>> 32;
    while (bits != 0) {
      int bucket = (home + Long.numberOfTrailingZeros(bits)) & (REGION - 1);
      int at = shared.bucket(region, bucket);
      if (shared.get(at) == key.high()
          && shared.get(at + LOW) == key.low()
          && shared.get(at + PLACE) != 0) {
        return bucket;
      }
      bits &= bits - 1;
    }
    return -1;
  }

  /** The place of a block after {@link #claim}. */
  record Claim(long place, boolean isOurs) {}

  /**
   * Finds a block, or notes that this process reads it.
   *
   * @return a place of 0 when the index has no room
   */
  Claim claim(BlockKey key) {
    int region = region(key);
    lock(region);
    try {
      int bucket = bucketOf(region, key);
      if (bucket < 0 && !isSound(region, home(key))) {
        damaged = true;
        repair(region);
        bucket = bucketOf(region, key);
      }
      long loading = Place.loading(slots.token());
      if (bucket >= 0) {
        int at = shared.bucket(region, bucket) + PLACE;
        long place = shared.get(at);
        if (Place.isLoading(place) && !slots.isAlive(Place.owner(place))) {
          shared.set(at, loading);
          return new Claim(loading, true);
        }
        return new Claim(place, false);
      }
      return insert(region, key, loading, 0) ? new Claim(loading, true) : new Claim(0, false);
    } finally {
      unlock(region);
    }
  }

  /** Whether the bits of a home lead to entries of that home. The region is locked. */
  private boolean isSound(int region, int home) {
    for (long bits = shared.get(shared.bucket(region, home) + BITS) >>> 32;
        bits != 0;
        bits &= bits - 1) {
      int at = shared.bucket(region, (home + Long.numberOfTrailingZeros(bits)) & (REGION - 1));
      BlockKey key = new BlockKey(shared.get(at), shared.get(at + LOW));
      if (shared.get(at + PLACE) == 0 || home(key) != home || region(key) != region) {
        return false;
      }
    }
    return true;
  }

  /** Whether {@link #claim} met entries that nobody has written; it has dropped them. */
  boolean isDamaged() {
    return damaged;
  }

  /**
   * Replaces the place of a block.
   *
   * @param condition asked under the lock
   * @return false when the block has another place than {@code expected}, or the condition fails
   */
  boolean replace(BlockKey key, long expected, long place, long age, BooleanSupplier condition) {
    int region = region(key);
    lock(region);
    try {
      int bucket = bucketOf(region, key);
      if (bucket < 0) {
        return false;
      }
      int at = shared.bucket(region, bucket);
      if (shared.get(at + PLACE) != expected || !condition.getAsBoolean()) {
        return false;
      }
      setAge(at, age);
      shared.set(at + PLACE, place);
      return true;
    } finally {
      unlock(region);
    }
  }

  /** Removes a block if it still has the place {@code expected}. */
  boolean remove(BlockKey key, long expected) {
    int region = region(key);
    lock(region);
    try {
      int bucket = bucketOf(region, key);
      if (bucket < 0 || shared.get(shared.bucket(region, bucket) + PLACE) != expected) {
        return false;
      }
      clear(region, bucket, home(key));
      return true;
    } finally {
      unlock(region);
    }
  }

  private void clear(int region, int bucket, int home) {
    shared.set(shared.bucket(region, bucket) + PLACE, 0);
    int at = shared.bucket(region, home) + BITS;
    shared.set(at, shared.get(at) & ~(1L << (32 + ((bucket - home) & (REGION - 1)))));
  }

  /** Notes that a block was used, if the use is later than the one that is known. */
  void touch(BlockKey key, long sequence) {
    int region = region(key);
    lock(region);
    try {
      int bucket = bucketOf(region, key);
      if (bucket >= 0) {
        int at = shared.bucket(region, bucket);
        if (later(sequence, shared.get(at + BITS) & AGE)) {
          setAge(at, sequence);
        }
      }
    } finally {
      unlock(region);
    }
  }

  /** Whether a use is later than another; sequences wrap around at 2³². */
  private static boolean later(long sequence, long than) {
    return (int) (sequence - than) > 0;
  }

  private void setAge(int at, long age) {
    shared.set(at + BITS, (shared.get(at + BITS) & ~AGE) | (age & AGE));
  }

  /** Puts an entry near its home, moving others out of the way. False when that fails. */
  private boolean insert(int region, BlockKey key, long place, long age) {
    int home = home(key);
    int distance = 0;
    while (distance < REGION && place(region, home + distance) != 0) {
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
    int bucket = (home + distance) & (REGION - 1);
    int at = shared.bucket(region, bucket);
    shared.set(at, key.high());
    shared.set(at + LOW, key.low());
    setAge(at, age);
    // Visible from here on; a process that dies before has changed nothing.
    shared.set(at + PLACE, place);
    int bits = shared.bucket(region, home) + BITS;
    shared.set(bits, shared.get(bits) | 1L << (32 + distance));
    return true;
  }

  private long place(int region, int bucket) {
    return shared.get(shared.bucket(region, bucket & (REGION - 1)) + PLACE);
  }

  /** Moves an entry into the empty bucket; returns by how much the empty one comes nearer. */
  private int bringNearer(int region, int empty) {
    for (int distance = HOPS - 1; distance > 0; distance--) {
      int home = (empty - distance) & (REGION - 1);
      long bits = shared.get(shared.bucket(region, home) + BITS) >>> 32;
      int first = bits == 0 ? HOPS : Long.numberOfTrailingZeros(bits);
      if (first < distance) {
        int from = (home + first) & (REGION - 1);
        int source = shared.bucket(region, from);
        int target = shared.bucket(region, empty & (REGION - 1));
        shared.set(target, shared.get(source));
        shared.set(target + LOW, shared.get(source + LOW));
        setAge(target, shared.get(source + BITS) & AGE);
        shared.set(target + PLACE, shared.get(source + PLACE));
        int at = shared.bucket(region, home) + BITS;
        shared.set(at, (shared.get(at) | 1L << (32 + distance)) & ~(1L << (32 + first)));
        shared.set(source + PLACE, 0);
        return distance - first;
      }
    }
    return 0;
  }

  /** All entries; each region as it was at one moment. */
  List<Entry> entries() {
    List<Entry> all = new ArrayList<>();
    for (int region = 0; region < shared.sizes().regions(); region++) {
      lock(region);
      try {
        for (int bucket = 0; bucket < REGION; bucket++) {
          int at = shared.bucket(region, bucket);
          long place = shared.get(at + PLACE);
          if (place != 0) {
            all.add(
                new Entry(
                    new BlockKey(shared.get(at), shared.get(at + LOW)),
                    place,
                    shared.get(at + BITS) & AGE));
          }
        }
      } finally {
        unlock(region);
      }
    }
    return all;
  }

  /** Removes entries of processes that died while they read; returns how many there were. */
  int removeAbandoned() {
    int removed = 0;
    for (Entry entry : entries()) {
      if (Place.isLoading(entry.place())
          && !slots.isAlive(Place.owner(entry.place()))
          && remove(entry.key(), entry.place())) {
        removed++;
      }
    }
    return removed;
  }

  /** Number of buckets. */
  long buckets() {
    return (long) shared.sizes().regions() * REGION;
  }

  private void lock(int region) {
    int lock = shared.lock(region);
    while (true) {
      long word = shared.get(lock);
      if ((word & OWNER) != 0) {
        waitFor(lock, word);
      } else if (shared.compareAndSet(lock, word, word | slots.token())) {
        return;
      }
    }
  }

  private void unlock(int region) {
    int lock = shared.lock(region);
    shared.set(lock, next(shared.get(lock)));
  }

  private static long next(long word) {
    return (word & ~OWNER) + (1L << 32);
  }

  /** Waits until a lock word changes; repairs the region of a holder that has died. */
  private void waitFor(int lock, long word) {
    for (int spin = 0; spin < SPINS; spin++) {
      if (shared.get(lock) != word) {
        return;
      }
      Thread.onSpinWait();
    }
    for (int pause = 1; shared.get(lock) == word; pause++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      if (pause % PAUSES_BEFORE_ASKING == 0 && !slots.isAlive((int) (word & OWNER))) {
        long ours = next(word) | slots.token();
        if (shared.compareAndSet(lock, word, ours)) {
          int region = (lock - shared.lock(0)) / (shared.lock(1) - shared.lock(0));
          repair(region);
          shared.set(lock, next(ours));
        }
        return;
      }
    }
  }

  /** Derives the bits of all homes from the entries, and drops entries that no home can reach. */
  private void repair(int region) {
    long[] bits = new long[REGION];
    Set<BlockKey> seen = new HashSet<>();
    for (int bucket = 0; bucket < REGION; bucket++) {
      int at = shared.bucket(region, bucket);
      if (shared.get(at + PLACE) == 0) {
        continue;
      }
      BlockKey key = new BlockKey(shared.get(at), shared.get(at + LOW));
      int distance = (bucket - home(key)) & (REGION - 1);
      if (distance >= HOPS || region(key) != region || !seen.add(key)) {
        shared.set(at + PLACE, 0);
      } else {
        bits[home(key)] |= 1L << distance;
      }
    }
    for (int bucket = 0; bucket < REGION; bucket++) {
      int at = shared.bucket(region, bucket) + BITS;
      shared.set(at, bits[bucket] << 32 | (shared.get(at) & AGE));
    }
  }

  /** What is wrong with the bits, homes and keys of all regions; empty when nothing is. */
  List<String> audit() {
    List<String> faults = new ArrayList<>();
    for (int region = 0; region < shared.sizes().regions(); region++) {
      lock(region);
      try {
        audit(region, faults);
      } finally {
        unlock(region);
      }
    }
    return faults;
  }

  private void audit(int region, List<String> faults) {
    Set<BlockKey> seen = new HashSet<>();
    BitSet reached = new BitSet(REGION);
    for (int home = 0; home < REGION; home++) {
      long bits = shared.get(shared.bucket(region, home) + BITS) >>> 32;
      for (; bits != 0; bits &= bits - 1) {
        reached.set((home + Long.numberOfTrailingZeros(bits)) & (REGION - 1));
      }
    }
    for (int bucket = 0; bucket < REGION; bucket++) {
      int at = shared.bucket(region, bucket);
      boolean used = shared.get(at + PLACE) != 0;
      String where = "index, region " + region + ", bucket " + bucket + ": ";
      if (used != reached.get(bucket)) {
        faults.add(where + (used ? "no home reaches the entry" : "a home reaches an empty bucket"));
      }
      if (used) {
        BlockKey key = new BlockKey(shared.get(at), shared.get(at + LOW));
        if (region(key) != region || bucketOf(region, key) < 0) {
          faults.add(where + "the entry is not where its key belongs");
        }
        if (!seen.add(key)) {
          faults.add(where + "a block is there twice");
        }
      }
    }
  }
}
