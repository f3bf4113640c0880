package org.starlingqcd.analysis.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.FormulaData;
import org.starlingqcd.analysis.PythonProgram;
import org.starlingqcd.analysis.SelectionSettings;
import org.starlingqcd.analysis.Table;
import org.starlingqcd.analysis.Written;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** What is written is read back number by number, and has the layout that other programs read. */
final class ExchangeTest {
  private static final List<Integer> SEPARATIONS = List.of(1, 2, 4);
  private static final int[] NUMBERS = {3, 5, 7, 11, 13};
  private static final int SOURCES = 2;

  private static final String DEFINITION =
      """
      name: kpi
      isospin: [3/2, 3/2]
      momentum: [0, 0, 1]
      irrep: A1
      operators:
        - name: a
          hadrons: [{meson: K, momentum: [0, 0, 1]}, {meson: pi, momentum: [0, 0, 0]}]
        - name: b
          hadrons: [{meson: K, momentum: [0, 0, 0]}, {meson: pi, momentum: [0, 0, 1]}]
      """;

  @TempDir private Path folder;

  /** The average over sources at [t][i][j]. */
  private static double number(int configuration, int t, int i, int j, int part) {
    return Math.sin(1 + configuration * 3.7 + t * 2.3 + i * 1.9 + j * 0.7 + part * 0.3);
  }

  private static double onePoint(int configuration, int operator, int part) {
    return Math.cos(configuration * 1.3 + operator * 2.1 + part);
  }

  private static CorrelatorData data(OptionalInt extent, boolean withOnePoint) {
    List<CorrelatorData.Configuration> configurations = new ArrayList<>();
    for (int c : NUMBERS) {
      double[] sum = new double[2 * SEPARATIONS.size() * 4];
      for (int k = 0; k < sum.length; k++) {
        sum[k] = SOURCES * number(c, k / 8, k / 4 % 2, k / 2 % 2, k % 2);
      }
      double[] row = new double[8];
      for (int k = 0; k < row.length; k++) {
        // Two times whose average is the number.
        row[k] = onePoint(c, k / 2 % 2, k % 2) + (k < 4 ? 0.5 : -0.5);
      }
      configurations.add(
          new CorrelatorData.Configuration(
              c,
              List.of(0, 4),
              sum,
              withOnePoint ? List.of(0, 1) : List.of(),
              withOnePoint ? row : new double[0]));
    }
    return FormulaData.data("kpi", "ens|1", List.of("a", "b"), SEPARATIONS, extent, configurations);
  }

  private Path export(Exporter.Format format, CorrelatorData data) {
    return Exporter.write(folder.resolve("out"), format, Exporter.Export.of(data, DEFINITION));
  }

  private static void assertSame(CorrelatorData read, String ensemble, boolean withOnePoint) {
    assertEquals("kpi", read.name());
    assertEquals(ensemble, read.ensemble());
    assertEquals(List.of("a", "b"), read.operators());
    assertEquals(SEPARATIONS, read.separations());
    assertEquals(NUMBERS.length, read.configurations().size());
    for (int c = 0; c < NUMBERS.length; c++) {
      CorrelatorData.Configuration configuration = read.configurations().get(c);
      assertEquals(NUMBERS[c], configuration.number());
      assertEquals(1, configuration.sourceTimes().size());
      for (int k = 0; k < configuration.sum().length; k++) {
        double expected = number(NUMBERS[c], k / 8, k / 4 % 2, k / 2 % 2, k % 2);
        assertEquals(expected, configuration.sum()[k], 1e-15);
      }
      assertEquals(withOnePoint, !configuration.onePointTimes().isEmpty());
      for (int k = 0; k < configuration.onePoint().length; k++) {
        assertEquals(onePoint(NUMBERS[c], k / 2 % 2, k % 2), configuration.onePoint()[k], 1e-15);
      }
    }
  }

  private static CorrelatorData only(Path file) {
    List<CorrelatorData> all = CorrelatorSources.load(List.of(file), SelectionSettings.ALL);
    assertEquals(1, all.size());
    return all.get(0);
  }

  @Test
  void whatIsWritten_isReadBack() {
    for (boolean onePoint : new boolean[] {false, true}) {
      for (OptionalInt extent : List.of(OptionalInt.of(8), OptionalInt.empty())) {
        CorrelatorData data = data(extent, onePoint);
        CorrelatorData pyerrors = only(export(Exporter.Format.PYERRORS, data));
        assertSame(pyerrors, "ens_1", onePoint);
        assertEquals(extent, pyerrors.temporalExtent());
        CorrelatorData gvar = only(export(Exporter.Format.GVAR, data));
        assertSame(gvar, "ens|1", onePoint);
        assertEquals(extent, gvar.temporalExtent());
      }
    }
  }

  /** As {@code pyerrors.input.json} reads it: samples are value + delta. */
  @Test
  void pyerrors_hasTheLayoutOfItsFormat() throws Exception {
    Path file = export(Exporter.Format.PYERRORS, data(OptionalInt.of(8), true));
    assertEquals("kpi_pyerrors.json.gz", file.getFileName().toString());
    JsonNode root = Written.json(file);
    assertEquals("1.1", root.get("version").asText());
    for (String key : List.of("program", "who", "date", "host", "description")) {
      assertTrue(root.has(key), key);
    }
    assertEquals(4, root.get("obsdata").size());
    for (int part = 0; part < 2; part++) {
      JsonNode corr = root.get("obsdata").get(part);
      assertEquals("Corr", corr.get("type").asText());
      assertEquals("8, 2, 2", corr.get("layout").asText());
      assertEquals(
          "[\"kpi " + (part == 0 ? "re" : "im") + "\"]", corr.get("tag").get("tag").toString());
      assertFalse(corr.get("tag").has("prange"));
      assertEquals(1, corr.get("data").size());
      assertEquals("ens_1", corr.get("data").get(0).get("id").asText());
      JsonNode replica = corr.get("data").get(0).get("replica");
      assertEquals(1, replica.size());
      assertEquals("ens_1", replica.get(0).get("name").asText());
      for (int c = 0; c < NUMBERS.length; c++) {
        JsonNode deltas = replica.get(0).get("deltas").get(c);
        assertEquals(NUMBERS[c], deltas.get(0).asInt());
        assertEquals(33, deltas.size());
        for (int k = 0; k < 32; k++) {
          int t = SEPARATIONS.indexOf(k / 4);
          double sample = corr.get("value").get(k).asDouble() + deltas.get(k + 1).asDouble();
          assertEquals(
              t < 0 ? Double.NaN : number(NUMBERS[c], t, k / 2 % 2, k % 2, part), sample, 1e-15);
        }
      }
      JsonNode list = root.get("obsdata").get(2 + part);
      assertEquals("List", list.get("type").asText());
      assertEquals("2", list.get("layout").asText());
      assertEquals(2, list.get("tag").size());
    }
  }

  @Test
  void gvar_hasADatasetForEachTag() {
    Path file = export(Exporter.Format.GVAR, data(OptionalInt.of(8), true));
    try (Hdf5File opened = Hdf5File.open(file)) {
      assertEquals(2 * (4 + 2), opened.children("/").size());
      double[] values = Written.numbers(opened, "kpi.a.b.im", NUMBERS.length, 3);
      assertEquals(number(5, 2, 0, 1, 1), values[1 * 3 + 2], 1e-15);
      double[] onePoint = Written.numbers(opened, "kpi.vev.b.re", NUMBERS.length);
      assertEquals(onePoint(7, 1, 0), onePoint[2], 1e-15);
    }
  }

  @Test
  void sigmond_hasItsKeysAndHeader() throws Exception {
    Path file = export(Exporter.Format.SIGMOND, data(OptionalInt.of(8), false));
    String key =
        "<MCObservable><CorrT>GI{isoquartet S=1 P=(0,0,1) A1_1 a 0} GI{isoquartet S=1 P=(0,0,1) A1_1 b"
            + " 0} time=4 HermMat<|CorrT><Arg>Im<|Arg><|MCObservable>";
    try (Hdf5File opened = Hdf5File.open(file)) {
      assertEquals(3 * 4 * 2, opened.children("data/Values").size());
      double[] expected = Arrays.stream(NUMBERS).mapToDouble(c -> number(c, 2, 0, 1, 1)).toArray();
      assertArrayEquals(
          expected, Written.numbers(opened, "data/Values/" + key, NUMBERS.length), 1e-15);
    }
    String program =
        "import h5py; f = h5py.File('"
            + file.toAbsolutePath()
            + "')\nfor k in ('Info/FIdentifier', 'Info/Endianness', 'data/IncludeCKS', 'data/Header'):"
            + "\n    t = h5py.h5t.check_string_dtype(f[k].dtype)"
            + "\n    print(f[k][()].decode(), t.length, f[k].shape)";
    String header =
        "<SigmondBinsFile><MCBinsInfo><MCEnsembleInfo>ens|1</MCEnsembleInfo><NumberOfMeasurements>5"
            + "</NumberOfMeasurements><NumberOfBins>5</NumberOfBins></MCBinsInfo></SigmondBinsFile>";
    assertEquals(
        "Sigmond--BinsFile 18 ()\nL 2 ()\nN 2 ()\n"
            + header
            + " "
            + (header.length() + 1)
            + " ()\n",
        PythonProgram.withLibraries().run(folder, "-c", program));
  }

  @Test
  void sigmond_whatItCannotName_isRefused() {
    CorrelatorData data = data(OptionalInt.of(8), false);
    String noIsospin =
        """
        name: kpi
        operators:
          - name: a
            terms: [{mesons: [{bar: u, gamma: g5, quark: d, momentum: [0, 0, 0]}]}]
          - name: b
            terms: [{mesons: [{bar: u, gamma: g4g5, quark: d, momentum: [0, 0, 0]}]}]
        """;
    refused("does not state one", data, noIsospin);
    String longName = "an_operator_with_a_very_long_name";
    CorrelatorData named =
        FormulaData.data(
            "kpi",
            "e",
            List.of(longName, "b"),
            SEPARATIONS,
            OptionalInt.empty(),
            data.configurations());
    refused(
        "has " + longName.length(),
        named,
        DEFINITION.replace("name: a\n", "name: " + longName + "\n"));
  }

  private void refused(String phrase, CorrelatorData data, String definition) {
    String message =
        message(
            () ->
                Exporter.write(
                    folder, Exporter.Format.SIGMOND, Exporter.Export.of(data, definition)));
    assertTrue(message.contains(phrase), message);
  }

  private static String message(Executable refused) {
    return String.valueOf(assertThrows(InputException.class, refused).getMessage());
  }

  @Test
  void csv_hasARowForEachNumber() throws Exception {
    List<String> lines =
        Files.readAllLines(export(Exporter.Format.CSV, data(OptionalInt.of(8), true)));
    assertEquals("configuration,separation,sink,source,re,im", lines.get(0));
    assertEquals(1 + NUMBERS.length * (3 * 4 + 2), lines.size());
    assertEquals("3,1,a,b," + number(3, 0, 0, 1, 0) + "," + number(3, 0, 0, 1, 1), lines.get(2));
    assertTrue(lines.get(13).startsWith("3,,a,,"), lines.get(13));
  }

  /** As pyerrors writes it: two replicas, an undefined slice, no name. */
  @Test
  void pyerrors_ofOthers() throws Exception {
    Path file = folder.resolve("matrix.json");
    String text =
        """
        {"program": "pyerrors 2.9", "version": "1.1", "obsdata": [
         {"type": "Corr", "layout": "3, 1", "value": [2.0, NaN, 1.0],
          "data": [{"id": "A", "replica": [
            {"name": "A|r1", "deltas": [[10, 0.5, NaN, 0.25], [12, -0.5, NaN, -0.25]]},
            {"name": "A|r2", "deltas": [[1, 0.0, NaN, 0.125]]}]}],
          "tag": {"tag": ["None"], "prange": [1, 2]}}]}
        """;
    Files.writeString(file, text);
    CorrelatorData data = only(file);
    assertEquals("matrix_0", data.name());
    assertEquals("A", data.ensemble());
    assertEquals(List.of(0, 2), data.separations());
    assertEquals(OptionalInt.of(3), data.temporalExtent());
    assertEquals(3, data.configurations().size());
    assertArrayEquals(new double[] {2.5, 0, 1.25, 0}, data.configurations().get(0).sum());
    assertArrayEquals(new double[] {2, 0, 1.125, 0}, data.configurations().get(2).sum());
    Files.writeString(file, text.replace("\"3, 1\"", "\"2, 1\""));
    unreadable(file, "found 3 numbers, expected 2");
    Files.writeString(file, text.replace("Corr", "Obs"));
    unreadable(file, "has no 'obsdata' of type Corr");
    Files.writeString(file, text.substring(0, 200));
    unreadable(file, "is not JSON of pyerrors");
  }

  private static void unreadable(Path file, String phrase) {
    String message = message(() -> CorrelatorSources.load(List.of(file), SelectionSettings.ALL));
    assertTrue(message.startsWith(file.toString()) && message.contains(phrase), message);
  }

  @Test
  void text_ofCorrfitter() throws Exception {
    Path file = folder.resolve("etab.data");
    Files.writeString(
        file,
        """
        # two configurations
        1s0.dd 1.0 0.5
        1s0.dg 2.0 0.25   # a comment
        1s0.gd 3.0 0.125
        1s0.gg 4.0 0.0625

        1s0.dd 1.5 0.5
        1s0.dg 2.5 0.25
        1s0.gd 3.5 0.125
        1s0.gg 4.5 1e-2
        pion.ab 7 8 9
        """);
    List<CorrelatorData> all = CorrelatorSources.load(List.of(file), SelectionSettings.ALL);
    assertEquals(2, all.size());
    assertEquals("1s0", all.get(0).name());
    assertEquals(List.of("d", "g"), all.get(0).operators());
    assertArrayEquals(
        new double[] {1.5, 0, 2.5, 0, 3.5, 0, 4.5, 0, 0.5, 0, 0.25, 0, 0.125, 0, 0.01, 0},
        all.get(0).configurations().get(1).sum());
    assertEquals("pion.ab", all.get(1).name());
    assertEquals(List.of(0, 1, 2), all.get(1).separations());
    SelectionSettings one =
        SelectionSettings.ALL.with(NumberSelection.parse("1"), NumberSelection.ALL, List.of("g"));
    one.temporalExtent = 4;
    Files.writeString(file, Files.readString(file).replace("pion.ab 7 8 9\n", ""));
    CorrelatorData selected = CorrelatorSources.load(List.of(file), one).get(0);
    assertArrayEquals(new double[] {4.5, 0, 0.01, 0}, selected.configurations().get(0).sum());
    assertEquals(OptionalInt.of(4), selected.temporalExtent());
    Files.writeString(file, "pion 1 2 three\n");
    unreadable(file, "line 1 is wrong: 'three' is not a number");
    Files.writeString(file, "pion 1 2\npion 1\n");
    unreadable(file, "lack numbers");
    Files.writeString(file, "# nothing\n");
    unreadable(file, "holds no correlator");
  }

  @Test
  void oneNameInTwoFiles_isRefused() {
    Path first = export(Exporter.Format.GVAR, data(OptionalInt.of(8), false));
    Path second = export(Exporter.Format.PYERRORS, data(OptionalInt.of(8), false));
    String message =
        message(() -> CorrelatorSources.load(List.of(first, second), SelectionSettings.ALL));
    assertTrue(message.contains("both hold a correlator 'kpi'"), message);
  }

  @Test
  void packedJsonThatUnpacksWithoutEnd_isRefused() throws IOException {
    Path bomb = folder.resolve("bomb.json.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(bomb))) {
      out.write('[');
      byte[] spaces = new byte[1 << 20];
      Arrays.fill(spaces, (byte) ' ');
      for (int k = 0; k < 40; k++) {
        out.write(spaces);
      }
    }
    assertEquals(
        bomb + ": cannot be read: it unpacks to more than 16 MiB, far more than numbers do",
        message(() -> PyerrorsFormat.read(bomb)));
  }

  @Test
  void lineWithoutEnd_isNoTextOfGvar() throws IOException {
    Path big = folder.resolve("gvar.txt");
    try (RandomAccessFile file = new RandomAccessFile(big.toFile(), "rw")) {
      file.write("x 1 1\n".getBytes(StandardCharsets.US_ASCII));
      file.setLength(3L << 30);
    }
    assertEquals(
        big
            + ": line 2 has more than 1048576 characters, which is no text of gvar (a tag and numbers"
            + " on each line)",
        message(() -> GvarFormat.readText(big)));
  }

  @Test
  void textsThatAreFormulas_areMarkedAsTexts() {
    assertEquals("\"'=1+1\"", Table.quoted("=1+1"));
    assertEquals("\"'@a\"\"b\"", Table.quoted("@a\"b"));
    assertEquals("\"'\tx\"", Table.quoted("\tx"));
    assertEquals("pi+", Table.quoted("pi+"));
  }
}
