package org.starlingqcd.analysis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultFixture;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** The page of {@code --report}. */
final class ReportTest {
  @TempDir private Path folder;

  private Path report() {
    Path page = folder.resolve("pages/rho <&>.html");
    Cli cli =
        Cli.run(
            "analyze",
            ResultFixture.reference("rho_pipi.h5").toString(),
            ResultFixture.reference("pion.h5").toString(),
            "--t0",
            "1",
            "--fit",
            "--report",
            page.toString());
    assertEquals(0, cli.status(), cli.err());
    assertTrue(cli.out().contains("wrote " + page), cli.out());
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
    assertEquals(2 * 7, document.getElementsByTagName("table").getLength());
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
    assertTrue(page.contains("rho &lt;&amp;&gt;.html'</code>"), page);
    assertTrue(page.contains("jackknife over 2 bins"), page);
  }

  @Test
  void place_thatCannotBeUsed_isOneMessage() {
    Cli cli =
        Cli.run(
            "analyze",
            ResultFixture.reference("pion.h5").toString(),
            "--report",
            folder.toString());
    assertEquals(2, cli.status());
    assertTrue(cli.err().contains("is a folder; --report needs the name of a file"), cli.err());
  }

  /** A browser shows the plots and the tables of the page. */
  @Test
  @Tag("slow")
  void page_isShownByABrowser() throws IOException, InterruptedException {
    Path chromium = Path.of("/usr/bin/chromium");
    Assumptions.assumeTrue(
        Files.isExecutable(chromium), chromium + " is not installed, so no browser is asked");
    Path dom = folder.resolve("dom.html");
    Process browser =
        new ProcessBuilder(
                List.of(
                    chromium.toString(),
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--user-data-dir=" + folder.resolve("profile"),
                    "--dump-dom",
                    report().toUri().toString()))
            .redirectOutput(dom.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertTrue(browser.waitFor(60, TimeUnit.SECONDS), "the browser does not end");
    String shown = Files.readString(dom, StandardCharsets.UTF_8);
    assertEquals(8, shown.split("<svg", -1).length - 1);
    assertEquals(2 * 7, shown.split("<table", -1).length - 1);
  }
}
