/** The memory manager without data or a device: accesses replayed under any policy and budget. */
package org.starlingqcd.memhc.replay;
