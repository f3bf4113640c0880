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
import org.starlingqcd.correlators.definition.hadrons.ProductContent;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.ReferenceRotation;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.TetraquarkFactor;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.Fields;
import org.starlingqcd.hadron.yaml.Place;
import org.starlingqcd.hadron.yaml.YamlDocument;
import org.starlingqcd.hadron.yaml.YamlException;
import org.starlingqcd.hadron.yaml.YamlNode;

/**
 * Reads the text of a definition, or one side of a definition of three-point functions; operators
 * are read by {@link OperatorReader}.
 */
final class DefinitionReader {
  private static final List<String> KEYS =
      List.of(
          ("name isospin momentum orientation irrep row g_parity c_parity quarks vev allow_zero mesons"
                  + " baryons tetraquarks profiles operators quantum_numbers stochastic noise_subsets")
              .split(" "));

  /** What a definition of three-point functions says once for both sides. */
  private static final List<String> OF_BOTH_SIDES =
      List.of(
          "name quarks mesons baryons tetraquarks profiles allow_zero stochastic noise_subsets"
              .split(" "));

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,200}");

  /** Accepts {@code parity: -}, which YAML reads as a list with one empty element. */
  private static final Pattern BARE_MINUS =
      Pattern.compile("(?m)(\\b(?:[gc]_)?parity[ \\t]*:[ \\t]+)-(?=[ \\t]*(?:[,}]|[ \\t]#|$))");

  private static final Pattern LABEL = Pattern.compile("(?!\\.{1,2}\\z)[^\\p{Cntrl}/]+");

  /** Larger components of momenta are typing errors; sums of smaller ones do not overflow. */
  private static final int LARGEST_MOMENTUM = 1_000_000;

  /**
   * The first line of a definition whose names are those of versions before 0.1: hadrons have the
   * opposite I3, and kaons are antikaons.
   */
  static final String EARLIER_NAMES = "# names: earlier";

  private final String origin;
  private final String text;
  private final boolean earlierNames;
  private final Fields top;
  private final Fields fields;

  /**
   * Prepares reading.
   *
   * @param top the keys of the file
   * @param fields the keys of the operators: those of the file, or those of one side
   */
  private DefinitionReader(String origin, String text, Fields top, Fields fields) {
    this.origin = origin;
    this.text = text;
    earlierNames = hasEarlierNames(text);
    this.top = top;
    this.fields = fields;
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
  static AnyDefinition read(String origin, String text) {
    Place.Faults faults =
        (line, part, message, cause) ->
            new DefinitionException(
                origin
                    + (", line " + line)
                    + (part.isEmpty() ? "" : ", " + part)
                    + (": " + message),
                cause);
    Place start = Place.start(faults);
    Fields top = Fields.of(parse(text, start), "a definition", start);
    if (!CurrentReader.isFor(top)) {
      top.allow(KEYS);
      return new DefinitionReader(origin, text, top, top).definition(name(top));
    }
    String name = name(top);
    Stochastic.refuse(top, "in three-point functions");
    return CurrentReader.read(
        top,
        hasEarlierNames(text),
        key -> {
          // Places say which side an operator belongs to.
          Place side =
              new Place(
                  (line, part, message, cause) ->
                      faults.of(line, part.isEmpty() ? key : key + ", " + part, message, cause),
                  top.place(key).line(),
                  "");
          Fields fields = Fields.of(top.node(key), "a " + key, side);
          refuseKeysOfBothSides(fields);
          return new DefinitionReader(origin, text, top, fields).definition(name);
        });
  }

  private static void refuseKeysOfBothSides(Fields side) {
    Stochastic.refuse(side, "in three-point functions");
    for (String key : side.names()) {
      if (OF_BOTH_SIDES.contains(key)) {
        throw side.error(key, "%s is for both sides: write it at the top of the definition", key);
      }
    }
    CurrentReader.refuseVev(side);
    side.allow(KEYS.stream().filter(key -> !OF_BOTH_SIDES.contains(key)).toList());
  }

  private static YamlNode parse(String text, Place start) {
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

  private static String name(Fields fields) {
    String name = fields.text("name");
    if (!NAME.matcher(name).matches()) {
      throw fields.error(
          "name",
          "name: expected letters, digits, _ and - (at most 200), because it names the result file;"
              + " found %s",
          Quoted.of(name));
    }
    return name;
  }

  private boolean isTwoPoint() {
    return top.has("operators");
  }

  private Definition definition(String name) {
    Isospin isospin = fields.has("isospin") ? isospin() : null;
    Momentum momentum = fields.has("momentum") ? momentum(fields, "momentum") : Momentum.ZERO;
    Irrep irrep = fields.has("irrep") ? fields.value("irrep", n -> irrep(n, momentum)) : null;
    if (irrep == null && fields.has("row")) {
      throw fields.error("row", "row without irrep");
    }
    if (irrep != null && irrep.dimension() > 1 && !fields.has("row")) {
      throw fields.error(
          "irrep", "irrep %s needs a row: %s", irrep.name(), String.join(", ", irrep.rows()));
    }
    DefinitionHeader.Target target =
        irrep == null
            ? null
            : new DefinitionHeader.Target(
                irrep.name(), fields.has("row") ? row(fields, "row", irrep) : 0);
    DefinitionHeader header =
        new DefinitionHeader(
            name,
            isospin,
            momentum,
            fields.has("orientation") ? orientation(momentum) : null,
            target,
            charge(isospin),
            quarks(),
            fields.value("vev", false, Fields::truth),
            // Earlier versions did not compare G and C parities.
            earlierNames || top.value("allow_zero", false, Fields::truth),
            isTwoPoint() ? Stochastic.read(top, quarks().values()) : Stochastic.NONE);
    boolean vacuum =
        isospin != null
            && isospin.total().twice() == 0
            && irrep != null
            && irrep.name().equals("A1+");
    return operators(header, vacuum && isTwoPoint() && !fields.has("vev"));
  }

  /**
   * Reads the operators.
   *
   * @param vacuum whether one-point functions are computed unless there are baryons
   */
  private Definition operators(DefinitionHeader header, boolean vacuum) {
    OperatorReader reader = new OperatorReader(header, new HadronReader(header, top, earlierNames));
    List<OperatorDefinition> operators = new ArrayList<>();
    List<Place> places = new ArrayList<>();
    Map<String, Integer> lines = new HashMap<>();
    for (YamlNode node : fields.filledList("operators")) {
      Fields operator =
          Fields.of(node, "an operator", fields.place().in("operator " + (operators.size() + 1)));
      OperatorDefinition definition = reader.read(operator);
      Place place = operator.place().in("operator " + Quoted.of(definition.name()));
      Integer earlier = lines.putIfAbsent(definition.name(), place.line());
      if (earlier != null) {
        throw place.error(
            "duplicate operator name, first given to the operator in line %d", earlier);
      }
      operators.add(definition);
      places.add(place);
    }
    boolean onePoint = vacuum && operators.stream().noneMatch(OperatorDefinition::hasBaryons);
    Definition definition =
        new Definition(onePoint ? header.withOnePoint() : header, operators, places, origin, text);
    if (definition.toCorrelationMatrix().has(TetraquarkFactor.class)) {
      Stochastic.refuse(top, "with tetraquarks");
    }
    // Operators of one side of a current need not mix with each other.
    if (isTwoPoint() && !header.allowZero()) {
      Mixing.check(definition, places);
    }
    return definition;
  }

  private Momentum orientation(Momentum momentum) {
    Momentum orientation = momentum(fields, "orientation");
    if (momentum.equals(Momentum.ZERO)) {
      throw fields.error(
          "orientation",
          "orientation: the total momentum is 0, so there is nothing to turn; leave it out");
    }
    if (!ReferenceRotation.equivalent(momentum, orientation)) {
      throw fields.error(
          "orientation",
          "orientation %s is not equivalent to momentum %s: no rotation of the cube takes one to the"
              + " other",
          orientation,
          momentum);
    }
    return orientation;
  }

  /** The key {@code g_parity} or {@code c_parity}; they are the same for isospin 0. */
  private DefinitionHeader.@Nullable Charge charge(@Nullable Isospin isospin) {
    if (!fields.has("g_parity") && !fields.has("c_parity")) {
      return null;
    }
    if (fields.has("g_parity") && fields.has("c_parity")) {
      throw fields.error("c_parity", "expected g_parity or c_parity, found both");
    }
    boolean g = fields.has("g_parity");
    String key = g ? "g_parity" : "c_parity";
    int sign = fields.value(key, text -> sign(text, "+ or -"));
    if (!g && isospin != null && isospin.total().twice() != 0) {
      throw fields.error(
          key,
          "c_parity is for isospin 0, and the isospin is %s: write g_parity, which is (-1)^I times C"
              + " of the neutral member",
          isospin.total());
    }
    Map<String, String> quarks = quarks();
    if (g && !Objects.equals(quarks.get("u"), quarks.get("d"))) {
      throw fields.error(
          key,
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

  static HalfInteger halfInteger(String text) {
    return HalfInteger.parse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected an integer or a half such as 1/2 or 0.5, found " + Quoted.of(text)));
  }

  private Isospin isospin() {
    List<HalfInteger> values = fields.values("isospin", DefinitionReader::halfInteger);
    if (values.size() != 2) {
      throw fields.error(
          "isospin", "isospin has two values, the total I and I3, found %d", values.size());
    }
    try {
      HalfInteger third = values.get(1);
      return new Isospin(values.get(0), earlierNames ? new HalfInteger(-third.twice()) : third);
    } catch (IllegalArgumentException e) {
      throw fields.place("isospin").error(e);
    }
  }

  /** The momentum under a required key. */
  static Momentum momentum(Fields fields, String key) {
    return momentum(fields, fields.node(key), key);
  }

  /** A momentum in a list under a key. */
  static Momentum momentum(Fields fields, YamlNode node, String key) {
    List<Integer> n =
        fields.values(
            node, key, text -> (int) Fields.integer(text, -LARGEST_MOMENTUM, LARGEST_MOMENTUM));
    if (n.size() != 3) {
      throw fields
          .place()
          .at(node.line())
          .error("%s has three components, found %d", key, n.size());
    }
    return new Momentum(n.get(0), n.get(1), n.get(2));
  }

  private Irrep irrep(String name, Momentum momentum) {
    try {
      return Irrep.of(name, momentum);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "unknown irrep %s: %s%s%s"
              .formatted(
                  Quoted.of(name),
                  e.getMessage(),
                  firstContent(momentum).map(content -> "; " + content).orElse(""),
                  Irrep.suggestion(name, momentum)),
          e);
    }
  }

  /** The irreps in the first product of hadrons, unless something is wrong with that too. */
  private Optional<String> firstContent(Momentum momentum) {
    // Any irrep does: components count as they do with one.
    String any = Irrep.all(momentum, false).get(0).name();
    DefinitionHeader.Target target = new DefinitionHeader.Target(any, 0);
    try {
      DefinitionHeader header =
          new DefinitionHeader(
              "any", null, momentum, null, target, null, quarks(), false, false, Stochastic.NONE);
      HadronReader reader = new HadronReader(header, top, earlierNames);
      for (YamlNode node : fields.filledList("operators")) {
        Fields operator = Fields.of(node, "an operator", fields.place());
        if (operator.has("hadrons")) {
          List<HadronFactor> hadrons = reader.hadrons(operator);
          List<Momentum> momenta = hadrons.stream().map(HadronFactor::momentum).toList();
          OperatorReader.check(operator.place(), 0, momenta, header);
          return Optional.of(
              "the product of operator %s contains %s"
                  .formatted(Quoted.of(operator.text("name")), new ProductContent(hadrons).text()));
        }
      }
    } catch (DefinitionException e) {
      // The unknown irrep is said first.
    }
    return Optional.empty();
  }

  /** The index of the row under a key. */
  static int row(Fields fields, String key, Irrep irrep) {
    if (irrep.dimension() == 1) {
      throw fields.error(key, "irrep %s has one dimension: leave %s out", irrep.name(), key);
    }
    int index = irrep.rows().indexOf(fields.text(key));
    if (index < 0) {
      throw fields.error(
          key,
          "%s: irrep %s has no row %s: expected one of %s",
          key,
          irrep.name(),
          Quoted.of(fields.text(key)),
          String.join(", ", irrep.rows()));
    }
    return index;
  }

  private Map<String, String> quarks() {
    Map<String, String> quarks = new LinkedHashMap<>();
    quarks.put("u", "light");
    quarks.put("d", "light");
    quarks.put("s", "strange");
    if (top.has("quarks")) {
      Fields labels = top.fields("quarks", "quarks");
      for (String flavour : labels.names()) {
        String label = labels.text(flavour);
        for (String part : List.of(flavour, label)) {
          if (!LABEL.matcher(part).matches()) {
            throw labels.error(
                flavour,
                "quarks: flavours and perambulator labels are names without / and control"
                    + " characters, found %s",
                Quoted.of(part));
          }
        }
        quarks.put(flavour, label);
      }
    }
    return quarks;
  }
}
