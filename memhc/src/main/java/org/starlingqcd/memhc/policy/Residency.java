package org.starlingqcd.memhc.policy;

import org.starlingqcd.memhc.access.AccessQueue;

/**
 * What an eviction policy may know of the elements: sizes, what can be evicted now, when each is
 * used next, what evicting it costs. Elements are numbered from 0; every call is O(1).
 */
public interface Residency {
  /** Size of an element in bytes. */
  long bytes(int element);

  /** Whether the element is resident and neither pinned nor held. */
  boolean evictable(int element);

  /** The step of the schedule that runs now; 0 without a schedule. */
  int clock();

  /**
   * The step that uses the element next, {@link AccessQueue#NEVER} when none does. Without a
   * schedule every next use is {@code NEVER}.
   */
  int nextUse(int element);

  /**
   * What evicting the element now and having it again at its next use costs, in bytes moved: its
   * size for the way back, once more when it must first be copied to the host, or what recomputing
   * it costs when that is less; 0 when it is dead.
   */
  long evictionCost(int element);

  /**
   * Whether the plan of the whole queue keeps the element on the device from now to its next use;
   * never without a schedule, or with a policy that does not {@link EvictionPolicy#plansAhead plan
   * ahead}.
   */
  boolean plannedToStay(int element);
}
