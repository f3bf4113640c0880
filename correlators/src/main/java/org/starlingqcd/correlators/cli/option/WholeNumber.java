package org.starlingqcd.correlators.cli.option;

import java.math.BigInteger;
import org.starlingqcd.correlators.InputException;
import picocli.CommandLine.ITypeConverter;

/** Whole numbers within bounds, as values of options. */
public abstract class WholeNumber implements ITypeConverter<Integer> {
  /** The largest number of shards: the names of their files number them with up to six digits. */
  public static final int MOST_SHARDS = 999_999;

  private final int least;
  private final int most;

  private WholeNumber(int least, int most) {
    this.least = least;
    this.most = most;
  }

  @Override
  public Integer convert(String text) {
    if (!text.matches("[+-]?[0-9]+")) {
      throw new InputException("expected a whole number, not '" + text + "'");
    }
    BigInteger number = new BigInteger(text);
    if (number.compareTo(BigInteger.valueOf(least)) >= 0
        && number.compareTo(BigInteger.valueOf(most)) <= 0) {
      return number.intValue();
    }
    throw new InputException(
        most == Integer.MAX_VALUE
            ? "must be at least %d, not %s".formatted(least, text)
            : "must be between %d and %d, not %s".formatted(least, most, text));
  }

  /** 0, 1, 2 and so on. */
  public static final class FromZero extends WholeNumber {
    FromZero() {
      super(0, Integer.MAX_VALUE);
    }
  }

  /** 1, 2, 3 and so on. */
  public static final class FromOne extends WholeNumber {
    FromOne() {
      super(1, Integer.MAX_VALUE);
    }
  }

  /** Threads: more than any machine has processors only take memory and time. */
  public static final class Threads extends WholeNumber {
    Threads() {
      super(1, 4096);
    }
  }

  /** Devices of one machine. */
  public static final class Devices extends WholeNumber {
    Devices() {
      super(1, 64);
    }
  }

  /** Shards of a run. */
  public static final class Shards extends WholeNumber {
    Shards() {
      super(1, MOST_SHARDS);
    }
  }
}
