package org.starlingqcd.blockcache;

import java.io.IOException;
import java.nio.channels.FileLock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which processes use a cache. A process holds a byte-range lock for its slot, which the operating
 * system drops when it ends. What a process owns carries its token: the slot and how often it has
 * been taken.
 */
final class ProcessSlots implements AutoCloseable {
  private static final int SLOT_BITS = 7;
  private static final int INCARNATION_BITS = 24;
  private static final int POSITION = 8;
  private static final int DRAINED = 16;
  private static final int PROCESS = 24;

  private final SharedFile shared;
  private final FolderLock locks;
  private final int slot;
  private final FileLock held;
  private final int token;

  private ProcessSlots(SharedFile shared, FolderLock locks, int slot, FileLock held) {
    this.shared = shared;
    this.locks = locks;
    this.slot = slot;
    this.held = held;
    long incarnation = (shared.get(shared.slot(slot)) + 1) & ((1L << INCARNATION_BITS) - 1);
    shared.set(shared.slot(slot), incarnation);
    shared.set(shared.slot(slot) + PROCESS, ProcessHandle.current().pid());
    token = (int) (incarnation << SLOT_BITS) | (slot + 1);
  }

  /** Takes a slot; null when all are taken. */
  static @Nullable ProcessSlots take(SharedFile shared, FolderLock locks) throws IOException {
    for (int slot = 0; slot < shared.sizes().slots(); slot++) {
      FileLock held = locks.tryLock(FolderLock.FIRST_SLOT + slot);
      if (held != null) {
        return new ProcessSlots(shared, locks, slot, held);
      }
    }
    return null;
  }

  int slot() {
    return slot;
  }

  /** What this process owns carries this number; never 0. */
  int token() {
    return token;
  }

  /** Whether the owner of a token still runs. A wrong token belongs to nobody. */
  boolean isAlive(int owner) {
    int asked = (owner & ((1 << SLOT_BITS) - 1)) - 1;
    if (owner == token) {
      return true;
    }
    try {
      return asked >= 0
          && asked < shared.sizes().slots()
          && shared.get(shared.slot(asked)) == owner >>> SLOT_BITS
          && locks.isTaken(FolderLock.FIRST_SLOT + asked);
    } catch (IOException e) {
      // Nobody can tell; to wait in vain is worse than to read twice.
      return false;
    }
  }

  /** Ids of the processes that use the cache, this one among them. */
  List<Long> processes() throws IOException {
    List<Long> ids = new ArrayList<>();
    for (int other = 0; other < shared.sizes().slots(); other++) {
      if (other == slot || locks.isTaken(FolderLock.FIRST_SLOT + other)) {
        ids.add(shared.get(shared.slot(other) + PROCESS));
      }
    }
    return ids;
  }

  /** Place of the number of uses that a slot has noted. */
  int noted(int ofSlot) {
    return shared.slot(ofSlot) + POSITION;
  }

  /** Place of the number of uses of a slot that have been merged. */
  int drained(int ofSlot) {
    return shared.slot(ofSlot) + DRAINED;
  }

  @Override
  public void close() throws IOException {
    held.release();
  }
}
