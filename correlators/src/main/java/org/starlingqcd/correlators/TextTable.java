package org.starlingqcd.correlators;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.hadron.text.Printable;

/**
 * A table for people: columns are aligned, and a table that is wider than the terminal is cut into
 * blocks of columns, each with the first column in front.
 */
public final class TextTable {
  /** The launcher passes the width of the terminal; output to a file or a pipe is never cut. */
  private static final String COLUMNS = "starling.output.columns";

  private static final String GAP = "  ";

  /** Where the cells of the first column are aligned; those of the others end on the right. */
  public enum FirstColumn {
    /** Text. */
    LEFT,
    /** Numbers. */
    RIGHT
  }

  private final FirstColumn first;
  private final String indent;
  private final List<List<String>> columns = new ArrayList<>();

  /**
   * Creates a table without rows.
   *
   * @param indent stands before every line
   * @param headings one for each column
   */
  public TextTable(FirstColumn first, String indent, List<String> headings) {
    this.first = first;
    this.indent = indent;
    for (String heading : headings) {
      columns.add(new ArrayList<>(List.of(Printable.of(heading))));
    }
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if it has not one cell for each column
   */
  public void row(List<String> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          "cells must be == columns: cells=" + cells.size() + ", columns=" + columns.size());
    }
    for (int k = 0; k < cells.size(); k++) {
      columns.get(k).add(Printable.of(cells.get(k)));
    }
  }

  /** The table, cut into blocks if it is wider than the terminal. */
  @Override
  public String toString() {
    return text(Integer.getInteger(COLUMNS, Integer.MAX_VALUE));
  }

  /** The table, cut into blocks of at most {@code width} characters where a column fits. */
  String text(int width) {
    StringBuilder text = new StringBuilder();
    int from = 1;
    do {
      int used = indent.length() + width(0);
      int to = from;
      while (to < columns.size() && (to == from || used + GAP.length() + width(to) <= width)) {
        used += GAP.length() + width(to);
        to++;
      }
      if (from > 1) {
        text.append(System.lineSeparator());
      }
      block(text, from, to);
      from = to;
    } while (from < columns.size());
    return text.toString();
  }

  private void block(StringBuilder text, int from, int to) {
    for (int row = 0; row < columns.get(0).size(); row++) {
      StringBuilder line = new StringBuilder(indent);
      String key = columns.get(0).get(row);
      String space = " ".repeat(width(0) - key.length());
      line.append(first == FirstColumn.LEFT ? key + space : space + key);
      for (int k = from; k < to; k++) {
        String cell = columns.get(k).get(row);
        line.append(GAP).append(" ".repeat(width(k) - cell.length())).append(cell);
      }
      text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
  }

  private int width(int column) {
    return columns.get(column).stream().mapToInt(String::length).max().orElse(0);
  }
}
