package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.starlingqcd.correlators.definition.hadrons.Baryon;
import org.starlingqcd.correlators.definition.hadrons.HadronNames;
import org.starlingqcd.correlators.definition.hadrons.MesonField;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.YamlNode;

/**
 * Reads the hadrons that a definition names itself, under {@code mesons} and {@code baryons}. A
 * name may be used in those that follow it.
 */
final class OwnHadronReader {
  private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}\\s,:(){}\\[\\]]{1,100}");

  private final DefinitionHeader header;
  private final HadronNames names;

  /**
   * Prepares reading.
   *
   * @param earlierNames whether kaons have the names that they had before version 0.1
   */
  OwnHadronReader(DefinitionHeader header, boolean earlierNames) {
    this.header = header;
    names = new HadronNames(earlierNames);
  }

  /** All names that the definition may use. */
  HadronNames read(Fields definition) {
    for (String kind : List.of("mesons", "baryons")) {
      if (definition.has(kind)) {
        readAll(definition, kind);
      }
    }
    return names;
  }

  private void readAll(Fields definition, String kind) {
    YamlNode node = definition.node(kind);
    Fields entries = Fields.of(node, kind, definition.place());
    entries.refuseRepeated();
    for (Map.Entry<String, YamlNode.Entry> entry : ((YamlNode.Mapping) node).entries().entrySet()) {
      String name = entry.getKey();
      SourceLocation place =
          entries.place(name).in((kind.equals("mesons") ? "meson " : "baryon ") + Quoted.of(name));
      if (!NAME.matcher(name).matches()) {
        throw place.error(
            "the name of a hadron has no blanks, commas, colons, brackets and control characters");
      }
      try {
        names.checkFree(name);
      } catch (IllegalArgumentException e) {
        throw place.error(e);
      }
      if (kind.equals("mesons")) {
        names.add(meson(name, entry.getValue().value(), place));
      } else {
        names.add(baryon(name, entry.getValue().value(), place));
      }
    }
  }

  private MesonField meson(String name, YamlNode node, SourceLocation place) {
    if (node instanceof YamlNode.Sequence parts) {
      return combination(name, parts.items(), List.of(), place);
    }
    Fields fields = Fields.of(node, "a meson of one's own", place);
    if (fields.has("like") == fields.has("combination")) {
      throw fields
          .place()
          .error(
              "a meson of one's own is like another with another flavour, or a combination; found "
                  + (fields.has("like") ? "both" : "neither"));
    }
    if (fields.has("combination")) {
      fields.allow("combination", "momenta");
      return combination(name, fields.list("combination"), momenta(fields), place);
    }
    fields.allow("like", "strange");
    MesonField like = fields.value("like", names::meson);
    String strange = strange(fields);
    try {
      return like.like(name, strange);
    } catch (IllegalArgumentException e) {
      throw fields.place("like").error(e);
    }
  }

  private MesonField combination(
      String name, List<YamlNode> nodes, List<Momentum> momenta, SourceLocation place) {
    if (nodes.isEmpty()) {
      throw place.error("the combination is an empty list");
    }
    List<MesonField.Part> parts = new ArrayList<>();
    for (YamlNode node : nodes) {
      Fields part = Fields.of(node, "a part of a combination", place);
      part.allow("meson", "coefficient");
      parts.add(
          new MesonField.Part(TermReader.coefficient(part), part.value("meson", names::meson)));
    }
    try {
      return MesonField.combination(name, parts, momenta);
    } catch (IllegalArgumentException e) {
      throw place.error(e);
    }
  }

  private static List<Momentum> momenta(Fields fields) {
    return fields.has("momenta")
        ? fields.filledList("momenta").stream().map(n -> fields.momentum(n, "momenta")).toList()
        : List.of();
  }

  private Baryon baryon(String name, YamlNode node, SourceLocation place) {
    Fields fields = Fields.of(node, "a baryon of one's own", place);
    fields.allow("like", "strange");
    Baryon like = fields.value("like", names::baryon);
    String strange = strange(fields);
    if (!like.kind().hasStrange()) {
      throw fields
          .place("like")
          .error(like.name() + " has no strange quark that another flavour could replace");
    }
    return new Baryon(name, like.kind(), strange);
  }

  /** The flavour in the place of the strange quark. */
  private String strange(Fields fields) {
    return fields.value(
        "strange",
        flavour -> {
          if (flavour.equals("u") || flavour.equals("d")) {
            throw new IllegalArgumentException(
                "expected a flavour without isospin, not the light " + flavour);
          }
          if (!header.quarks().containsKey(flavour)) {
            throw new IllegalArgumentException(
                "unknown flavour "
                    + Quoted.of(flavour)
                    + ", expected one of "
                    + String.join(", ", header.quarks().keySet())
                    + "; more are added with quarks: {flavour: label} at the top");
          }
          return flavour;
        });
  }
}
