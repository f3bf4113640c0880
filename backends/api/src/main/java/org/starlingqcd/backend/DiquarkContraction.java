package org.starlingqcd.backend;

/**
 * Two quark lines between two baryons, {@code destination[16·p + q][j][i] = Σ sink[i][k][l] ·
 * first[p][k][m] · second[q][l][n] · source[j][m][n]} over k, l, m, n = 0 … N-1 for all spin
 * components p of the first line and q of the second. Baryons are N × N × N with one spin
 * component, lines are meson nodes (16 components), the destination has 256 components of N × N.
 *
 * <p>With A = sink·second and W = first·source, 32 products of N⁴, the rest is one matrix product
 * of (16N × N²)·(N² × 16N): {@code 8·N⁴·288} flops. If the lines are one element and both baryons
 * are antisymmetric, components p and q may be exchanged; then only those with {@code p <= q} are
 * computed and the others are undefined.
 *
 * @param sink elemental of the sink baryon, open leg first
 * @param first line between the second legs
 * @param second line between the third legs
 * @param source conjugate elemental of the source baryon, open leg first
 * @param destination the diquark block
 * @param workspace scratch memory of at least {@link #workspaceBytes}(extent, 1); less than the
 *     whole makes the device cut the open indices into slices and repeat the work on the source
 *     side for each
 * @param extent number of eigenvectors N
 * @param symmetric whether only {@code p <= q} is wanted
 */
public record DiquarkContraction(
    DeviceMemory sink,
    DeviceMemory first,
    DeviceMemory second,
    DeviceMemory source,
    DeviceMemory destination,
    DeviceMemory workspace,
    int extent,
    boolean symmetric) {

  /** Spin components of a quark line. */
  public static final int LINE_SPINS = 16;

  /** Doubles kept for each complex number of a slice: real part, imaginary part, and their sum. */
  private static final int PLANES = 3;

  /** Values of the source's open index that are enough where memory is short. */
  private static final int SHORT_SLICE = 16;

  /** Checks the workspace. */
  public DiquarkContraction {
    checkWorkspace(workspace, workspaceBytes(extent, 1), extent);
  }

  /** Checks that a workspace is large enough for the smallest slice. */
  static void checkWorkspace(DeviceMemory workspace, long least, int extent) {
    if (extent < 1 || workspace.bytes() < least) {
      throw new IllegalArgumentException(
          "workspace must be >= "
              + least
              + " bytes: bytes="
              + workspace.bytes()
              + " extent="
              + extent);
    }
  }

  /** The shape of a diquark block. */
  public static TensorShape shape(int extent) {
    return new TensorShape(LINE_SPINS * LINE_SPINS, 2, extent);
  }

  /**
   * Bytes of scratch memory that hold slices of {@code rows} values of both open indices; {@code
   * rows = extent} is the whole.
   */
  public static long workspaceBytes(int extent, int rows) {
    return 2L * PLANES * Double.BYTES * LINE_SPINS * extent * extent * rows;
  }

  /**
   * Values of the sink's open index in a slice, for {@code bytes} of scratch memory: as many as
   * there is room for beside a short slice of the source's, which is attached again for each.
   */
  public static int rows(int extent, long bytes) {
    return rows(extent, bytes, sourceRows(extent, bytes));
  }

  /** Values of the source's open index in a slice. */
  public static int sourceRows(int extent, long bytes) {
    long rows = 2 * bytes / workspaceBytes(extent, 1);
    return (int)
        Math.max(1, Math.min(extent, Math.max(rows - extent, Math.min(SHORT_SLICE, rows / 2))));
  }

  private static int rows(int extent, long bytes, int sourceRows) {
    return (int) Math.min(extent, 2 * bytes / workspaceBytes(extent, 1) - sourceRows);
  }

  /** Flops when nothing is repeated. */
  public static double flops(int extent, boolean symmetric) {
    double n4 = Math.pow(extent, 4);
    int pairs = symmetric ? LINE_SPINS * (LINE_SPINS + 1) / 2 : LINE_SPINS * LINE_SPINS;
    return 8 * n4 * (2 * LINE_SPINS + pairs);
  }
}
