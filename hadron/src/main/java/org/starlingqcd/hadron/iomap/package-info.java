/**
 * The container IOMap of the LapH programs: records found by keys. What keys and records mean is
 * known elsewhere.
 */
package org.starlingqcd.hadron.iomap;
