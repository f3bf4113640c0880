package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.correlators.definition.hadrons.Baryon;
import org.starlingqcd.correlators.definition.hadrons.BaryonHadron;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.Meson;
import org.starlingqcd.correlators.definition.hadrons.MesonHadron;
import org.starlingqcd.correlators.definition.yaml.Quoted;
import org.starlingqcd.correlators.definition.yaml.YamlNode;

/** Reads the hadrons of one operator. */
final class HadronReader {
  private final DefinitionHeader header;

  HadronReader(DefinitionHeader header) {
    this.header = header;
  }

  /** The hadrons under the key {@code hadrons}, baryons before mesons. */
  List<HadronFactor> hadrons(Fields fields) {
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
        hadrons.add(baryon(hadron));
      } else {
        mesons = true;
        hadrons.add(meson(hadron));
      }
    }
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
    int axis = meson.polarized() ? fields.value("polarization", HadronReader::axis) : 0;
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

  private HadronFactor baryon(Fields fields) {
    fields.allow("baryon", "momentum", "component", "parity");
    Baryon baryon =
        fields.value(
            "baryon",
            text ->
                Baryon.named(text)
                    .orElseThrow(
                        () ->
                            new IllegalArgumentException(
                                "unknown baryon "
                                    + Quoted.of(text)
                                    + ", expected one of "
                                    + Baryon.names()
                                    + "; or write the operator out in terms")));
    boolean deGrandRossi = header.deGrandRossi() || baryon.twiceSpin() > 1;
    return new BaryonHadron(
        baryon,
        fields.momentum("momentum"),
        component(fields, baryon),
        TermReader.parity(fields),
        deGrandRossi);
  }

  private int component(Fields fields, Baryon baryon) {
    int component = TermReader.component(fields);
    int states = baryon.twiceSpin() + 1;
    boolean copies = baryon.kind() == Baryon.Kind.N && !header.deGrandRossi();
    if (component > states && !copies) {
      throw fields
          .place("component")
          .error(
              "component "
                  + component
                  + " of "
                  + baryon.name()
                  + (baryon.kind() == Baryon.Kind.N
                      ? " is a copy of component "
                          + (component - states)
                          + ": with "
                          + (header.target() == null ? "orientation" : "irrep")
                          + " expected 1 or 2"
                      : ": expected 1 or 2, spin +1/2 or -1/2"));
    }
    return component;
  }
}
