/**
 * A cache and all eviction policies written down a second time, from their descriptions, with lists
 * that are searched from end to end: the reference for the counters of MemHC and of the model of a
 * cache. Uses traces, options and plans of what stays; shares no table, line or policy with either.
 */
package org.starlingqcd.memhc.reference;
