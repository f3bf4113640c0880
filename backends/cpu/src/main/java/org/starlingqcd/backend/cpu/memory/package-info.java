/**
 * Blocks of the arena as elements, and conversions between their layout and the host's. Nothing
 * here computes with elements.
 */
package org.starlingqcd.backend.cpu.memory;
