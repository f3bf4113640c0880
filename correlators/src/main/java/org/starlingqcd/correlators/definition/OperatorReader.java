package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.hadrons.Baryon;
import org.starlingqcd.correlators.definition.hadrons.BaryonHadron;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.Meson;
import org.starlingqcd.correlators.definition.hadrons.MesonHadron;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.yaml.Quoted;
import org.starlingqcd.correlators.definition.yaml.YamlNode;
import org.starlingqcd.graph.Momentum;

/** Reads one operator: a product of hadrons here, terms written out in {@link TermReader}. */
final class OperatorReader {
  private static final String DOUBLE_VALUED =
      "irreps with an odd number of baryons are double-valued and not projected to yet: "
          + "leave irrep (and row) out to use operators with baryons as they stand";

  private static final int MOST_BARYONS = 2;

  private final DefinitionHeader header;
  private final @Nullable Irrep irrep;

  OperatorReader(DefinitionHeader header, @Nullable Irrep irrep) {
    this.header = header;
    this.irrep = irrep;
  }

  OperatorDefinition read(Fields unnamed) {
    String name = unnamed.text("name");
    Fields fields = unnamed.in("operator " + Quoted.of(name));
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw fields.place("name").error("the name of an operator has no control characters");
    }
    fields.allow("name", "hadrons", "seed_row", "intermediate_isospin", "terms");
    if (fields.has("hadrons") == fields.has("terms")) {
      throw fields
          .place()
          .error(
              "an operator has either hadrons or terms, found "
                  + (fields.has("terms") ? "both" : "neither"));
    }
    if (fields.has("terms")) {
      for (String key : List.of("seed_row", "intermediate_isospin")) {
        if (fields.has(key)) {
          throw fields.place(key).error(key + " belongs to hadrons; terms are used as they stand");
        }
      }
    }
    OperatorDefinition operator =
        fields.has("hadrons")
            ? product(name, fields)
            : new OperatorDefinition.WrittenOut(name, new TermReader(header, fields).terms());
    if (operator.hasBaryons()) {
      checkBaryons(fields);
    }
    return operator;
  }

  private void checkBaryons(Fields fields) {
    if (irrep != null) {
      throw fields.place().error("irrep " + irrep.name() + " with a baryon: " + DOUBLE_VALUED);
    }
    if (header.onePoint()) {
      throw fields
          .place()
          .error("vev: true with a baryon: operators with baryons have no one-point functions");
    }
  }

  private OperatorDefinition product(String name, Fields fields) {
    Isospin isospin = header.isospin();
    if (isospin == null) {
      throw fields
          .place("hadrons")
          .error("hadrons need the total isospin: write isospin: [I, I3] at the top");
    }
    Map<String, String> quarks = header.quarks();
    if (!Objects.equals(quarks.get("u"), quarks.get("d"))) {
      throw fields
          .place("hadrons")
          .error(
              "isospin needs one perambulator label for u and d, but quarks has u: "
                  + quarks.get("u")
                  + ", d: "
                  + quarks.get("d")
                  + "; write the operator out in terms instead");
    }
    List<HadronFactor> hadrons = hadrons(fields);
    return new OperatorDefinition.Product(
        name, hadrons, seedRow(fields), intermediate(fields, hadrons.size()));
  }

  private List<HadronFactor> hadrons(Fields fields) {
    List<HadronFactor> hadrons = new ArrayList<>();
    boolean mesons = false;
    for (YamlNode node : fields.filledList("hadrons")) {
      Fields hadron = Fields.of(node, "a hadron", fields.place());
      if (hadron.has("meson") && hadron.has("baryon")) {
        throw hadron.place().error("a hadron is either a meson or a baryon, found both");
      }
      if (hadron.has("baryon")) {
        if (mesons) {
          throw hadron.place().error("a baryon after a meson: baryons come before mesons");
        }
        hadrons.add(nucleon(hadron));
      } else {
        mesons = true;
        hadrons.add(meson(hadron));
      }
    }
    checkBaryonCount(
        fields.place("hadrons"),
        hadrons.stream().filter(HadronFactor::isBaryon).count());
    checkMomentum(
        fields.place("hadrons"), hadrons.stream().map(HadronFactor::momentum).toList(), header);
    return hadrons;
  }

  private static HadronFactor meson(Fields fields) {
    fields.allow("meson", "momentum", "polarization");
    Meson meson =
        fields.value(
            "meson",
            text ->
                Meson.named(text)
                    .orElseThrow(
                        () ->
                            new IllegalArgumentException(
                                "unknown meson "
                                    + Quoted.of(text)
                                    + ", expected one of "
                                    + Meson.names())));
    if (!meson.polarized() && fields.has("polarization")) {
      throw fields
          .place("polarization")
          .error("polarization: " + meson + " has spin 0 and none; leave it out");
    }
    if (meson.polarized() && !fields.has("polarization")) {
      throw fields.place().error("missing polarization: " + meson + " needs x, y or z");
    }
    int axis = meson.polarized() ? fields.value("polarization", OperatorReader::axis) : 0;
    return new MesonHadron(meson, fields.momentum("momentum"), axis);
  }

  private static int axis(String text) {
    return switch (text) {
      case "x" -> 0;
      case "y" -> 1;
      case "z" -> 2;
      default -> throw new IllegalArgumentException("expected x, y or z, found " + Quoted.of(text));
    };
  }

  private static HadronFactor nucleon(Fields fields) {
    fields.allow("baryon", "momentum", "component", "parity");
    String name = fields.text("baryon");
    if (!name.equals("N")) {
      throw fields
          .place("baryon")
          .error(
              "unknown baryon "
                  + Quoted.of(name)
                  + ": expected "
                  + "N"
                  + ", or write the operator out in terms");
    }
    return new BaryonHadron(
        Baryon.named(name).orElseThrow(),
        fields.momentum("momentum"),
        TermReader.component(fields),
        TermReader.parity(fields),
        false);
  }

  private int seedRow(Fields fields) {
    DefinitionHeader.Target target = header.target();
    if (irrep == null || target == null) {
      if (fields.has("seed_row")) {
        throw fields.place("seed_row").error("seed_row without irrep");
      }
      return 0;
    }
    if (!fields.has("seed_row")) {
      return target.row();
    }
    if (irrep.dimension() == 1) {
      throw fields
          .place("seed_row")
          .error("irrep " + irrep.name() + " has one dimension: leave seed_row out");
    }
    return DefinitionReader.rowIndex(
        irrep, fields.text("seed_row"), fields.place("seed_row"), "seed_row");
  }

  private static List<HalfInteger> intermediate(Fields fields, int hadrons) {
    List<HalfInteger> values =
        fields.has("intermediate_isospin")
            ? fields.values("intermediate_isospin", Fields::halfInteger)
            : List.of();
    int needed = Math.max(0, hadrons - 2);
    if (values.size() != needed) {
      throw fields
          .place("intermediate_isospin")
          .error(
              "intermediate_isospin: "
                  + hadrons
                  + (hadrons == 1 ? " hadron needs " : " hadrons need ")
                  + needed
                  + (needed == 1 ? " value" : " values")
                  + ", one per coupling before the last, found "
                  + values.size());
    }
    return values;
  }

  static void checkBaryonCount(Place place, long baryons) {
    if (baryons > MOST_BARYONS) {
      throw place.error(
          "a product of " + baryons + " baryons: products of at most two baryons are supported");
    }
  }

  static void checkMomentum(Place place, List<Momentum> momenta, DefinitionHeader header) {
    long[] sum = new long[3];
    for (Momentum n : momenta) {
      for (int axis = 0; axis < 3; axis++) {
        sum[axis] += n.component(axis);
      }
    }
    Momentum total = header.momentum();
    if (sum[0] != total.x() || sum[1] != total.y() || sum[2] != total.z()) {
      throw place.error(
          "the momenta add up to ["
              + sum[0]
              + ", "
              + sum[1]
              + ", "
              + sum[2]
              + "], but the total momentum is "
              + total);
    }
  }
}
