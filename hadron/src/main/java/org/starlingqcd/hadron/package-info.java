/** Hadron nodes: distillation files, batch-spin mappings, node building, execution of a queue. */
package org.starlingqcd.hadron;
