package org.starlingqcd.hadron.format;

import org.starlingqcd.hadron.data.SpinMatrix;

/**
 * Noise of quda_laph, which no file holds: it is made again by the Mersenne Twister MT19937.
 *
 * @param group 4, 8 or 32: the numbers are e^{2πik/group}
 * @param seed as the header of a file has it
 * @param configuration the number of the configuration, a part of the twister's seed
 * @param eigenvectors N
 */
record LaphNoise(int group, int seed, int configuration, int eigenvectors) {
  private static final int WORDS = 624;

  /** Words of the twister that are dropped first. */
  private static final int DROPPED = 11;

  /** Its name, the same for all quarks. */
  String name() {
    return "Z" + group + "_" + seed;
  }

  /** The seed of the twister, 32 bits; 0 stands for the clock. */
  int twisterSeed() {
    int low = (seed & 0xff00) | (configuration & 0xff);
    return (seed & 0xff) << 24 | (configuration & 0xff00) << 8 | low;
  }

  /**
   * ρ(t)[β,j], [4][N]. Each number takes bits of a word, the lowest first; the first ones of the
   * first word are skipped. Sources are multiplied with γ4 = diag(1, 1, -1, -1) there, hence the
   * sign of the last two spins.
   */
  double[] numbers(int time) {
    int bits = Integer.numberOfTrailingZeros(group);
    int each = Integer.SIZE / bits;
    int[] state = new int[WORDS];
    state[0] = twisterSeed();
    for (int k = 1; k < WORDS; k++) {
      state[k] = 1812433253 * (state[k - 1] ^ (state[k - 1] >>> 30)) + k;
    }
    int size = SpinMatrix.SPINS * eigenvectors;
    double[] noise = new double[2 * size];
    int word = 0;
    int drawn = 0;
    for (int k = 0; k < size; k++) {
      int at = 1 + time * size + k;
      for (; drawn <= DROPPED + at / each; drawn++) {
        word = next(state, drawn);
      }
      int power = (word >>> (bits * (at % each))) & (group - 1);
      int sign = k < size / 2 ? 1 : -1;
      noise[2 * k] = sign * cosine(power);
      noise[2 * k + 1] = sign * cosine(power - group / 4);
    }
    return noise;
  }

  /** The real part of a number of the group, exact where it is an integer. */
  private double cosine(int power) {
    int quarters = 4 * Math.floorMod(power, group);
    return quarters % group == 0
        ? Math.abs(2 - quarters / group) - 1
        : Math.cos(2 * Math.PI * power / group);
  }

  /** The k-th word of MT19937, whose state it moves on. */
  private static int next(int[] state, int k) {
    int at = k % WORDS;
    int mixed = (state[at] & 0x80000000) | (state[(at + 1) % WORDS] & 0x7fffffff);
    int word = state[(at + 397) % WORDS] ^ (mixed >>> 1) ^ ((mixed & 1) * 0x9908b0df);
    state[at] = word;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return word ^ (word >>> 18);
  }
}
