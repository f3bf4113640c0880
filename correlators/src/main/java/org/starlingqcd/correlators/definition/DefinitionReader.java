package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.projection.ProductContent;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.ReferenceRotation;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.YamlDocument;
import org.starlingqcd.hadron.yaml.YamlException;
import org.starlingqcd.hadron.yaml.YamlNode;

/** Reads the text of a definition; operators are read by {@link OperatorReader}. */
final class DefinitionReader {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,200}");

  /** Accepts {@code parity: -}, which YAML reads as a list with one empty element. */
  private static final Pattern BARE_MINUS =
      Pattern.compile("(?m)(\\b(?:[gc]_)?parity[ \\t]*:[ \\t]+)-(?=[ \\t]*(?:[,}]|[ \\t]#|$))");

  private static final Pattern LABEL = Pattern.compile("[^\\p{Cntrl}/]+");

  /**
   * The first line of a definition whose names are those of versions before 0.1: hadrons have the
   * opposite I3, and kaons are antikaons.
   */
  static final String EARLIER_NAMES = "# names: earlier";

  private final String origin;
  private final String text;
  private final boolean earlierNames;

  private DefinitionReader(String origin, String text) {
    this.origin = origin;
    this.text = text;
    earlierNames = hasEarlierNames(text);
  }

  static boolean hasEarlierNames(String text) {
    return text.lines().findFirst().filter(line -> line.strip().equals(EARLIER_NAMES)).isPresent();
  }

  /**
   * Reads a definition and expands its operators.
   *
   * @param origin the file, for messages
   * @throws DefinitionException for anything wrong with it
   */
  static Definition read(String origin, String text) {
    return new DefinitionReader(origin, text).definition();
  }

  private Definition definition() {
    SourceLocation start = new SourceLocation(origin, 1, null);
    YamlNode root = parse(start);
    Fields fields = Fields.of(root, "a definition", start);
    fields.allow(
        "name",
        "isospin",
        "momentum",
        "orientation",
        "irrep",
        "row",
        "g_parity",
        "c_parity",
        "quarks",
        "vev",
        "allow_zero",
        "mesons",
        "baryons",
        "operators",
        "quantum_numbers");
    String name = fields.text("name");
    if (!NAME.matcher(name).matches()) {
      throw fields
          .place("name")
          .error(
              "name: expected letters, digits, _ and - (at most 200), because it names the result"
                  + " file; found "
                  + Quoted.of(name));
    }
    @Nullable Isospin isospin = fields.has("isospin") ? isospin(fields) : null;
    Momentum momentum = fields.has("momentum") ? fields.momentum("momentum") : Momentum.ZERO;
    @Nullable Irrep irrep =
        fields.has("irrep") ? fields.value("irrep", text -> irrep(text, momentum, fields)) : null;
    int row = row(fields, irrep);
    boolean vacuum =
        isospin != null
            && isospin.total().twice() == 0
            && irrep != null
            && irrep.name().equals("A1+");
    DefinitionHeader header =
        new DefinitionHeader(
            name,
            isospin,
            momentum,
            orientation(fields, momentum),
            irrep == null ? null : new DefinitionHeader.Target(irrep.name(), row),
            charge(fields, isospin),
            quarks(fields),
            fields.has("vev") && fields.value("vev", Fields::truth),
            // Earlier versions did not compare G and C parities.
            earlierNames
                || (fields.has("allow_zero") && fields.value("allow_zero", Fields::truth)));
    return operators(fields, header, vacuum && !fields.has("vev"));
  }

  private YamlNode parse(SourceLocation start) {
    try {
      return YamlDocument.parse(text);
    } catch (YamlException e) {
      try {
        return YamlDocument.parse(BARE_MINUS.matcher(text).replaceAll("$1\"-\""));
      } catch (YamlException again) {
        throw start.at(e.line()).error(e);
      }
    }
  }

  /**
   * Reads the operators.
   *
   * @param vacuum whether one-point functions are computed unless there are baryons
   */
  private Definition operators(Fields fields, DefinitionHeader header, boolean vacuum) {
    OperatorReader reader =
        new OperatorReader(header, new OwnHadronReader(header, earlierNames).read(fields));
    List<OperatorDefinition> operators = new ArrayList<>();
    List<SourceLocation> places = new ArrayList<>();
    Map<String, Integer> lines = new HashMap<>();
    for (YamlNode node : fields.filledList("operators")) {
      Fields operator =
          Fields.of(node, "an operator", fields.place().in("operator " + (operators.size() + 1)));
      OperatorDefinition definition = reader.read(operator);
      SourceLocation place = operator.place().in("operator " + Quoted.of(definition.name()));
      Integer earlier = lines.putIfAbsent(definition.name(), place.line());
      if (earlier != null) {
        throw place.error(
            "duplicate operator name, first given to the operator in line " + earlier);
      }
      operators.add(definition);
      places.add(place);
    }
    boolean onePoint = vacuum && operators.stream().noneMatch(OperatorDefinition::hasBaryons);
    return new Definition(
        onePoint ? header.withOnePoint() : header, operators, places, origin, text);
  }

  private static @Nullable Momentum orientation(Fields fields, Momentum momentum) {
    if (!fields.has("orientation")) {
      return null;
    }
    Momentum orientation = fields.momentum("orientation");
    if (momentum.equals(Momentum.ZERO)) {
      throw fields
          .place("orientation")
          .error("orientation: the total momentum is 0, so there is nothing to turn; leave it out");
    }
    if (!ReferenceRotation.equivalent(momentum, orientation)) {
      throw fields
          .place("orientation")
          .error(
              "orientation "
                  + orientation
                  + " is not equivalent to momentum "
                  + momentum
                  + ": no rotation of the cube takes one to the other");
    }
    return orientation;
  }

  /** The key {@code g_parity} or {@code c_parity}; they are the same for isospin 0. */
  private static DefinitionHeader.@Nullable Charge charge(
      Fields fields, @Nullable Isospin isospin) {
    if (!fields.has("g_parity") && !fields.has("c_parity")) {
      return null;
    }
    if (fields.has("g_parity") && fields.has("c_parity")) {
      throw fields.place("c_parity").error("expected g_parity or c_parity, found both");
    }
    String key = fields.has("g_parity") ? "g_parity" : "c_parity";
    int sign = fields.value(key, text -> sign(text, "+ or -"));
    boolean g = key.equals("g_parity");
    if (!g && isospin != null && isospin.total().twice() != 0) {
      throw fields
          .place(key)
          .error(
              "c_parity is for isospin 0, and the isospin is "
                  + isospin.total()
                  + ": write g_parity, which is (-1)^I times C of the neutral member");
    }
    Map<String, String> quarks = quarks(fields);
    boolean symmetric = Objects.equals(quarks.get("u"), quarks.get("d"));
    if (g && !symmetric) {
      throw fields
          .place(key)
          .error(
              "g_parity needs one perambulator label for u and d; with two labels only c_parity of"
                  + " neutral operators is left");
    }
    return new DefinitionHeader.Charge(
        g || isospin != null ? ChargeParity.G : ChargeParity.C, sign);
  }

  /** A sign that is written {@code +}, {@code -}, {@code plus} or {@code minus}. */
  static int sign(String text, String expected) {
    return switch (text) {
      case "plus", "+" -> 1;
      case "minus", "-" -> -1;
      default ->
          throw new IllegalArgumentException("expected " + expected + ", found " + Quoted.of(text));
    };
  }

  private Isospin isospin(Fields fields) {
    List<HalfInteger> values = fields.values("isospin", Fields::halfInteger);
    if (values.size() != 2) {
      throw fields
          .place("isospin")
          .error("isospin has two values, the total I and I3, found " + values.size());
    }
    try {
      HalfInteger third = values.get(1);
      return new Isospin(values.get(0), earlierNames ? new HalfInteger(-third.twice()) : third);
    } catch (IllegalArgumentException e) {
      throw fields.place("isospin").error(e);
    }
  }

  private Irrep irrep(String name, Momentum momentum, Fields fields) {
    try {
      return Irrep.of(name, momentum);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "unknown irrep "
              + Quoted.of(name)
              + ": "
              + e.getMessage()
              + firstContent(momentum, fields).map(content -> "; " + content).orElse("")
              + Irrep.suggestion(name, momentum),
          e);
    }
  }

  /** The irreps in the first product of hadrons, unless something is wrong with that too. */
  private Optional<String> firstContent(Momentum momentum, Fields fields) {
    try {
      // Any irrep does: components count as they do with one.
      String any = Irrep.all(momentum, false).get(0).name();
      DefinitionHeader header =
          new DefinitionHeader(
              "any",
              null,
              momentum,
              null,
              new DefinitionHeader.Target(any, 0),
              null,
              quarks(fields),
              false,
              false);
      HadronReader reader =
          new HadronReader(header, new OwnHadronReader(header, earlierNames).read(fields));
      for (YamlNode node : fields.filledList("operators")) {
        Fields operator = Fields.of(node, "an operator", fields.place());
        if (operator.has("hadrons")) {
          List<HadronFactor> hadrons = reader.hadrons(operator);
          OperatorReader.checkMomentum(
              operator.place(), hadrons.stream().map(HadronFactor::momentum).toList(), header);
          return Optional.of(
              "the product of operator "
                  + Quoted.of(operator.text("name"))
                  + " contains "
                  + new ProductContent(hadrons).text());
        }
      }
    } catch (DefinitionException e) {
      // The unknown irrep is said first.
    }
    return Optional.empty();
  }

  /** The row of the irrep, an index. */
  private static int row(Fields fields, @Nullable Irrep irrep) {
    Optional<String> row = fields.optionalText("row");
    if (irrep == null) {
      if (row.isPresent()) {
        throw fields.place("row").error("row without irrep");
      }
      return 0;
    }
    if (irrep.dimension() == 1) {
      if (row.isPresent()) {
        throw fields
            .place("row")
            .error("irrep " + irrep.name() + " has one dimension: leave row out");
      }
      return 0;
    }
    if (row.isEmpty()) {
      throw fields
          .place("irrep")
          .error("irrep " + irrep.name() + " needs a row: " + String.join(", ", irrep.rows()));
    }
    return rowIndex(irrep, row.get(), fields.place("row"), "row");
  }

  static int rowIndex(Irrep irrep, String row, SourceLocation place, String key) {
    int index = irrep.rows().indexOf(row);
    if (index < 0) {
      throw place.error(
          key
              + ": irrep "
              + irrep.name()
              + " has no row "
              + Quoted.of(row)
              + ": expected one of "
              + String.join(", ", irrep.rows()));
    }
    return index;
  }

  private static Map<String, String> quarks(Fields fields) {
    Map<String, String> quarks = new LinkedHashMap<>();
    quarks.put("u", "light");
    quarks.put("d", "light");
    quarks.put("s", "strange");
    if (!fields.has("quarks")) {
      return quarks;
    }
    YamlNode node = fields.node("quarks");
    Fields labels = Fields.of(node, "quarks", fields.place());
    labels.refuseRepeated();
    for (String flavour : ((YamlNode.Mapping) node).entries().keySet()) {
      String label = labels.text(flavour);
      for (String part : List.of(flavour, label)) {
        if (!LABEL.matcher(part).matches() || part.equals(".") || part.equals("..")) {
          throw labels
              .place(flavour)
              .error(
                  "quarks: flavours and perambulator labels are names without / and control"
                      + " characters, found "
                      + Quoted.of(part));
        }
      }
      quarks.put(flavour, label);
    }
    return quarks;
  }
}
