/**
 * Elements in memory and their layout, OpenBLAS, its core types and its calls on raw addresses, the
 * loops in C++, and the workspace of a thread. Nothing here depends on contractions.
 */
package org.starlingqcd.backend.cpu.blas;
