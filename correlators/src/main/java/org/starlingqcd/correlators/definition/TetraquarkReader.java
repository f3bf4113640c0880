package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.hadrons.Diquark;
import org.starlingqcd.correlators.definition.hadrons.Tetraquark;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.graph.Complex;
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
  private static final String OF_BOTH = "antiquarks antidiquark quarks diquark colour profile ";
  private static final List<String> OF_A_FACTOR = List.of((OF_BOTH + "momentum").split(" "));
  private static final List<String> OF_A_PART =
      List.of(("coefficient " + OF_BOTH + "isospin spin irrep").split(" "));

  private TetraquarkReader() {}

  /** A tetraquark of a definition's own. */
  static Tetraquark own(
      DefinitionHeader header, ProfileReader profiles, String name, YamlNode node, Place place) {
    Fields fields = Fields.of(node, "a tetraquark of one's own", place);
    List<Tetraquark.Part> parts = new ArrayList<>();
    if (fields.has("parts")) {
      fields.allow(List.of("isospin", "spin", "irrep", "parts"));
      for (YamlNode part : fields.filledList("parts")) {
        parts.add(part(header, profiles, Fields.of(part, "a part of a tetraquark", place), fields));
      }
    } else {
      parts.add(part(header, profiles, fields, fields));
    }
    try {
      Tetraquark tetraquark = new Tetraquark(name, parts);
      checkIsospin(tetraquark);
      return tetraquark;
    } catch (IllegalArgumentException e) {
      throw place.error(e);
    }
  }

  /**
   * Flavours u and d are not coupled: what has them has its isospin all the same, or is refused.
   */
  private static void checkIsospin(Tetraquark tetraquark) {
    List<Term> terms =
        tetraquark.row(0, tetraquark.isospin().twice(), Momentum.ZERO).stream()
            .map(p -> new Term(p.spin().times(p.flavour().doubleValue()), List.of(p.factor())))
            .toList();
    Set<HalfInteger> isospins = IsospinContent.of(terms).orElse(Set.of());
    if (!isospins.isEmpty() && !isospins.equals(Set.of(tetraquark.isospin()))) {
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
  private static Tetraquark.Part part(
      DefinitionHeader header, ProfileReader profiles, Fields part, Fields sum) {
    part.allow(OF_A_PART);
    PairColour colour = part.value("colour", TetraquarkReader::colour);
    Diquark antidiquark = diquark(header, part, true, colour);
    Diquark diquark = diquark(header, part, false, colour);
    Fields ofIsospin = part.has("isospin") ? part : sum;
    HalfInteger isospin =
        ofIsospin.has("isospin") ? ofIsospin.value("isospin", DefinitionReader::halfInteger) : null;
    Complex coefficient = OperatorReader.coefficient(part);
    try {
      return Tetraquark.Part.of(
              coefficient,
              antidiquark,
              diquark,
              isospin,
              text(part, sum, "spin"),
              text(part, sum, "irrep"))
          .withProfiles(profiles.tetraquark(part));
    } catch (IllegalArgumentException e) {
      throw part.place().error(e);
    }
  }

  private static @Nullable String text(Fields part, Fields sum, String key) {
    return part.has(key) ? part.text(key) : sum.has(key) ? sum.text(key) : null;
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

  /**
   * The flavours of the antiquarks or the quarks.
   *
   * @param light whether l is one
   */
  private static List<String> pair(
      DefinitionHeader header, Fields fields, boolean anti, boolean light) {
    String key = anti ? "antiquarks" : "quarks";
    List<String> flavours =
        fields.values(
            key, f -> light && f.equals(Diquark.LIGHT) ? f : OperatorReader.flavour(header, f));
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
  static Factor factor(DefinitionHeader header, ProfileReader reader, Fields fields) {
    fields.allow(OF_A_FACTOR);
    PairColour colour = fields.value("colour", TetraquarkReader::colour);
    List<String> flavours = new ArrayList<>(pair(header, fields, true, false));
    flavours.addAll(pair(header, fields, false, false));
    List<String> profiles = reader.tetraquark(fields);
    return new TetraquarkFactor(
        colour,
        flavours.get(0),
        flavours.get(1),
        gamma(fields, true, flavours.subList(0, 2), profiles, colour),
        flavours.get(2),
        flavours.get(3),
        gamma(fields, false, flavours.subList(2, 4), profiles, colour),
        DefinitionReader.momentum(fields, "momentum"),
        profiles);
  }

  private static Gamma gamma(
      Fields fields,
      boolean anti,
      List<String> flavours,
      List<String> profiles,
      PairColour colour) {
    String key = anti ? "antidiquark" : "diquark";
    Gamma gamma = fields.value(key, OperatorReader::diquark);
    int first = anti ? 0 : 2;
    if (!profiles.isEmpty() && !profiles.get(first).equals(profiles.get(first + 1))) {
      return gamma;
    }
    String others =
        colour == PairColour.TRIPLET
            ? "Cg1, Cg2, Cg3, Cg4 or C with two of these"
            : "C, Cg5, Cg1g5, Cg2g5, Cg3g5 or Cg4g5";
    try {
      Diquark.checkPair(anti, flavours, gamma, fields.text(key), colour, others);
    } catch (IllegalArgumentException e) {
      throw fields.place(key).error(e);
    }
    return gamma;
  }
}
