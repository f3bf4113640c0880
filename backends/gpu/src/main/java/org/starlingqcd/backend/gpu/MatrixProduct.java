package org.starlingqcd.backend.gpu;

/**
 * Shape and scalars of complex products {@code C = alpha · op(A) · B + beta · C} as BLAS counts
 * them: column-major, op(A) is m × k, B is k × n, C is m × n, leading dimensions in complex
 * numbers. A product counts {@code 8 · m · n · k} flops.
 *
 * @param transposed whether op(A) is the transpose of A
 * @param beta real; with 0 the old C is not read
 */
public record MatrixProduct(
    boolean transposed,
    int m,
    int n,
    int k,
    int lda,
    int ldb,
    int ldc,
    double alphaRe,
    double alphaIm,
    double beta) {}
