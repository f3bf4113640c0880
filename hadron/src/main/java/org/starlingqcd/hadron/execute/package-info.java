/**
 * From an execution queue to numbers: preparation for a device, execution through MemHC, results.
 */
package org.starlingqcd.hadron.execute;
