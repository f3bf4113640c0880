/** Matrix calls in terms of a vendor's BLAS: row-major matrices are its column-major transposes. */
package org.starlingqcd.backend.gpu.matrix;
