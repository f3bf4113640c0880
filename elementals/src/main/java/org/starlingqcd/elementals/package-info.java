/**
 * Elementals from eigenvectors of the Laplacian, and other bases of distillation data, computed by
 * calls of BLAS on coherent arrays.
 */
package org.starlingqcd.elementals;
