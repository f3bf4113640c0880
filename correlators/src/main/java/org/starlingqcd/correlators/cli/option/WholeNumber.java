package org.starlingqcd.correlators.cli.option;

import org.starlingqcd.correlators.InputException;
import picocli.CommandLine.ITypeConverter;

/** Whole numbers with a lower bound, as values of options. */
final class WholeNumber {
  private WholeNumber() {}

  private static int parse(String text, int least) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The message below says what is expected.
    }
    throw new InputException("expected a number from " + least + " on: " + text);
  }

  /** 0, 1, 2 and so on. */
  static final class FromZero implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return parse(text, 0);
    }
  }

  /** 1, 2, 3 and so on. */
  static final class FromOne implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return parse(text, 1);
    }
  }
}
