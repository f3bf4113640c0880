/**
 * Calls of BLAS on matrices in the arena: how their work is divided among threads. The calls
 * themselves are in {@code blas}.
 */
package org.starlingqcd.backend.cpu.matrix;
