package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.cli.Cli.words;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultFixture;
import org.starlingqcd.hadron.text.Printable;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** The page of {@code --report}. */
final class ReportTest {
  /** Pixels that a browser may take from the height of its window for bars of its own. */
  private static final int BROWSER_BAR = 120;

  private static final List<String> BROWSERS =
      List.of("chromium", "chromium-browser", "google-chrome");

  @TempDir private Path folder;

  private Path report() {
    Path page = folder.resolve("pages/rho <&>\u001b[2J.html");
    Cli.run(
            words(
                "analyze %s %s --t0 1 --fit --report %s",
                ResultFixture.reference("rho_pipi.h5"), ResultFixture.reference("pion.h5"), page))
        .ok()
        .prints("wrote " + Printable.of(page.toString()));
    return page;
  }

  @Test
  void page_isWellFormed_andLoadsNothing() throws Exception {
    String page = Files.readString(report());
    // The page is also XML, but for the two elements that HTML does not close.
    String xml = page.replace("<!DOCTYPE html>", "").replace("\"utf-8\">", "\"utf-8\"/>");
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(xml)));
    // Correlator, effective mass, eigenvalues and their masses of two results; no fit succeeds.
    assertEquals(8, document.getElementsByTagName("svg").getLength());
    assertEquals(2 * 8, document.getElementsByTagName("table").getLength());
    assertFalse(Pattern.compile("(src|href)=\"[^#]|@import|<script|<link").matcher(page).find());
    Set<String> names = new HashSet<>();
    Matcher ids = Pattern.compile(" id=\"([^\"]*)\"").matcher(page);
    while (ids.find()) {
      assertTrue(names.add(ids.group(1)), ids.group(1));
    }
    Matcher uses = Pattern.compile("url\\(#([^)]*)\\)").matcher(page);
    while (uses.find()) {
      assertTrue(names.contains(uses.group(1)), uses.group(1));
    }
    assertTrue(page.contains("<code>starling analyze "), page);
    assertTrue(page.contains("rho &lt;&amp;&gt;\\u001b[2J.html'</code>"), page);
    assertTrue(page.contains("jackknife over 2 bins"), page);
    // Energies, links to plots and tables, then these.
    int energies = page.indexOf("<h3>energies of the eigenvalues");
    int links = page.indexOf("<a href=\"#at-rho_pipi-eigenvalue_mass\">eigenvalue mass</a>");
    assertTrue(0 < energies && energies < links && links < page.indexOf("<svg"), page);
    assertTrue(page.indexOf("<svg") < page.indexOf("<h3>overlaps"), page);
    Matcher to = Pattern.compile("href=\"#([^\"]*)\"").matcher(page);
    while (to.find()) {
      assertTrue(names.contains(to.group(1)), to.group(1));
    }
  }

  @Test
  void place_thatCannotBeUsed_isOneMessage() {
    Cli.run(words("analyze %s --report %s", ResultFixture.reference("pion.h5"), folder))
        .refused("is a folder; --report needs the name of a file");
  }

  /** A browser shows the plots and the tables of the page. */
  @Test
  @Tag("slow")
  void page_isShownByABrowser() throws IOException, InterruptedException {
    Path dom = folder.resolve("dom.html");
    browse(dom, "--dump-dom", report().toUri().toString());
    String shown = Files.readString(dom, StandardCharsets.UTF_8);
    assertEquals(8, shown.split("<svg", -1).length - 1);
    assertEquals(2 * 8, shown.split("<table", -1).length - 1);
  }

  /**
   * Points and error bars stand where the PNG has them: wherever one picture is coloured, the other
   * is too, within a few pixels.
   */
  @Test
  @Tag("slow")
  void svg_isShownByABrowser_asThePng() throws IOException, InterruptedException {
    Cli.run(
            words(
                "analyze %s --formats png,svg --out %s",
                ResultFixture.reference("rho_pipi.h5"), folder))
        .ok();
    for (String plot : List.of("rho_pipi_correlator", "rho_pipi_effective_mass")) {
      BufferedImage png = ImageIO.read(folder.resolve(plot + ".png").toFile());
      Path screenshot = folder.resolve("screenshot.png");
      // The body of a page has a margin; an SVG by itself has none.
      browse(
          folder.resolve("out"),
          "--hide-scrollbars",
          "--window-size=" + png.getWidth() + "," + (png.getHeight() + BROWSER_BAR),
          "--screenshot=" + screenshot,
          folder.resolve(plot + ".svg").toUri().toString());
      BufferedImage shown = ImageIO.read(screenshot.toFile());
      long drawn = coloured(png).count();
      assertTrue(drawn > 500, plot + " has colour at " + drawn);
      assertTrue(alone(png, shown) < 0.02 * drawn, plot + ": the SVG lacks something");
      assertTrue(
          alone(shown, png) < 0.02 * coloured(shown).count(), plot + ": the SVG has too much");
    }
  }

  private static boolean isColoured(BufferedImage image, int x, int y) {
    if (x < 0 || y < 0 || x >= image.getWidth() || y >= image.getHeight()) {
      return false;
    }
    Color color = new Color(image.getRGB(x, y));
    int most = Math.max(color.getRed(), Math.max(color.getGreen(), color.getBlue()));
    int least = Math.min(color.getRed(), Math.min(color.getGreen(), color.getBlue()));
    return most - least > 40;
  }

  /** The coloured pixels of a picture. */
  private static IntStream coloured(BufferedImage image) {
    return IntStream.range(0, image.getWidth() * image.getHeight())
        .filter(k -> isColoured(image, k % image.getWidth(), k / image.getWidth()));
  }

  /** How many of them have none of another picture within a few pixels. */
  private static long alone(BufferedImage image, BufferedImage other) {
    int near = 4;
    int side = 2 * near + 1;
    int width = image.getWidth();
    return coloured(image)
        .filter(
            k ->
                IntStream.range(0, side * side)
                    .noneMatch(
                        d ->
                            isColoured(
                                other, k % width + d % side - near, k / width + d / side - near)))
        .count();
  }

  /** Runs the browser, or skips the test where there is none. */
  private void browse(Path output, String... arguments) throws IOException, InterruptedException {
    Path chromium =
        BROWSERS.stream()
            .map(name -> Path.of("/usr/bin", name))
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
    Assumptions.assumeTrue(
        chromium != null, "none of " + BROWSERS + " is in /usr/bin, so no browser is asked");
    List<String> command =
        new ArrayList<>(
            List.of(
                String.valueOf(chromium),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + folder.resolve("profile")));
    command.addAll(List.of(arguments));
    Process browser =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertTrue(browser.waitFor(120, TimeUnit.SECONDS), "the browser does not end");
  }
}
