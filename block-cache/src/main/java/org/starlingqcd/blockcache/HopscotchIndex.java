package org.starlingqcd.blockcache;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/**
 * Where blocks are: a hopscotch hash table (Herlihy, Shavit, Tzafrir, DISC 2008) in memory that
 * processes share. An entry lies at most {@value #HOPS} buckets after its home; the home has a bit
 * for each of them.
 *
 * <p>Regions of 4,096 buckets are tables of their own, each with a lock ({@link RegionLocks}) that
 * a look-up does not take.
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
  private static final long AGE = 0xffff_ffffL;

  private final SharedFile shared;
  private final ProcessSlots slots;
  private final RegionLocks locks;
  private volatile boolean damaged;

  HopscotchIndex(SharedFile shared, ProcessSlots slots) {
    this.shared = shared;
    this.slots = slots;
    locks = new RegionLocks(shared, slots, this::repair);
  }

  /**
   * An entry.
   *
   * @param key the block
   * @param address where it is
   * @param age sequence of the last use that has been merged
   */
  record Entry(BlockKey key, long address, long age) {}

  private int region(BlockKey key) {
    return (int) Long.remainderUnsigned(key.low(), shared.sizes().regions());
  }

  private static int home(BlockKey key) {
    return (int) (key.high() & (REGION - 1));
  }

  private BlockKey key(int at) {
    return new BlockKey(shared.get(at), shared.get(at + LOW));
  }

  /** Where a block is, or 0. O(1), without a lock. */
  long find(BlockKey key) {
    int region = region(key);
    while (true) {
      long version = locks.version(region);
      int bucket = bucketOf(region, key);
      long address = bucket < 0 ? 0 : shared.get(shared.bucket(region, bucket) + ADDRESS);
      if (locks.isStill(region, version)) {
        return address;
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
          && shared.get(at + ADDRESS) != 0) {
        return bucket;
      }
      bits &= bits - 1;
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
    try (RegionLocks.Held held = locks.lock(region)) {
      int bucket = bucketOf(region, key);
      if (bucket < 0 && !isSound(region, home(key))) {
        damaged = true;
        repair(region);
        bucket = bucketOf(region, key);
      }
      long loading = LogAddress.loading(slots.token());
      if (bucket >= 0) {
        int at = shared.bucket(region, bucket) + ADDRESS;
        long address = shared.get(at);
        if (LogAddress.isLoading(address) && !slots.isAlive(LogAddress.owner(address))) {
          shared.set(at, loading);
          return new Claim(loading, true);
        }
        return new Claim(address, false);
      }
      return insert(region, key, loading, 0) ? new Claim(loading, true) : new Claim(0, false);
    }
  }

  /** Whether the bits of a home lead to entries of that home. The region is locked. */
  private boolean isSound(int region, int home) {
    for (long bits = shared.get(shared.bucket(region, home) + BITS) >>> 32;
        bits != 0;
        bits &= bits - 1) {
      int at = shared.bucket(region, (home + Long.numberOfTrailingZeros(bits)) & (REGION - 1));
      BlockKey key = key(at);
      if (shared.get(at + ADDRESS) == 0 || home(key) != home || region(key) != region) {
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
    try (RegionLocks.Held held = locks.lock(region)) {
      int bucket = bucketOf(region, key);
      return bucket >= 0 && change.test(shared.bucket(region, bucket));
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
          if (shared.get(at + ADDRESS) != expected || !condition.getAsBoolean()) {
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
          if (shared.get(at + ADDRESS) != expected) {
            return false;
          }
          shared.set(at + ADDRESS, 0);
          int home = shared.bucket(region(key), home(key));
          int distance = (at - home) / (shared.bucket(0, 1) - shared.bucket(0, 0));
          long bit = 1L << (32 + (distance & (REGION - 1)));
          shared.set(home + BITS, shared.get(home + BITS) & ~bit);
          return true;
        });
  }

  /** Notes that a block was used, if the use is later than the one that is known. */
  void touch(BlockKey key, long sequence) {
    change(
        key,
        at -> {
          boolean later = later(sequence, shared.get(at + BITS) & AGE);
          if (later) {
            setAge(at, sequence);
          }
          return later;
        });
  }

  /** Whether a use is later than another; sequences wrap around at 2³². */
  private static boolean later(long sequence, long than) {
    return (int) (sequence - than) > 0;
  }

  private void setAge(int at, long age) {
    shared.set(at + BITS, (shared.get(at + BITS) & ~AGE) | (age & AGE));
  }

  /** Puts an entry near its home, moving others out of the way. False when that fails. */
  private boolean insert(int region, BlockKey key, long address, long age) {
    int home = home(key);
    int distance = 0;
    while (distance < REGION && address(region, home + distance) != 0) {
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
    shared.set(at + ADDRESS, address);
    int bits = shared.bucket(region, home) + BITS;
    shared.set(bits, shared.get(bits) | 1L << (32 + distance));
    return true;
  }

  private long address(int region, int bucket) {
    return shared.get(shared.bucket(region, bucket & (REGION - 1)) + ADDRESS);
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
        shared.set(target + ADDRESS, shared.get(source + ADDRESS));
        int at = shared.bucket(region, home) + BITS;
        shared.set(at, (shared.get(at) | 1L << (32 + distance)) & ~(1L << (32 + first)));
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
      try (RegionLocks.Held held = locks.lock(region)) {
        for (int bucket = 0; bucket < REGION; bucket++) {
          int at = shared.bucket(region, bucket);
          long address = shared.get(at + ADDRESS);
          if (address != 0) {
            all.add(new Entry(key(at), address, shared.get(at + BITS) & AGE));
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
      if (LogAddress.isLoading(entry.address())
          && !slots.isAlive(LogAddress.owner(entry.address()))
          && remove(entry.key(), entry.address())) {
        removed++;
      }
    }
    return removed;
  }

  /** Number of buckets. */
  long buckets() {
    return (long) shared.sizes().regions() * REGION;
  }

  /** Derives the bits of all homes from the entries, and drops entries that no home can reach. */
  private void repair(int region) {
    long[] bits = new long[REGION];
    Set<BlockKey> seen = new HashSet<>();
    for (int bucket = 0; bucket < REGION; bucket++) {
      int at = shared.bucket(region, bucket);
      if (shared.get(at + ADDRESS) == 0) {
        continue;
      }
      BlockKey key = key(at);
      int distance = (bucket - home(key)) & (REGION - 1);
      if (distance >= HOPS || region(key) != region || !seen.add(key)) {
        shared.set(at + ADDRESS, 0);
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
      try (RegionLocks.Held held = locks.lock(region)) {
        audit(region, faults);
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
      boolean used = shared.get(at + ADDRESS) != 0;
      String where = "index, region " + region + ", bucket " + bucket + ": ";
      if (used != reached.get(bucket)) {
        faults.add(where + (used ? "no home reaches the entry" : "a home reaches an empty bucket"));
      }
      if (used) {
        BlockKey key = key(at);
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
