package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.TextTable;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * A table of an analysis, from which text, pages, plots, JSON, CSV and HDF5 are made.
 *
 * <p>Keys, such as a separation and an operator, say where a row stands; its cells are numbers with
 * errors ({@link Estimate}), numbers ({@link Double}, NaN where unknown, or {@link Integer}) or
 * words.
 *
 * @param name its group in HDF5, its key in JSON and its quantity in CSV; empty: for people only
 * @param title its heading for people; empty: for files only
 * @param blocks so many keys, from the first on, divide it for people
 * @param remarks what is said below it
 */
public record Table(
    String name,
    String title,
    int blocks,
    List<String> keys,
    List<String> columns,
    List<Row> rows,
    List<String> remarks) {
  /** Key of dt. */
  static final String SEPARATION = "separation";

  /** Key of t - t_i. */
  static final String TIME = "insertion_separation";

  static final String OPERATOR = "operator";
  static final String STATE = "state";

  /** The column of a table with one number a place. */
  static final String VALUE = "value";

  /** Columns of a table with one complex number a place. */
  static final String COMPLEX = "re im";

  /** Samples are written to HDF5 in parts of so many numbers. */
  private static final int PART = 1 << 22;

  /**
   * A row.
   *
   * @param place an integer or a word for each key
   * @param cells one for each column
   */
  record Row(List<Object> place, List<Object> cells) {}

  /** What people see: the table, or the part of it under a heading of its own. */
  record Shown(
      String title, List<String> headings, List<List<Object>> rows, List<String> remarks) {}

  /** A table without rows; keys and columns are words with blanks between them. */
  Table(String name, String title, String keys, String columns) {
    this(name, title, 0, keys, columns, new ArrayList<>());
  }

  /** A table of given rows. */
  Table(String name, String title, int blocks, String keys, String columns, List<Row> rows) {
    this(name, title, blocks, words(keys), words(columns), rows, new ArrayList<>());
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" "));
  }

  /** Whether there is one number a place. */
  private boolean isSingle() {
    return columns.equals(List.of(VALUE));
  }

  /** Whether there is one number or one complex number a place. */
  private boolean hasValues() {
    return isSingle() || columns.equals(words(COMPLEX));
  }

  /**
   * A table of curves.
   *
   * @param key {@link #OPERATOR}, or {@link #STATE} for states 0, 1, …
   */
  static Table of(String name, String title, String key, List<Curve> curves) {
    Table table = new Table(name, title, SEPARATION + " " + key, VALUE);
    for (int t = 0; t < curves.get(0).points().size(); t++) {
      for (int k = 0; k < curves.size(); k++) {
        Object label = key.equals(STATE) ? (Object) k : curves.get(k).label();
        int at = curves.get(k).separations().get(t);
        table.row(List.of(at, label), curves.get(k).points().get(t));
      }
    }
    return table;
  }

  /** Adds a row. */
  Table row(List<Object> place, Object... cells) {
    rows.add(new Row(place, List.of(cells)));
    return this;
  }

  /** Adds what is said below the table. */
  Table remark(String text) {
    remarks.add(text);
    return this;
  }

  /** Whether energies are in it, with which a page begins. */
  boolean isOfEnergies() {
    return columns.contains("energy");
  }

  /** A number for each row of a column, by the last key, over the key before. */
  List<Curve> curves(int column) {
    Map<Object, Curve> curves = new LinkedHashMap<>();
    int last = keys.size() - 1;
    for (Row row : rows) {
      Object key = row.place.get(last);
      curves
          .computeIfAbsent(key, k -> new Curve(label(keys.get(last), k)))
          .add((Integer) row.place.get(last - 1), (Estimate) row.cells.get(column));
    }
    return List.copyOf(curves.values());
  }

  /** The numbers of a column over the last key. */
  Curve curve(String label, int column) {
    Curve curve = new Curve(label);
    for (Row row : rows) {
      curve.add((Integer) row.place.get(keys.size() - 1), (Estimate) row.cells.get(column));
    }
    return curve;
  }

  /** The sum of the moduli of a column. */
  double size(int column) {
    return rows.stream()
        .mapToDouble(row -> Math.abs(value(row.cells.get(column))))
        .filter(Double::isFinite)
        .sum();
  }

  /** The rows by block. */
  Map<List<Object>, List<Row>> parts() {
    Map<List<Object>, List<Row>> parts = new LinkedHashMap<>();
    for (Row row : rows) {
      parts.computeIfAbsent(row.place.subList(0, blocks), b -> new ArrayList<>()).add(row);
    }
    return parts;
  }

  /** The table with the rows of a block alone. */
  Table part(List<Object> block) {
    List<Row> part = parts().getOrDefault(block, List.of());
    return new Table(name, title, blocks, keys, columns, part, List.of());
  }

  private static String label(String key, Object value) {
    return value instanceof Integer ? brief(key) + " " + value : String.valueOf(value);
  }

  private static String brief(String key) {
    return key.equals(SEPARATION) ? "dt" : key.equals(TIME) ? "t" : key;
  }

  /** The tables that people see: one for each block; none of a table for files. */
  List<Shown> shown() {
    List<Shown> all = new ArrayList<>();
    Map<List<Object>, List<Row>> parts = title.isEmpty() ? Map.of() : parts();
    parts.forEach(
        (block, part) -> {
          String of = String.join(", ", block.stream().map(String::valueOf).toList());
          String heading = blocks == 0 ? title : of.replaceFirst(", ([^,]*)$", " <- $1: ") + title;
          Set<String> below = new LinkedHashSet<>(remarks);
          part.forEach(row -> remark(row, below));
          all.add(
              hasValues() && keys.size() - blocks == 2
                  ? pivot(heading, part, below)
                  : list(heading, part, below));
        });
    return all;
  }

  private void remark(Row row, Set<String> below) {
    for (Object cell : row.cells) {
      // The heading already says that there are no samples.
      if (cell instanceof Estimate e
          && !e.remark().isEmpty()
          && (e.samples().length > 0 || !e.isDefined())) {
        List<String> where = new ArrayList<>();
        for (int k = keys.size() - 1; k >= blocks; k--) {
          where.add(label(keys.get(k), row.place.get(k)));
        }
        below.add(String.join(", ", where) + ": " + e.remark());
      }
    }
  }

  /** Rows by the key before the last, columns by the last. */
  private Shown pivot(String heading, List<Row> part, Set<String> below) {
    int last = keys.size() - 1;
    String first = brief(keys.get(last - 1));
    List<String> headings = new ArrayList<>();
    headings.add(List.of("dt", "t", "t0").contains(first) ? first : "");
    List<Object> across = part.stream().map(row -> row.place.get(last)).distinct().toList();
    for (Object value : across) {
      String label = label(keys.get(last), value);
      columns.forEach(c -> headings.add(columns.size() == 1 ? label : label + " " + c));
    }
    Map<Object, List<Object>> lines = new LinkedHashMap<>();
    for (Row row : part) {
      Object at = row.place.get(last - 1);
      List<Object> line =
          lines.computeIfAbsent(
              at,
              x -> {
                List<Object> empty = new ArrayList<>();
                empty.add(headings.get(0).isBlank() ? label(keys.get(last - 1), x) : x);
                headings.stream().skip(1).forEach(h -> empty.add(""));
                return empty;
              });
      int place = 1 + across.indexOf(row.place.get(last)) * columns.size();
      for (Object cell : row.cells) {
        line.set(place++, cell);
      }
    }
    return new Shown(heading, headings, List.copyOf(lines.values()), List.copyOf(below));
  }

  /** A line for each row, keys in front. */
  private Shown list(String heading, List<Row> part, Set<String> below) {
    List<String> headings = new ArrayList<>(keys.subList(blocks, keys.size()));
    headings.replaceAll(Table::brief);
    columns.forEach(column -> headings.add(column.replace('_', ' ')));
    List<List<Object>> lines = new ArrayList<>();
    for (Row row : part) {
      List<Object> line = new ArrayList<>(row.place.subList(blocks, keys.size()));
      line.addAll(row.cells);
      lines.add(line);
    }
    return new Shown(heading, headings, lines, List.copyOf(below));
  }

  /** A cell for people. */
  static String text(Object cell) {
    return cell instanceof Estimate e
        ? e.text()
        : cell instanceof Double d
            ? Double.isNaN(d) ? "-" : String.format(Locale.US, "%.3g", d)
            : String.valueOf(cell);
  }

  /** All tables of an analysis as text. */
  public static String text(Analysis analysis) {
    return analysis.heading() + System.lineSeparator() + text(analysis.tables());
  }

  /** Tables as text; empty without rows. */
  public static String text(List<Table> tables) {
    StringBuilder text = new StringBuilder();
    tables.forEach(table -> table.append(text));
    return text.toString();
  }

  /** Appends the table as text, with an empty line before it. */
  void append(StringBuilder text) {
    for (Shown one : shown()) {
      List<String> headings = new ArrayList<>(one.headings);
      headings.set(0, "  " + headings.get(0));
      TextTable table = new TextTable(TextTable.FirstColumn.RIGHT, "  ", headings);
      for (List<Object> row : one.rows) {
        List<String> cells = new ArrayList<>(row.stream().map(Table::text).toList());
        boolean named = one.headings.get(0).isEmpty();
        cells.set(0, named ? "    " + cells.get(0) : String.format("%4s", cells.get(0)));
        table.row(cells);
      }
      text.append(String.format(Locale.US, "%n  %s%n%s", one.title, table));
      one.remarks.forEach(remark -> text.append(String.format(Locale.US, "    %s%n", remark)));
    }
  }

  /**
   * A map for each row: keys, then cells, with errors as COLUMN_error; null for what is unknown.
   */
  public List<Map<String, @Nullable Object>> json() {
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    for (Row row : rows) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      for (int k = 0; k < keys.size(); k++) {
        map.put(keys.get(k), row.place.get(k));
      }
      for (int k = 0; k < columns.size(); k++) {
        String column = columns.get(k);
        if (row.cells.get(k) instanceof Estimate e) {
          map.put(column, number(e.value()));
          map.put(isSingle() ? "error" : column + "_error", number(e.error()));
          if (!e.remark().isEmpty()) {
            map.put("remark", e.remark());
          }
        } else {
          map.put(column, row.cells.get(k) instanceof Double d ? number(d) : row.cells.get(k));
        }
      }
      list.add(map);
    }
    return list;
  }

  /** JSON has no NaN. */
  static @Nullable Double number(double value) {
    return Double.isNaN(value) ? null : value;
  }

  /**
   * CSV of tables, a number a row: quantity, the keys of all tables, value, error, remark. Values
   * have all digits; what is missing is empty.
   */
  static String csv(List<Table> tables) {
    List<Table> filed = tables.stream().filter(table -> !table.name.isEmpty()).toList();
    Set<String> all = new LinkedHashSet<>();
    filed.forEach(table -> all.addAll(table.keys));
    StringBuilder csv = new StringBuilder("quantity,");
    csv.append(String.join(",", all)).append(",value,error,remark\n");
    for (Table table : filed) {
      for (Row row : table.rows) {
        for (int k = 0; k < row.cells.size(); k++) {
          Object cell = row.cells.get(k);
          csv.append(
              quoted(table.isSingle() ? table.name : table.name + "/" + table.columns.get(k)));
          for (String key : all) {
            int at = table.keys.indexOf(key);
            csv.append(',').append(at < 0 ? "" : quoted(String.valueOf(row.place.get(at))));
          }
          Estimate e = cell instanceof Estimate found ? found : null;
          double value = value(cell);
          double error = e == null ? Double.NaN : e.error();
          csv.append(',').append(Double.isNaN(value) ? "" : Double.toString(value));
          csv.append(',').append(Double.isNaN(error) ? "" : Double.toString(error));
          csv.append(',')
              .append(e == null ? cell instanceof String s ? quoted(s) : "" : quoted(e.remark()));
          csv.append('\n');
        }
      }
    }
    return csv.toString();
  }

  private static double value(Object cell) {
    return cell instanceof Estimate e
        ? e.value()
        : cell instanceof Number n ? n.doubleValue() : Double.NaN;
  }

  /**
   * RFC 4180: quoted where there is a comma, a quote or a line break. A text that a spreadsheet
   * would take for a formula gets an apostrophe, with which spreadsheets mark a text.
   */
  public static String quoted(String text) {
    if (!text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0) {
      return "\"'" + text.replace("\"", "\"\"") + '"';
    }
    return text.matches("[^,\"\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  /**
   * Writes a file with the table alone, replacing one that exists.
   *
   * @throws ComputationException when it cannot be written
   */
  public void write(Path path) {
    AnalysisOutput.write(
        path,
        () -> {
          try (Hdf5File file = Hdf5File.create(path)) {
            file.attributes("/").put("format", name);
            write(file);
          }
        });
  }

  /**
   * Writes a group of its name with an extent for each key, whose values are attributes; NaN where
   * there is no row. One number a place is {@code mean}, {@code error} and {@code samples}, the
   * last with one extent more before the others; of several columns each is such a group, or a data
   * set where it has no errors, or an attribute where it has words.
   */
  void write(Hdf5File file) {
    if (name.isEmpty() || rows.isEmpty()) {
      return;
    }
    long[] extents = keys.isEmpty() ? new long[] {1} : new long[keys.size()];
    int[] at = new int[rows.size()];
    List<List<Object>> axes = new ArrayList<>();
    for (int k = 0; k < keys.size(); k++) {
      int key = k;
      List<Object> axis =
          rows.stream().map(row -> row.place.get(key)).distinct().sorted(Table::order).toList();
      Map<Object, Integer> places = new LinkedHashMap<>();
      axis.forEach(value -> places.put(value, places.size()));
      extents[k] = axis.size();
      for (int r = 0; r < at.length; r++) {
        at[r] = at[r] * axis.size() + places.getOrDefault(rows.get(r).place.get(k), 0);
      }
      axes.add(axis);
    }
    if (hasValues()) {
      write(file, name, 0, columns.size(), at, extents);
    } else {
      for (int k = 0; k < columns.size(); k++) {
        if (rows.get(0).cells.get(k) instanceof String) {
          file.createGroup(name);
          int column = k;
          List<Object> words = rows.stream().map(row -> row.cells.get(column)).toList();
          put(file.attributes(name), columns.get(k), words);
        } else {
          write(file, name + "/" + columns.get(k), k, 1, at, extents);
        }
      }
    }
    for (int k = 0; k < keys.size(); k++) {
      String key = keys.get(k);
      put(file.attributes(name), key.endsWith("s") ? key : key + "s", axes.get(k));
    }
  }

  /** Numbers ascend; words keep the order of rows. */
  private static int order(Object a, Object b) {
    return a instanceof Integer x && b instanceof Integer y ? x.compareTo(y) : 0;
  }

  private void write(Hdf5File file, String group, int first, int parts, int[] at, long... extents) {
    int size = parts * (int) Arrays.stream(extents).reduce(1, Math::multiplyExact);
    double[] mean = new double[size];
    double[] error = new double[size];
    Arrays.fill(mean, Double.NaN);
    Arrays.fill(error, Double.NaN);
    int samples = -1;
    for (int k = 0; k < parts * at.length; k++) {
      Object cell = rows.get(k / parts).cells.get(first + k % parts);
      mean[parts * at[k / parts] + k % parts] = value(cell);
      if (cell instanceof Estimate e) {
        error[parts * at[k / parts] + k % parts] = e.error();
        samples = Math.max(samples, e.samples().length);
      }
    }
    ElementType type = parts == 2 ? ElementType.COMPLEX : ElementType.REAL;
    boolean alone = samples < 0 && group.length() > name.length();
    write(file, alone ? group : group + "/mean", type, mean, extents);
    if (samples < 0) {
      return;
    }
    write(file, group + "/error", type, error, extents);
    long[] all = LongStream.concat(LongStream.of(samples), LongStream.of(extents)).toArray();
    try (Hdf5Dataset dataset =
        file.createDataset(group + "/samples", type, all, DatasetOptions.CONTIGUOUS)) {
      int most = Math.max(1, PART / size);
      for (int s = 0; s < samples; s += most) {
        int count = Math.min(most, samples - s);
        double[] part = new double[count * size];
        Arrays.fill(part, Double.NaN);
        for (int k = 0; k < parts * at.length; k++) {
          Object cell = rows.get(k / parts).cells.get(first + k % parts);
          double[] of = cell instanceof Estimate e ? e.samples() : new double[0];
          for (int n = 0; n < count && s + n < of.length; n++) {
            part[n * size + parts * at[k / parts] + k % parts] = of[s + n];
          }
        }
        long[] start = new long[all.length];
        start[0] = s;
        all[0] = count;
        dataset.write(start, all, part);
      }
    }
  }

  /** Writes a data set. */
  public static void write(
      Hdf5File file, String name, ElementType type, double[] values, long... extents) {
    try (Hdf5Dataset dataset = file.createDataset(name, type, extents, DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(values);
    }
  }

  /**
   * Puts an attribute: a number, a list of integers or of words, or a word; lists of lists none.
   */
  public static void put(Hdf5Attributes attributes, String key, Object value) {
    if (value instanceof List<?> list && list.stream().allMatch(one -> one instanceof Integer)) {
      attributes.put(key, list.stream().mapToLong(one -> (Integer) one).toArray());
    } else if (value instanceof List<?> list) {
      if (list.stream().noneMatch(one -> one instanceof List)) {
        attributes.put(key, list.stream().map(String::valueOf).toList());
      }
    } else if (value instanceof Boolean flag) {
      attributes.put(key, flag ? 1 : 0);
    } else if (value instanceof Number number && !(value instanceof Double)) {
      attributes.put(key, number.longValue());
    } else if (value instanceof Double number) {
      attributes.put(key, number);
    } else {
      attributes.put(key, String.valueOf(value));
    }
  }

  /** Nested maps by the parts of names, such as {@code gevp/eigenvalues}. */
  static Map<String, Object> tree(List<Table> tables) {
    Map<String, Object> tree = new LinkedHashMap<>();
    for (Table table : tables) {
      Map<String, Object> map = tree;
      String[] parts = table.name.split("/");
      for (int k = 0; k + 1 < parts.length; k++) {
        @SuppressWarnings("unchecked") // only tables are no maps, and no name begins another
        Map<String, Object> next =
            (Map<String, Object>)
                map.computeIfAbsent(parts[k], x -> new LinkedHashMap<String, Object>());
        map = next;
      }
      if (!table.name.isEmpty()) {
        map.put(parts[parts.length - 1], table.json());
      }
    }
    return tree;
  }
}
