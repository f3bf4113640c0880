package org.starlingqcd.correlators.run;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.cli.option.WholeNumber;

/**
 * One of {@code count} parts of a run, for clusters: every part writes files of its own, which
 * {@code starling merge} joins.
 */
public record Shard(int number, int count) {
  /** The largest number of parts. */
  public static final int MOST = WholeNumber.MOST_SHARDS;

  private static final Pattern FORM = Pattern.compile("([0-9]{1,6})/([0-9]{1,6})");

  /** Reads {@code 3/16}. */
  public static Shard parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (matcher.matches()) {
      int number = Integer.parseInt(matcher.group(1));
      int count = Integer.parseInt(matcher.group(2));
      if (number >= 1 && number <= count) {
        return new Shard(number, count);
      }
    }
    throw new InputException("expected k/n with 1 <= k <= n, such as 3/16: " + text);
  }

  /**
   * The part of a list that is this shard's: neighbours stay together, so that the data of one
   * configuration are read by few shards; sizes differ by one at most.
   */
  public <T> List<T> of(List<T> all) {
    int from = (int) ((long) all.size() * (number - 1) / count);
    int to = (int) ((long) all.size() * number / count);
    return List.copyOf(all.subList(from, to));
  }

  /** The name of the shard's result file for a definition, without the ending. */
  public String fileName(String definition) {
    int digits = Integer.toString(count).length();
    return String.format(Locale.US, "%s.shard-%0" + digits + "d-of-%d", definition, number, count);
  }

  @Override
  public String toString() {
    return number + "/" + count;
  }
}
