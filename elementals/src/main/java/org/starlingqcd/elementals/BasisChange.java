package org.starlingqcd.elementals;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.arrays.ArrayBlas;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.arrays.HostArray;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.hadron.data.DataBlock;

/**
 * Blocks in another basis of distillation space: {@code τ'(t',t) = U(t')† τ U(t)}, {@code Φ' = U† Φ
 * U}, {@code B'[a][b][c] = Σ U_ia U_jb U_kc B[i][j][k]}.
 */
final class BasisChange {
  private static final int SPINS = 16;

  private final ArrayCache cache;
  private final ArrayBlas blas;
  private final int n;
  private final int m;
  private final List<HostArray> rotations = new ArrayList<>();

  BasisChange(ArrayCache cache, ArrayBlas blas, Rotations rotation) {
    this.cache = cache;
    this.blas = blas;
    n = rotation.before();
    m = rotation.after();
    for (double[] numbers : rotation.numbers()) {
      HostArray u = cache.array("rotation", NumberKind.COMPLEX, (long) n * m);
      u.put(0, numbers, n * m);
      rotations.add(u);
    }
  }

  /** Fills an array with the numbers of a block in the old basis. */
  interface Reader {
    void read(HostMemory target);
  }

  /** Writes a block in the new basis to byte {@code offset} of {@code target}. */
  void transform(DataBlock block, Reader reader, HostMemory target, long offset) {
    if (block instanceof DataBlock.Elemental e) {
      HostArray u = rotations.get(e.time());
      if (e.kind() == DataBlock.Kind.BARYON) {
        baryon(u, reader, target, offset);
      } else {
        matrices(1, u, u, reader, target, offset);
      }
    } else if (block instanceof DataBlock.Perambulator tau) {
      matrices(
          SPINS,
          rotations.get(tau.sinkTime()),
          rotations.get(tau.sourceTime()),
          reader,
          target,
          offset);
    } else if (block instanceof DataBlock.Generalized tau) {
      matrices(
          SPINS,
          rotations.get(tau.ends().sinkTime()),
          rotations.get(tau.ends().sourceTime()),
          reader,
          target,
          offset);
    } else {
      // A loop does not know distillation space.
      try (HostMemory number = HostMemory.allocate(TensorShape.COMPLEX_BYTES)) {
        reader.read(number);
        number.copyTo(0, target, offset, TensorShape.COMPLEX_BYTES);
      }
    }
  }

  private static ProductShape product(Form formA, int rows, int columns, int inner) {
    return ProductShape.dense(NumberKind.COMPLEX, formA, Form.PLAIN, rows, columns, inner);
  }

  private void matrices(
      int count, HostArray left, HostArray right, Reader reader, HostMemory target, long offset) {
    try (HostArray old = cache.array("block", NumberKind.COMPLEX, (long) count * n * n);
        HostArray half = cache.array("half", NumberKind.COMPLEX, (long) count * n * m);
        HostArray made = cache.array("new block", NumberKind.COMPLEX, (long) count * m * m)) {
      reader.read(old.writing());
      // All spins are rows of one matrix on the left of U.
      blas.gemm(product(Form.PLAIN, count * n, m, n), Strides.ONE, old, 0, right, 0, half, 0);
      blas.gemm(
          product(Form.ADJOINT, m, m, n),
          new Strides(count, 0, (long) n * m, (long) m * m),
          left,
          0,
          half,
          0,
          made,
          0);
      finish(made, target, offset);
    }
  }

  private void baryon(HostArray u, Reader reader, HostMemory target, long offset) {
    try (HostArray old = cache.array("block", NumberKind.COMPLEX, (long) n * n * n);
        HostArray third = cache.array("third index", NumberKind.COMPLEX, (long) n * n * m);
        HostArray second = cache.array("second index", NumberKind.COMPLEX, (long) n * m * m);
        HostArray made = cache.array("new block", NumberKind.COMPLEX, (long) m * m * m)) {
      reader.read(old.writing());
      blas.gemm(product(Form.PLAIN, n * n, m, n), Strides.ONE, old, 0, u, 0, third, 0);
      blas.gemm(
          product(Form.TRANSPOSED, m, m, n),
          new Strides(n, 0, (long) n * m, (long) m * m),
          u,
          0,
          third,
          0,
          second,
          0);
      blas.gemm(product(Form.TRANSPOSED, m, m * m, n), Strides.ONE, u, 0, second, 0, made, 0);
      finish(made, target, offset);
    }
  }

  private static void finish(HostArray made, HostMemory target, long offset) {
    long bytes = made.length() * TensorShape.COMPLEX_BYTES;
    made.reading().copyTo(0, target, offset, bytes);
  }
}
