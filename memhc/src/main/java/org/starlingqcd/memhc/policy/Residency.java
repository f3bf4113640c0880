package org.starlingqcd.memhc.policy;

import org.starlingqcd.memhc.access.AccessQueue;

/**
 * What an eviction policy may ask about the elements: sizes, next uses, costs, and which can be
 * evicted now. Elements are numbered from 0; every call is O(1).
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
   * Cost of evicting the element now and having it again at its next use, in bytes moved: its size
   * for the way back, twice its size if it must first be copied to the host, or the cost of
   * recomputing it if that is less; 0 when it is dead.
   */
  long evictionCost(int element);

  /**
   * Whether the plan of the whole queue keeps the element on the device until its next use; false
   * without a schedule and for policies that do not {@link EvictionPolicy#plansAhead plan ahead}.
   */
  boolean plannedToStay(int element);
}
