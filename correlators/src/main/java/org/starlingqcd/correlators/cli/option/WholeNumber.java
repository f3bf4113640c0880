package org.starlingqcd.correlators.cli.option;

import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.run.Shard;
import picocli.CommandLine.ITypeConverter;

/** Whole numbers within bounds, as values of options. */
public final class WholeNumber {
  private WholeNumber() {}

  private static int parse(String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The message below says what is expected.
    }
    String end = most == Integer.MAX_VALUE ? " on: " : " to " + most + ": ";
    throw new InputException("expected a number from " + least + end + text);
  }

  /** 0, 1, 2 and so on. */
  static final class FromZero implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return parse(text, 0, Integer.MAX_VALUE);
    }
  }

  /** 1, 2, 3 and so on. */
  static final class FromOne implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return parse(text, 1, Integer.MAX_VALUE);
    }
  }

  /** Threads: more than any machine has processors only take memory and time. */
  static final class Threads implements ITypeConverter<Integer> {
    private static final int MOST = 4096;

    @Override
    public Integer convert(String text) {
      return parse(text, 0, MOST);
    }
  }

  /** Units at once: each takes a thread at least. */
  static final class Units implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return parse(text, 1, Threads.MOST);
    }
  }

  /** Devices of one machine. */
  public static final class Devices implements ITypeConverter<Integer> {
    private static final int MOST = 64;

    @Override
    public Integer convert(String text) {
      return parse(text, 1, MOST);
    }
  }

  /** Shards, which the names of their files number with up to six digits. */
  public static final class Shards implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return parse(text, 1, Shard.MOST);
    }
  }
}
