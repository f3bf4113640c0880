package org.starlingqcd.analysis;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.AtomicFile;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.Version;
import org.starlingqcd.hadron.text.Printable;

/**
 * One page with the energies of an analysis, its plots, its tables, and how it was made. It loads
 * nothing: plots are SVG elements of the page, and there is no script.
 */
public final class HtmlReport {
  private static final String STYLE =
      """
      body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }
      h1 { font-size: 1.5em; } h2 { font-size: 1.2em; margin-top: 2em; border-bottom: 1px solid #ccc; }
      h3 { font-size: 1em; margin-bottom: 0.3em; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
      th, td { padding: 0.15em 0.8em; text-align: right; border-bottom: 1px solid #eee; }
      th:first-child, td:first-child { padding-left: 0; }
      dt { font-weight: bold; } dd { margin: 0 0 0.5em 1.5em; }
      .wide { overflow-x: auto; } .warning { background: #fff3d6; padding: 0.5em; }
      svg { max-width: 100%; height: auto; } code { overflow-wrap: anywhere; }
      .bar { background: linear-gradient(#bcd9ee, #bcd9ee) no-repeat left; }
      @media print { body { max-width: none; } svg, table { break-inside: avoid; } }
      """;

  private final StringBuilder page = new StringBuilder();
  private final AnalysisPlot.@Nullable Range range;
  private int plots;

  private HtmlReport(AnalysisPlot.@Nullable Range range) {
    this.range = range;
  }

  /**
   * Writes the page, replacing one that exists.
   *
   * @param command the command line that asked for it
   * @param files the files that were analysed
   * @param range of the vertical axes of plots that are not logarithmic; null: that of the points
   * @return the file
   * @throws InputException when the place is a folder or lies in none
   * @throws ComputationException when it cannot be written or a plot cannot be drawn
   */
  public static Path write(
      Path file,
      List<? extends Analysis> analyses,
      List<String> command,
      List<Path> files,
      AnalysisPlot.@Nullable Range range) {
    if (Files.isDirectory(file)) {
      throw new InputException(file + ": is a folder; --report needs the name of a file");
    }
    Path folder = file.toAbsolutePath().getParent();
    String text = new HtmlReport(range).text(analyses, command, files);
    if (folder == null) {
      throw new InputException(file + ": is no file in a folder");
    }
    AnalysisOutput.write(
        file,
        () -> {
          Files.createDirectories(folder);
          AtomicFile.write(file, text);
        });
    return file;
  }

  private String text(List<? extends Analysis> analyses, List<String> command, List<Path> files) {
    String title =
        String.join(", ", analyses.stream().map(Analysis::name).toList())
            + " on "
            + analyses.get(0).head().ensemble();
    add(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n",
        title);
    page.append("<style>\n").append(STYLE);
    add("</style>\n</head>\n<body>\n<h1>%s</h1>\n", title);
    analyses.forEach(this::analysis);
    made(analyses, command, files);
    return page.append("</body>\n</html>\n").toString();
  }

  /** Energies first, then links to all plots and tables, then these. */
  private void analysis(Analysis analysis) {
    add("<h2>%s</h2>\n<p>%s</p>\n", analysis.name(), analysis.heading());
    analysis.warnings().forEach(warning -> add("<p class=\"warning\">%s</p>\n", warning));
    tables(analysis, true);
    StringBuilder drawn = new StringBuilder();
    page.append("<p>");
    analysis
        .plots()
        .forEach(
            (name, plot) -> {
              if (!plot.isEmpty()) {
                byte[] svg = plot.encoded("the report", "svg", range);
                String id = link(analysis.name() + "-" + name, name);
                drawn.append("<figure id=\"").append(id).append("\">\n");
                drawn.append(inline(new String(svg, StandardCharsets.UTF_8)));
                drawn.append("\n</figure>\n");
              }
            });
    link(analysis.name() + "-tables", "tables");
    page.append("</p>\n").append(drawn);
    add("<div id=\"%s\">\n", id(analysis.name() + "-tables"));
    tables(analysis, false);
    page.append("</div>\n");
  }

  private void tables(Analysis analysis, boolean ofEnergies) {
    for (Table table : analysis.tables()) {
      if (table.isOfEnergies() == ofEnergies) {
        table.shown().forEach(this::table);
      }
    }
  }

  /** Adds a link to a part of the page; returns the part's name. */
  private String link(String to, String text) {
    add("<a href=\"#%s\">%s</a> ", id(to), text.replace('_', ' '));
    return id(to);
  }

  private static String id(String text) {
    return "at-" + AnalysisOutput.fileName(text);
  }

  private void made(List<? extends Analysis> analyses, List<String> command, List<Path> files) {
    add("<h2>How it was made</h2>\n<dl>\n");
    entry("program", "Starling " + Version.text());
    entry(
        "time",
        ZonedDateTime.now(ZoneOffset.UTC)
            .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT)));
    add(
        "<dt>command</dt><dd><code>%s</code></dd>\n",
        String.join(" ", command.stream().map(HtmlReport::quoted).toList()));
    entry("folder", Path.of("").toAbsolutePath().toString());
    files.forEach(file -> entry("file", file.toString()));
    analyses.forEach(analysis -> entry(analysis.name(), analysis.statistics()));
    page.append("</dl>\n");
  }

  /** An argument as a shell takes it. */
  private static String quoted(String argument) {
    return argument.matches("[A-Za-z0-9_./,:=@%+-]+")
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }

  private void entry(String name, String value) {
    add("<dt>%s</dt><dd>%s</dd>\n", name, value);
  }

  /** Adds a template, the values escaped. */
  @SuppressWarnings("AnnotateFormatMethod")
  private void add(String template, String... values) {
    page.append(template.formatted(Arrays.stream(values).map(HtmlReport::escaped).toArray()));
  }

  private void table(Table.Shown table) {
    add("<h3>%s</h3>\n<div class=\"wide\"><table>\n<tr>", table.title());
    table.headings().forEach(heading -> add("<th>%s</th>", heading));
    add("</tr>\n");
    for (List<Object> cells : table.rows()) {
      if (table.title().equals(CorrelatorAnalysis.OVERLAPS)) {
        bars(cells);
      } else {
        add("<tr>");
        cells.forEach(cell -> add("<td>%s</td>", Table.text(cell)));
        add("</tr>\n");
      }
    }
    page.append("</table></div>\n");
    table.remarks().forEach(remark -> add("<p>%s</p>\n", remark));
  }

  /** A row of numbers with bars, the longest for the largest of them. */
  private void bars(List<Object> cells) {
    double largest = cells.stream().mapToDouble(HtmlReport::value).max().orElse(0);
    add("<tr><td>%s</td>", Table.text(cells.get(0)));
    for (Object cell : cells.subList(1, cells.size())) {
      long percent = largest > 0 ? Math.round(100 * value(cell) / largest) : 0;
      String size = percent + "% 100%";
      add("<td class=\"bar\" style=\"background-size: %s\">%s</td>", size, Table.text(cell));
    }
    add("</tr>\n");
  }

  private static double value(Object cell) {
    return cell instanceof Estimate e && e.isDefined() ? e.value() : 0;
  }

  /** An SVG document as an element; its names get a prefix, since all plots share the page. */
  private String inline(String svg) {
    String prefix = "plot" + plots++ + "-";
    return svg.substring(svg.indexOf("<svg"))
        .replaceAll(" id=\"", " id=\"" + prefix)
        .replaceAll("url\\(#", "url(#" + prefix)
        .replaceAll("href=\"#", "href=\"#" + prefix);
  }

  private static String escaped(String text) {
    return Printable.of(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
