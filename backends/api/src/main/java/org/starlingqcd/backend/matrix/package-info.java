/**
 * Shapes and scalars of matrix calls. They name no memory and no device, so that {@code
 * MatrixOperations} can use them; what computes belongs to the backends.
 */
package org.starlingqcd.backend.matrix;
