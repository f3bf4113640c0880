package org.starlingqcd.analysis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.correlators.AtomicFile;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.Version;

/**
 * One page with the plots of an analysis, its tables, and how it was made. It loads nothing: plots
 * are SVG elements of the page, and there is no script.
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
  private int plots;

  private HtmlReport() {}

  /**
   * Writes the page, replacing one that exists.
   *
   * @param command the command line that asked for it
   * @param files the files that were analysed
   * @return the file
   * @throws InputException when the place is a folder or lies in none
   * @throws ComputationException when it cannot be written or a plot cannot be drawn
   */
  public static Path write(
      Path file, List<? extends Analysis> analyses, List<String> command, List<Path> files) {
    if (Files.isDirectory(file)) {
      throw new InputException(file + ": is a folder; --report needs the name of a file");
    }
    Path folder = file.toAbsolutePath().getParent();
    String text = new HtmlReport().text(analyses, command, files);
    try {
      if (folder == null) {
        throw new InputException(file + ": is no file in a folder");
      }
      Files.createDirectories(folder);
      AtomicFile.write(file, text);
    } catch (IOException e) {
      throw new ComputationException(file + ": cannot be written: " + AnalysisOutput.reason(e), e);
    }
    return file;
  }

  private String text(List<? extends Analysis> analyses, List<String> command, List<Path> files) {
    String title =
        String.join(", ", analyses.stream().map(Analysis::name).toList())
            + " on "
            + analyses.get(0).head().ensemble();
    page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    page.append(escaped(title)).append("</title>\n<style>\n").append(STYLE);
    page.append("</style>\n</head>\n<body>\n");
    element("h1", title);
    analyses.forEach(this::analysis);
    made(analyses, command, files);
    return page.append("</body>\n</html>\n").toString();
  }

  private void analysis(Analysis analysis) {
    element("h2", analysis.name());
    element("p", analysis.heading());
    for (String warning : analysis.warnings()) {
      page.append("<p class=\"warning\">").append(escaped(warning)).append("</p>\n");
    }
    for (AnalysisPlot plot : analysis.plots().values()) {
      if (!plot.isEmpty()) {
        String svg = new String(plot.encoded("the report", "svg"), StandardCharsets.UTF_8);
        page.append("<figure>\n").append(inline(svg)).append("\n</figure>\n");
      }
    }
    analysis.pageTables().forEach(this::table);
  }

  private void made(List<? extends Analysis> analyses, List<String> command, List<Path> files) {
    element("h2", "How it was made");
    page.append("<dl>\n");
    entry("program", "Starling " + Version.text());
    entry(
        "time",
        ZonedDateTime.now(ZoneOffset.UTC)
            .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT)));
    page.append("<dt>command</dt><dd><code>")
        .append(escaped(String.join(" ", command.stream().map(HtmlReport::quoted).toList())))
        .append("</code></dd>\n");
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
    page.append("<dt>").append(escaped(name)).append("</dt><dd>").append(escaped(value));
    page.append("</dd>\n");
  }

  private void element(String name, String text) {
    page.append('<').append(name).append('>').append(escaped(text));
    page.append("</").append(name).append(">\n");
  }

  private void table(Table table) {
    element("h3", table.title());
    page.append("<div class=\"wide\"><table>\n");
    row("th", table.headings());
    if (table.title().equals(Table.OVERLAPS)) {
      table.rows().forEach(this::bars);
    } else {
      table.rows().forEach(row -> row("td", row));
    }
    page.append("</table></div>\n");
  }

  /** A row of numbers such as 1.23(4) with bars, the longest for the largest of them. */
  private void bars(List<String> cells) {
    double[] values =
        cells.stream()
            .skip(1)
            .mapToDouble(
                cell ->
                    cell.equals("-") ? 0 : Double.parseDouble(cell.replaceAll("\\([^)]*\\)", "")))
            .toArray();
    double largest = Arrays.stream(values).max().orElse(0);
    page.append("<tr><td>").append(escaped(cells.get(0))).append("</td>");
    for (int k = 0; k < values.length; k++) {
      long percent = largest > 0 ? Math.round(100 * values[k] / largest) : 0;
      page.append("<td class=\"bar\" style=\"background-size: ").append(percent);
      page.append("% 100%\">").append(escaped(cells.get(k + 1))).append("</td>");
    }
    page.append("</tr>\n");
  }

  private void row(String element, List<String> cells) {
    String end = "</" + element + ">";
    page.append("<tr>");
    cells.forEach(cell -> page.append("<" + element + ">").append(escaped(cell)).append(end));
    page.append("</tr>\n");
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
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
