package org.starlingqcd.correlators.definition;

import java.util.List;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.HadronNames;
import org.starlingqcd.correlators.definition.hadrons.MesonField;
import org.starlingqcd.correlators.definition.hadrons.MesonHadron;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.text.Quoted;

/** Reads a meson of a product of hadrons. */
final class MesonReader {
  private final HadronNames names;

  MesonReader(HadronNames names) {
    this.names = names;
  }

  HadronFactor read(Fields fields) {
    fields.allow("meson", "momentum", "polarization");
    MesonField meson = fields.value("meson", names::meson);
    if (!meson.polarized() && fields.has("polarization")) {
      throw fields
          .place("polarization")
          .error(
              "polarization: "
                  + meson
                  + (meson.irrep().name().startsWith("A1")
                      ? " has spin 0 and none; leave it out"
                      : " is in the one-dimensional irrep "
                          + meson.irrep().name()
                          + " and has none; leave it out"));
    }
    List<String> rows = meson.polarizations();
    if (meson.polarized() && !fields.has("polarization")) {
      throw fields.place().error("missing polarization: " + meson + " needs " + alternatives(rows));
    }
    int row = meson.polarized() ? fields.value("polarization", text -> row(rows, text)) : 0;
    Momentum momentum = fields.momentum("momentum");
    List<Momentum> bounds = meson.boundsAgainst(momentum);
    if (!bounds.isEmpty()) {
      throw fields
          .place("momentum")
          .error(
              "momentum "
                  + momentum
                  + ": "
                  + meson
                  + " is a combination for momenta equivalent to "
                  + String.join(", ", bounds.stream().map(Momentum::toString).toList())
                  + "; define another for this momentum");
    }
    return new MesonHadron(meson, momentum, row);
  }

  private static int row(List<String> rows, String text) {
    int row = rows.indexOf(text);
    if (row < 0) {
      throw new IllegalArgumentException(
          "expected " + alternatives(rows) + ", found " + Quoted.of(text));
    }
    return row;
  }

  private static String alternatives(List<String> rows) {
    int last = rows.size() - 1;
    return String.join(", ", rows.subList(0, last)) + " or " + rows.get(last);
  }
}
