package org.starlingqcd.memhc.policy;

/**
 * Chooses the element that leaves the device when memory is short. A policy is told of every
 * element that becomes resident, is looked up or leaves, and keeps its own order; it never touches
 * data. Implementations are found through {@link java.util.ServiceLoader}: a public class with a
 * public constructor without arguments, listed in {@code META-INF/services}. One instance serves
 * one MemHC; it is used from one thread.
 *
 * <p>MemHC calls {@link #victim} before it calls {@link #inserted} for the element that needs the
 * room. Given the same calls a policy makes the same choices; random ones are seeded.
 */
public interface EvictionPolicy {
  /** The name a user types: lower case, words joined by hyphens. */
  String name();

  /**
   * Whether the policy uses {@link Residency#plannedToStay}, so that schedules must be planned;
   * O(accesses · log accesses), less than 10 s for a million.
   */
  default boolean plansAhead() {
    return false;
  }

  /**
   * Starts with no resident element; called once, before anything else.
   *
   * @param residency the state of the elements
   * @param seed seed of random choices
   */
  void open(Residency residency, long seed);

  /**
   * A vector pair is about to run.
   *
   * @param elements its elements, possibly repeated, in the first {@code count} entries; copy the
   *     array to keep it
   */
  default void beginVector(int[] elements, int count) {}

  /** An element became resident after a look-up that missed, or by a prefetch. */
  void inserted(int element);

  /** A resident element was looked up. */
  void accessed(int element);

  /**
   * A resident element left the device.
   *
   * @param evicted true if it was evicted and may come back, false if it was released as dead
   */
  void removed(int element, boolean evicted);

  /**
   * The schedule was replaced, so next uses of all elements may have changed; {@link #accessed} is
   * not called for them.
   */
  default void rescheduled() {}

  /**
   * Chooses the element to evict: a resident one for which {@link Residency#evictable} holds. The
   * choice takes effect with the {@link #removed} that follows.
   *
   * @return the element, or -1 when none is evictable
   */
  int victim();

  /**
   * Chooses the element to evict so that another can come; by default {@link #victim}.
   *
   * @param element the element that needs the room
   */
  default int victimFor(int element) {
    return victim();
  }

  /**
   * Whether an element that can be used in slow memory is worth bringing in when something would
   * have to leave for it. By default an element that only the present step uses is not.
   *
   * @param usesLeft number of steps that use it, from the present one on
   */
  default boolean admits(int element, int usesLeft) {
    return usesLeft > 1;
  }
}
