package org.starlingqcd.memhc.cache;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which lines of a cache a key may take: any line ({@code full}), one of the n lines of its set
 * ({@code n-way}), or a single line ({@code direct}). A line holds data of any size.
 *
 * <p>The set of a key is its remainder by the number of sets n, as in SoftCache (Wijnja, University
 * of Twente), where n is a prime with {@code 2⁶⁴ mod n ≠ 1}: for any other n the remainder depends
 * on few bits of an address, or is the sum of its digits in base 2⁶⁴ mod n. Even so, equally spaced
 * addresses whose distance is a multiple of n share one set. Keys are therefore multiplied by the
 * golden ratio of 64 bits first (Knuth, TAOCP vol. 3, 6.4), which spreads consecutive keys evenly.
 *
 * @param ways lines of a set; 0: all lines are one set
 * @param byAddress whether addresses choose the set as they are, as in the paper
 */
public record Organization(int ways, boolean byAddress) {
  /** Every line takes every key. */
  public static final Organization FULL = new Organization(0, false);

  /** A set is one line. */
  public static final Organization DIRECT = new Organization(1, false);

  private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;
  private static final Pattern N_WAY = Pattern.compile("([1-9][0-9]{0,5})-way");

  /** Checks the range. */
  public Organization {
    if (ways < 0) {
      throw new IllegalArgumentException("must be >= 0: ways=" + ways);
    }
  }

  /**
   * The organization of this name: {@code full}, {@code direct} or {@code 5-way}.
   *
   * @throws IllegalArgumentException when the name is none of these
   */
  public static Organization parse(String name) {
    if (name.equals("full")) {
      return FULL;
    }
    if (name.equals("direct")) {
      return DIRECT;
    }
    Matcher found = N_WAY.matcher(name);
    if (!found.matches()) {
      throw new IllegalArgumentException(
          "no organization is called '" + name + "'; there are: full, direct, and 5-way for any 5");
    }
    return new Organization(Integer.parseInt(found.group(1)), false);
  }

  /** The same with addresses as keys, or with mixed keys. */
  public Organization byAddress(boolean addresses) {
    return new Organization(ways, addresses);
  }

  /** The name a user types. */
  public String label() {
    return switch (ways) {
      case 0 -> "full";
      case 1 -> "direct";
      default -> ways + "-way";
    };
  }

  /**
   * Number of sets of a cache with about {@code lines} lines: one if all lines form a set or one
   * set has room for them all, otherwise the {@link #nearestPrime} of {@code lines / ways}, which
   * may make the cache a little smaller or larger.
   */
  public int sets(int lines) {
    return ways == 0 || lines <= ways ? 1 : nearestPrime(lines / (double) ways);
  }

  /** Lines of each set of a cache with about {@code lines} lines. */
  public int linesPerSet(int lines) {
    return ways == 0 || lines <= ways ? lines : ways;
  }

  /** The set of a key, from 0 on. */
  public int set(long key, int sets) {
    return sets == 1 ? 0 : (int) Long.remainderUnsigned(byAddress ? key : key * GOLDEN_RATIO, sets);
  }

  /**
   * The prime n nearest to a number with {@code 2⁶⁴ mod n ≠ 1}, the smaller of two at the same
   * distance. The condition excludes 3, 5, 17, 257 and 641: 4 gives 2, 16 gives 13.
   */
  public static int nearestPrime(double number) {
    int below = (int) Math.floor(number);
    while (below >= 2 && !isUsable(below)) {
      below--;
    }
    int above = Math.max(2, (int) Math.ceil(number));
    while (!isUsable(above)) {
      above++;
    }
    return below >= 2 && number - below <= above - number ? below : above;
  }

  private static boolean isUsable(int n) {
    // 2⁶⁴ - 1 is -1 as an unsigned number.
    if (n < 2 || Long.remainderUnsigned(-1L, n) == 0) {
      return false;
    }
    for (int divisor = 2; (long) divisor * divisor <= n; divisor++) {
      if (n % divisor == 0) {
        return false;
      }
    }
    return true;
  }
}
