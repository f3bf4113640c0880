package org.starlingqcd.correlators.definition;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.HadronNames;
import org.starlingqcd.correlators.definition.projection.ProductContent;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.LittleGroup;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.text.Quoted;

/** Reads one operator: a product of hadrons here, terms written out in {@link TermReader}. */
final class OperatorReader {
  private static final int MOST_BARYONS = 2;

  private final DefinitionHeader header;
  private final HadronNames names;
  private final @Nullable Irrep irrep;

  OperatorReader(DefinitionHeader header, HadronNames names) {
    this.header = header;
    this.names = names;
    irrep = header.irrep();
  }

  OperatorDefinition read(Fields unnamed) {
    String name = unnamed.text("name");
    Fields fields = unnamed.in("operator " + Quoted.of(name));
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw fields.place("name").error("the name of an operator has no control characters");
    }
    fields.allow("name", "coefficient", "hadrons", "seed_row", "intermediate_isospin", "terms");
    if (fields.has("hadrons") == fields.has("terms")) {
      throw fields
          .place()
          .error(
              "an operator has either hadrons or terms, found "
                  + (fields.has("terms") ? "both" : "neither"));
    }
    if (fields.has("terms")) {
      for (String key : List.of("coefficient", "seed_row", "intermediate_isospin")) {
        if (fields.has(key)) {
          throw fields
              .place(key)
              .error(
                  key
                      + " belongs to hadrons; terms are used as they stand"
                      + (key.equals("coefficient") ? ", each with its own coefficient" : ""));
        }
      }
    }
    if (header.orientation() != null && fields.has("terms")) {
      throw fields
          .place("terms")
          .error("terms with orientation: an operator that is written out cannot be turned");
    }
    OperatorDefinition operator =
        fields.has("hadrons")
            ? product(name, fields)
            : new OperatorDefinition.WrittenOut(name, new TermReader(header, fields).terms());
    checkKind(fields, operator);
    if (operator.hasBaryons() && header.onePoint()) {
      throw fields
          .place()
          .error("vev: true with a baryon: operators with baryons have no one-point functions");
    }
    return operator;
  }

  /** Refuses a single-valued irrep for an odd number of baryons, and a double-valued one else. */
  private void checkKind(Fields fields, OperatorDefinition operator) {
    if (irrep == null || operator.hasOddBaryons() == irrep.isDoubleValued()) {
      return;
    }
    LittleGroup.Kind kind = irrep.group().kind();
    String message =
        "irrep "
            + irrep.name()
            + (irrep.isDoubleValued()
                ? " is double-valued, for an odd number of baryons, and the operator has an even"
                    + " number; "
                : " is single-valued, for an even number of baryons, and the operator has an odd"
                    + " number; ");
    if (kind == LittleGroup.Kind.C1 && operator.hasOddBaryons()) {
      message += "the momentum " + header.momentum() + " has no double-valued irrep: leave it out";
    } else if (operator instanceof OperatorDefinition.Product product) {
      message += "the product contains " + new ProductContent(product.hadrons()).text();
    } else {
      List<String> names =
          irrep.isDoubleValued() ? kind.singleValuedIrreps() : kind.doubleValuedIrreps();
      message += "expected one of " + String.join(", ", names);
    }
    throw fields.place().error(message);
  }

  private OperatorDefinition product(String name, Fields fields) {
    Isospin isospin = header.isospin();
    if (isospin == null) {
      throw fields
          .place("hadrons")
          .error("hadrons need the total isospin: write isospin: [I, I3] at the top");
    }
    Map<String, String> quarks = header.quarks();
    if (!header.isIsospinSymmetric()) {
      throw fields
          .place("hadrons")
          .error(
              "isospin needs one perambulator label for u and d, but quarks has u: "
                  + quarks.get("u")
                  + ", d: "
                  + quarks.get("d")
                  + "; write the operator out in terms instead");
    }
    List<HadronFactor> hadrons = new HadronReader(header, names).hadrons(fields);
    checkBaryonCount(
        fields.place("hadrons"), hadrons.stream().filter(HadronFactor::isBaryon).count());
    checkMomentum(
        fields.place("hadrons"), hadrons.stream().map(HadronFactor::momentum).toList(), header);
    Complex coefficient = TermReader.coefficient(fields);
    if (coefficient.abs() == 0) {
      throw fields.place("coefficient").error("coefficient: the operator vanishes with 0");
    }
    return new OperatorDefinition.Product(
        name, coefficient, hadrons, seedRow(fields), intermediate(fields, hadrons.size()));
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

  static void checkBaryonCount(SourceLocation place, long baryons) {
    if (baryons > MOST_BARYONS) {
      throw place.error(
          "a product of " + baryons + " baryons: products of at most two baryons are supported");
    }
  }

  static void checkMomentum(SourceLocation place, List<Momentum> momenta, DefinitionHeader header) {
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
