package org.starlingqcd.hadron.reference;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.graph.Complex;

/**
 * A dense complex tensor whose indices all run over the same range and carry labels; row-major,
 * real and imaginary parts apart.
 */
final class Tensor {
  private final List<Integer> legs;
  private final int range;
  private final double[] re;
  private final double[] im;

  private Tensor(List<Integer> legs, int range, double[] re, double[] im) {
    this.legs = List.copyOf(legs);
    this.range = range;
    this.re = re;
    this.im = im;
  }

  /** Zeros. */
  static Tensor zeros(List<Integer> legs, int range) {
    int size = size(legs.size(), range);
    return new Tensor(legs, range, new double[size], new double[size]);
  }

  private static int size(int rank, int range) {
    int size = 1;
    for (int k = 0; k < rank; k++) {
      size = Math.multiplyExact(size, range);
    }
    return size;
  }

  List<Integer> legs() {
    return legs;
  }

  /** Sets the element at a row-major place. */
  void set(int place, Complex value) {
    re[place] = value.re();
    im[place] = value.im();
  }

  Complex get(int place) {
    return new Complex(re[place], im[place]);
  }

  /** The same numbers under other labels. */
  Tensor relabelled(List<Integer> labels) {
    return new Tensor(labels, range, re, im);
  }

  /** {@code T'[.., y, ..] = Σ_x T[.., x, ..] M[x, y]} on one leg. */
  Tensor times(int leg, Tensor matrix) {
    Tensor result = zeros(legs, range);
    int inner = size(legs.size() - leg - 1, range);
    int outer = size(leg, range);
    for (int o = 0; o < outer; o++) {
      for (int x = 0; x < range; x++) {
        for (int y = 0; y < range; y++) {
          double mr = matrix.re[x * range + y];
          double mi = matrix.im[x * range + y];
          int from = (o * range + x) * inner;
          int to = (o * range + y) * inner;
          for (int i = 0; i < inner; i++) {
            result.re[to + i] += re[from + i] * mr - im[from + i] * mi;
            result.im[to + i] += re[from + i] * mi + im[from + i] * mr;
          }
        }
      }
    }
    return result;
  }

  /** The trace over every pair of legs with one label. */
  Tensor traced() {
    for (int a = 0; a < legs.size(); a++) {
      for (int b = a + 1; b < legs.size(); b++) {
        if (legs.get(a).equals(legs.get(b))) {
          return traced(a, b).traced();
        }
      }
    }
    return this;
  }

  private Tensor traced(int a, int b) {
    List<Integer> order = new ArrayList<>();
    for (int k = 0; k < legs.size(); k++) {
      if (k != a && k != b) {
        order.add(k);
      }
    }
    List<Integer> open = order.stream().map(legs::get).toList();
    order.add(a);
    order.add(b);
    Tensor last = permuted(order);
    Tensor result = zeros(open, range);
    for (int o = 0; o < result.re.length; o++) {
      for (int x = 0; x < range; x++) {
        int place = (o * range + x) * range + x;
        result.re[o] += last.re[place];
        result.im[o] += last.im[place];
      }
    }
    return result;
  }

  /** The product, summed over all labels that both have; neither has a label twice. */
  Tensor times(Tensor other) {
    List<Integer> leftOrder = new ArrayList<>();
    List<Integer> shared = new ArrayList<>();
    List<Integer> open = new ArrayList<>();
    for (int k = 0; k < legs.size(); k++) {
      if (other.legs.contains(legs.get(k))) {
        shared.add(legs.get(k));
      } else {
        leftOrder.add(k);
        open.add(legs.get(k));
      }
    }
    List<Integer> rightOrder = new ArrayList<>();
    for (int label : shared) {
      leftOrder.add(legs.indexOf(label));
      rightOrder.add(other.legs.indexOf(label));
    }
    for (int k = 0; k < other.legs.size(); k++) {
      if (!shared.contains(other.legs.get(k))) {
        rightOrder.add(k);
        open.add(other.legs.get(k));
      }
    }
    Tensor left = permuted(leftOrder);
    Tensor right = other.permuted(rightOrder);
    Tensor result = zeros(open, range);
    int inner = size(shared.size(), range);
    int columns = right.re.length / inner;
    for (int row = 0; row < left.re.length / inner; row++) {
      for (int k = 0; k < inner; k++) {
        double ar = left.re[row * inner + k];
        double ai = left.im[row * inner + k];
        for (int column = 0; column < columns; column++) {
          double br = right.re[k * columns + column];
          double bi = right.im[k * columns + column];
          result.re[row * columns + column] += ar * br - ai * bi;
          result.im[row * columns + column] += ar * bi + ai * br;
        }
      }
    }
    return result;
  }

  /** The legs in another order: leg k of the result is leg {@code order[k]} of this. */
  private Tensor permuted(List<Integer> order) {
    int rank = legs.size();
    Tensor result = zeros(order.stream().map(legs::get).toList(), range);
    int[] stride = new int[rank];
    for (int k = 0; k < rank; k++) {
      stride[k] = size(rank - order.get(k) - 1, range);
    }
    int[] index = new int[rank];
    int from = 0;
    for (int to = 0; to < re.length; to++) {
      result.re[to] = re[from];
      result.im[to] = im[from];
      for (int k = rank - 1; k >= 0; k--) {
        from += stride[k];
        if (++index[k] < range) {
          break;
        }
        from -= range * stride[k];
        index[k] = 0;
      }
    }
    return result;
  }
}
