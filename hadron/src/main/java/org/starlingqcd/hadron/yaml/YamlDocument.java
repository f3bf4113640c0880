package org.starlingqcd.hadron.yaml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.starlingqcd.hadron.text.Quoted;

/**
 * Reads one YAML 1.2 document into a tree of {@link YamlNode}.
 *
 * <p>The tree is built from parser events, one at a time, so a hostile text is refused as soon as
 * it exceeds one of these limits: nesting ({@value #MAX_DEPTH} levels) and the number of nodes with
 * every alias written out ({@value #MAX_NODES}). An alias to a node that contains it is refused.
 * Time and memory are linear in the text.
 */
public final class YamlDocument {
  private static final int MAX_DEPTH = 64;
  private static final long MAX_NODES = 2_000_000;
  private static final String CORE_TAGS = "tag:yaml.org,2002:";

  private final Iterator<Event> events;
  private final Map<Anchor, YamlNode> anchors = new HashMap<>();
  private final Set<Anchor> open = new HashSet<>();
  private int depth;

  private YamlDocument(Iterator<Event> events) {
    this.events = events;
  }

  /**
   * Parses a text.
   *
   * @throws YamlException if the text is not exactly one well-formed document within the limits
   */
  public static YamlNode parse(String text) {
    // The buffer holds the whole text, because the parser copies its buffer whenever it looks
    // ahead.
    LoadSettings settings =
        LoadSettings.builder()
            .setCodePointLimit(Integer.MAX_VALUE)
            .setBufferSize(text.length() + 1)
            .build();
    try {
      return new YamlDocument(new Parse(settings).parseString(text).iterator()).document();
    } catch (MarkedYamlEngineException e) {
      Optional<Mark> mark = e.getProblemMark().or(e::getContextMark);
      String context = e.getContext() == null ? "" : e.getContext() + ", ";
      throw new YamlException(line(mark), "not YAML: " + context + e.getProblem());
    } catch (ReaderException e) {
      int line =
          1 + (int) text.substring(0, offset(text, e)).chars().filter(c -> c == '\n').count();
      throw new YamlException(
          line,
          String.format("not YAML: the character U+%04X is not allowed in text", e.getCodePoint()));
    } catch (YamlEngineException e) {
      throw new YamlException(1, "not YAML: " + e.getMessage());
    }
  }

  private static int offset(String text, ReaderException e) {
    int points = Math.min(Math.max(e.getPosition(), 0), text.codePointCount(0, text.length()));
    return text.offsetByCodePoints(0, points);
  }

  private YamlNode document() {
    YamlNode root = null;
    while (events.hasNext()) {
      Event event = events.next();
      switch (event.getEventId()) {
        case StreamStart, StreamEnd, DocumentEnd, Comment -> {}
        case DocumentStart -> {
          if (root != null) {
            throw new YamlException(line(event), "a second YAML document: one was expected");
          }
        }
        default -> root = node(event);
      }
    }
    if (root == null) {
      throw new YamlException(1, "the text is empty");
    }
    return root;
  }

  private YamlNode node(Event event) {
    if (event instanceof AliasEvent alias) {
      return resolve(alias);
    }
    if (event instanceof ScalarEvent scalar) {
      checkTag(scalar.getTag(), event);
      YamlNode node = new YamlNode.Scalar(line(event), scalar.getValue(), scalar.isPlain());
      scalar.getAnchor().ifPresent(anchor -> anchors.put(anchor, node));
      return node;
    }
    CollectionStartEvent start = (CollectionStartEvent) event;
    checkTag(start.getTag(), event);
    if (++depth > MAX_DEPTH) {
      throw new YamlException(line(event), "nested more than " + MAX_DEPTH + " levels deep");
    }
    Optional<Anchor> anchor = start.getAnchor();
    anchor.ifPresent(open::add);
    YamlNode node =
        event.getEventId() == Event.ID.MappingStart ? mapping(line(event)) : sequence(line(event));
    anchor.ifPresent(name -> anchors.put(name, node));
    anchor.ifPresent(open::remove);
    depth--;
    return node;
  }

  private YamlNode resolve(AliasEvent event) {
    Anchor anchor = event.getAlias();
    if (open.contains(anchor)) {
      throw new YamlException(
          line(event),
          "the alias " + Quoted.of(anchor.getValue()) + " stands inside what it refers to");
    }
    @Nullable YamlNode node = anchors.get(anchor);
    if (node == null) {
      throw new YamlException(
          line(event),
          "the alias " + Quoted.of(anchor.getValue()) + " refers to no earlier anchor");
    }
    return node;
  }

  private YamlNode sequence(int line) {
    List<YamlNode> items = new ArrayList<>();
    long size = 1;
    for (Event event = next(); event.getEventId() != Event.ID.SequenceEnd; event = next()) {
      YamlNode child = node(event);
      size = grown(size, child.size(), line(event));
      items.add(child);
    }
    return new YamlNode.Sequence(line, size, items);
  }

  private YamlNode mapping(int line) {
    LinkedHashMap<String, YamlNode.Entry> entries = new LinkedHashMap<>();
    YamlNode.@Nullable Repeated repeated = null;
    long size = 1;
    for (Event event = next(); event.getEventId() != Event.ID.MappingEnd; event = next()) {
      if (!(node(event) instanceof YamlNode.Scalar key)) {
        throw new YamlException(line(event), "a key must be a single value");
      }
      YamlNode value = node(next());
      size = grown(size, value.size() + 1, line(event));
      YamlNode.Entry earlier =
          entries.putIfAbsent(key.text(), new YamlNode.Entry(line(event), value));
      if (earlier != null && repeated == null) {
        repeated = new YamlNode.Repeated(key.text(), line(event), earlier.line());
      }
    }
    return new YamlNode.Mapping(line, size, entries, repeated);
  }

  private Event next() {
    Event event = events.next();
    while (event.getEventId() == Event.ID.Comment) {
      event = events.next();
    }
    return event;
  }

  /** The size with another child; each part is below the limit, so that the sum cannot overflow. */
  private static long grown(long size, long more, int line) {
    long sum = size + more;
    if (sum > MAX_NODES) {
      throw new YamlException(
          line, "more than " + MAX_NODES + " values once its aliases are written out");
    }
    return sum;
  }

  private static void checkTag(Optional<String> tag, Event event) {
    if (tag.isPresent() && !tag.get().startsWith(CORE_TAGS) && !tag.get().equals("!")) {
      throw new YamlException(
          line(event), "unknown tag " + Quoted.of(tag.get()) + ": leave it out");
    }
  }

  private static int line(Event event) {
    return line(event.getStartMark());
  }

  private static int line(Optional<Mark> mark) {
    return mark.map(m -> m.getLine() + 1).orElse(1);
  }
}
