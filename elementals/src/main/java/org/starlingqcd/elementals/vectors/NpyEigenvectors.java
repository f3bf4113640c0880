package org.starlingqcd.elementals.vectors;

import java.nio.file.Path;
import java.util.Arrays;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.format.FlatArray;
import org.starlingqcd.hadron.format.NpyFile;

/** Eigenvectors as EasyDistillation writes them: {@code .npy}, [T][N][z][y][x][colour]. */
final class NpyEigenvectors implements Eigenvectors {
  private final FlatArray array;
  private final VectorHeader header;

  private NpyEigenvectors(FlatArray array, VectorHeader header) {
    this.array = array;
    this.header = header;
  }

  static NpyEigenvectors open(Path path, String ensemble, long configuration) {
    NpyFile file = NpyFile.open(path);
    long[] e = file.array().extents();
    boolean shape =
        e.length == 6 && e[2] == e[3] && e[3] == e[4] && e[5] == 3 && !file.columnMajor();
    if (!shape || !file.array().isComplex()) {
      throw new DistillationException(
          path
              + ": has the shape "
              + Arrays.toString(e)
              + (file.array().isComplex() ? "" : " of real numbers")
              + (file.columnMajor() ? " in Fortran's order" : "")
              + ", expected complex [T, N, L, L, L, 3] in C's order");
    }
    VectorHeader header =
        VectorHeader.of(path.toString(), ensemble, configuration, e[2], e[0], e[1]);
    return new NpyEigenvectors(file.array(), header);
  }

  @Override
  public VectorHeader header() {
    return header;
  }

  @Override
  public void read(int time, int first, int count, double[] target) {
    int l = header.spatialExtent();
    array.read(new long[] {time, first, 0, 0, 0, 0}, new long[] {1, count, l, l, l, 3}, target);
  }

  @Override
  public String name() {
    return array.name();
  }

  @Override
  public void close() {}
}
