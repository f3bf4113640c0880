/**
 * The order of accesses that is known in advance, its record in a file, and what elements are made
 * from. Nothing here decides what stays on the device.
 */
package org.starlingqcd.memhc.access;
