package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.style.XYStyler;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.w3c.dom.Document;

final class AnalysisOutputTest {
  @TempDir private Path folder;

  private static CorrelatorAnalysis analysis(Resampling.Method method) {
    AnalysisSettings options = new AnalysisSettings();
    options.method = method;
    options.samples = 7;
    options.seed = 3;
    options.masses = EnumSet.allOf(EffectiveMass.class);
    options.t0 = "1";
    return CorrelatorAnalysis.of(FormulaData.data(), options);
  }

  @Test
  void text_showsValuesWithErrors() {
    String text = Table.text(analysis(Resampling.Method.JACKKNIFE));
    assertEquals(
        "formula on ensemble: 5 configurations, 10 sources in all, jackknife over 5 bins",
        text.lines().findFirst().orElseThrow());
    // Numbers as in ResampledCorrelatorTest and PrincipalCorrelatorsTest, by numpy.
    assertTrue(text.contains("     2  0.4804(43)  0.2280(34)\n"), text);
    assertTrue(text.contains("  effective mass (log)\n"), text);
    assertTrue(text.contains("     1   0.436(11)   0.781(18)\n"), text);
    assertTrue(text.contains("  eigenvalues, t0 = 1, states numbered at 2\n"), text);
    assertTrue(text.contains("     2  0.6738(99)  0.419(11)\n"), text);
  }

  @Test
  void csv_holdsEveryNumber() {
    List<String> lines = Table.csv(analysis(Resampling.Method.JACKKNIFE).tables()).lines().toList();
    assertEquals("quantity,separation,sink,source,operator,state,value,error,remark", lines.get(0));
    // Correlator 4 x 4 x 2, masses 3 x 2 x 2 kinds, eigenvalues 4 x 2, their masses 3 x 2 x 2,
    // eigenvectors 4 x 2 x 2 x 2, overlaps 2 x 2.
    assertEquals(1 + 32 + 12 + 8 + 12 + 32 + 4, lines.size());
    String line =
        lines.stream()
            .filter(l -> l.startsWith("effective_mass/log,1,,,a,,"))
            .findFirst()
            .orElseThrow();
    String[] cells = line.split(",", -1);
    assertEquals(0.4361052195736684, Double.parseDouble(cells[6]), 1e-14);
    assertEquals(0.01082667768275858, Double.parseDouble(cells[7]), 1e-14);
  }

  @Test
  void csv_quotesNamesWithCommas() {
    CorrelatorData named =
        FormulaData.data("x", List.of("a, \"b\"", "c"), OptionalInt.of(FormulaData.EXTENT));
    String csv = Table.csv(CorrelatorAnalysis.of(named, FormulaData.OPTIONS).tables());
    assertTrue(csv.contains("\ncorrelator/re,0,\"a, \"\"b\"\"\",c,,"), csv);
  }

  @Test
  void json_holdsTheSameNumbersAndNullForWhatIsUndefined() throws Exception {
    JsonNode node = new ObjectMapper().valueToTree(analysis(Resampling.Method.BOOTSTRAP).json());
    assertEquals("bootstrap", node.get("resampling").asText());
    assertEquals(7, node.get("samples").asInt());
    assertEquals(16, node.get("correlator").size());
    // Two operators at 0, 1 and 2.
    JsonNode undefined = node.get("effective_mass").get("cosh").get(4);
    // 2 and 4 lie symmetrically to T/2 = 3.
    assertTrue(undefined.get("value").isNull());
    assertEquals("2 and 4 lie symmetrically to T/2 = 3.0", undefined.get("remark").asText());
    assertEquals(1, node.get("t0").asInt());
    assertEquals(8, node.get("gevp").get("eigenvalues").size());
    assertEquals(16, node.get("gevp").get("eigenvectors").size());
  }

  @Test
  void plots_arePngAndSvg() throws Exception {
    List<Path> written =
        AnalysisOutput.write(
            folder,
            Set.of(AnalysisOutput.Format.PNG, AnalysisOutput.Format.SVG),
            List.of(analysis(Resampling.Method.JACKKNIFE)),
            null);
    assertEquals(
        Stream.of("correlator", "effective_mass", "eigenvalues", "eigenvalue_mass")
            .flatMap(plot -> Stream.of("formula_" + plot + ".png", "formula_" + plot + ".svg"))
            .toList(),
        written.stream().map(p -> String.valueOf(p.getFileName())).toList());
    for (Path file : written) {
      if (file.toString().endsWith(".png")) {
        BufferedImage image = ImageIO.read(file.toFile());
        assertEquals(900, image.getWidth());
        assertTrue(countColours(image) > 3, "more than a frame: " + file);
      } else {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        Document svg = factory.newDocumentBuilder().parse(file.toFile());
        assertEquals("svg", svg.getDocumentElement().getTagName());
        // Three or more points of the first series and its legend entry.
        assertTrue(discs(Files.readString(file)) >= 4, file.toString());
      }
    }
  }

  /** Discs, as the symbols of first series are. */
  private static int discs(String svg) {
    return svg.split("<(circle|ellipse) ", -1).length - 1;
  }

  private static long countColours(BufferedImage image) {
    return Arrays.stream(
            image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()))
        .distinct()
        .count();
  }

  @Test
  void plotOnALogAxis_leavesOutWhatIsNotPositive() throws Exception {
    AnalysisPlot plot = new AnalysisPlot("title", "y", true);
    plot.add(curve("negative", estimate(-1, 0.1)));
    assertTrue(plot.isEmpty());
    // An error that reaches below zero, none, and no value.
    double nan = Double.NaN;
    plot.add(curve("same label", estimate(1, 2), estimate(1e-3, nan), estimate(nan, nan)));
    plot.add(curve("same label", estimate(0.5, 0.1)));
    Path file = folder.resolve("plot.png");
    Files.write(file, plot.encoded(file, "png", null));
    assertTrue(Files.size(file) > 1000);
  }

  /** A single configuration once gave an empty plot whose axis ended at -2E308. */
  @Test
  void plotWithoutErrors_showsEveryPointHollow() throws Exception {
    AnalysisPlot plot = new AnalysisPlot("title", "y", false);
    plot.add(curve("one", estimate(1.25, Double.NaN), estimate(1.5, Double.NaN)));
    plot.add(curve("other", estimate(1.75, Double.NaN)));
    Path file = folder.resolve("plot.svg");
    Files.write(file, plot.encoded(file, "svg", null));
    String svg = Files.readString(file);
    // The symbols of the first series and its legend entry: a white disc and its outline each.
    assertEquals(6, discs(svg), svg);
    double least = plot.chart().getStyler().getYAxisMin();
    double most = plot.chart().getStyler().getYAxisMax();
    assertTrue(least > 1 && least < 1.25 && most > 1.75 && most < 2, least + " to " + most);
  }

  private static Curve curve(String label, Estimate... points) {
    return Curve.of(label, IntStream.range(0, points.length).boxed().toList(), t -> points[t]);
  }

  @Test
  void plotTogether_needsNoEigenvalues() throws Exception {
    CorrelatorData other =
        FormulaData.data("other", List.of("a", "b"), OptionalInt.of(FormulaData.EXTENT));
    CorrelatorAnalysis plain = CorrelatorAnalysis.of(other, FormulaData.OPTIONS);
    List<Path> written =
        AnalysisOutput.write(
            folder,
            Set.of(AnalysisOutput.Format.SVG),
            List.of(plain, analysis(Resampling.Method.JACKKNIFE)),
            null);
    assertEquals(folder.resolve("effective_masses.svg"), written.get(written.size() - 1));
  }

  @Test
  void file_holdsMeansErrorsAndSamples() {
    Path path = folder.resolve("formula_analysis.h5");
    CorrelatorAnalysis analysis = analysis(Resampling.Method.JACKKNIFE);
    analysis.write(path);
    try (Hdf5File file = Hdf5File.open(path)) {
      assertEquals("correlator_analysis", file.attributes("/").string("format"));
      assertEquals(List.of("a", "b"), file.attributes("/").strings("operators"));
      assertArrayEquals(
          new long[] {1, 2, 3, 4, 5}, file.attributes("/").integers("configurations"));
      assertEquals(6, file.attributes("/").integer("temporal_extent"));
      assertEquals("jackknife", file.attributes("/").string("resampling"));
      assertFalse(file.exists("multiplicities"));
      double[][] all = analysis.correlator().all();
      assertArrayEquals(all[0], Written.numbers(file, "correlator/mean", 4, 2, 2));
      double[] samples = Written.numbers(file, "correlator/samples", 5, 4, 2, 2);
      assertArrayEquals(all[3], Arrays.copyOfRange(samples, 2 * 32, 3 * 32));
      double[] masses = Written.numbers(file, "effective_mass/log/samples", 5, 3, 2);
      Estimate mass = analysis.tables().get(2).curves(0).get(1).points().get(1);
      assertEquals(mass.samples()[4], masses[(4 * 3 + 1) * 2 + 1]);
      assertArrayEquals(
          new long[] {0, 1, 2}, file.attributes("effective_mass/log").integers("separations"));
      assertEquals(1, file.attributes("/").integer("t0"));
      assertTrue(file.exists("gevp/eigenvalues/samples"));
      assertTrue(file.exists("gevp/eigenvectors/mean"));
      assertTrue(file.exists("gevp/effective_mass/cosh/mean"));
    }
  }

  @Test
  void file_ofABootstrapSaysWhichBinsItDrew() {
    Path path = folder.resolve("bootstrap.h5");
    CorrelatorAnalysis analysis = analysis(Resampling.Method.BOOTSTRAP);
    analysis.write(path);
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset multiplicities = file.dataset("multiplicities")) {
      long[] values = multiplicities.readIntegers();
      for (int k = 0; k < values.length; k++) {
        assertEquals(analysis.correlator().resampling().multiplicity(k / 5, k % 5), values[k]);
      }
      assertEquals(3, file.attributes("/").integer("seed"));
    }
  }

  @Test
  void file_ofOneConfigurationHasNoSamples() {
    Path path = folder.resolve("one.h5");
    CorrelatorData one =
        FormulaData.data(List.of(FormulaData.configuration(0, FormulaData.SOURCES)));
    CorrelatorAnalysis.of(one, FormulaData.OPTIONS).write(path);
    try (Hdf5File file = Hdf5File.open(path)) {
      Written.numbers(file, "correlator/samples", 0, 4, 2, 2);
      assertTrue(Double.isNaN(Written.numbers(file, "correlator/error", 4, 2, 2)[0]));
    }
  }

  /** A row may lack the number that others have, and a place its row. */
  @Test
  void file_hasNanWhereNothingIs() {
    Path path = folder.resolve("table.h5");
    new Table("t", "", "a b", "x word")
        .row(List.of("one", 2), Double.NaN, "-")
        .row(List.of("two", 1), new Estimate(3, 4, new double[] {5}, ""), "w")
        .write(path);
    try (Hdf5File file = Hdf5File.open(path)) {
      double nan = Double.NaN;
      assertArrayEquals(new double[] {nan, nan, 3, nan}, file.dataset("t/x/mean").readAll());
      assertArrayEquals(new double[] {nan, nan, 5, nan}, file.dataset("t/x/samples").readAll());
      assertArrayEquals(new long[] {1, 2}, file.attributes("t").integers("bs"));
      assertEquals(List.of("-", "w"), file.attributes("t").strings("word"));
    }
  }

  /** XChart draws no labels along an axis whose two ends have equal ones. */
  @Test
  void separations_areLabelled() {
    for (int last : new int[] {3, 8, 31, 127}) {
      AnalysisPlot plot = new AnalysisPlot("title", "y", false);
      plot.add(new Curve("a", List.of(0, last), List.of(estimate(1, 0.1), estimate(2, 0.1))));
      XYStyler style = plot.chart().getStyler();
      Function<Double, String> labels = style.getXAxisTickLabelsFormattingFunction();
      assertNotEquals(labels.apply(style.getXAxisMin()), labels.apply(style.getXAxisMax()));
      assertEquals(Integer.toString(last), labels.apply((double) last));
    }
  }

  private static Estimate estimate(double value, double error) {
    return new Estimate(value, error, new double[0], "");
  }
}
