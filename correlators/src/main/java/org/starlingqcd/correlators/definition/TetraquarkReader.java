package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.starlingqcd.correlators.definition.hadrons.Diquark;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.Tetraquark;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.TetraquarkFactor;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.Fields;
import org.starlingqcd.hadron.yaml.Place;
import org.starlingqcd.hadron.yaml.YamlNode;

/** Reads tetraquarks: those that a definition names, and the factors of terms. */
final class TetraquarkReader {
  private static final List<String> OF_A_FACTOR =
      List.of("antiquarks", "antidiquark", "quarks", "diquark", "colour", "momentum");

  private static final List<String> OF_A_PART =
      List.of(
          "coefficient",
          "antiquarks",
          "antidiquark",
          "quarks",
          "diquark",
          "colour",
          "isospin",
          "spin",
          "irrep");

  private static final List<String> OF_A_SUM = List.of("isospin", "spin", "irrep", "parts");

  private TetraquarkReader() {}

  /** A tetraquark of a definition's own. */
  static Tetraquark own(DefinitionHeader header, String name, YamlNode node, Place place) {
    Fields fields = Fields.of(node, "a tetraquark of one's own", place);
    List<Tetraquark.Summand> summands = new ArrayList<>();
    if (fields.has("parts")) {
      fields.allow(OF_A_SUM);
      for (YamlNode part : fields.filledList("parts")) {
        summands.add(summand(header, Fields.of(part, "a part of a tetraquark", place), fields));
      }
    } else {
      summands.add(summand(header, fields, fields));
    }
    try {
      Tetraquark tetraquark = new Tetraquark(name, summands);
      checkIsospin(tetraquark);
      return tetraquark;
    } catch (IllegalArgumentException e) {
      throw place.error(e);
    }
  }

  /** Flavours u and d are not coupled, so they have isospin 0 or are refused. */
  private static void checkIsospin(Tetraquark tetraquark) {
    if (tetraquark.flavours().stream().noneMatch(f -> f.equals("u") || f.equals("d"))) {
      return;
    }
    List<Term> terms = new ArrayList<>();
    int third = tetraquark.isospin().twice();
    for (HadronFactor.Part part : tetraquark.parts(0, third, Momentum.ZERO)) {
      terms.add(new Term(part.spin().times(part.flavour().doubleValue()), List.of(part.factor())));
    }
    Set<HalfInteger> isospins = IsospinContent.of(terms).orElse(Set.of());
    if (!isospins.equals(Set.of(tetraquark.isospin()))) {
      throw new IllegalArgumentException(
          ("u and d are not coupled in isospin, and with them this has isospin %s, not %s; write l"
                  + " for a light flavour, or write the operator out in terms")
              .formatted(Mixing.isospinText(isospins), tetraquark.isospin()));
    }
  }

  /**
   * A part.
   *
   * @param sum the tetraquark, whose isospin, spin and irrep are those of parts without their own
   */
  private static Tetraquark.Summand summand(DefinitionHeader header, Fields part, Fields sum) {
    part.allow(OF_A_PART);
    PairColour colour = part.value("colour", TetraquarkReader::colour);
    Diquark antidiquark = diquark(header, part, true, colour);
    Diquark diquark = diquark(header, part, false, colour);
    Fields ofIsospin = part.has("isospin") ? part : sum;
    Fields ofSpin = part.has("spin") ? part : sum;
    Fields ofIrrep = part.has("irrep") ? part : sum;
    try {
      return new Tetraquark.Summand(
          OperatorReader.coefficient(part),
          Tetraquark.Coupling.of(
              antidiquark,
              diquark,
              ofIsospin.has("isospin")
                  ? ofIsospin.value("isospin", DefinitionReader::halfInteger)
                  : null,
              ofSpin.has("spin") ? ofSpin.text("spin") : null,
              ofIrrep.has("irrep") ? ofIrrep.text("irrep") : null));
    } catch (IllegalArgumentException e) {
      throw part.place().error(e);
    }
  }

  private static Diquark diquark(
      DefinitionHeader header, Fields part, boolean anti, PairColour colour) {
    List<String> flavours = pair(header, part, anti, true);
    Diquark.Kind kind = part.value(anti ? "antidiquark" : "diquark", Diquark.Kind::named);
    try {
      return new Diquark(anti, flavours, kind, colour);
    } catch (IllegalArgumentException e) {
      throw part.place(anti ? "antiquarks" : "quarks").error(e);
    }
  }

  /** The flavours of the antiquarks or the quarks. */
  private static List<String> pair(
      DefinitionHeader header, Fields fields, boolean anti, boolean light) {
    String key = anti ? "antiquarks" : "quarks";
    List<String> flavours =
        fields.values(
            key,
            text ->
                light && text.equals(Diquark.LIGHT) ? text : OperatorReader.flavour(header, text));
    if (flavours.size() != 2) {
      throw fields.error(key, "%s: a tetraquark has two, found %d", key, flavours.size());
    }
    return flavours;
  }

  private static PairColour colour(String text) {
    return PairColour.named(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected 3bar3 or 66bar, the colours of diquark and antidiquark, found "
                        + Quoted.of(text)));
  }

  /** A tetraquark written out. */
  static Factor factor(DefinitionHeader header, Fields fields) {
    fields.allow(OF_A_FACTOR);
    List<String> antiquarks = pair(header, fields, true, false);
    List<String> quarks = pair(header, fields, false, false);
    Gamma antidiquark = fields.value("antidiquark", OperatorReader::diquark);
    Gamma diquark = fields.value("diquark", OperatorReader::diquark);
    PairColour colour = fields.value("colour", TetraquarkReader::colour);
    check(fields, true, antiquarks, antidiquark, colour);
    check(fields, false, quarks, diquark, colour);
    return new TetraquarkFactor(
        colour,
        antiquarks.get(0),
        antiquarks.get(1),
        antidiquark,
        quarks.get(0),
        quarks.get(1),
        diquark,
        DefinitionReader.momentum(fields, "momentum"));
  }

  private static void check(
      Fields fields, boolean anti, List<String> flavours, Gamma gamma, PairColour colour) {
    try {
      Diquark.checkPair(
          anti,
          flavours,
          gamma,
          fields.text(anti ? "antidiquark" : "diquark"),
          colour,
          of ->
              of == PairColour.TRIPLET
                  ? "Cg1, Cg2, Cg3, Cg4 or C with two of these"
                  : "C, Cg5, Cg1g5, Cg2g5, Cg3g5 or Cg4g5");
    } catch (IllegalArgumentException e) {
      throw fields.place(anti ? "antiquarks" : "quarks").error(e);
    }
  }
}
