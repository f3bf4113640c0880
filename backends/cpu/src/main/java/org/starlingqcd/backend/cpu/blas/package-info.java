/**
 * OpenBLAS, its core types and its calls on raw addresses, the loops in C++, and what one thread
 * computes with. Nothing here knows what is contracted.
 */
package org.starlingqcd.backend.cpu.blas;
