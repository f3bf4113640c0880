/**
 * MemHC, the memory manager of hadron contractions: elements, tables, eviction policies, traces of
 * accesses. Nothing of physics, files of physics or matrices.
 */
package org.starlingqcd.memhc;
