package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.MesonHadron;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CurrentTerm;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Insertion;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.Fields;
import org.starlingqcd.hadron.yaml.Place;
import org.starlingqcd.hadron.yaml.YamlNode;

/** Reads what a definition of three-point functions has besides its two sides: the insertions. */
final class CurrentReader {
  private static final List<String> KEYS =
      List.of(
          "name sink source insertions disconnected quarks mesons baryons tetraquarks profiles allow_zero"
              .split(" "));

  /** A file with one of these defines three-point functions. */
  private static final List<String> OWN_KEYS =
      List.of("source", "insertions", "sink", "disconnected");

  /** What {@code sink} and {@code source} say, each of its own operators. */
  private static final List<String> KEYS_OF_A_SIDE =
      List.of("isospin momentum orientation irrep row g_parity c_parity".split(" "));

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,200}");

  /** The displacement of a conserved current. */
  private static final String CONSERVED = "conserved";

  /** Terms cancel if their sum is below this fraction of the sum of their moduli. */
  private static final double ROUNDING = 1e-12;

  private final DefinitionHeader header;
  private final HadronReader hadrons;

  private CurrentReader(DefinitionHeader header, HadronReader hadrons) {
    this.header = header;
    this.hadrons = hadrons;
  }

  /** Whether a file defines three-point functions, rightly or wrongly. */
  static boolean isFor(Fields top) {
    return OWN_KEYS.stream().anyMatch(top::has);
  }

  /**
   * Reads a definition.
   *
   * @param side reads the operators under the key {@code sink} or {@code source}
   */
  static CurrentDefinition read(
      Fields top, boolean earlierNames, Function<String, Definition> side) {
    if (top.has("operators")) {
      throw top.error(
          "operators",
          "a definition has either operators, for two-point functions, or source and insertions, for"
              + " three-point functions; found operators and %s",
          OWN_KEYS.stream().filter(top::has).findFirst().orElseThrow());
    }
    refuseVev(top);
    for (String key : KEYS_OF_A_SIDE) {
      if (top.has(key)) {
        throw top.error(key, "%s belongs to one side: write it under sink or source", key);
      }
    }
    if (earlierNames) {
      throw top.error(
          "names of earlier versions are for two-point functions alone: leave the first line out");
    }
    top.allow(KEYS);
    Definition source = side.apply("source");
    Definition sink = top.has("sink") ? side.apply("sink") : source;
    DefinitionHeader header = source.header();
    CurrentReader reader = new CurrentReader(header, new HadronReader(header, top, false));
    List<Insertion> insertions = new ArrayList<>();
    List<Place> places = new ArrayList<>();
    Map<String, Integer> lines = new HashMap<>();
    for (YamlNode node : top.filledList("insertions")) {
      Fields unnamed =
          Fields.of(node, "an insertion", top.place().in("insertion " + (insertions.size() + 1)));
      Insertion insertion = reader.insertion(unnamed);
      Place place = unnamed.place().in("insertion " + Quoted.of(insertion.name()));
      Integer earlier = lines.putIfAbsent(insertion.name(), place.line());
      if (earlier != null) {
        throw place.error("duplicate name, first given to the insertion in line %d", earlier);
      }
      insertions.add(insertion);
      places.add(place);
    }
    return new CurrentDefinition(
        sink, source, insertions, places, top.value("disconnected", false, Fields::truth));
  }

  /** Refuses one-point functions. */
  static void refuseVev(Fields fields) {
    if (fields.has("vev")) {
      throw fields.error(
          "vev",
          "vev: three-point functions come without one-point functions of operators; leave it out");
    }
  }

  private Insertion insertion(Fields unnamed) {
    String name = unnamed.text("name");
    if (!NAME.matcher(name).matches()) {
      throw unnamed.error(
          "name",
          "name: expected letters, digits, _ and - (at most 200), because it names a group of the"
              + " result file; found %s",
          Quoted.of(name));
    }
    Fields fields = unnamed.in("insertion " + Quoted.of(name));
    List<String> forms =
        List.of("flavours", "meson", "terms").stream().filter(fields::has).toList();
    if (forms.size() != 1) {
      throw fields.error(
          "an insertion has one of flavours, meson and terms, found "
              + (forms.isEmpty() ? "none" : String.join(" and ", forms)));
    }
    List<CurrentTerm> terms =
        switch (forms.get(0)) {
          case "flavours" -> flavours(fields);
          case "meson" -> meson(fields);
          default -> terms(fields);
        };
    List<CurrentTerm> merged = merged(terms);
    if (merged.isEmpty()) {
      throw fields.error("the insertion vanishes: all of its terms cancel or are 0");
    }
    return new Insertion(name, merged);
  }

  /** {@code Σ_f c_f q̄_f Γ D q_f}. */
  private List<CurrentTerm> flavours(Fields fields) {
    fields.allow(List.of("name", "flavours", "gamma", "displacement", "momentum"));
    Gamma gamma = fields.value("gamma", OperatorReader::gamma);
    String displacement = displacement(fields, gamma);
    Fields coefficients = fields.fields("flavours", "flavours");
    List<CurrentTerm> terms = new ArrayList<>();
    for (String flavour : coefficients.names()) {
      try {
        OperatorReader.flavour(header, flavour);
      } catch (IllegalArgumentException e) {
        throw coefficients.place(flavour).error(e);
      }
      terms.add(
          term(
              OperatorReader.coefficient(coefficients, flavour),
              new Bilinear(flavour, gamma, flavour, momentum(fields), displacement)));
    }
    return terms;
  }

  /** The bilinear of a meson. */
  private List<CurrentTerm> meson(Fields fields) {
    for (String key : List.of("gamma", "displacement")) {
      if (fields.has(key)) {
        throw fields.error(key, "%s: the name of the meson says it; leave it out", key);
      }
    }
    fields.allow(List.of("name", "meson", "i3", "polarization", "momentum"));
    MesonHadron meson = hadrons.meson(fields, momentum(fields));
    int twiceIsospin = meson.isospin().twice();
    int twiceThird =
        twiceIsospin == 0 && !fields.has("i3")
            ? 0
            : fields.value("i3", DefinitionReader::halfInteger).twice();
    if (Math.abs(twiceThird) > twiceIsospin || (twiceIsospin - twiceThird) % 2 != 0) {
      List<String> components = new ArrayList<>();
      for (int twice = twiceIsospin; twice >= -twiceIsospin; twice -= 2) {
        components.add(new HalfInteger(twice).toString());
      }
      throw fields.error(
          "i3",
          "i3: %s has isospin %s and no component %s; expected one of %s",
          meson.name(),
          meson.isospin(),
          new HalfInteger(twiceThird),
          String.join(", ", components));
    }
    List<CurrentTerm> terms = new ArrayList<>();
    for (HadronFactor.Part part : meson.parts(twiceThird)) {
      terms.add(term(part.spin().times(part.flavour().doubleValue()), (Bilinear) part.factor()));
    }
    return terms;
  }

  private List<CurrentTerm> terms(Fields fields) {
    fields.allow(List.of("name", "terms"));
    List<CurrentTerm> terms = new ArrayList<>();
    for (YamlNode node : fields.filledList("terms")) {
      Fields one = Fields.of(node, "a term of an insertion", fields.place());
      one.allow(List.of("coefficient", "bar", "gamma", "quark", "momentum", "displacement"));
      Gamma gamma = one.value("gamma", OperatorReader::gamma);
      String displacement = displacement(one, gamma);
      Bilinear bilinear =
          new Bilinear(
              one.value("bar", text -> OperatorReader.flavour(header, text)),
              gamma,
              one.value("quark", text -> OperatorReader.flavour(header, text)),
              momentum(one),
              displacement);
      if (displacement.equals(CONSERVED) && !bilinear.bar().equals(bilinear.quark())) {
        throw one.error(
            "displacement",
            "displacement: a conserved current has one flavour, found bar %s and quark %s",
            bilinear.bar(),
            bilinear.quark());
      }
      terms.add(term(OperatorReader.coefficient(one), bilinear));
    }
    return terms;
  }

  private static Momentum momentum(Fields fields) {
    return fields.has("momentum") ? DefinitionReader.momentum(fields, "momentum") : Momentum.ZERO;
  }

  private static String displacement(Fields fields, Gamma gamma) {
    String displacement = OperatorReader.displacement(fields);
    if (displacement.equals(CONSERVED) && Integer.bitCount(gamma.mask()) != 1) {
      throw fields.error(
          "displacement",
          "displacement: a conserved current has gamma g1, g2, g3 or g4, found %s",
          fields.text("gamma"));
    }
    return displacement;
  }

  private static CurrentTerm term(Complex coefficient, Bilinear b) {
    return new CurrentTerm(
        coefficient.times(b.gamma().sign()),
        b.bar(),
        new CurrentVertex(b.gamma().unsigned(), b.displacement(), b.momentum()),
        b.quark());
  }

  /** Adds up equal terms and leaves out those that cancel. */
  private static List<CurrentTerm> merged(List<CurrentTerm> terms) {
    Map<CurrentTerm, Complex> sums = new LinkedHashMap<>();
    Map<CurrentTerm, Double> moduli = new HashMap<>();
    for (CurrentTerm term : terms) {
      CurrentTerm key = times(Complex.ONE, term);
      sums.merge(key, term.coefficient(), Complex::plus);
      moduli.merge(key, term.coefficient().abs(), Double::sum);
    }
    return sums.entrySet().stream()
        .filter(e -> e.getValue().abs() > ROUNDING * moduli.getOrDefault(e.getKey(), 0.0))
        // The sum with 0 turns -0 into 0.
        .map(e -> times(e.getValue().plus(Complex.ZERO), e.getKey()))
        .toList();
  }

  private static CurrentTerm times(Complex coefficient, CurrentTerm term) {
    return new CurrentTerm(coefficient, term.bar(), term.vertex(), term.quark());
  }
}
