package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.correlators.definition.hadrons.Baryon;
import org.starlingqcd.correlators.definition.hadrons.BaryonHadron;
import org.starlingqcd.correlators.definition.hadrons.HadronFactor;
import org.starlingqcd.correlators.definition.hadrons.HadronNames;
import org.starlingqcd.hadron.yaml.YamlNode;

/** Reads the hadrons of one operator. */
final class HadronReader {
  private final DefinitionHeader header;
  private final HadronNames names;
  private final MesonReader mesons;

  HadronReader(DefinitionHeader header, HadronNames names) {
    this.header = header;
    mesons = new MesonReader(names);
    this.names = names;
  }

  /** The hadrons under the key {@code hadrons}, baryons before mesons. */
  List<HadronFactor> hadrons(Fields fields) {
    List<HadronFactor> hadrons = new ArrayList<>();
    boolean afterMeson = false;
    for (YamlNode node : fields.filledList("hadrons")) {
      Fields hadron = Fields.of(node, "a hadron", fields.place());
      if (hadron.has("meson") && hadron.has("baryon")) {
        throw hadron.place().error("a hadron is either a meson or a baryon, found both");
      }
      if (hadron.has("baryon")) {
        if (afterMeson) {
          throw hadron.place().error("a baryon after a meson: baryons come before mesons");
        }
        hadrons.add(baryon(hadron));
      } else {
        afterMeson = true;
        hadrons.add(mesons.read(hadron));
      }
    }
    return hadrons;
  }

  private HadronFactor baryon(Fields fields) {
    fields.allow("baryon", "momentum", "component", "parity");
    Baryon baryon = fields.value("baryon", names::baryon);
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
