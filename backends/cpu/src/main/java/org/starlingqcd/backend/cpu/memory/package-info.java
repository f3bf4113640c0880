/**
 * Blocks of the arena as elements, and the change between the host's layout and theirs. What is
 * computed with elements lives above.
 */
package org.starlingqcd.backend.cpu.memory;
