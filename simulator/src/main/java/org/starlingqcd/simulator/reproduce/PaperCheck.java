package org.starlingqcd.simulator.reproduce;

import com.google.common.base.Splitter;
import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Repeats the numbers of a paper, in less than a minute without a GPU.
 *
 * <p>The rows are lines of the resource {@code NAME.txt}: the quantity, the paper's number or text,
 * what is allowed, and a measurement with its arguments. Allowed are a difference from the paper's
 * number; {@code at most} or {@code at least} a bound; or a difference {@code ±} from a prediction.
 * An empty field needs a measurement that returns a statement. Without a measurement the third
 * field says why none is possible. A number after {@code =} is a measurement too. Quotes make a
 * number a text.
 */
public abstract class PaperCheck implements AutoCloseable {
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

  private PaperRow row(String line) {
    List<String> cells = Splitter.on('|').trimResults().splitToList(adapted(line));
    String quantity = cells.get(0);
    Object paper = value(cells.get(1));
    String allowed = cells.get(2);
    if (cells.size() == 3) {
      return new PaperRow(quantity, paper, null, allowed, PaperRow.Verdict.NOT_POSSIBLE);
    }
    Object ours = measured(cells.get(3));
    if (ours instanceof PaperRow.Statement statement) {
      return PaperRow.of(quantity, paper, statement);
    }
    double number = number(ours);
    int between = allowed.indexOf('±');
    if (between > 0) {
      double expected = number(value(allowed.substring(0, between).strip()));
      double difference = number(value(allowed.substring(between + 1).strip()));
      return PaperRow.predicted(quantity, paper, number, expected, difference);
    }
    boolean atMost = allowed.startsWith("at most ");
    if (atMost || allowed.startsWith("at least ")) {
      double bound = number(value(allowed.substring(allowed.lastIndexOf(' ') + 1)));
      return PaperRow.bounded(quantity, paper, number, bound, atMost);
    }
    return PaperRow.near(quantity, number(paper), number, number(value(allowed)));
  }

  /** A line as it reads on this machine. */
  String adapted(String line) {
    return line;
  }

  private Object value(String cell) {
    if (cell.startsWith("=")) {
      return measured(cell.substring(1).strip());
    }
    if (cell.startsWith("\"")) {
      return cell.substring(1, cell.length() - 1);
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

  /** Frees what measurements have opened. */
  @Override
  public void close() {}
}
