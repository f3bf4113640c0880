package org.starlingqcd.backend;

import java.util.Optional;

/**
 * Calls of BLAS on matrices in device memory. Matrices are row-major and lie in device memory as
 * they lie on the host: copies here change no layout, unlike {@link Device#upload}. A block holds
 * either an element or matrices, never both.
 *
 * <p>Calls are put into a stream and return at once; failures surface at the next synchronization,
 * as with {@link Device}. Results of a call must not overlap its inputs unless the call says so.
 * Every call throws {@link IllegalArgumentException} when an operand leaves its block or the memory
 * belongs to another device.
 */
public interface MatrixOperations {
  /**
   * Where a matrix begins.
   *
   * @param memory a block of the device that was allocated as a whole
   * @param offset bytes from its start, a multiple of the size of a number
   */
  record Place(DeviceMemory memory, long offset) {
    /** Checks the offset. */
    public Place {
      if (offset < 0 || offset % Double.BYTES != 0) {
        throw new IllegalArgumentException("must be >= 0 and a multiple of 8: offset=" + offset);
      }
    }

    /** The start of a block. */
    public static Place of(DeviceMemory memory) {
      return new Place(memory, 0);
    }

    /** A place {@code bytes} later. */
    public Place plus(long bytes) {
      return new Place(memory, offset + bytes);
    }
  }

  /** Copies {@code bytes} from byte {@code offset} of host memory. */
  void toDevice(HostMemory source, long offset, Place target, long bytes, DeviceStream stream);

  /** Copies {@code bytes} to byte {@code offset} of host memory. */
  void toHost(Place source, HostMemory target, long offset, long bytes, DeviceStream stream);

  /** {@code C = alpha · a(A) · b(B) + beta · C}. */
  void multiply(ProductShape product, Place a, Place b, Place c, DeviceStream stream);

  /** Several products of one shape, whose operands lie at constant distances. */
  void multiplyAll(
      ProductShape product, Strides strides, Place a, Place b, Place c, DeviceStream stream);

  /**
   * Several products of one shape whose operands lie anywhere in three blocks.
   *
   * @param places for each product the numbers between a place and its operand: of A, B and C; best
   *     where equal ones of A follow each other
   */
  default void multiplyEach(
      ProductShape product, long[] places, Place a, Place b, Place c, DeviceStream stream) {
    long bytes = product.kind().bytes();
    for (int k = 0; k < places.length; k += 3) {
      multiply(
          product,
          a.plus(bytes * places[k]),
          b.plus(bytes * places[k + 1]),
          c.plus(bytes * places[k + 2]),
          stream);
    }
  }

  /**
   * {@code Y = Y + alpha · X}.
   *
   * @param leadingY numbers from row to row of Y
   */
  void add(MatrixShape x, Scalar alpha, Place from, int leadingY, Place to, DeviceStream stream);

  /** {@code X = alpha · X}; with an alpha of 0, numbers that were not finite may stay so. */
  void scale(MatrixShape x, Scalar alpha, Place place, DeviceStream stream);

  /**
   * {@code Y = X}.
   *
   * @param leadingY numbers from row to row of Y
   */
  void copy(MatrixShape x, Place from, int leadingY, Place to, DeviceStream stream);

  /**
   * {@code Y = X} in another form.
   *
   * @param leadingY numbers from row to row of Y
   */
  void transpose(MatrixShape x, Form form, Place from, int leadingY, Place to, DeviceStream stream);

  /**
   * Multiplies row i of X by number i of a vector: {@code Y[i][j] = d[i] · X[i][j]}. Y may be X.
   *
   * @param step numbers from one factor to the next
   * @param leadingY numbers from row to row of Y
   */
  void scaleRows(
      MatrixShape x,
      Place factors,
      int step,
      Place from,
      int leadingY,
      Place to,
      DeviceStream stream);

  /** Solves a triangular system; the solution takes the place of the right-hand sides B. */
  void solveTriangular(TriangularShape system, Place a, Place b, DeviceStream stream);

  /** Sums of determinants, where the device has a call for them that is faster than products. */
  default Optional<DeterminantSums> determinants() {
    return Optional.empty();
  }

  /** Sums of determinants of three vectors with three components. */
  interface DeterminantSums {
    /**
     * {@code D[i][j][k] = Σ_x phase[x] · det(v_i(x), v_j(x), v_k(x))}, all complex; the three
     * vectors are the rows of the determinant. D is totally antisymmetric, to the last bit.
     *
     * @param sites values of x
     * @param n how many vectors
     * @param vectors {@code [site][component][n]}
     * @param phases {@code [site]}
     * @param result {@code [n][n][n]}
     */
    void sum(int sites, int n, Place vectors, Place phases, Place result, DeviceStream stream);
  }
}
