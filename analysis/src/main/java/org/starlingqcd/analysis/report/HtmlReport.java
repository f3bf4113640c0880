package org.starlingqcd.analysis.report;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.analysis.AnalysisPlots;
import org.starlingqcd.analysis.AnalysisTable;
import org.starlingqcd.analysis.CorrelatorAnalysis;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.Estimate;
import org.starlingqcd.analysis.FitResults;
import org.starlingqcd.analysis.FitTable;
import org.starlingqcd.analysis.UncertainNumber;
import org.starlingqcd.analysis.fit.Autocorrelation;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.Version;
import org.starlingqcd.correlators.WholeFile;

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
      Path file, List<CorrelatorAnalysis> analyses, List<String> command, List<Path> files) {
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
      WholeFile.write(file, text);
    } catch (IOException e) {
      String reason =
          e instanceof FileSystemException system && system.getReason() != null
              ? system.getReason()
              : String.valueOf(e.getMessage());
      throw new ComputationException(file + ": cannot be written: " + reason, e);
    }
    return file;
  }

  private String text(List<CorrelatorAnalysis> analyses, List<String> command, List<Path> files) {
    String title =
        String.join(", ", analyses.stream().map(analysis -> analysis.data().name()).toList())
            + " on "
            + analyses.get(0).data().ensemble();
    page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    page.append(escaped(title)).append("</title>\n<style>\n").append(STYLE);
    page.append("</style>\n</head>\n<body>\n");
    element("h1", title);
    analyses.forEach(this::analysis);
    made(analyses, command, files);
    return page.append("</body>\n</html>\n").toString();
  }

  private void analysis(CorrelatorAnalysis analysis) {
    element("h2", analysis.data().name());
    element("p", AnalysisTable.heading(analysis));
    for (String warning : analysis.warnings()) {
      page.append("<p class=\"warning\">").append(escaped(warning)).append("</p>\n");
    }
    for (String svg : AnalysisPlots.svg(analysis)) {
      page.append("<figure>\n").append(inline(svg)).append("\n</figure>\n");
    }
    FitResults fits = analysis.fits();
    if (fits != null) {
      energies("energies of the correlators", fits, fits.correlators());
      energies("energies of the eigenvalues", fits, fits.eigenvalues());
    }
    for (AnalysisTable.Block block : AnalysisTable.blocks(analysis)) {
      List<String> headings = new ArrayList<>(List.of("dt"));
      block.columns().forEach(column -> headings.add(column.heading()));
      List<List<String>> rows = new ArrayList<>();
      for (int t = 0; t < block.separations().size(); t++) {
        List<String> row = new ArrayList<>(List.of(Integer.toString(block.separations().get(t))));
        for (AnalysisTable.Column column : block.columns()) {
          row.add(UncertainNumber.text(column.values().apply(t)));
        }
        rows.add(row);
      }
      table(block.title(), headings, rows);
    }
    if (fits != null) {
      autocorrelations(analysis.data(), fits);
    }
  }

  private void energies(String title, FitResults fits, List<FitResults.EnergyFit> all) {
    if (!all.isEmpty()) {
      table(
          title + ": " + FitTable.method(fits),
          FitTable.headings(),
          all.stream().map(FitTable::row).toList());
    }
  }

  private void autocorrelations(CorrelatorData data, FitResults fits) {
    List<String> headings = new ArrayList<>(List.of("dt"));
    headings.addAll(data.operators());
    List<List<String>> rows = new ArrayList<>();
    for (int t = 0; t < data.separations().size(); t++) {
      List<String> row = new ArrayList<>(List.of(Integer.toString(data.separations().get(t))));
      for (List<Autocorrelation> operator : fits.autocorrelations()) {
        Autocorrelation time = operator.get(t);
        row.add(UncertainNumber.text(new Estimate(time.time(), time.error(), new double[0], "")));
      }
      rows.add(row);
    }
    table("integrated autocorrelation times; suggested bin size " + fits.binSize(), headings, rows);
  }

  private void made(List<CorrelatorAnalysis> analyses, List<String> command, List<Path> files) {
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
    for (Path file : files) {
      entry("file", file.toString());
    }
    for (CorrelatorAnalysis analysis : analyses) {
      CorrelatorData data = analysis.data();
      List<CorrelatorData.Configuration> all = data.configurations();
      String numbers =
          all.size() + ", from " + all.get(0).number() + " to " + all.get(all.size() - 1).number();
      entry(
          data.name(),
          "configurations: "
              + numbers
              + (data.temporalExtent().isPresent()
                  ? "; T = " + data.temporalExtent().getAsInt()
                  : "")
              + "; bins of "
              + analysis.binSize()
              + (analysis.connected() ? "; the vacuum is subtracted" : ""));
    }
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

  private void table(String title, List<String> headings, List<List<String>> rows) {
    element("h3", title);
    page.append("<div class=\"wide\"><table>\n<tr>");
    headings.forEach(heading -> page.append("<th>").append(escaped(heading)).append("</th>"));
    page.append("</tr>\n");
    for (List<String> row : rows) {
      page.append("<tr>");
      row.forEach(cell -> page.append("<td>").append(escaped(cell)).append("</td>"));
      page.append("</tr>\n");
    }
    page.append("</table></div>\n");
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
