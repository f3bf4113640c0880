/** Traces of pairs and of single elements on the CPU. */
package org.starlingqcd.backend.cpu.trace;
