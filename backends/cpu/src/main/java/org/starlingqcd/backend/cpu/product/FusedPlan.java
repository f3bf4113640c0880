package org.starlingqcd.backend.cpu.product;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BatchSpinMapping;

/**
 * A mapping as one product of matrices of spins: destination {@code r·columns + c} is {@code Σ_k
 * factor(r, k)·left(r, k)·right(k, c)}. A contraction of meson nodes is a product of 4 × 4 spins
 * with 4 × 4 spins; building a node is one of 1 × 1 with 1 × 16.
 *
 * <p>Summed spins are ordered by those of the right matrix. All contractions of nodes then use the
 * same right matrix of an input, which is assembled once for all of them.
 *
 * @param rights spins of the right matrix, row by row
 */
record FusedPlan(int rows, int inner, int columns, List<Integer> rights, List<Term> lefts) {
  /**
   * An entry of the left matrix.
   *
   * @param spin component of the left input
   */
  record Term(int spin, double factorRe, double factorIm) {}

  /** The plan of a mapping; null where it is not such a product. */
  static @Nullable FusedPlan of(MappingPlan plan) {
    int rows = plan.rows();
    if (rows == 0) {
      return null;
    }
    int columns = plan.rowStart(1);
    int inner = plan.entries(0).length;
    for (int r = 0; r < rows; r++) {
      if (inner == 0 || plan.rowStart(r + 1) - plan.rowStart(r) != columns) {
        return null;
      }
    }
    for (int d = 0; d < rows * columns; d++) {
      if (!isProduct(plan, d, columns, inner)) {
        return null;
      }
    }
    BatchSpinMapping mapping = plan.mapping;
    int[] order =
        IntStream.range(0, inner)
            .boxed()
            .sorted((a, b) -> Arrays.compare(rights(plan, columns, a), rights(plan, columns, b)))
            .mapToInt(Integer::intValue)
            .toArray();
    List<Integer> rights =
        Arrays.stream(order).flatMap(k -> Arrays.stream(rights(plan, columns, k))).boxed().toList();
    List<Term> lefts =
        IntStream.range(0, rows * inner)
            .map(e -> plan.entries(e / inner * columns)[order[e % inner]])
            .mapToObj(b -> new Term(mapping.left(b), mapping.factorRe(b), mapping.factorIm(b)))
            .toList();
    return new FusedPlan(rows, inner, columns, rights, lefts);
  }

  /** Whether a destination has the rights of its column and the factors of its row. */
  private static boolean isProduct(MappingPlan plan, int d, int columns, int inner) {
    BatchSpinMapping mapping = plan.mapping;
    int[] entries = plan.entries(d);
    int[] ofColumn = plan.entries(d % columns);
    int[] ofRow = plan.entries(d / columns * columns);
    if (entries.length != inner) {
      return false;
    }
    for (int k = 0; k < inner; k++) {
      if (mapping.right(entries[k]) != mapping.right(ofColumn[k])
          || mapping.factorRe(entries[k]) != mapping.factorRe(ofRow[k])
          || mapping.factorIm(entries[k]) != mapping.factorIm(ofRow[k])) {
        return false;
      }
    }
    return true;
  }

  private static int[] rights(MappingPlan plan, int columns, int k) {
    return IntStream.range(0, columns).map(c -> plan.mapping.right(plan.entries(c)[k])).toArray();
  }

  /** Entry of the left matrix. */
  Term left(int row, int k) {
    return lefts.get(row * inner + k);
  }

  /** Spin of the right matrix. */
  int right(int k, int column) {
    return rights.get(k * columns + column);
  }
}
