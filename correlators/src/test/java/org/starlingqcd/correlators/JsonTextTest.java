package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** JSON in one line, against Jackson's object mapper. */
final class JsonTextTest {
  @Test
  void nestedValues_areWrittenAsTheObjectMapperWritesThem() throws JsonProcessingException {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("text", "line\nbreak, \"quotes\", \u001b, ü, π, \\");
    map.put("numbers", List.of(1, -2L, 0.1, 1e300, Double.MIN_VALUE, 1.0f));
    map.put("special", List.of(Double.NaN, Double.NEGATIVE_INFINITY));
    map.put("nothing", null);
    map.put("flags", Arrays.asList(true, false, null));
    map.put("empty", List.of(Map.of(), Set.of(), ""));
    map.put("sorted", new TreeMap<>(Map.of(2, "two", 1, List.of(Map.of("a", 1)))));
    assertEquals(new ObjectMapper().writeValueAsString(map), JsonText.of(map));
  }

  @Test
  void otherObjects_areRefused() {
    assertThrows(IllegalStateException.class, () -> JsonText.of(List.of(new Object())));
  }
}
