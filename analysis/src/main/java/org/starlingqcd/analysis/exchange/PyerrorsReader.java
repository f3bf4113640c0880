package org.starlingqcd.analysis.exchange;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;

/**
 * Reads the {@code Corr}s of a JSON file of pyerrors, gzipped or not.
 *
 * <p>Slices that are undefined (NaN) are left out. Real and imaginary parts that {@link
 * PyerrorsWriter} wrote become one matrix with its operators; any other {@code Corr} is a real
 * matrix of operators 0, 1, …. Configurations keep their numbers in a chain of one replica and are
 * numbered from 0 through several.
 */
final class PyerrorsReader {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();
  private static final int GZIP = 0x1f;
  private static final String REAL = " re";
  private static final String IMAGINARY = " im";

  private final Path path;

  private PyerrorsReader(Path path) {
    this.path = path;
  }

  /**
   * The numbers of one {@code Corr} or {@code List}.
   *
   * @param tag its name; empty without one
   * @param extents layout
   * @param values configuration to the numbers, row-major
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Numbers(
      String tag, String ensemble, int[] extents, Map<Integer, double[]> values) {}

  /**
   * All correlators of a file.
   *
   * @throws InputException when it is not one, or has none
   */
  static List<Series> read(Path path) {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
      in.mark(1);
      int first = in.read();
      in.reset();
      JsonNode root = JSON.readTree(first == GZIP ? new GZIPInputStream(in) : in);
      return new PyerrorsReader(path).read(root);
    } catch (JsonProcessingException e) {
      throw new InputException(path + ": is not JSON of pyerrors: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new InputException(path + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private List<Series> read(JsonNode root) {
    Map<String, Numbers> correlators = new LinkedHashMap<>();
    Map<String, Numbers> lists = new LinkedHashMap<>();
    for (JsonNode entry : root.path("obsdata")) {
      String type = entry.path("type").asText();
      if (type.equals("Corr")) {
        String tag = tag(entry);
        String name = tag.isEmpty() ? stem() + "_" + correlators.size() : tag;
        if (correlators.put(name, numbers(name, entry)) != null) {
          throw bad("has two correlators of the name '" + name + "'");
        }
      } else if (type.equals("List") && entry.path("tag").path(0).asText().startsWith("vev ")) {
        String first = entry.path("tag").path(0).asText();
        lists.put(first.endsWith(IMAGINARY) ? IMAGINARY : REAL, numbers("vev", entry));
      }
    }
    if (correlators.isEmpty()) {
      throw bad("has no 'obsdata' of type Corr; expected JSON of pyerrors with correlators");
    }
    if (root.path("program").asText().startsWith(PyerrorsWriter.PROGRAM)) {
      return List.of(own(root.path("description"), correlators, lists));
    }
    List<Series> series = new ArrayList<>();
    correlators.forEach(
        (name, real) -> {
          List<String> operators = new ArrayList<>();
          for (int i = 0; i < size(real); i++) {
            operators.add(Integer.toString(i));
          }
          series.add(
              series(
                  name,
                  operators,
                  Series.realSigns(operators.size()),
                  real,
                  null,
                  Map.of(),
                  OptionalInt.of(real.extents[0])));
        });
    return series;
  }

  /** What {@link PyerrorsWriter} wrote. */
  private Series own(
      JsonNode description, Map<String, Numbers> correlators, Map<String, Numbers> lists) {
    String name = description.path("name").asText();
    Numbers real = correlators.get(name + REAL);
    Numbers imaginary = correlators.get(name + IMAGINARY);
    if (real == null
        || imaginary == null
        || !real.values.keySet().equals(imaginary.values.keySet())) {
      throw bad("lacks real or imaginary parts of '" + name + "'; export it again");
    }
    List<String> operators = new ArrayList<>();
    description.path("operators").forEach(operator -> operators.add(operator.asText()));
    if (operators.size() != size(real) || size(real) != size(imaginary)) {
      throw bad("names " + operators.size() + " operators of a matrix of " + size(real));
    }
    List<Integer> signs = new ArrayList<>();
    description.path(PyerrorsWriter.CONJUGATION).forEach(sign -> signs.add(sign.asInt()));
    Map<Integer, double[]> onePoint = new LinkedHashMap<>();
    Numbers re = lists.get(REAL);
    Numbers im = lists.get(IMAGINARY);
    if (re != null && im != null) {
      re.values.forEach(
          (number, values) -> onePoint.put(number, interleaved(values, im.values.get(number))));
    }
    JsonNode extent = description.path("temporal_extent");
    return series(
        name,
        operators,
        Series.signs(signs, operators.size()),
        real,
        imaginary,
        onePoint,
        extent.isInt() ? OptionalInt.of(extent.asInt()) : OptionalInt.empty());
  }

  private static int size(Numbers numbers) {
    return numbers.extents[numbers.extents.length - 1];
  }

  private Series series(
      String name,
      List<String> operators,
      List<Integer> conjugation,
      Numbers real,
      @Nullable Numbers imaginary,
      Map<Integer, double[]> onePoint,
      OptionalInt extent) {
    int matrix = operators.size() * operators.size();
    double[] first = real.values.values().iterator().next();
    List<Integer> separations = new ArrayList<>();
    for (int t = 0; t < real.extents[0]; t++) {
      if (!Double.isNaN(first[t * matrix])) {
        separations.add(t);
      }
    }
    if (separations.isEmpty()) {
      throw bad("'" + name + "' is undefined on every time slice");
    }
    Map<Integer, double[]> values = new LinkedHashMap<>();
    real.values.forEach(
        (number, all) -> {
          double[] im = imaginary == null ? null : imaginary.values.get(number);
          double[] defined = new double[separations.size() * matrix];
          double[] definedIm = im == null ? null : new double[defined.length];
          for (int k = 0; k < separations.size(); k++) {
            System.arraycopy(all, separations.get(k) * matrix, defined, k * matrix, matrix);
            if (im != null && definedIm != null) {
              System.arraycopy(im, separations.get(k) * matrix, definedIm, k * matrix, matrix);
            }
          }
          values.put(number, interleaved(defined, definedIm));
        });
    return new Series(
        name, real.ensemble, operators, conjugation, separations, extent, values, onePoint);
  }

  private static double[] interleaved(double[] real, double @Nullable [] imaginary) {
    double[] result = new double[2 * real.length];
    for (int k = 0; k < real.length; k++) {
      result[2 * k] = real[k];
      result[2 * k + 1] = imaginary == null ? 0 : imaginary[k];
    }
    return result;
  }

  private Numbers numbers(String name, JsonNode entry) {
    if (entry.has("cdata")) {
      throw bad("'" + name + "' depends on covariances ('cdata'), which have no configurations");
    }
    String[] layout = entry.path("layout").asText().split(",", -1);
    int[] extents = new int[layout.length];
    long count = 1;
    for (int k = 0; k < extents.length; k++) {
      try {
        extents[k] = Integer.parseInt(layout[k].strip());
      } catch (NumberFormatException e) {
        throw bad("'" + name + "': layout is '" + entry.path("layout").asText() + "'");
      }
      // Far more numbers than a file has stay so, whatever they are multiplied with.
      count = Math.min(count, Integer.MAX_VALUE) * Math.max(0, extents[k]);
    }
    if (extents.length > 3
        || count == 0
        || (extents.length == 3 && extents[1] != extents[2])
        || (extents.length == 2 && extents[1] != 1)) {
      throw bad(
          "'"
              + name
              + "': layout is '"
              + entry.path("layout").asText()
              + "', expected 'T, 1' or 'T, n, n'");
    }
    if (entry.path("data").size() != 1) {
      throw bad(
          "'"
              + name
              + "' is of "
              + entry.path("data").size()
              + " ensembles; analyse one ensemble at a time");
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
        name,
        data.path("id").asText(),
        extents.length == 1 ? new int[] {extents[0], 1} : extents,
        values);
  }

  private double[] row(String name, JsonNode array, int skip, long count) {
    if (array.size() != count + skip) {
      throw bad("'" + name + "': found " + (array.size() - skip) + " numbers, expected " + count);
    }
    double[] row = new double[(int) count];
    for (int k = 0; k < row.length; k++) {
      row[k] = array.get(k + skip).asDouble(Double.NaN);
    }
    return row;
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
