/**
 * Distillation files, gamma bases, batch-spin mappings, the building of hadron nodes and the
 * execution of a queue on a device through MemHC. Nothing here knows operators, definitions or
 * result files.
 */
package org.starlingqcd.hadron;
