package org.starlingqcd.analysis.exchange;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.CurrentData;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.Version;

/**
 * Correlation matrices as JSON of pyerrors, version 1.1.
 *
 * <p>pyerrors knows real numbers only: there is one {@code Corr} of the real parts and one of the
 * imaginary parts, and, where there are one-point functions, two {@code List}s of them. Of every
 * number there are its mean and, for each configuration, the difference from the mean.
 *
 * <p>When a file is read, slices that are undefined (NaN) are left out. Real and imaginary parts
 * that this class wrote become one matrix with its operators; any other {@code Corr} is a real
 * matrix of operators 0, 1, …. Configurations keep their numbers in a chain of one replica and are
 * numbered from 0 through several.
 */
final class PyerrorsFormat {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
          .build();

  /** A packed file may unpack to this many bytes, and to so many more for each of its own. */
  private static final long LEAST_BOUND = 16 << 20;

  private static final long MOST_PACKED = 20;
  private static final int GZIP = 0x1f;
  private static final String PROGRAM = "starling";
  private static final List<String> PARTS = List.of(" re", " im");

  private final Path path;

  private PyerrorsFormat(Path path) {
    this.path = path;
  }

  /** Writes gzipped JSON. */
  static void write(Path path, Exporter.Export export) throws IOException {
    Map<String, Object> description = export.description();
    CurrentData currents = export.currents();
    if (currents != null) {
      description.put("format", CurrentData.FORMAT);
    }
    (currents == null ? export.correlators().get(0).temporalExtent() : currents.temporalExtent())
        .ifPresent(extent -> description.put("temporal_extent", extent));
    List<Map<String, Object>> objects = new ArrayList<>();
    for (CorrelatorData data : export.correlators()) {
      for (int part = 0; part < PARTS.size(); part++) {
        objects.add(corr(data, part));
      }
      for (int part = 0; part < PARTS.size() && data.hasOnePointFunctions(); part++) {
        objects.add(onePoint(data, part));
      }
    }
    write(path, description, objects);
  }

  /** Writes measurements on bins as a list of Obs, whose tags are the names. */
  static void write(
      Path path, String ensemble, List<Integer> numbers, Map<String, double[]> measured)
      throws IOException {
    List<double[]> all = List.copyOf(measured.values());
    double[][] values = new double[numbers.size()][];
    Arrays.setAll(values, c -> all.stream().mapToDouble(one -> one[c]).toArray());
    String layout = Integer.toString(all.size());
    Object list = object("List", layout, ensemble, numbers, values, List.copyOf(measured.keySet()));
    write(path, Map.of("format", "levels"), List.of(list));
  }

  private static void write(Path path, Map<String, Object> description, List<?> objects)
      throws IOException {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("program", PROGRAM + " " + Version.text());
    root.put("version", "1.1");
    root.put("who", System.getProperty("user.name", ""));
    root.put(
        "date",
        ZonedDateTime.now(ZoneId.systemDefault())
            .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss Z", Locale.ROOT)));
    root.put("host", System.getProperty("os.name", "") + " " + System.getProperty("os.arch", ""));
    root.put("description", description);
    root.put("obsdata", objects);
    try (OutputStream file = Files.newOutputStream(path);
        OutputStream zipped = new GZIPOutputStream(file)) {
      JSON.writeValue(zipped, root);
    }
  }

  /** Slices [0, T), or up to the last separation where T is unknown, in the order [t][i][j]. */
  private static Map<String, Object> corr(CorrelatorData data, int part) {
    int n = data.size();
    List<Integer> separations = data.separations();
    int last = separations.get(separations.size() - 1);
    int slices = Math.max(last + 1, data.temporalExtent().orElse(0));
    double[][] values = new double[data.configurations().size()][slices * n * n];
    for (int k = 0; k < slices * n * n; k++) {
      int t = separations.indexOf(k / n / n);
      for (int c = 0; c < values.length; c++) {
        values[c][k] = t < 0 ? Double.NaN : data.average(c, part, t, k / n % n, k % n);
      }
    }
    String layout = n == 1 ? slices + ", 1" : slices + ", " + n + ", " + n;
    // pyerrors ends the list with the name of the correlator.
    Map<String, Object> tag = Map.of("tag", List.of(data.name() + PARTS.get(part)));
    return object("Corr", layout, data.ensemble(), data.numbers(), values, tag);
  }

  private static Map<String, Object> onePoint(CorrelatorData data, int part) {
    double[][] values = new double[data.configurations().size()][data.size()];
    for (int c = 0; c < values.length; c++) {
      int at = c;
      Arrays.setAll(values[c], i -> data.onePointAverage(at, part, i));
    }
    List<String> tags =
        data.operators().stream().map(name -> "vev " + name + PARTS.get(part)).toList();
    return object(
        "List", Integer.toString(data.size()), data.ensemble(), data.numbers(), values, tags);
  }

  /** An object of numbers [configuration][k]. */
  private static Map<String, Object> object(
      String type,
      String layout,
      String ensembleName,
      List<Integer> numbers,
      double[][] values,
      Object tag) {
    int count = numbers.size();
    double[] means = new double[values[0].length];
    for (double[] row : values) {
      for (int k = 0; k < means.length; k++) {
        means[k] += row[k] / count;
      }
    }
    // pyerrors separates ensemble and replica by a bar.
    String ensemble = ensembleName.replace('|', '_');
    // An iterator: there is no more than one row at a time.
    Map<String, Object> replica = new LinkedHashMap<>();
    replica.put("name", ensemble);
    replica.put(
        "deltas",
        IntStream.range(0, count)
            .mapToObj(
                c -> {
                  List<Number> row = new ArrayList<>(List.of(numbers.get(c)));
                  for (int k = 0; k < means.length; k++) {
                    row.add(values[c][k] - means[k]);
                  }
                  return row;
                })
            .iterator());
    Map<String, Object> chain = new LinkedHashMap<>();
    chain.put("id", ensemble);
    chain.put("replica", List.of(replica));
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("type", type);
    object.put("layout", layout);
    object.put("value", means);
    object.put("data", List.of(chain));
    object.put("tag", tag);
    return object;
  }

  /**
   * The numbers of one {@code Corr} or {@code List}.
   *
   * @param extents layout
   * @param values configuration to the numbers, row-major
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Numbers(String ensemble, int[] extents, Map<Integer, double[]> values) {
    int size() {
      return extents[extents.length - 1];
    }
  }

  /**
   * All correlators of a file.
   *
   * @throws InputException when it is not one, or has none
   */
  static List<CorrelatorData> read(Path path) {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
      in.mark(1);
      int first = in.read();
      in.reset();
      long most = LEAST_BOUND + MOST_PACKED * Files.size(path);
      JsonNode root = JSON.readTree(first == GZIP ? bounded(new GZIPInputStream(in), most) : in);
      return new PyerrorsFormat(path).read(root);
    } catch (JsonProcessingException e) {
      throw new InputException(path + ": is not JSON of pyerrors: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new InputException(path + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /** A stream that fails where it has more than some bytes. */
  private static InputStream bounded(InputStream in, long most) {
    return new FilterInputStream(in) {
      private long count;

      @Override
      public int read(byte[] target, int from, int length) throws IOException {
        int read = super.read(target, from, length);
        count += Math.max(0, read);
        if (count > most) {
          throw new IOException(
              "it unpacks to more than %d MiB, far more than numbers do".formatted(most >> 20));
        }
        return read;
      }
    };
  }

  private List<CorrelatorData> read(JsonNode root) {
    Map<String, Numbers> correlators = new LinkedHashMap<>();
    Map<String, Numbers> lists = new LinkedHashMap<>();
    for (JsonNode entry : root.path("obsdata")) {
      String type = entry.path("type").asText();
      String first = entry.path("tag").path(0).asText();
      if (type.equals("Corr")) {
        String tag = tag(entry);
        String name = tag.isEmpty() ? stem() + "_" + correlators.size() : tag;
        if (correlators.put(name, numbers(name, entry)) != null) {
          throw bad("has two correlators of the name '" + name + "'");
        }
      } else if (type.equals("List") && first.startsWith("vev ")) {
        lists.put(PARTS.get(first.endsWith(PARTS.get(1)) ? 1 : 0), numbers("vev", entry));
      }
    }
    if (correlators.isEmpty()) {
      throw bad("has no 'obsdata' of type Corr; expected JSON of pyerrors with correlators");
    }
    if (root.path("program").asText().startsWith(PROGRAM)) {
      return List.of(own(root.path("description"), correlators, lists));
    }
    List<CorrelatorData> all = new ArrayList<>();
    correlators.forEach(
        (name, real) -> {
          List<String> operators =
              IntStream.range(0, real.size()).mapToObj(Integer::toString).toList();
          List<Integer> signs = Collections.nCopies(real.size(), 1);
          OptionalInt extent = OptionalInt.of(real.extents[0]);
          all.add(data(name, operators, signs, real, null, null, extent));
        });
    return all;
  }

  /** What {@link #write} wrote. */
  private CorrelatorData own(
      JsonNode description, Map<String, Numbers> correlators, Map<String, Numbers> lists) {
    if (description.path("format").asText().equals(CurrentData.FORMAT)) {
      throw bad("holds exported three-point functions; analyse the result itself");
    }
    String name = description.path("name").asText();
    Numbers real = correlators.get(name + PARTS.get(0));
    Numbers imaginary = correlators.get(name + PARTS.get(1));
    if (real == null
        || imaginary == null
        || !real.values.keySet().equals(imaginary.values.keySet())) {
      throw bad("lacks real or imaginary parts of '" + name + "'; export it again");
    }
    List<String> operators = new ArrayList<>();
    description.path("operators").forEach(operator -> operators.add(operator.asText()));
    if (operators.size() != real.size() || real.size() != imaginary.size()) {
      throw bad("names " + operators.size() + " operators of a matrix of " + real.size());
    }
    List<Integer> signs = new ArrayList<>();
    description.path("conjugation").forEach(sign -> signs.add(sign.asInt()));
    Numbers re = lists.get(PARTS.get(0));
    Numbers im = lists.get(PARTS.get(1));
    Set<Integer> numbers = real.values.keySet();
    boolean known =
        re != null
            && im != null
            && re.values.keySet().containsAll(numbers)
            && im.values.keySet().containsAll(numbers);
    CorrelatorData.Averages onePoint = known ? averages(real, re, im, List.of(0), 0) : null;
    JsonNode extent = description.path("temporal_extent");
    OptionalInt slices = extent.isInt() ? OptionalInt.of(extent.asInt()) : OptionalInt.empty();
    return data(name, operators, signs, real, imaginary, onePoint, slices);
  }

  private CorrelatorData data(
      String name,
      List<String> operators,
      List<Integer> conjugation,
      Numbers real,
      @Nullable Numbers imaginary,
      CorrelatorData.@Nullable Averages onePoint,
      OptionalInt extent) {
    int n = operators.size();
    double[] first = real.values.values().iterator().next();
    List<Integer> separations =
        IntStream.range(0, real.extents[0])
            .filter(t -> !Double.isNaN(first[t * n * n]))
            .boxed()
            .toList();
    if (separations.isEmpty()) {
      throw bad("'" + name + "' is undefined on every time slice");
    }
    return CorrelatorData.ofAverages(
        name,
        real.ensemble,
        operators,
        conjugation,
        separations,
        extent,
        List.copyOf(real.values.keySet()),
        averages(real, real, imaginary, separations, n),
        onePoint);
  }

  /**
   * Numbers on the configurations of a correlator, at [t][i][j] of the given slices.
   *
   * @param n how many i there are; 0 for [j]
   */
  private static CorrelatorData.Averages averages(
      Numbers of,
      @Nullable Numbers real,
      @Nullable Numbers imaginary,
      List<Integer> slices,
      int n) {
    List<double[]> re = rows(of, real);
    List<double[]> im = rows(of, imaginary);
    return (c, part, t, i, j) -> {
      List<double[]> rows = part == 0 ? re : im;
      return rows.isEmpty() ? 0 : rows.get(c)[(slices.get(t) * n + i) * n + j];
    };
  }

  private static List<double[]> rows(Numbers of, @Nullable Numbers numbers) {
    return numbers == null
        ? List.of()
        : of.values.keySet().stream()
            .map(c -> Objects.requireNonNull(numbers.values.get(c)))
            .toList();
  }

  private Numbers numbers(String name, JsonNode entry) {
    if (entry.has("cdata")) {
      throw bad("'" + name + "' depends on covariances ('cdata'), which have no configurations");
    }
    String layout = entry.path("layout").asText();
    String[] parts = layout.split(",", -1);
    int[] extents = new int[parts.length];
    long count = 1;
    for (int k = 0; k < extents.length; k++) {
      try {
        extents[k] = Integer.parseInt(parts[k].strip());
      } catch (NumberFormatException e) {
        throw bad("'" + name + "': layout is '" + layout + "'");
      }
      // Far more numbers than a file has stay so, whatever they are multiplied with.
      count = Math.min(count, Integer.MAX_VALUE) * Math.max(0, extents[k]);
    }
    if (extents.length > 3
        || count == 0
        || (extents.length == 3 && extents[1] != extents[2])
        || (extents.length == 2 && extents[1] != 1)) {
      throw bad("'" + name + "': layout is '" + layout + "', expected 'T, 1' or 'T, n, n'");
    }
    int ensembles = entry.path("data").size();
    if (ensembles != 1) {
      throw bad("'" + name + "' is of " + ensembles + " ensembles; analyse one ensemble at a time");
    }
    JsonNode data = entry.path("data").path(0);
    double[] means = row(name, entry.path("value"), 0, count);
    Map<Integer, double[]> values = new LinkedHashMap<>();
    boolean single = data.path("replica").size() == 1;
    for (JsonNode replica : data.path("replica")) {
      for (JsonNode deltas : replica.path("deltas")) {
        double[] sums = row(name, deltas, 1, count);
        for (int k = 0; k < sums.length; k++) {
          sums[k] += means[k];
        }
        values.put(single ? deltas.path(0).asInt() : values.size(), sums);
      }
    }
    if (values.isEmpty()) {
      throw bad("'" + name + "' has no configurations");
    }
    return new Numbers(
        data.path("id").asText(),
        extents.length == 1 ? new int[] {extents[0], 1} : extents,
        values);
  }

  private double[] row(String name, JsonNode array, int skip, long count) {
    if (array.size() != count + skip) {
      throw bad("'" + name + "': found " + (array.size() - skip) + " numbers, expected " + count);
    }
    return StreamSupport.stream(array.spliterator(), false)
        .skip(skip)
        .mapToDouble(number -> number.asDouble(Double.NaN))
        .toArray();
  }

  /** The name of a {@code Corr}: the last of its tags, which is "None" where there is none. */
  private static String tag(JsonNode entry) {
    JsonNode tag = entry.path("tag");
    JsonNode list = tag.isArray() ? tag : tag.path("tag");
    String last = list.path(list.size() - 1).asText("");
    return last.equals("None") ? "" : last;
  }

  private String stem() {
    String name = String.valueOf(path.getFileName());
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  private InputException bad(String what) {
    return new InputException(path + ": " + what);
  }
}
