package org.starlingqcd.graph.plan;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.SequenceTable;

/**
 * A sum of products of traces: sequences of trace codes {@code 2 * trace + (conjugate ? 1 : 0)},
 * ascending, with coefficients. Equal products are added up.
 *
 * <p>Storage is flat: a result may have a hundred thousand terms. A product has a number, by first
 * appearance; adding one takes constant time.
 */
public final class Monomials {
  private final SequenceTable products = new SequenceTable(16);
  private final BitSet removed = new BitSet();
  private double[] re = new double[16];
  private double[] im = new double[16];
  private int[] order = {};
  private boolean isSorted = true;

  /**
   * Adds a product.
   *
   * @param codes ascending; the first {@code length} count
   */
  public void add(int[] codes, int length, Complex coefficient) {
    int before = products.size();
    int number = products.intern(codes, 0, length);
    if (number < before && !removed.get(number)) {
      re[number] += coefficient.re();
      im[number] += coefficient.im();
      return;
    }
    if (number == re.length) {
      re = Arrays.copyOf(re, 2 * number);
      im = Arrays.copyOf(im, 2 * number);
    }
    re[number] = coefficient.re();
    im[number] = coefficient.im();
    removed.clear(number);
    isSorted = false;
  }

  /** The number of products. */
  public int size() {
    return products.size() - removed.cardinality();
  }

  /** The number of traces of a product. */
  public int length(int product) {
    return products.length(product);
  }

  /** A trace code of a product. */
  public int code(int product, int position) {
    return products.letter(product, position);
  }

  /** Copies the trace codes of a product to the beginning of an array; returns their number. */
  public int codes(int product, int[] target) {
    return products.copy(product, target, 0);
  }

  /** The coefficient of a product. */
  public Complex coefficient(int product) {
    return new Complex(re[product], im[product]);
  }

  /** Removes the products that satisfy a condition. */
  public void removeIf(IntPredicate condition) {
    for (int k = removed.nextClearBit(0); k < products.size(); k = removed.nextClearBit(k + 1)) {
      if (condition.test(k)) {
        removed.set(k);
      }
    }
    if (isSorted && order.length > size()) {
      int n = 0;
      int[] left = new int[size()];
      for (int k : order) {
        if (!removed.get(k)) {
          left[n++] = k;
        }
      }
      order = left;
    }
  }

  /** The numbers of the products, shorter ones first, then by their codes; not to be changed. */
  public int[] sorted() {
    if (!isSorted) {
      int[] all = new int[size()];
      int n = 0;
      for (int k = removed.nextClearBit(0); k < products.size(); k = removed.nextClearBit(k + 1)) {
        all[n++] = k;
      }
      order = all;
      sort(all.clone(), order, 0, n);
      isSorted = true;
    }
    return order;
  }

  /** Merge sort of {@code target[from … to - 1]}; the source has the same entries there. */
  private void sort(int[] source, int[] target, int from, int to) {
    if (to - from < 2) {
      return;
    }
    int middle = (from + to) >>> 1;
    sort(target, source, from, middle);
    sort(target, source, middle, to);
    int a = from;
    int b = middle;
    for (int k = from; k < to; k++) {
      boolean first = b == to || (a < middle && products.compare(source[a], source[b]) <= 0);
      target[k] = first ? source[a++] : source[b++];
    }
  }
}
