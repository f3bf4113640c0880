package org.starlingqcd.backend.gpu.library;

import org.starlingqcd.backend.Precision;

/**
 * Shape and scalars of complex products {@code y = alpha · op(A) · x + beta · y} in the convention
 * of BLAS: A is column-major, rows × columns. Only memory bandwidth limits them. A product of
 * matrices with one row or column is computed this way, because a GPU would compute whole tiles of
 * a matrix.
 *
 * @param transposed whether op(A) is the transpose of A
 * @param lda leading dimension of A in complex numbers
 * @param stepX numbers from one element of x to the next
 * @param stepY the same for y
 * @param beta real; with 0 the old y is not read
 * @param precision of all numbers
 */
public record VectorProduct(
    boolean transposed,
    int rows,
    int columns,
    int lda,
    int stepX,
    int stepY,
    double alphaRe,
    double alphaIm,
    double beta,
    Precision precision) {}
