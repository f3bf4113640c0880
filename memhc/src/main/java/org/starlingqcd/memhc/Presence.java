package org.starlingqcd.memhc;

/**
 * Whether an element is on the device, and how it came there.
 *
 * <pre>
 * state       brought in   looked up  launched  pin failed   evicted, released
 * ABSENT      FRESH        -          -         -            -
 *             or IN_PLACE
 *             or BYPASSED
 * FRESH       -            RESIDENT   -         AHEAD        ABSENT
 * AHEAD       -            RESIDENT   AHEAD     AHEAD        ABSENT
 * RESIDENT    -            RESIDENT   RESIDENT  RESIDENT     ABSENT
 * IN_PLACE    -            IN_PLACE   ABSENT    ABSENT       ABSENT
 * BYPASSED    -            BYPASSED   ABSENT    ABSENT       ABSENT
 * </pre>
 *
 * <p>A prefetch takes an element from ABSENT to AHEAD; so does computing it or its operands again,
 * by way of FRESH. A copy from another device takes it from RESIDENT to AHEAD. A look-up in AHEAD,
 * FRESH, IN_PLACE and BYPASSED is a miss.
 */
enum Presence {
  /** Not on the device. */
  ABSENT,
  /** Brought in by the current call of pin. */
  FRESH,
  /** Brought in ahead of its use, and not looked up since. */
  AHEAD,
  /** Brought in and looked up. */
  RESIDENT,
  /** Used in slow memory by the batch that is being assembled; its block is there meanwhile. */
  IN_PLACE,
  /** As {@link #IN_PLACE}, because bringing it in would not have paid. */
  BYPASSED;

  /** Whether the element is used in slow memory. */
  boolean isInPlace() {
    return this == IN_PLACE || this == BYPASSED;
  }
}
