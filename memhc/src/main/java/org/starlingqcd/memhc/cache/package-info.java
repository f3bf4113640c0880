/** The counters of the memory manager. */
package org.starlingqcd.memhc.cache;
