package org.starlingqcd.memhc.access;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;

/**
 * Supplies the data of input elements. An input is loaded when the device needs it, and again after
 * an eviction, so it is never copied back.
 */
@FunctionalInterface
public interface InputSource {
  /**
   * Writes the data of {@code element} in host layout to byte {@code offset} of {@code target}.
   * MemHC calls this on a thread of its own ahead of the use, never twice at once. The call of
   * MemHC that needs the data throws a failure.
   */
  void load(int element, HostMemory target, long offset);

  /**
   * Memory of somebody else that holds the data of {@code element} in the layout of the device, so
   * that no copy of them is needed; null where there is none. MemHC calls this on the thread that
   * uses it, and closes the memory.
   */
  default @Nullable HostMemory lend(int element) {
    return null;
  }

  /**
   * Page-locked memory of the source in which the data of {@code element} are or will be, so that
   * {@link #load} does not copy them; null where there is none. MemHC calls this on the thread that
   * uses it, where it must not wait, and closes what it gets.
   */
  default @Nullable HeldInput hold(int element) {
    return null;
  }

  /** The form of what {@link #load} writes, as of {@code Device.save}; null is host layout. */
  default @Nullable Object form() {
    return null;
  }

  /** Whether loading is so fast that the calling thread does it. */
  default boolean isImmediate() {
    return false;
  }
}
