package org.starlingqcd.analysis.exchange;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.correlators.Version;

/**
 * Writes a correlation matrix as the gzipped JSON of pyerrors, version 1.1.
 *
 * <p>pyerrors knows real numbers only: there is one {@code Corr} of the real parts and one of the
 * imaginary parts, and, where there are one-point functions, two {@code List}s of them. Of every
 * number there are its mean and, for each configuration, the difference from the mean.
 */
final class PyerrorsWriter {
  /** Key of the description that tells {@link PyerrorsReader} whose file it is. */
  static final String PROGRAM = "starling";

  /** Key of the signs of operators; with equal ones the matrix of the real parts is the whole. */
  static final String CONJUGATION = "conjugation";

  private static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS).build();

  private static final String[] PARTS = {"re", "im"};

  private final CorrelatorData data;
  private final List<ConfigurationMatrix> matrices;
  private final String ensemble;

  private PyerrorsWriter(CorrelatorData data) {
    this.data = data;
    this.matrices = ConfigurationMatrix.of(data);
    // pyerrors separates ensemble and replica by a bar.
    this.ensemble = data.ensemble().replace('|', '_');
  }

  /** A number of one configuration. */
  private interface Value {
    double of(ConfigurationMatrix matrix);
  }

  /** Numbers that do not exist, such as C at a separation that was not computed. */
  private static final Value UNDEFINED = matrix -> Double.NaN;

  static void write(Path path, CorrelatorData data) throws IOException {
    try (OutputStream file = Files.newOutputStream(path);
        OutputStream zipped = new GZIPOutputStream(file);
        JsonGenerator json = JSON.createGenerator(zipped, JsonEncoding.UTF8)) {
      new PyerrorsWriter(data).write(json);
    }
  }

  private void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("program", PROGRAM + " " + Version.text());
    json.writeStringField("version", "1.1");
    json.writeStringField("who", System.getProperty("user.name", ""));
    json.writeStringField(
        "date",
        ZonedDateTime.now(ZoneId.systemDefault())
            .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss Z", Locale.ROOT)));
    json.writeStringField(
        "host", System.getProperty("os.name", "") + " " + System.getProperty("os.arch", ""));
    json.writeObjectFieldStart("description");
    json.writeStringField("name", data.name());
    json.writeArrayFieldStart("operators");
    for (String operator : data.operators()) {
      json.writeString(operator);
    }
    json.writeEndArray();
    json.writeArrayFieldStart(CONJUGATION);
    for (int sign : data.conjugation()) {
      json.writeNumber(sign);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("separations");
    for (int separation : data.separations()) {
      json.writeNumber(separation);
    }
    json.writeEndArray();
    if (data.temporalExtent().isPresent()) {
      json.writeNumberField("temporal_extent", data.temporalExtent().getAsInt());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("obsdata");
    for (int part = 0; part < PARTS.length; part++) {
      writeCorr(json, part);
    }
    if (data.hasOnePointFunctions()) {
      for (int part = 0; part < PARTS.length; part++) {
        writeOnePoint(json, part);
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Slices [0, T), or up to the last separation where T is unknown, in the order [t][i][j]. */
  private void writeCorr(JsonGenerator json, int part) throws IOException {
    int n = data.size();
    List<Integer> separations = data.separations();
    int last = separations.get(separations.size() - 1);
    int slices = Math.max(last + 1, data.temporalExtent().orElse(0));
    List<Value> values = new ArrayList<>();
    for (int dt = 0; dt < slices; dt++) {
      int index = separations.indexOf(dt);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          int sink = i;
          int source = j;
          values.add(index < 0 ? UNDEFINED : matrix -> matrix.value(part, index, sink, source));
        }
      }
    }
    json.writeStartObject();
    json.writeStringField("type", "Corr");
    json.writeStringField("layout", n == 1 ? slices + ", 1" : slices + ", " + n + ", " + n);
    writeNumbers(json, values);
    json.writeObjectFieldStart("tag");
    json.writeArrayFieldStart("tag");
    // pyerrors ends the list with the name of the correlator.
    json.writeString(data.name() + " " + PARTS[part]);
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
  }

  private void writeOnePoint(JsonGenerator json, int part) throws IOException {
    List<Value> values = new ArrayList<>();
    for (int i = 0; i < data.size(); i++) {
      int operator = i;
      values.add(matrix -> matrix.onePoint(part, operator));
    }
    json.writeStartObject();
    json.writeStringField("type", "List");
    json.writeStringField("layout", Integer.toString(data.size()));
    writeNumbers(json, values);
    json.writeArrayFieldStart("tag");
    for (String operator : data.operators()) {
      json.writeString("vev " + operator + " " + PARTS[part]);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeNumbers(JsonGenerator json, List<Value> values) throws IOException {
    double[] means = new double[values.size()];
    for (int k = 0; k < means.length; k++) {
      for (ConfigurationMatrix matrix : matrices) {
        means[k] += values.get(k).of(matrix) / matrices.size();
      }
    }
    json.writeFieldName("value");
    json.writeArray(means, 0, means.length);
    json.writeArrayFieldStart("data");
    json.writeStartObject();
    json.writeStringField("id", ensemble);
    json.writeArrayFieldStart("replica");
    json.writeStartObject();
    json.writeStringField("name", ensemble);
    json.writeArrayFieldStart("deltas");
    for (ConfigurationMatrix matrix : matrices) {
      json.writeStartArray();
      json.writeNumber(matrix.number());
      for (int k = 0; k < means.length; k++) {
        json.writeNumber(values.get(k).of(matrix) - means[k]);
      }
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
  }
}
