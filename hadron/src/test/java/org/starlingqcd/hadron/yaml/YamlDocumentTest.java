package org.starlingqcd.hadron.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.hadron.text.Quoted;

class YamlDocumentTest {
  @Test
  void parse_scalars_stayTextWithTheirLines() {
    YamlNode.Mapping root = mapping("# comment\nname: no\n'row': y\nlist: [1e-3, ~, 0x1F]\n");
    assertEquals(2, root.line());
    assertEquals(new YamlNode.Scalar(2, "no", true), root.entries().get("name").value());
    assertEquals(new YamlNode.Scalar(3, "y", true), root.entries().get("row").value());
    YamlNode.Sequence list =
        assertInstanceOf(YamlNode.Sequence.class, root.entries().get("list").value());
    assertEquals(
        "[1e-3, ~, 0x1F]",
        list.items().stream().map(n -> ((YamlNode.Scalar) n).text()).toList().toString());
    assertEquals(10, root.size());
  }

  @Test
  void parse_aliases_areOneNode() {
    YamlNode.Mapping root = mapping("a: &p [0, 0, 1]\nb: *p\n");
    assertSame(root.entries().get("a").value(), root.entries().get("b").value());
    assertEquals(11, root.size());
  }

  @Test
  void parse_keyGivenTwice_isNoted() {
    YamlNode.Mapping root = mapping("a: 1\nb: 2\na: 3\nb: 4\n");
    assertEquals(new YamlNode.Repeated("a", 3, 1), root.repeated());
    assertEquals(new YamlNode.Scalar(1, "1", true), root.entries().get("a").value());
  }

  static Stream<Arguments> refused() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int k = 1; k < 10; k++) {
      bomb.append("a" + k + ": &a" + k + " [" + ("*a" + (k - 1) + ", ").repeat(9) + "]\n");
    }
    return Stream.of(
        Arguments.of("", 1, "the text is empty"),
        Arguments.of("# only a comment\n", 1, "the text is empty"),
        Arguments.of("a: 1\n---\nb: 2\n", 2, "a second YAML document: one was expected"),
        Arguments.of("a: 1\nb: &x [1, *x]\n", 2, "the alias 'x' stands inside what it refers to"),
        Arguments.of("a: 1\nb: *x\n", 2, "the alias 'x' refers to no earlier anchor"),
        Arguments.of(
            bomb.toString(), 7, "more than 2000000 values once its aliases are written out"),
        Arguments.of("a:\n" + "[".repeat(1000), 2, "nested more than 64 levels deep"),
        Arguments.of("- ".repeat(100_000), 1, "nested more than 64 levels deep"),
        Arguments.of("a: !secret 1\n", 1, "unknown tag '!secret': leave it out"),
        Arguments.of("a: 1\n[b]: 2\n", 2, "a key must be a single value"),
        Arguments.of("a: 1\nb: {c: 2\n", 3, "not YAML: while parsing a flow mapping,"),
        Arguments.of("a: 1\n\tb: 2\n", 2, "not YAML: "),
        Arguments.of("a: 1\nb: \u0007\n", 2, "not YAML: the character U+0007 is not allowed"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void parse_whatIsNoDocument_isRefusedWithItsLine(String text, int line, String message) {
    YamlException e = assertThrows(YamlException.class, () -> YamlDocument.parse(text));
    assertEquals(
        message, e.getMessage().substring(0, Math.min(message.length(), e.getMessage().length())));
    assertEquals(line, e.line());
  }

  @Test
  void quoted_longAndControlCharacters_areShortenedAndEscaped() {
    assertEquals("'a\\u001b[0m'", Quoted.of("a\u001b[0m"));
    assertEquals("'" + "π".repeat(60) + "…'", Quoted.of("π".repeat(61)));
  }

  private static YamlNode.Mapping mapping(String text) {
    YamlNode.Mapping root = assertInstanceOf(YamlNode.Mapping.class, YamlDocument.parse(text));
    assertNotNull(root);
    return root;
  }
}
