package org.starlingqcd.hadron.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of a YAML document. A node that is reached through aliases is one object with several
 * parents; there are no cycles.
 */
public sealed interface YamlNode {
  /** Where it begins, from 1; for an aliased node, where its anchor stands. */
  int line();

  /** Number of nodes below and including it, every alias written out. */
  long size();

  /** What it is, for messages. */
  String kind();

  /**
   * Text.
   *
   * @param text the characters, quotes and escapes resolved
   * @param plain written without quotes, so that an empty text means that nothing was written
   */
  record Scalar(int line, String text, boolean plain) implements YamlNode {
    @Override
    public long size() {
      return 1;
    }

    @Override
    public String kind() {
      return plain && text.isEmpty() ? "nothing" : "a single value";
    }
  }

  /** A list. */
  record Sequence(int line, long size, List<YamlNode> items) implements YamlNode {
    @Override
    public String kind() {
      return "a list";
    }
  }

  /**
   * Keys with values, in the order written.
   *
   * @param entries the first entry of each key
   * @param repeated the first entry whose key had occurred before; the reader of the mapping
   *     reports this error
   */
  record Mapping(
      int line, long size, LinkedHashMap<String, Entry> entries, @Nullable Repeated repeated)
      implements YamlNode {
    @Override
    public String kind() {
      return "a mapping";
    }
  }

  /**
   * A value and where its key stands.
   *
   * @param line line of the key, from 1
   */
  record Entry(int line, YamlNode value) {}

  /** A key in a mapping that has it already. */
  record Repeated(String key, int line, int firstLine) {}
}
