package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Term;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.YamlNode;

/** Reads the terms of an operator that is written out. */
final class TermReader {
  /** Names of displacements are names of groups in data files. */
  private static final Pattern DISPLACEMENT = Pattern.compile("[^\\p{Cntrl}/]+");

  /** The spin bases of components, as they are written. */
  static final String DEGRAND_ROSSI = "DeGrand-Rossi";

  static final String DATA = "data";

  private final DefinitionHeader header;
  private final Fields operator;

  TermReader(DefinitionHeader header, Fields operator) {
    this.header = header;
    this.operator = operator;
  }

  List<Term> terms() {
    return operator.filledList("terms").stream().map(this::term).toList();
  }

  private Term term(YamlNode node) {
    Fields fields = Fields.of(node, "a term", operator.place());
    fields.allow("coefficient", "baryons", "mesons");
    List<Factor> factors = new ArrayList<>();
    if (fields.has("baryons")) {
      fields.list("baryons").forEach(baryon -> factors.add(baryon(baryon)));
    }
    if (fields.has("mesons")) {
      fields.list("mesons").forEach(meson -> factors.add(meson(meson)));
    }
    if (factors.isEmpty()) {
      throw fields.place().error("a term needs mesons, baryons or both");
    }
    OperatorReader.checkBaryonCount(
        fields.place(), factors.stream().filter(BaryonFactor.class::isInstance).count());
    OperatorReader.checkMomentum(
        fields.place(), factors.stream().map(Factor::momentum).toList(), header);
    return new Term(coefficient(fields), factors);
  }

  /** The key {@code coefficient}, 1 where it is missing. */
  static Complex coefficient(Fields fields) {
    if (!fields.has("coefficient")) {
      return Complex.ONE;
    }
    if (!(fields.node("coefficient") instanceof YamlNode.Sequence)) {
      return new Complex(fields.value("coefficient", Fields::real), 0);
    }
    List<Double> parts = fields.values("coefficient", Fields::real);
    if (parts.size() != 2) {
      throw fields
          .place("coefficient")
          .error("coefficient is a real number or [re, im], found " + parts.size() + " numbers");
    }
    return new Complex(parts.get(0), parts.get(1));
  }

  private Factor meson(YamlNode node) {
    Fields fields = Fields.of(node, "a meson factor", operator.place());
    fields.allow("bar", "gamma", "quark", "momentum", "displacement");
    String displacement = fields.optionalText("displacement").orElse(ElementalRef.NO_DISPLACEMENT);
    if (!DISPLACEMENT.matcher(displacement).matches()
        || displacement.equals(".")
        || displacement.equals("..")) {
      throw fields
          .place("displacement")
          .error(
              "displacement: expected a name of the data without / and control characters, as none,"
                  + " nabla_x, D_x or D_xD_y; found "
                  + Quoted.of(displacement));
    }
    return new Bilinear(
        fields.value("bar", this::flavour),
        fields.value("gamma", TermReader::gamma),
        fields.value("quark", this::flavour),
        fields.momentum("momentum"),
        displacement);
  }

  private Factor baryon(YamlNode node) {
    Fields fields = Fields.of(node, "a baryon factor", operator.place());
    fields.allow("quarks", "diquark", "parity", "component", "basis", "momentum");
    List<String> quarks = fields.values("quarks", this::flavour);
    if (quarks.size() != 3) {
      throw fields.place("quarks").error("a baryon has three quarks, found " + quarks.size());
    }
    return new BaryonFactor(
        quarks.get(0),
        quarks.get(1),
        quarks.get(2),
        fields.has("diquark") ? fields.value("diquark", TermReader::diquark) : Gamma.G5,
        parity(fields),
        component(fields),
        fields.momentum("momentum"),
        ElementalRef.NO_DISPLACEMENT,
        fields.has("basis")
            ? fields.value("basis", TermReader::deGrandRossi)
            : header.deGrandRossi());
  }

  /** Whether components are those of the DeGrand-Rossi basis or of the data's basis. */
  private static boolean deGrandRossi(String text) {
    return switch (text) {
      case DEGRAND_ROSSI -> true;
      case DATA -> false;
      default ->
          throw new IllegalArgumentException(
              "the basis in which component counts is data or DeGrand-Rossi, found "
                  + Quoted.of(text));
    };
  }

  private String flavour(String text) {
    if (!header.quarks().containsKey(text)) {
      throw new IllegalArgumentException(
          "unknown flavour "
              + Quoted.of(text)
              + ", expected one of "
              + String.join(", ", header.quarks().keySet())
              + "; more are added with quarks: {flavour: label} at the top");
    }
    return text;
  }

  private static Gamma gamma(String text) {
    try {
      return Gamma.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "unknown gamma structure "
              + Quoted.of(text)
              + ", expected 1 or a product of g1 … g5 such as g5 or g3g5",
          e);
    }
  }

  private static Gamma diquark(String text) {
    if (!text.startsWith("C") || text.equals("C1")) {
      throw new IllegalArgumentException(
          "expected C followed by gammas, such as C, Cg5 or Cg1g5, found " + Quoted.of(text));
    }
    return text.equals("C") ? Gamma.ONE : gamma(text.substring(1));
  }

  /** Parity of a baryon, +1 or -1. */
  static int parity(Fields fields) {
    if (!fields.has("parity")) {
      return 1;
    }
    return fields.value("parity", text -> DefinitionReader.sign(text, "plus or minus"));
  }

  /** Spin component of a baryon, 1 … 4. */
  static int component(Fields fields) {
    return fields.value("component", text -> Fields.integer(text, 1, 4));
  }
}
