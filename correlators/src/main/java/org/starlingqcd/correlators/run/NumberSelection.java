package org.starlingqcd.correlators.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.starlingqcd.correlators.InputException;

/**
 * Numbers as a user selects them: {@code 1,3,10-20}, or all.
 *
 * @param ranges first and last number of each range; empty for all
 */
public record NumberSelection(String text, List<Range> ranges) {
  /** Everything there is. */
  public static final NumberSelection ALL = new NumberSelection("all", List.of());

  private static final int MOST = 1_000_000;

  /** All numbers from {@code first} to {@code last}. */
  public record Range(int first, int last) {}

  /** Copies the list. */
  public NumberSelection {
    ranges = List.copyOf(ranges);
  }

  /** Reads a selection. */
  public static NumberSelection parse(String text) {
    if (text.strip().equals("all")) {
      return ALL;
    }
    List<Range> ranges = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String[] ends = part.strip().split("-", -1);
      try {
        int first = number(ends[0]);
        int last = ends.length == 1 ? first : number(ends[1]);
        if (ends.length > 2 || last < first || last - first >= MOST) {
          throw new NumberFormatException(part);
        }
        ranges.add(new Range(first, last));
      } catch (NumberFormatException e) {
        throw new InputException(
            "'" + part.strip() + "' is not a number or a range; write them as 1,3,10-20 or all", e);
      }
    }
    return new NumberSelection(text.strip(), ranges);
  }

  /** Exactly these numbers, such as {@code 0,3,10-20}; three neighbours and more are a range. */
  public static NumberSelection of(Collection<Integer> numbers) {
    return parse(text(numbers));
  }

  /** Numbers as {@link #parse} reads them, ascending and with blanks; {@code none} without any. */
  public static String text(Collection<Integer> numbers) {
    List<String> parts = new ArrayList<>();
    for (Range range : ranges(new TreeSet<>(numbers))) {
      if (range.last() - range.first() > 1) {
        parts.add(range.first() + "-" + range.last());
      } else {
        // Two numbers at most, the second of which may be the largest there is.
        parts.add(Integer.toString(range.first()));
        if (range.last() > range.first()) {
          parts.add(Integer.toString(range.last()));
        }
      }
    }
    return parts.isEmpty() ? "none" : String.join(", ", parts);
  }

  private static List<Range> ranges(SortedSet<Integer> numbers) {
    List<Range> ranges = new ArrayList<>();
    for (int number : numbers) {
      int last = ranges.size() - 1;
      if (last >= 0 && ranges.get(last).last() + 1 == number) {
        ranges.set(last, new Range(ranges.get(last).first(), number));
      } else {
        ranges.add(new Range(number, number));
      }
    }
    return ranges;
  }

  private static int number(String text) {
    String digits = text.strip();
    if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new NumberFormatException(text);
    }
    return Integer.parseInt(digits);
  }

  /** Whether everything is selected. */
  public boolean isAll() {
    return ranges.isEmpty();
  }

  /** Whether a number is selected. */
  public boolean contains(int number) {
    return isAll()
        || ranges.stream().anyMatch(range -> range.first() <= number && number <= range.last());
  }

  /**
   * The numbers, ascending, each once; all of them are those below {@code bound}.
   *
   * @throws InputException when one is not below {@code bound}
   */
  public List<Integer> below(String what, int bound, String why) {
    SortedSet<Integer> numbers = new TreeSet<>();
    for (Range range : isAll() ? List.of(new Range(0, bound - 1)) : ranges) {
      if (range.last() >= bound) {
        throw InputException.of(
            "%s %s: %s is out of range; they go from 0 to %s (%s)",
            what, text, Math.max(range.first(), bound), bound - 1, why);
      }
      for (int k = range.first(); k <= range.last(); k++) {
        numbers.add(k);
      }
    }
    return List.copyOf(numbers);
  }

  @Override
  public String toString() {
    return text;
  }
}
