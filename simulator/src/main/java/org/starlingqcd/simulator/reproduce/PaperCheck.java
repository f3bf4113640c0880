package org.starlingqcd.simulator.reproduce;

import com.google.common.base.Splitter;
import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import org.starlingqcd.simulator.reproduce.PaperRow.Verdict;
import org.starlingqcd.simulator.reproduce.PaperRow.Whose;

/**
 * Repeats the numbers of a paper, in less than a minute without a GPU.
 *
 * <p>The rows are lines of the resource {@code NAME.txt}: the quantity, whose figure it is, the
 * figure, what is allowed, and a measurement with its arguments. Allowed are a difference from the
 * figure; {@code at most} or {@code at least} a bound; {@code from} one {@code to} another; {@code
 * time} for a measurement without a condition. An empty field needs a measurement that returns a
 * statement. A sixth field is the reason of a difference that is known: without it, a row that is
 * not met fails. Without a measurement the fourth field says why none is possible. A number after
 * {@code =} is a measurement too.
 */
public abstract class PaperCheck implements AutoCloseable {
  /** Counts and differences are sums of rounded numbers. */
  private static final double ROUNDING = 1e-9;

  private static final int ROUNDS = 5;

  private final Map<String, Object> measured = new HashMap<>();
  private List<String> lines = List.of();

  /** The names of all papers. */
  public static List<String> names() {
    return List.of("memhc", "softcache", "semcache", "stacked-dram", "bag");
  }

  /**
   * The check of a paper.
   *
   * @param name one of {@link #names}
   */
  public static PaperCheck of(String name) {
    PaperCheck check =
        switch (name) {
          case "memhc" -> new MemhcCheck();
          case "softcache" -> new SoftCacheCheck();
          case "semcache" -> new SemCacheCheck();
          case "stacked-dram" -> new StackedDramCheck();
          case "bag" -> new BagCheck();
          default -> throw new IllegalArgumentException("no paper: name=" + name);
        };
    try {
      check.lines =
          Resources.readLines(
              Resources.getResource(PaperCheck.class, name + ".txt"), StandardCharsets.UTF_8);
      return check;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The paper, in one line. */
  public String title() {
    return lines.get(0);
  }

  /** Measures everything. */
  public List<PaperRow> rows() {
    return lines.stream().skip(1).map(this::row).toList();
  }

  final PaperRow row(String line) {
    List<String> cells = Splitter.on('|').trimResults().splitToList(adapted(line));
    String quantity = cells.get(0);
    Whose whose = Whose.valueOf(cells.get(1).toUpperCase(Locale.ROOT));
    Object figure = value(cells.get(2));
    String allowed = cells.get(3);
    if (cells.size() == 4) {
      return new PaperRow(quantity, whose, figure, null, "", Verdict.NOT_POSSIBLE, allowed);
    }
    Object ours = measured(cells.get(4));
    String reason = cells.size() > 5 ? cells.get(5) : "";
    if (allowed.equals("time")) {
      return new PaperRow(quantity, whose, figure, ours, "", Verdict.MEASURED, reason);
    }
    boolean met;
    if (ours instanceof PaperRow.Statement statement) {
      met = statement.met();
      ours = statement.ours();
    } else {
      double least = number(ours) - ROUNDING;
      double most = number(ours) + ROUNDING;
      String[] words = allowed.split(" ");
      if (allowed.startsWith("at most ")) {
        met = least <= number(value(words[2]));
      } else if (allowed.startsWith("at least ")) {
        met = most >= number(value(words[2]));
      } else if (allowed.startsWith("from ")) {
        met = most >= number(value(words[1])) && least <= number(value(words[3]));
      } else {
        double difference = number(value(allowed));
        met = Math.abs(number(ours) - number(figure)) <= difference + ROUNDING;
        allowed = String.format(Locale.US, "± %.4g", difference).replaceFirst("\\.?0+$", "");
      }
    }
    Verdict missed = reason.isEmpty() ? Verdict.FAIL : Verdict.DIFFERS;
    return new PaperRow(
        quantity, whose, figure, ours, allowed, met ? Verdict.PASS : missed, met ? "" : reason);
  }

  /** A line as it reads on this machine. */
  String adapted(String line) {
    return line;
  }

  private Object value(String cell) {
    if (cell.startsWith("=")) {
      return measured(cell.substring(1).strip());
    }
    return cell.matches("[0-9.]+") ? (Object) Double.valueOf(cell) : cell;
  }

  private static double number(Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalStateException("must be a number: " + value);
  }

  /** The result of a measurement, made once. */
  final Object measured(String measurement) {
    Object found = measured.get(measurement);
    if (found == null) {
      String[] words = measurement.split(" +");
      found = measure(words[0], Arrays.copyOfRange(words, 1, words.length));
      measured.put(measurement, found);
    }
    return found;
  }

  /** Measures a number, or a {@link PaperRow.Statement}. */
  abstract Object measure(String what, String[] arguments);

  static IllegalArgumentException unknown(String what) {
    return new IllegalArgumentException("no measurement: what=" + what);
  }

  /** The median of a fixed number of measurements. */
  static double median(DoubleSupplier measurement) {
    return DoubleStream.generate(measurement)
        .limit(ROUNDS)
        .sorted()
        .skip(ROUNDS / 2)
        .findFirst()
        .orElseThrow();
  }

  /** Frees what measurements have opened. */
  @Override
  public void close() {}
}
