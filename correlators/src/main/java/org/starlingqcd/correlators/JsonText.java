package org.starlingqcd.correlators;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON in one line, of maps, collections and simple values. Jackson's object mapper would take a
 * twentieth of a second to set itself up, which every run would spend.
 */
public final class JsonText {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonText() {}

  /**
   * The text of a value.
   *
   * @param value a map with keys that are names, a collection, a string, a number, a boolean or
   *     null, or any nesting of them
   * @throws IllegalStateException when something else is within
   */
  public static String of(@Nullable Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      write(json, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        json.writeFieldName(String.valueOf(entry.getKey()));
        write(json, entry.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof Collection<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        write(json, element);
      }
      json.writeEndArray();
    } else {
      json.writeObject(value);
    }
  }
}
