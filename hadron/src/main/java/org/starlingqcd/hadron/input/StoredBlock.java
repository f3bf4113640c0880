package org.starlingqcd.hadron.input;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;

/**
 * A block that a store holds or that is being read. Without memory it is a note that a thread reads
 * the block into memory of its own. The lock of the store guards it.
 */
final class StoredBlock {
  final @Nullable HostMemory memory;
  boolean isRead;

  /** Whether somebody loads it later who has not said so himself. */
  boolean later;

  /** How many devices copy out of it, or will. */
  int held;

  /** The store has it no longer; its memory is free when nobody copies out of it. */
  boolean gone;

  /** Reading ahead has failed. */
  boolean failed;

  private boolean loaded;
  private boolean weighted;

  /** Who loads it again. */
  final Set<Object> users = new HashSet<>();

  StoredBlock(@Nullable HostMemory memory) {
    this.memory = memory;
  }

  /** The memory of a block that is not only a note. */
  HostMemory memory() {
    return Objects.requireNonNull(memory);
  }

  long bytes() {
    return memory == null ? 0 : memory.bytes();
  }

  /**
   * Notes who has loaded the block and who loads it again.
   *
   * @param whole whether this is a whole block, which others may load too
   * @return whether it was kept for the user
   */
  boolean use(BlockRequest use, boolean whole) {
    later = whole && use.later();
    return use.again() ? !users.add(use.user()) : users.remove(use.user());
  }

  /**
   * Notes a use, which may be for an input with profiles.
   *
   * @return whether the block was used before and one of its uses was for such an input
   */
  boolean isShared(boolean withProfiles) {
    weighted |= withProfiles;
    boolean shared = loaded && weighted;
    loaded = true;
    return shared;
  }
}
