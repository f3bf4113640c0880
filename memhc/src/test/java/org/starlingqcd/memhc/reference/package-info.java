/**
 * A cache written down a second time, with lists that are searched from end to end: the reference
 * for the counters of MemHC. Uses traces, options, policies and plans of what stays; shares no
 * table or line with MemHC.
 */
package org.starlingqcd.memhc.reference;
