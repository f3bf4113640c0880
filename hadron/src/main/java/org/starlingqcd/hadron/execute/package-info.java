/**
 * From an execution queue to numbers: preparation for a device, execution through MemHC, results;
 * gamma matrices as mappings of spin components, and which of them each element is kept with.
 */
package org.starlingqcd.hadron.execute;
