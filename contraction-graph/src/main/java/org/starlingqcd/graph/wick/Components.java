package org.starlingqcd.graph.wick;

import java.util.Arrays;

/** Component numbers in ascending order, as a key. */
final class Components {
  static final Components NONE = new Components(new int[0]);

  final int[] numbers;

  private Components(int[] numbers) {
    this.numbers = numbers;
  }

  Components with(int component) {
    int k = numbers.length;
    int[] more = Arrays.copyOf(numbers, k + 1);
    while (k > 0 && more[k - 1] > component) {
      more[k] = more[k - 1];
      k--;
    }
    more[k] = component;
    return new Components(more);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Components that && Arrays.equals(numbers, that.numbers);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(numbers);
  }
}
